// SPDX-License-Identifier: Apache-2.0
// Modules and libraries of the driver's interface, and what is asked of their kernels.
#include "sim/cudart/image_file.h"
#include "sim/cudart/launch.h"
#include "sim/cudart/not_supported.h"
#include "sim/cudart/program.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

constexpr int kFileNotFound = 301;
enum Attribute : int {
  kMaxThreads,
  kSharedBytes,
  kConstantBytesOf,
  kLocalBytes,
  kRegisters,
  kPtxVersion,
  kBinaryVersion,
  kCacheMode,
  kMaxDynamicShared,
  kCarveout,
  kNeedsCluster,
  kClusterX,
  kClusterY,
  kClusterZ,
  kNonPortableCluster
};

int check(const Function* function) {
  Function* found = nullptr;
  return Program::get().function(function, &found);
}

}  // namespace

extern "C" {

int cuModuleLoadData(Module** module, const void* image) { return Program::get().load_module(image, module); }
int cuModuleLoadDataEx(Module** module, const void* image, unsigned, void*, void*) {
  return Program::get().load_module(image, module);
}
int cuModuleLoadFatBinary(Module** module, const void* image) { return Program::get().load_module(image, module); }
int cuModuleLoad(Module** module, const char* path) {
  const std::vector<std::uint8_t> bytes = image_file(path);
  return bytes.empty() ? kFileNotFound : Program::get().load_module(bytes.data(), module);
}
int cuModuleUnload(Module* module) { return Program::get().unload_module(module); }
int cuModuleGetFunction(Function** function, Module* module, const char* name) {
  return Program::get().find_function(module, name, function);
}
int cuModuleGetGlobal_v2(std::uint64_t* pointer, std::size_t* bytes, Module* module, const char* name) {
  std::uint64_t address = 0;
  std::size_t size = 0;
  const int error = Program::get().find_variable(module, name, &address, &size);
  if (error == 0 && pointer != nullptr) *pointer = address;
  if (error == 0 && bytes != nullptr) *bytes = size;
  return error;
}
int cuModuleGetLoadingMode(int* mode) { return *mode = 2, 0; }  // lazy

int cuLibraryLoadData(Module** library, const void* image, void*, void*, unsigned, void*, void*, unsigned) {
  return Program::get().load_module(image, library);
}
int cuLibraryLoadFromFile(Module** library, const char* path, void*, void*, unsigned, void*, void*, unsigned) {
  return cuModuleLoad(library, path);
}
int cuLibraryUnload(Module* library) { return Program::get().unload_module(library); }
int cuLibraryGetKernel(Function** kernel, Module* library, const char* name) {
  return Program::get().find_function(library, name, kernel);
}
int cuLibraryGetModule(Module** module, Module* library) { return *module = library, 0; }
int cuLibraryGetGlobal(std::uint64_t* pointer, std::size_t* bytes, Module* library, const char* name) {
  return cuModuleGetGlobal_v2(pointer, bytes, library, name);
}
int cuKernelGetFunction(Function** function, Function* kernel) { return *function = kernel, check(kernel); }

int cuFuncGetAttribute(int* value, int attribute, Function* function) {
  if (const int error = check(function); error != 0) return error;
  const auto& facts = function->facts;
  switch (attribute) {
    case kMaxThreads: *value = static_cast<int>(facts.max_threads); break;
    case kSharedBytes: *value = static_cast<int>(facts.static_shared_bytes); break;
    case kConstantBytesOf: *value = static_cast<int>(facts.constant_bytes); break;
    case kLocalBytes: *value = static_cast<int>(facts.local_bytes); break;
    case kRegisters: *value = static_cast<int>(facts.registers); break;
    case kPtxVersion:
    case kBinaryVersion: *value = static_cast<int>(facts.image_version); break;
    case kCacheMode: *value = 0; break;
    case kMaxDynamicShared: *value = function->max_dynamic_shared_bytes; break;
    case kCarveout: *value = -1; break;
    case kNeedsCluster: *value = facts.cluster.x != 0 ? 1 : 0; break;
    case kClusterX: *value = static_cast<int>(facts.cluster.x); break;
    case kClusterY: *value = static_cast<int>(facts.cluster.y); break;
    case kClusterZ: *value = static_cast<int>(facts.cluster.z); break;
    case kNonPortableCluster: *value = function->non_portable_cluster ? 1 : 0; break;
    default: return driver_not_supported("cuFuncGetAttribute (another attribute than 0 to 14)");
  }
  return 0;
}
int cuKernelGetAttribute(int* value, int attribute, Function* kernel, int) {
  return cuFuncGetAttribute(value, attribute, kernel);
}
int cuFuncSetAttribute(Function* function, int attribute, int value) {
  using Setting = stc::remote::FunctionSetting;
  if (const int error = check(function); error != 0) return error;
  if (attribute == kCarveout) return 0;  // a hint
  if (attribute == kMaxDynamicShared) return set_function(*function, Setting::kDynamicSharedBytes, value);
  if (attribute == kNonPortableCluster) return set_function(*function, Setting::kNonPortableCluster, value);
  return driver_not_supported("cuFuncSetAttribute (another attribute than 8, 9 and 14)");
}
int cuKernelSetAttribute(int attribute, int value, Function* kernel, int) {
  return cuFuncSetAttribute(kernel, attribute, value);
}
int cuFuncLoad(Function* function) { return check(function); }
int cuFuncIsLoaded(int* state, Function* function) { return *state = 1, check(function); }
int cuKernelSetCacheConfig(Function* kernel, int, int) { return check(kernel); }
int cuFuncSetCacheConfig(Function* function, int) { return check(function); }
int cuFuncGetName(const char** name, Function* function) {
  const int error = check(function);
  return error != 0 ? error : (*name = function->name.c_str(), 0);
}
int cuFuncGetModule(Module** module, Function* function) {
  const int error = check(function);
  return error != 0 ? error : (*module = function->module, 0);
}
int cuFuncGetParamInfo(Function* function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  if (const int error = check(function); error != 0) return error;
  if (index >= function->parameters.size()) return stc::remote::kInvalidValue;
  *offset = function->parameters[index].offset;
  if (bytes != nullptr) *bytes = function->parameters[index].bytes;
  return 0;
}
int cuKernelGetParamInfo(Function* kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return cuFuncGetParamInfo(kernel, index, offset, bytes);
}
}
