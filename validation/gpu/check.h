// SPDX-License-Identifier: Apache-2.0
// For programs that nvcc compiles whole: calls of the runtime that end the program where they fail.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                          \
  do {                                                       \
    const cudaError_t error = (call);                        \
    if (error == cudaSuccess) break;                         \
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error)); \
    std::exit(1);                                            \
  } while (0)
