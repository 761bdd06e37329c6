# Configures and builds the outside project, and runs what it built, in one of three ways (HOW):
#   shared          against the package after all was installed into a folder of its own
#   static          the same with the component static_library, which has no command
#   embedded        with Tulle's sources as a part of it
# Embedded, the library is not built: that would take minutes. What shows is that the project is configured and generated, and
# that a source of it compiles with the headers and flags that it gets from tulle::tulle.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  message(STATUS "${output}")
endfunction()

set(configure ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_CXX_FLAGS=${FLAGS})
if(HOW STREQUAL "embedded")
  run(${configure} -DTULLE_SOURCE=${TULLE})
  run(${CMAKE_COMMAND} --build ${WORK}/build --target CMakeFiles/outside.dir/outside.cpp.o)
else()
  file(REMOVE_RECURSE ${WORK}/prefix)  # what an earlier installation left there must not help
  if(HOW STREQUAL "static")
    set(component --component static_library)
  endif()
  run(${CMAKE_COMMAND} --install ${BUILD} ${component} --prefix ${WORK}/prefix)
  run(${configure} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
  run(${CMAKE_COMMAND} --build ${WORK}/build)
  run(${WORK}/build/outside)
endif()
