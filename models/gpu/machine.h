// SPDX-License-Identifier: Apache-2.0
// Models:   the modules of one GPU and their sockets: SMs, crossbar, L2 partitions, device memory, CTA
//           dispatcher.
// Evidence: see the parts.
// Abstracts: see the parts.
// Timing:   one launch at a time; SystemC time, which all machines of a process share, goes on from launch to launch.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "models/gpu/cta_dispatcher.h"
#include "models/gpu/gpu.h"
#include "models/memory/crossbar.h"
#include "models/memory/device_memory.h"
#include "models/memory/l2_partition.h"
#include "models/sm/streaming_multiprocessor.h"

namespace stc::gpu {

/// A device memory of the user's own in place of the built-in HBM; models/memory/external_memory.h says what it is
/// asked.
struct OwnMemory {
  int channels = 1;
  /// Binds the socket of a channel; called once for each while the machine is built.
  std::function<void(int channel, tlm::tlm_initiator_socket<>& socket)> bind;
};

/// One GPU, its caller's own. A process may have several, each with a name; they run one launch at a time, in any
/// order, and none changes a figure of another.
class Machine : public sc_core::sc_module {
 public:
  /// A machine built for kSteps runs both models of the tensor core, one built for kSchedule only that.
  /// SystemC builds no module once its simulation has started: all machines of a process are to be built before the
  /// first of them runs. std::logic_error says so when it is too late.
  Machine(sc_core::sc_module_name name, const GpuParams& params,
          TensorCoreModel tensor_core = TensorCoreModel::kSchedule, const OwnMemory* own_memory = nullptr);

  /// Simulates one launch from idle machine to idle machine. Global memory holds the results afterwards. Also after a
  /// launch that threw (a fault, a deadlock), the machine can run another.
  RunStatistics run(const Launch& launch);
  const GpuParams& params() const { return params_; }

 private:
  void connect();
  void check_dependences(const Launch& launch);
  void reset(const Launch& launch);
  void warm_l2(const isa::GlobalMemory& memory);
  void simulate(const Launch& launch);
  /// Ends a launch in the middle: nothing is issued any more, what is under way arrives.
  void abandon();
  /// Runs until nothing is left to happen, the limit of cycles, a fault or a standstill.
  void run_until(std::uint64_t end, const LaunchOptions& options);
  /// Returns false when nothing is left to happen.
  bool advance(std::uint64_t cycles);
  bool advance_to(const sc_core::sc_time& end);
  void begin_span(std::uint64_t idle_spans);
  /// Whether anything happened in the span that began after `idle_spans` without progress.
  bool progressed(std::uint64_t idle_spans) const;
  [[noreturn]] void report_deadlock(const std::string& what) const;
  void count_elapsed(RunStatistics& result) const;
  RunStatistics collect(const Occupancy& fit) const;
  std::uint64_t cycle() const;

  const GpuParams params_;
  const TensorCoreModel tensor_core_;
  const arith::Numerics numerics_;
  const bool own_memory_;
  std::vector<std::unique_ptr<sm::StreamingMultiprocessor>> sms_;
  memory::Crossbar crossbar_;
  std::vector<std::unique_ptr<memory::L2Partition>> partitions_;
  std::unique_ptr<memory::DeviceMemory> device_memory_;
  CtaDispatcher dispatcher_;

  std::vector<sm::IssueInfo> infos_;
  std::optional<dependence::KernelUses> dependences_;
  sm::LaunchContext context_;
  Probe* probe_ = nullptr;
  std::vector<CtaRecord> records_;
  std::exception_ptr fault_;
  bool limit_reached_ = false;
};

}  // namespace stc::gpu
