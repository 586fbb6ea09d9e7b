// SPDX-License-Identifier: Apache-2.0
// What the recording runtime must know of a cubin: kernels with their resources and parameters, variables with their
// first contents. It is read here on its own, so that the programs check the simulator's reading of cubins too.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stc::foreign {

struct Parameter {
  std::uint32_t offset = 0;  ///< in the parameter block
  std::uint32_t bytes = 0;
};

struct KernelImage {
  int registers = 0;
  std::uint32_t shared_bytes = 0;  ///< static
  std::uint32_t local_bytes = 0;   ///< stack frame of a thread
  int max_threads = 1024;
  std::vector<Parameter> parameters;
};

/// A place in a variable's first contents that holds the address of something.
struct PointerImage {
  std::uint64_t offset = 0;
  std::string to;  ///< symbol
  std::int64_t addend = 0;
};

struct VariableImage {
  std::vector<std::uint8_t> initial;
  bool constant = false;
  std::vector<PointerImage> pointers;
};

struct CubinImage {
  std::vector<std::uint8_t> bytes;
  std::map<std::string, KernelImage> kernels;
  std::map<std::string, VariableImage> variables;  ///< __device__ and __constant__
};

/// std::runtime_error when the bytes are no cubin.
CubinImage read_cubin(std::vector<std::uint8_t> bytes);

/// The cubin for this SM version out of a container that nvcc put into the program: the newest of the same major
/// version. std::runtime_error when there is none, or it is compressed.
std::vector<std::uint8_t> choose_cubin(const void* container, int sm_version);

}  // namespace stc::foreign
