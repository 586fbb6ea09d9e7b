// SPDX-License-Identifier: Apache-2.0
// Modules that a program loads itself, and the driver's functions that it asks for.
#include <vector>

#include "sim/cudart/image_file.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/program.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

constexpr int kFileNotFound = 301;
}  // namespace

extern "C" {

int cudaLibraryLoadData(Module** library, const void* code, void*, void*, unsigned, void*, void*, unsigned) {
  return finish(Program::get().load_module(code, library));
}
int cudaLibraryLoadFromFile(Module** library, const char* path, void*, void*, unsigned, void*, void*, unsigned) {
  const std::vector<std::uint8_t> bytes = image_file(path);
  if (bytes.empty()) return finish(kFileNotFound);
  return finish(Program::get().load_module(bytes.data(), library));
}
int cudaLibraryUnload(Module* library) { return finish(Program::get().unload_module(library)); }
int cudaLibraryGetKernel(Function** kernel, Module* library, const char* name) {
  return finish(Program::get().find_function(library, name, kernel));
}
int cudaLibraryGetGlobal(void** pointer, std::size_t* bytes, Module* library, const char* name) {
  std::uint64_t address = 0;
  std::size_t size = 0;
  const int error = Program::get().find_variable(library, name, &address, &size);
  if (error != 0) return finish(error == stc::remote::kNotFound ? stc::remote::kInvalidSymbol : error);
  if (pointer != nullptr) *pointer = reinterpret_cast<void*>(address);
  if (bytes != nullptr) *bytes = size;
  return 0;
}

int cuGetProcAddress_v2(const char*, void**, int, std::uint64_t, int*);

int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long, int* status) {
  cuGetProcAddress_v2(name, function, 0, 0, status);
  return 0;
}
int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags, int* status) {
  return cudaGetDriverEntryPointByVersion(name, function, 0, flags, status);
}
}
