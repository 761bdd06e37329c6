# A room is one folder of src/. Its public headers are in include/tulle/NAME, those for other rooms in src/NAME/headers; both are included
# as <tulle/NAME/..>. Its target holds every .cpp of the folder and sees the headers of the rooms named after SEES and of no other: each
# room's headers are reached through an include path of their own, a folder of links. Headers bring the paths that they need, so a room reaches those that its rooms see too:
# tests/architecture/rooms_test.py holds the includes of every room against what it names.
#
#   tulle_room(NAME [LIGHT]  [LOOPS folder]  SEES room ...  LINKS library ...  TOGETHER "folder folder .." ...  SEPARATE source ...)
#
# LIGHT are rooms that leave the long loops over data to others: optimization would take most of the time to compile them. LOOPS names the
# folder of a room that holds them, which is optimized further.
# The sources of a folder are compiled together (CMAKE_UNITY_BUILD, see CMakePresets.json): names in their anonymous namespaces are
# unique within a folder. An object file takes three seconds whatever is in it, so TOGETHER lists folders that share one ("." is the room's
# own). SEPARATE names sources with an object file of their own: tests/audit/mutations replaces their functions, and sources of the same
# folder call them, which the compiler could inline. Sources that do not call each other may share one: "source source".

# A precompiled header, which other targets reuse (REUSE_FROM). It is named without its folder, so that the compiler cache serves
# clones of the project from one another.
function(tulle_precompile target folder header)
  add_library(${target} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_include_directories(${target} PUBLIC ${folder} ${PROJECT_SOURCE_DIR}/cmake)
  target_precompile_headers(${target} PRIVATE <${header}>)
  target_link_libraries(${target} PUBLIC Eigen3::Eigen OpenMP::OpenMP_CXX fmt::fmt ${ARGN})
endfunction()

# A precompiled header fixes the level of optimization, so light rooms and the command have one of their own.
set(TULLE_LIGHT -fPIC $<$<CONFIG:Release>:-O1>)
tulle_precompile(tulle_precompiled ${PROJECT_SOURCE_DIR}/cmake precompiled.hpp)
tulle_precompile(tulle_precompiled_light ${PROJECT_SOURCE_DIR}/cmake precompiled_light.hpp nlohmann_json::nlohmann_json)
target_compile_options(tulle_precompiled_light PRIVATE ${TULLE_LIGHT})

# Sources are those of one room; `together` and `separate` as above.
function(tulle_join_sources target sources together separate)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
    foreach(folders ${together})
      string(REPLACE " " ";" folders ${folders})
      if("${folder}" IN_LIST folders OR ("${folder}" STREQUAL "" AND "." IN_LIST folders))
        list(GET folders 0 folder)
        break()
      endif()
    endforeach()
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  foreach(names ${separate})
    string(MAKE_C_IDENTIFIER ${names} group)
    string(REPLACE " " ";" names ${names})
    set_source_files_properties(${names} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# The sources of one folder of a room, with the room's view of headers.
function(tulle_loops room folder)
  set(target tulle_${room}_loops)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  add_library(${target} OBJECT ${sources})
  tulle_join_sources(${target} "${sources}" "" "")
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE tulle_${room} ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O3>)
  set_property(GLOBAL APPEND PROPERTY TULLE_OBJECTS ${target})
endfunction()

function(tulle_link_headers view name)
  file(REMOVE_RECURSE ${view})
  foreach(folder ${PROJECT_SOURCE_DIR}/include/tulle/${name} ${CMAKE_CURRENT_SOURCE_DIR}/headers)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.hpp)
    foreach(header ${headers})
      get_filename_component(place ${view}/tulle/${name}/${header} DIRECTORY)
      file(MAKE_DIRECTORY ${place})
      file(CREATE_LINK ${folder}/${header} ${view}/tulle/${name}/${header} SYMBOLIC)
    endforeach()
  endforeach()
endfunction()

function(tulle_room name)
  cmake_parse_arguments(ROOM "LIGHT" "LOOPS" "SEES;LINKS;TOGETHER;SEPARATE" ${ARGN})
  set(target tulle_${name})
  set(view ${PROJECT_BINARY_DIR}/rooms/${name})
  tulle_link_headers(${view} ${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(ROOM_LOOPS)
    tulle_loops(${name} ${CMAKE_CURRENT_SOURCE_DIR}/${ROOM_LOOPS} ${ROOM_LINKS})
    list(FILTER sources EXCLUDE REGEX /${ROOM_LOOPS}/)
  endif()

  add_library(${target} OBJECT ${sources})
  tulle_join_sources(${target} "${sources}" "${ROOM_TOGETHER}" "${ROOM_SEPARATE}")
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${view}> PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC Eigen3::Eigen OpenMP::OpenMP_CXX fmt::fmt PRIVATE ${ROOM_LINKS})
  if(ROOM_LIGHT)
    target_compile_options(${target} PRIVATE ${TULLE_LIGHT})
    target_precompile_headers(${target} REUSE_FROM tulle_precompiled_light)
  else()
    target_precompile_headers(${target} REUSE_FROM tulle_precompiled)
  endif()
  foreach(room ${ROOM_SEES})
    target_link_libraries(${target} PUBLIC tulle_${room})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TULLE_ROOMS ${name})
  set_property(GLOBAL APPEND PROPERTY TULLE_OBJECTS ${target})
  set_property(GLOBAL APPEND PROPERTY TULLE_LIBRARIES ${ROOM_LINKS})
endfunction()

# Makes a library of the objects of all rooms, whose users see the headers in these folders. They need the headers of Eigen, fmt and
# nlohmann_json; the other libraries are needed at the link step, and of a static library only.
function(tulle_link_rooms library)
  get_property(objects GLOBAL PROPERTY TULLE_OBJECTS)
  get_property(libraries GLOBAL PROPERTY TULLE_LIBRARIES)
  list(REMOVE_DUPLICATES libraries)
  foreach(target ${objects})
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:${target}>)
  endforeach()
  target_include_directories(${library} PUBLIC "$<BUILD_INTERFACE:${ARGN}>")
  target_link_libraries(${library} PUBLIC Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json
    PRIVATE OpenMP::OpenMP_CXX ${libraries})
  target_compile_features(${library} PUBLIC cxx_std_20)
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# A program on top of the library: tests, benchmarks. It shares the rooms' precompiled header (-fPIC as in the library, or the
# compiler refuses it), or that of the target named after PRECOMPILED.
function(tulle_program target)
  cmake_parse_arguments(PROGRAM "" "PRECOMPILED" "" ${ARGN})
  if(NOT PROGRAM_PRECOMPILED)
    set(PROGRAM_PRECOMPILED tulle_precompiled)
  endif()
  add_executable(${target} ${PROGRAM_UNPARSED_ARGUMENTS})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC)
  target_link_libraries(${target} PRIVATE tulle_static OpenMP::OpenMP_CXX ${PROGRAM_PRECOMPILED})
  target_precompile_headers(${target} REUSE_FROM ${PROGRAM_PRECOMPILED})
endfunction()
