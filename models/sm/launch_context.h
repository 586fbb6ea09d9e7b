// SPDX-License-Identifier: Apache-2.0
// What all SMs of a launch share; read-only but for what the simulated program may change.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/probe.h"
#include "models/dependence/cta_dependences.h"
#include "models/isa/values/execute.h"
#include "models/isa/values/load_log.h"
#include "models/isa/values/unused_data.h"
#include "models/sm/event_queue.h"
#include "models/sm/issue_info.h"
#include "models/sm/loop_watch.h"

namespace stc::sm {

struct LaunchContext {
  const isa::Kernel* kernel = nullptr;
  const std::vector<IssueInfo>* infos = nullptr;
  const dependence::KernelUses* dependences = nullptr;  ///< null: they are not checked
  dependence::Checked checked = dependence::Checked::kAll;
  isa::GlobalMemory* memory = nullptr;
  isa::StoredBuffers* stored = nullptr;  ///< by this launch; null: no SM runs ahead of the others
  isa::DeviceHeap* heap = nullptr;
  isa::DeviceOutput* output = nullptr;
  const arith::Numerics* numerics = nullptr;
  isa::Values values = isa::Values::kFull;
  const isa::UnusedData* unused = nullptr;  ///< what need not be moved; null: everything is
  bool tensor_core_steps = false;           ///< tensor cores compute what they time
  isa::Dim3 grid, block;
  std::optional<isa::Dim3> cluster;        ///< CTAs per cluster; none: no clusters
  std::uint32_t shared_bytes_per_cta = 0;  ///< static, dynamic and reserved
  std::vector<std::uint8_t> constant0;
  int ctas_per_sm = 1;
  int cta_launch_latency = 0;
  bool caches_emptied = false;
  double clock_mhz = 1000.0;
  Cycle longest_wait = 0;  ///< after which a warp that waits looks again, though nobody wakes it
  Cycle start_cycle = 0;   ///< SystemC cycle at which the launch began
  isa::Poison* poison = nullptr;
  isa::UnsetSymbols* unset_symbols = nullptr;
  Probe* probe = nullptr;                         ///< null: nobody listens
  LoopWatch* loop_watch = nullptr;                ///< hears of every branch back at `loop_branch`
  std::uint32_t loop_branch = ~std::uint32_t{0};  ///< address of an instruction
};

}  // namespace stc::sm
