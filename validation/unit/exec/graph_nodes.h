// SPDX-License-Identifier: Apache-2.0
// What the runtime is told of the nodes of a graph.
#pragma once

#include "validation/unit/exec/runtime.h"

extern "C" {
int cudaGraphCreate(void**, unsigned);
int cudaGraphGetNodes(void*, void**, std::size_t*);
int cudaGraphInstantiate(void**, void*, unsigned long long);
int cudaGraphLaunch(void*, void*);
int cudaGraphAddKernelNode(void**, void*, void* const*, std::size_t, const void*);
int cudaGraphAddMemsetNode(void**, void*, void* const*, std::size_t, const void*);
int cudaGraphAddEmptyNode(void**, void*, void* const*, std::size_t);
}

namespace stc::exec_test {

struct KernelNode {
  const void* key = nullptr;
  Dim3 grid = {}, block = {};
  unsigned shared_bytes = 0;
  void** arguments = nullptr;
  void** extra = nullptr;
};
struct FillNode {
  void* pointer;
  std::size_t pitch;
  unsigned value, element_bytes;
  std::size_t width, height;
};

}  // namespace stc::exec_test
