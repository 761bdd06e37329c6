# One place for the language, the warnings and the sanitizers, for Tulle's own folders: a project that embeds Tulle keeps its
# flags. Nothing here names a CPU: what ships runs on any x86-64 or ARM64 machine, and kernels that gain from newer
# instructions choose at run time (see base/multiarch.hpp).
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)  # public headers say what a shared library exports
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(TULLE_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")
add_compile_options(-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # On ARM64 gcc 12 orders instructions before it assigns registers, and may then move or spill sums that fit into registers in every turn
  # of a loop. On x86-64 this is off by default.
  add_compile_options(-fno-schedule-insns)
  # What -O3 adds beyond this makes few loops faster and compiling a tenth longer; folders with such loops ask for it (LOOPS in Room.cmake).
  add_compile_options($<$<CONFIG:Release>:-O2> -fpeel-loops -fvect-cost-model=dynamic)
  # The compiler looks for memory to free when it holds 512 MB, not 128: a twelfth of the time to compile.
  add_compile_options(--param=ggc-min-heapsize=524288)
endif()
# With threads of its own Eigen cuts sums by their number, so that what comes out would depend on it.
add_compile_definitions(EIGEN_DONT_PARALLELIZE)
if(TULLE_SANITIZE)
  add_compile_options(-fsanitize=${TULLE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TULLE_SANITIZE})
endif()

find_program(TULLE_CCACHE ccache)
if(TULLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TULLE_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()
