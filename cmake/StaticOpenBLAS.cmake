# OpenBLAS with LAPACK as a static library: a fifth of what it is compressed as a shared one is routines that nobody calls. The compiler's static
# library of Fortran brings one function (strings), where the shared one would bring two libraries more. Names are kept that nothing
# refers to and that tensor/machine.cpp looks up.
find_library(TULLE_OPENBLAS libopenblas.a REQUIRED)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgfortran.a OUTPUT_VARIABLE fortran OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT IS_ABSOLUTE "${fortran}")
  message(FATAL_ERROR "libgfortran.a is missing; run: scripts/setup wheel")
endif()
add_library(BLAS::BLAS INTERFACE IMPORTED GLOBAL)
add_library(LAPACK::LAPACK INTERFACE IMPORTED GLOBAL)
target_link_libraries(BLAS::BLAS INTERFACE -Wl,-u,openblas_get_config,-u,openblas_get_corename ${TULLE_OPENBLAS} ${fortran} m ${CMAKE_DL_LIBS})
target_link_libraries(LAPACK::LAPACK INTERFACE BLAS::BLAS)
