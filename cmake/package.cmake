# What `cmake --install` and CPack put where: the program with its data, and the libraries that other projects link.
#   bin/stcsim
#   share/man, share/bash-completion, share/zsh, share/fish: its man page and completion
#   share/stcsim/      data in the folders that they have in the source tree; the program looks there first
#   include/stcsim/    headers of the libraries
#   lib/cmake/stcsim/  what find_package(stcsim) reads
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# stc_arith is stcsim::arith outside, whether by find_package or by add_subdirectory.
set(libraries
  options systemc core arith sparsity isa dependence cubin gemm tensor_core memory statistics sm gpu gpu_params base config launch)
foreach(library ${libraries})
  add_library(stcsim::${library} ALIAS stc_${library})
  set_target_properties(stc_${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

list(TRANSFORM libraries PREPEND stc_)
install(TARGETS ${libraries} EXPORT stcsimTargets)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/stcsim)
install(EXPORT stcsimTargets NAMESPACE stcsim:: DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/stcsimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/stcsimConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/stcsimConfigVersion.cmake
  DESTINATION ${package_folder})
foreach(folder models traces/cubin traces/gemm sim/base sim/config sim/launch)
  install(DIRECTORY ${folder}/ DESTINATION include/stcsim/${folder} FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
endforeach()

if(STC_PROGRAM)
  install(TARGETS stcsim)
  set(made ${PROJECT_BINARY_DIR}/sim)
  install(FILES ${made}/stcsim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${made}/stcsim.bash RENAME stcsim DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${made}/_stcsim DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${made}/stcsim.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  foreach(folder configs traces/kernels validation/kernels validation/measured)
    install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/stcsim/${folder})
  endforeach()
  install(FILES LICENSE README.md validation/DEVIATIONS.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()

set(CPACK_PACKAGE_NAME stcsim)
set(CPACK_PACKAGE_CONTACT "The stcsim authors <stcsim@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Cycle-level simulator of NVIDIA's sparse tensor core")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, pkg-config, libsystemc-dev, libfmt-dev, libyaml-cpp-dev, libelf-dev, libzstd-dev, liblz4-dev")
include(CPack)
