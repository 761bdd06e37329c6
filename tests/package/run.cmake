# Configures and builds the outside project, and runs what it built, in one of three ways (HOW):
#   shared          against the package after all was installed into a folder of its own
#   static          the same with the component static_library, which has no command
#   embedded        with Tulle's sources as a part of it
# Embedded, the library is not built: that would take minutes. The project is configured and generated, without the libraries
# that Tulle can do without; the sources that use them compile, and one of the project with the headers and flags of tulle::tulle.
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
  run(${configure} -DTULLE_SOURCE=${TULLE} -DTULLE_WITH_HDF5=OFF -DTULLE_WITH_POSTGRESQL=OFF -DTULLE_WITH_MPI=OFF)
  foreach(source io/binary/hdf5 io/binary/mat73 io/binary/mat_write privacy/ledger/postgresql_store exchange/mpi)
    string(REGEX MATCH "^[a-z]+" room ${source})
    string(REPLACE "${room}/" "" file ${source})
    list(APPEND objects _deps/tulle-build/src/${room}/CMakeFiles/tulle_${room}.dir/${file}.cpp.o)
  endforeach()
  run(${CMAKE_COMMAND} --build ${WORK}/build --target CMakeFiles/outside.dir/outside.cpp.o ${objects})
else()
  file(REMOVE_RECURSE ${WORK}/prefix)  # what an earlier installation left there must not help
  if(HOW STREQUAL "static")
    set(component --component static_library)
    set(all --static)
  endif()
  run(${CMAKE_COMMAND} --install ${BUILD} ${component} --prefix ${WORK}/prefix)
  run(${configure} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
  run(${CMAKE_COMMAND} --build ${WORK}/build)
  run(${WORK}/build/outside)

  # Without CMake: the flags of pkg-config compile all public headers without a warning, and link the same program.
  set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/lib/pkgconfig)
  file(WRITE ${WORK}/headers.cpp "#include <tulle/tulle.hpp>\n")
  run(sh -ec "${COMPILER} -std=c++20 ${FLAGS} $(pkg-config --cflags tulle) -Wall -Wextra -Werror -fsyntax-only ${WORK}/headers.cpp
    ${COMPILER} ${FLAGS} ${WORK}/build/CMakeFiles/outside.dir/outside.cpp.o $(pkg-config ${all} --libs tulle) -Wl,-rpath,${WORK}/prefix/lib -o ${WORK}/by_pkg_config")
  run(${WORK}/by_pkg_config)
endif()
