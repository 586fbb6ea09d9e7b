# find_package(stcsim): stcsim::arith, ::sparsity, ::isa, ::cubin, ::tensor_core, ::gpu and what they need.
# ::launch reads GPU files and run files.
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
find_dependency(fmt)
find_dependency(yaml-cpp)
find_dependency(Threads)
pkg_check_modules(SystemC REQUIRED IMPORTED_TARGET systemc)
pkg_check_modules(Elf REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(Zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(Lz4 REQUIRED IMPORTED_TARGET liblz4)
include(${CMAKE_CURRENT_LIST_DIR}/stcsimTargets.cmake)
