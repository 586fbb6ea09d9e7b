// SPDX-License-Identifier: Apache-2.0
// The program's side of memory: device memory is reached by requests, shared memory (managed, pinned) directly.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cudart/abi.h"

namespace stc::cuda {

enum class SharedKind : std::uint8_t { kManaged, kManagedVariable, kPinned };

/// Each returns an error of the runtime, 0 for success.
int allocate(std::size_t bytes, std::uint64_t* address);
int allocate_shared(std::size_t bytes, SharedKind kind, std::uint64_t* address);
int free_memory(std::uint64_t address);
/// Maps an allocation into the host at its own address.
int share_with_host(std::uint64_t address, std::size_t bytes, SharedKind kind);
int copy(void* to, const void* from, std::size_t bytes, CopyKind kind);
/// `value` of `width` bytes (1, 2 or 4) again and again.
int fill(std::uint64_t address, std::uint32_t value, std::uint32_t width, std::size_t bytes);

enum class Place : std::uint8_t { kHost, kDevice, kManaged, kPinned };
Place place_of(const void* address);

/// Memory of the host's own that it has registered: copies know it, kernels do not reach it. False where it was, or was
/// not.
bool register_host(const void* pointer, std::size_t bytes);
bool unregister_host(const void* pointer);
bool is_registered(const void* pointer);

/// After the device was reset: nothing is allocated, shared (but managed variables) or registered.
void forget_memory();

inline std::uint64_t number_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

}  // namespace stc::cuda
