# cmake --install: the library, its headers, the command, its man page and a package for find_package(tulle).
include(CMakePackageConfigHelpers)

install(TARGETS tulle EXPORT tulle-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS tulle_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/tulle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/experiments DESTINATION ${CMAKE_INSTALL_DATADIR}/tulle)
install(FILES ${CMAKE_BINARY_DIR}/tulle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tulle)
install(FILES ${CMAKE_BINARY_DIR}/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _tulle)
install(FILES ${CMAKE_BINARY_DIR}/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME tulle.fish)
install(EXPORT tulle-targets NAMESPACE tulle:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tulle)

set(config ${CMAKE_BINARY_DIR}/tulle-config.cmake)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/tulle-config.cmake.in ${config}
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tulle)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/tulle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${config} ${CMAKE_BINARY_DIR}/tulle-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tulle)
