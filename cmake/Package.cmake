# cmake --install: the library, its headers, the command, its man page and a package for find_package(tulle).
include(CMakePackageConfigHelpers)

# In a static library with templates of Eigen, the linker would keep one copy of each: the program's, which under -mavx2 or with a sanitizer
# frees and aligns otherwise than the library's own. In the installed archive they are no symbols at all, as in the shared library.
function(tulle_hide_templates component)
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_OBJCOPY)
    return()
  endif()
  install(CODE "set(ARCHIVE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/${CMAKE_STATIC_LIBRARY_PREFIX}tulle${CMAKE_STATIC_LIBRARY_SUFFIX}\")
    set(LINKER \"${CMAKE_LINKER}\")\nset(OBJCOPY \"${CMAKE_OBJCOPY}\")\nset(NM \"${CMAKE_NM}\")\nset(AR \"${CMAKE_AR}\")" ${component})
  install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/hide_templates.cmake ${component})
endfunction()

# The library with its headers and its package, as a component of the installation. EXCLUDE_FROM_ALL: only when the
# component is asked for.
#
#   tulle_install_library(TARGET COMPONENT [EXCLUDE_FROM_ALL])
function(tulle_install_library library component)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/tulle)
  set(component COMPONENT ${component} ${ARGN})
  set_target_properties(${library} PROPERTIES EXPORT_NAME tulle OUTPUT_NAME tulle)
  install(TARGETS ${library} EXPORT ${library}-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${component} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${component}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  get_target_property(TULLE_LIBRARY_TYPE ${library} TYPE)
  if(TULLE_LIBRARY_TYPE STREQUAL "STATIC_LIBRARY")
    tulle_hide_templates("${component}")
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${component})
  install(EXPORT ${library}-targets FILE tulle-targets.cmake NAMESPACE tulle:: DESTINATION ${folder} ${component})

  set(config ${PROJECT_BINARY_DIR}/package/${library})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tulle-config.cmake.in ${config}/tulle-config.cmake
    INSTALL_DESTINATION ${folder})
  write_basic_package_version_file(${config}/tulle-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${config}/tulle-config.cmake ${config}/tulle-config-version.cmake DESTINATION ${folder} ${component})

  # The prefix is found from where the file lies. Users of a shared library need the first list, of a static one both.
  file(RELATIVE_PATH TULLE_PREFIX_FROM_PC /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tulle.pc.in ${PROJECT_BINARY_DIR}/package/tulle.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/tulle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${component})
endfunction()

# Everything there is.
function(tulle_install)
  tulle_install_library(tulle library)
  if(NOT TULLE_COMMAND)
    return()
  endif()
  install(TARGETS tulle_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/experiments ${PROJECT_SOURCE_DIR}/vocabularies
    DESTINATION ${CMAKE_INSTALL_DATADIR}/tulle)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
  install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
  install(FILES ${PROJECT_BINARY_DIR}/tulle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tulle)
  install(FILES ${PROJECT_BINARY_DIR}/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _tulle)
  install(FILES ${PROJECT_BINARY_DIR}/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME tulle.fish)
  tulle_debian_package()
endfunction()

# cpack: all of that as a package of Debian. What it needs to run is found in its programs; what is loaded on demand (base/loaded_library.hpp) is
# suggested, and the headers that Tulle's include are recommended.
function(tulle_debian_package)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_CONTACT "The developers of Tulle")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libopenblas0-openmp)  # of its kinds the one whose threads stay out of our loops
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libeigen3-dev, libfmt-dev, nlohmann-json3-dev")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libhdf5-103-1, libpq5, openmpi-bin")
  include(CPack)
endfunction()
