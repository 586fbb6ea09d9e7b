// SPDX-License-Identifier: Apache-2.0
// A kernel on a GPU whose device memory is a TLM-2.0 model of the user's.
//
//   dram_of_your_own RUN_FILE built-in            the HBM of the GPU file
//   dram_of_your_own RUN_FILE own                 32 channels of row_buffer_memory.h
//   dram_of_your_own RUN_FILE ramulator CONFIG    five stacks of Ramulator
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "kernel_launch.h"
#include "models/gpu/machine/machine.h"
#include "models/gpu/machine/own_memory.h"
#include "row_buffer_memory.h"
#ifdef HAVE_RAMULATOR
#include "ramulator_memory.h"
#endif

namespace {

/// Runs the kernel on a machine with this memory, or with the built-in one.
int run(KernelLaunch& kernel, const stc::gpu::OwnMemory* memory) {
  stc::gpu::Machine machine("gpu", kernel.gpu.params, stc::gpu::TensorCoreModel::kSchedule, memory);
  const stc::gpu::RunStatistics result = machine.run(kernel.launch);
  std::printf("%llu cycles, %llu sectors read from device memory, %llu written\n",
              static_cast<unsigned long long>(result.cycles),
              static_cast<unsigned long long>(result.memory.dram_read_sectors),
              static_cast<unsigned long long>(result.memory.dram_write_sectors));
  return 0;
}

int run_with_own_memory(KernelLaunch& kernel) {
  std::vector<std::unique_ptr<RowBufferMemory>> channels;
  stc::gpu::OwnMemory memory;
  memory.channels = 32;
  memory.bind = [&](int channel, tlm::tlm_initiator_socket<>& socket) {
    const std::string name = "memory" + std::to_string(channel);
    channels.push_back(std::make_unique<RowBufferMemory>(name.c_str()));
    socket.bind(channels.back()->socket);
  };
  run(kernel, &memory);
  std::uint64_t hits = 0, misses = 0;
  for (const auto& channel : channels) {
    hits += channel->row_hits();
    misses += channel->row_misses();
  }
  std::printf("%llu row hits, %llu row misses\n", static_cast<unsigned long long>(hits),
              static_cast<unsigned long long>(misses));
  return 0;
}

#ifdef HAVE_RAMULATOR
int run_with_ramulator(KernelLaunch& kernel, const std::string& config) {
  std::vector<std::unique_ptr<RamulatorMemory>> stacks;
  stc::gpu::OwnMemory memory;
  memory.channels = 5;
  memory.bind = [&](int channel, tlm::tlm_initiator_socket<>& socket) {
    const std::string name = "stack" + std::to_string(channel);
    stacks.push_back(std::make_unique<RamulatorMemory>(name.c_str(), config, kernel.gpu.params.clock_mhz / 1000));
    socket.bind(stacks.back()->socket);
  };
  run(kernel, &memory);
  std::uint64_t accesses = 0;
  for (const auto& stack : stacks) accesses += stack->accesses();
  std::printf("%llu accesses of Ramulator\n", static_cast<unsigned long long>(accesses));
  return 0;
}
#else
int run_with_ramulator(KernelLaunch&, const std::string&) {
  std::fputs("skipped: built without Ramulator (cmake -DRAMULATOR_SOURCE=FOLDER)\n", stderr);
  return 2;
}
#endif

}  // namespace

int main(int argc, char** argv) {
  const std::string memory = argc > 2 ? argv[2] : "";
  if (argc < 3 || (memory != "built-in" && memory != "own" && !(memory == "ramulator" && argc == 4))) {
    std::fputs("usage: dram_of_your_own RUN_FILE built-in|own|ramulator CONFIG\n", stderr);
    return 2;
  }
  try {
    KernelLaunch kernel(argv[1]);
    if (memory == "built-in") return run(kernel, nullptr);
    return memory == "own" ? run_with_own_memory(kernel) : run_with_ramulator(kernel, argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
