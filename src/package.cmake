# What `cmake --install` puts where: the program and its libraries (component runtime), what a second program needs to link
# them with any C++20 compiler (component development).
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/phpc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
# Scripts can be started where they lie.
set(phpc_scripts PATTERN *.sh PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/portable-hpc/data COMPONENT runtime
  PATTERN slurm EXCLUDE PATTERN packaging EXCLUDE ${phpc_scripts})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/slurm DESTINATION ${CMAKE_INSTALL_DATADIR}/portable-hpc COMPONENT runtime ${phpc_scripts})
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/portable-hpc COMPONENT runtime)

# Static libraries would need the OpenMP and offload flags of this build on the consumer's link line: only shared ones are exported.
if(BUILD_SHARED_LIBS)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/portable_hpc)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/src/portable_hpc-config.cmake.in
    ${PROJECT_BINARY_DIR}/portable_hpc-config.cmake INSTALL_DESTINATION ${package_dir})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/portable_hpc-config-version.cmake COMPATIBILITY SameMajorVersion)
  set(phpc_installed_nvidia "")
  if("nvptx" IN_LIST phpc_targets)
    set(phpc_installed_nvidia ${phpc_nvidia})
  endif()
  set(phpc_installed_amd "")
  if("amdgcn" IN_LIST phpc_targets)
    set(phpc_installed_amd ${phpc_amd})
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/src/portable_hpc-cuda.cmake.in ${PROJECT_BINARY_DIR}/portable_hpc-cuda.cmake @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/portable_hpc-config.cmake ${PROJECT_BINARY_DIR}/portable_hpc-config-version.cmake
    ${PROJECT_BINARY_DIR}/portable_hpc-cuda.cmake ${PROJECT_SOURCE_DIR}/src/offload.cmake ${PROJECT_SOURCE_DIR}/src/gpus.cmake
    ${PROJECT_SOURCE_DIR}/src/clang-linker-wrapper.in ${PROJECT_SOURCE_DIR}/src/clang-nvlink-wrapper.in
    DESTINATION ${package_dir} COMPONENT development)
  install(EXPORT portable_hpc NAMESPACE phpc:: FILE portable_hpc-targets.cmake DESTINATION ${package_dir}
    COMPONENT development)
endif()

# `make deb`: one Debian package of the component runtime, which depends on the packages that its libraries come from.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME portable-hpc)
set(CPACK_PACKAGE_CONTACT "portable-hpc developers <portable-hpc@invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL runtime)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME portable-hpc)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
include(CPack)
