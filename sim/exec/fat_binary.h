// SPDX-License-Identifier: Apache-2.0
// The container in which nvcc puts the images of a program into its executable: cubins and PTX, some of them
// compressed.
// Evidence: containers that nvcc 13.0 writes with every --compress-mode, and LZ4 ones of CUDA 12.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace stc::sim {

/// What a container holds cannot be used; the text says why, `error` is what the runtime's calls return.
struct ImageError : std::runtime_error {
  ImageError(int code, const std::string& text) : std::runtime_error(text), error(code) {}
  int error;
};

struct FatBinaryEntry {
  enum class Kind : std::uint8_t { kPtx, kCubin, kOther };
  enum class Packing : std::uint8_t { kNone, kLz4, kZstd };
  Kind kind = Kind::kOther;
  Packing packing = Packing::kNone;
  int sm_version = 0;
  bool this_architecture_only = false;  ///< "sm_90a"
  std::size_t offset = 0;               ///< of the payload in the container
  std::size_t bytes = 0;                ///< there
  std::size_t inflated_bytes = 0;       ///< 0: not compressed
  std::string name() const;             ///< "sm_80", "compute_80" ...
};

/// Size that a container's header states, itself included; ImageError when it is none.
std::size_t fat_binary_bytes(const std::vector<std::uint8_t>& start);
/// Its entries, in their order. ImageError when it is cut off or otherwise damaged.
std::vector<FatBinaryEntry> read_fat_binary(const std::vector<std::uint8_t>& container);
/// The entry's image. ImageError when it does not inflate to the stated size.
std::vector<std::uint8_t> inflate(const std::vector<std::uint8_t>& container, const FatBinaryEntry& entry);

struct ChosenImage {
  std::vector<std::uint8_t> cubin;
  int sm_version = 0;
};
/// The cubin that a GPU of this SM version runs: the newest of the same major version, not newer than the GPU.
/// `bytes` may also be a cubin alone. ImageError, which names the -arch that is missing, when there is none.
ChosenImage choose_image(const std::vector<std::uint8_t>& bytes, int sm_version);

}  // namespace stc::sim
