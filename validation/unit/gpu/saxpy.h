// SPDX-License-Identifier: Apache-2.0
// A compiled kernel that reads and writes memory with every CTA, and what its launch counted as bytes to compare.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "models/gpu/machine/machine.h"
#include "sim/config/gpu_config.h"
#include "traces/cubin/cubin.h"

namespace stc::gpu {

inline GpuParams gpu_named(const std::string& name) {
  return sim::read_gpu_config("configs/gpus/" + name + ".yaml").params;
}

class Saxpy {
 public:
  static constexpr int kCtas = 300, kThreads = 256;

  explicit Saxpy(const GpuParams& gpu)
      : kernel_(cubin::open_cubin("validation/functional/cubins/sm_" + std::to_string(gpu.sm_version) +
                                  "/sample_exec_cta.cubin")
                    .decode("saxpy")) {
    add(2.5f);
    launch.parameters.resize(8);
    for (const char* name : {"x", "y", "out"}) add(memory_.allocate(name, 4 * kCtas * kThreads).address);
    add(kCtas * kThreads);
    launch.kernel = &kernel_;
    launch.grid.x = kCtas;
    launch.block.x = kThreads;
    launch.memory = &memory_;
    launch.options.check_dependences = true;
  }
  Saxpy(const Saxpy&) = delete;
  Saxpy& operator=(const Saxpy&) = delete;

  Launch launch;

 private:
  template <class T>
  void add(T value) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
    launch.parameters.insert(launch.parameters.end(), bytes, bytes + sizeof value);
  }
  const isa::Kernel kernel_;
  isa::GlobalMemory memory_;
};

/// Everything that the launch counted.
inline std::string bytes_of(const RunStatistics& run) {
  std::string all;
  const auto add = [&](const auto& value) {
    static_assert(std::has_unique_object_representations_v<std::decay_t<decltype(value)>>, "no padding");
    all.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  add(run.cycles), add(run.cycles_elapsed), add(run.ctas_per_sm), add(run.memory), add(run.total);
  for (const SmStatistics& sm : run.per_sm) add(sm);
  for (const CtaRecord& cta : run.ctas) add(cta.linear_index), add(cta.sm), add(cta.start), add(cta.end);
  return all;
}

}  // namespace stc::gpu
