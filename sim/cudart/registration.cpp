// SPDX-License-Identifier: Apache-2.0
// The calls that nvcc puts into programs: images, kernels and variables are registered before main.
#include <vector>

#include "sim/cudart/abi.h"
#include "sim/cudart/connection.h"
#include "sim/cudart/last_error.h"
#include "sim/cudart/program.h"

using namespace stc::cuda;  // the names below are the ABI's

namespace {

struct CallConfiguration {
  Dim grid, block;
  std::size_t shared_bytes;
  void* stream;
};

std::vector<CallConfiguration>& configurations() {
  thread_local std::vector<CallConfiguration> stack;
  return stack;
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  const auto* const from = static_cast<const FatBinaryWrapper*>(wrapper);
  return reinterpret_cast<void**>(Program::get().add_module(from->container));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

/// Called before the host first uses a managed variable.
char __cudaInitModule(void** module) {
  finish(Program::get().place_managed(reinterpret_cast<Module*>(module)));
  return 1;
}

void __cudaRegisterFunction(void** module, const char* host, char*, const char* name, int, void*, void*, void*, void*,
                            int*) {
  Program::get().add_function(host, reinterpret_cast<Module*>(module), name);
}
void __cudaRegisterVar(void** module, char* host, char*, const char* name, int, std::size_t bytes, int, int) {
  Program::get().add_variable(host, {reinterpret_cast<Module*>(module), name, bytes});
}
void __cudaRegisterManagedVar(void** module, void** host, char*, const char* name, int, std::size_t bytes, int, int) {
  Program::get().add_variable(host, {reinterpret_cast<Module*>(module), name, bytes, host});
}

unsigned __cudaPushCallConfiguration(Dim grid, Dim block, std::size_t shared_bytes, void* stream) {
  configurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}
int __cudaPopCallConfiguration(Dim* grid, Dim* block, std::size_t* shared_bytes, void* stream) {
  if (configurations().empty()) return finish(52);  // cudaErrorMissingConfiguration
  const CallConfiguration top = configurations().back();
  configurations().pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<void**>(stream) = top.stream;
  return 0;
}

int __cudaGetKernel(const void** kernel, const void* host) {
  *kernel = host;
  return 0;
}
}
