# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The installed CMake package: libraries, headers, programs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# add_kz_package(DEPENDENCIES packages...)
# Called after all libraries are known. The portable build installs nothing:
# its package is the archive that kz-portable makes.
function(add_kz_package)
  cmake_parse_arguments(ARG "" "" "DEPENDENCIES" ${ARGN})
  if(KERNELZERO_PORTABLE)
    return()
  endif()
  get_property(libraries GLOBAL PROPERTY KZ_LIBRARIES)
  install(TARGETS ${libraries} EXPORT KernelZeroTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/KernelZero)
  install(EXPORT KernelZeroTargets NAMESPACE KernelZero::
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/KernelZero)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/KernelZero ${PROJECT_BINARY_DIR}/include/KernelZero
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc" PATTERN "CMakeFiles" EXCLUDE)

  list(TRANSFORM libraries PREPEND KernelZero:: OUTPUT_VARIABLE KZ_PACKAGE_TARGETS)
  set(KZ_PACKAGE_DEPENDENCIES ${ARG_DEPENDENCIES})
  string(REPLACE ";" " " KZ_PACKAGE_DEPENDENCIES "${KZ_PACKAGE_DEPENDENCIES}")
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/KernelZeroConfig.cmake.in
    ${PROJECT_BINARY_DIR}/KernelZeroConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/KernelZero
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/KernelZeroConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/KernelZeroConfig.cmake
                ${PROJECT_BINARY_DIR}/KernelZeroConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/KernelZero)
endfunction()
