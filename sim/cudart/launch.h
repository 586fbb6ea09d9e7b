// SPDX-License-Identifier: Apache-2.0
// Launches: arguments packed as the kernel lays them out, sent, waited for.
#pragma once

#include <cstdint>

#include "sim/cudart/graphs.h"
#include "sim/cudart/program.h"

namespace stc::cuda {

/// Exactly one of `arguments` (a pointer for each parameter) and `block` (all of them packed) is given.
struct Arguments {
  void* const* arguments = nullptr;
  const void* block = nullptr;
  std::size_t block_bytes = 0;
};

/// A launch with its arguments as they are now: done, it runs to its end. It gives an error of the runtime; what its
/// threads print goes to standard output.
Work prepared_launch(const Function& function, const remote::LaunchShape& shape, const Arguments& arguments);
/// Whether one of this thread's launches was refused, because it needs what is not modelled, since this was asked last.
bool take_refusal();
/// What a node of this launch remembers.
std::shared_ptr<KernelCall> kernel_call(const void* key, const Function& function, const remote::LaunchShape& shape,
                                        const Arguments& arguments);
/// Launch attributes that change what is run; the others are hints, and do nothing here.
void apply_attributes(const LaunchAttribute* attributes, unsigned count, remote::LaunchShape& shape);
int occupancy(const Function& function, int threads, std::size_t dynamic_bytes, int* ctas);
int clusters(const Function& function, const remote::LaunchShape& shape, int* count);
int set_function(Function& function, remote::FunctionSetting setting, int value);
int set_limit(remote::Limit limit, std::size_t bytes);

}  // namespace stc::cuda
