// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/value_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "models/gpu/independent_ctas.h"
#include "models/gpu/worker_team.h"
#include "models/isa/opcode_traits.h"
#include "models/isa/text/kernel_name.h"
#include "models/isa/values/fault.h"

namespace stc::gpu {
namespace {

constexpr std::uint64_t kMostIdle = 2'000'000'000;  // instructions without a write
constexpr std::uint64_t kAlone = 100'000;           // instructions of a launch before it is worth more threads
constexpr int kNoBarrier = -1;
constexpr std::size_t kWarpsOfGroup = 4;

/// How long one runs while others may wait for it.
struct Pace {
  int slice;           ///< instructions of a warp before the next of its CTA runs
  std::uint64_t turn;  ///< of a CTA before another cluster runs
};
constexpr Pace kAtEase{2000, 100'000};
/// CTAs of a cooperative launch meet at barriers of the grid, where each asks again and again until the last has come.
constexpr Pace kTogether{128, 512};

struct WarpRun {
  explicit WarpRun(int registers) : state(registers) {}
  isa::WarpState state;
  int barrier = kNoBarrier;                    ///< of the CTA, that it waits at
  std::optional<std::uint32_t> cluster_phase;  ///< of the cluster's barrier, that it has arrived for
  bool waits_for_cluster = false;
  std::uint64_t warpgroup_products = 0;  ///< matrix instructions of its warpgroup, that it has done its part of
};

struct CtaRun {
  isa::CtaState state;
  std::vector<std::unique_ptr<WarpRun>> warps;
  std::array<int, 16> arrived{}, expected{};  // warps at each barrier; 0 expected: all
  int live = 0;                               // warps that have not exited
};

/// CTAs that run at the same time for sure: those of a cluster, or a single one.
class Gang {
 public:
  Gang(const Launch& launch, isa::ExecuteContext context, std::vector<std::uint8_t> constants,
       const std::optional<isa::Dim3>& cluster, std::size_t shared_bytes)
      : launch_(launch),
        kernel_(*launch.kernel),
        context_(context),
        constants_(std::move(constants)),
        shape_(cluster.value_or(isa::Dim3{})),
        pace_(launch.grid_workspace != 0 ? kTogether : kAtEase),
        clustered_(cluster.has_value()),
        shared_bytes_(shared_bytes) {}

  /// The cluster of this number begins here.
  void begin(std::uint64_t number);
  bool ended() const { return live_ == 0; }
  /// Runs until all CTAs have ended or wait, or have run long enough. `clock` counts instructions, `written` is when
  /// something was last written.
  void take_turn(std::uint64_t& clock, std::uint64_t& written);
  /// Whether the last turn ran anything.
  bool ran() const { return ran_; }
  std::uint64_t ctas() const { return shape_.count(); }

 private:
  void begin_cta(CtaRun& cta, std::uint32_t rank, isa::Dim3 first);
  /// Returns whether the warp did anything.
  bool run_warp(CtaRun& cta, WarpRun& warp, std::uint64_t& clock, std::uint64_t& written);
  static bool is_ahead(const CtaRun& cta, const WarpRun& warp);
  /// Returns whether the warp has to wait now.
  bool waits(CtaRun& cta, WarpRun& warp, const isa::Instruction& instruction);
  bool at_cluster_barrier(WarpRun& warp, const isa::Instruction& by, isa::ClusterBarrier does);
  void exit_warp(CtaRun& cta, WarpRun& warp);
  void open_if_complete(CtaRun& cta, std::size_t id);
  void open_cluster_if_complete();

  const Launch& launch_;
  const isa::Kernel& kernel_;
  isa::ExecuteContext context_;
  const std::vector<std::uint8_t> constants_;
  const isa::Dim3 shape_;
  const Pace pace_;
  const bool clustered_;
  const std::size_t shared_bytes_;
  isa::ExecuteResult result_;
  std::vector<std::unique_ptr<CtaRun>> ctas_;
  isa::CtaCluster memories_;
  int live_ = 0;     // warps of all CTAs
  int arrived_ = 0;  // at the cluster's barrier
  std::uint32_t phase_ = 0;
  bool ran_ = false;
};

void Gang::begin(std::uint64_t number) {
  const isa::Dim3 grid{launch_.grid.x / shape_.x, launch_.grid.y / shape_.y, launch_.grid.z / shape_.z};
  const std::uint64_t plane = std::uint64_t{grid.x} * grid.y;
  isa::Dim3 first;
  first.x = static_cast<std::uint32_t>(number % grid.x) * shape_.x;
  first.y = static_cast<std::uint32_t>(number % plane / grid.x) * shape_.y;
  first.z = static_cast<std::uint32_t>(number / plane) * shape_.z;
  while (ctas_.size() < shape_.count()) ctas_.push_back(std::make_unique<CtaRun>());
  memories_.clear();
  live_ = arrived_ = 0;
  phase_ = 0;
  for (std::uint32_t rank = 0; rank < ctas_.size(); ++rank) {
    begin_cta(*ctas_[rank], rank, first);
    memories_.push_back(&ctas_[rank]->state);
    live_ += ctas_[rank]->live;
  }
}

void Gang::begin_cta(CtaRun& cta, std::uint32_t rank, isa::Dim3 first) {
  isa::CtaState& state = cta.state;
  state = {};
  state.index = {first.x + rank % shape_.x, first.y + rank / shape_.x % shape_.y,
                 first.z + rank / (shape_.x * shape_.y)};
  state.grid = launch_.grid;
  state.block = launch_.block;
  state.linear_index = (std::uint64_t{state.index.z} * launch_.grid.y + state.index.y) * launch_.grid.x + state.index.x;
  state.cluster_rank = rank;
  state.cluster = clustered_ ? &memories_ : nullptr;
  state.shared.assign(shared_bytes_, 0);
  state.shared_role.assign((shared_bytes_ + 15) / 16, 0);
  state.constant0 = constants_;
  cta.arrived.fill(0);
  cta.expected.fill(0);
  cta.live = static_cast<int>((launch_.block.count() + isa::kWarpSize - 1) / isa::kWarpSize);
  while (cta.warps.size() < static_cast<std::size_t>(cta.live)) {
    cta.warps.push_back(std::make_unique<WarpRun>(kernel_.registers));
  }
  for (int i = 0; i < cta.live; ++i) {
    WarpRun& warp = *cta.warps[static_cast<std::size_t>(i)];
    isa::start_warp(warp.state, kernel_, state, i);
    warp.barrier = kNoBarrier;
    warp.cluster_phase.reset();
    warp.waits_for_cluster = false;
    warp.warpgroup_products = 0;
  }
}

void Gang::take_turn(std::uint64_t& clock, std::uint64_t& written) {
  const std::uint64_t end = clock + pace_.turn * ctas();
  ran_ = false;
  for (bool any = true; any && clock < end && live_ != 0;) {
    any = false;
    for (auto& cta : ctas_) {
      for (auto& warp : cta->warps) {
        if (warp->state.exited() || warp->barrier != kNoBarrier || warp->waits_for_cluster) continue;
        if (run_warp(*cta, *warp, clock, written)) any = ran_ = true;
      }
    }
  }
}

/// Whether another warp of its warpgroup has still to do its part of a matrix instruction that this one did: then none
/// of them is complete.
bool Gang::is_ahead(const CtaRun& cta, const WarpRun& warp) {
  const auto first = static_cast<std::size_t>(warp.state.index_in_cta) / kWarpsOfGroup * kWarpsOfGroup;
  const std::size_t end = std::min(first + kWarpsOfGroup, cta.warps.size());
  return std::any_of(
      cta.warps.begin() + static_cast<std::ptrdiff_t>(first), cta.warps.begin() + static_cast<std::ptrdiff_t>(end),
      [&](const auto& other) { return !other->state.exited() && other->warpgroup_products < warp.warpgroup_products; });
}

bool Gang::run_warp(CtaRun& cta, WarpRun& warp, std::uint64_t& clock, std::uint64_t& written) {
  context_.warp_slot = warp.state.index_in_cta;
  for (int n = 0; n < pace_.slice; ++n) {
    const std::size_t at = warp.state.pc / isa::kInstructionBytes;
    if (at >= kernel_.code.size()) {
      throw isa::SimulatedFault(fmt::format("kernel '{}': program counter beyond the code", kernel_.name));
    }
    const isa::Instruction& instruction = kernel_.code[at];
    if (isa::waits_for_warpgroup(instruction) && is_ahead(cta, warp)) return n != 0;
    const bool asks_in_vain =
        instruction.opcode == isa::Opcode::kSyncsPhase && !isa::phase_wait_over(instruction, warp.state, kernel_);
    context_.cycle = context_.global_timer_ns = ++clock;
    isa::execute(instruction, warp.state, context_, result_);
    if (isa::is_warpgroup_matrix(instruction.opcode)) ++warp.warpgroup_products;
    if (result_.is_write || result_.is_atomic) written = clock;
    if (result_.exited) {
      written = clock;
      exit_warp(cta, warp);
      return true;
    }
    if ((result_.barrier || result_.cluster_barrier != isa::ClusterBarrier::kNone) && waits(cta, warp, instruction))
      return true;
    if (asks_in_vain) return true;  // others have to act before it is of use to ask again
  }
  return true;
}

bool Gang::waits(CtaRun& cta, WarpRun& warp, const isa::Instruction& instruction) {
  const isa::ExecuteResult& result = result_;
  if (result.cluster_barrier != isa::ClusterBarrier::kNone)
    return at_cluster_barrier(warp, instruction, result.cluster_barrier);
  const std::size_t id = result.barrier_id;
  ++cta.arrived[id];
  cta.expected[id] = static_cast<int>((result.barrier_threads + isa::kWarpSize - 1) / isa::kWarpSize);
  if (!result.barrier_arrive_only) warp.barrier = result.barrier_id;
  open_if_complete(cta, id);
  return warp.barrier != kNoBarrier;
}

void Gang::open_if_complete(CtaRun& cta, std::size_t id) {
  const int expected = cta.expected[id] == 0 ? cta.live : cta.expected[id];
  if (cta.arrived[id] == 0 || cta.arrived[id] < expected) return;
  cta.arrived[id] = 0;
  for (auto& warp : cta.warps) {
    if (warp->barrier == static_cast<int>(id)) warp->barrier = kNoBarrier;
  }
}

bool Gang::at_cluster_barrier(WarpRun& warp, const isa::Instruction& by, isa::ClusterBarrier does) {
  const char* const misuse =
      clustered_ ? isa::cluster_barrier_misuse(does, warp.cluster_phase.has_value()) : "the launch has no clusters";
  if (misuse != nullptr) isa::throw_fault(by, warp.state, context_, -1, misuse);
  if (does == isa::ClusterBarrier::kArrive) {
    warp.cluster_phase = phase_;
    ++arrived_;
    open_cluster_if_complete();
    return false;
  }
  warp.waits_for_cluster = warp.cluster_phase == phase_;
  if (!warp.waits_for_cluster) warp.cluster_phase.reset();
  return warp.waits_for_cluster;
}

void Gang::open_cluster_if_complete() {
  if (arrived_ == 0 || arrived_ < live_) return;
  arrived_ = 0;
  ++phase_;
  for (auto& cta : ctas_) {
    for (auto& warp : cta->warps) {
      if (!warp->waits_for_cluster) continue;
      warp->waits_for_cluster = false;
      warp->cluster_phase.reset();
    }
  }
}

void Gang::exit_warp(CtaRun& cta, WarpRun& warp) {
  --cta.live;
  --live_;
  if (cta.live == 0) memories_[cta.state.cluster_rank] = nullptr;
  if (clustered_) {
    if (warp.cluster_phase == phase_) --arrived_;
    open_cluster_if_complete();
  }
  for (std::size_t id = 0; id < cta.arrived.size() && cta.live != 0; ++id) open_if_complete(cta, id);
}

/// The gangs that threads share out: the next of them, and the first that had a fault.
class SharedGangs {
 public:
  SharedGangs(std::uint64_t next, std::uint64_t all) : next_(next), end_(all) {}
  /// Number of a gang to begin, or none.
  std::optional<std::uint64_t> take() {
    const std::uint64_t number = next_++;
    return number < end_ ? std::optional(number) : std::nullopt;
  }
  /// Whether this gang is still to go on: none before it had a fault.
  bool goes_on(std::uint64_t number) const { return number < end_; }
  /// To be called where an exception of the gang is caught.
  void fail(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    if (failure_ != nullptr && number >= end_) return;
    failure_ = std::current_exception();
    end_ = number;
  }
  void rethrow() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<std::uint64_t> next_, end_;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

/// All gangs of a launch.
class ValueRun {
 public:
  ValueRun(const GpuParams& gpu, const Launch& launch, int threads)
      : gpu_(gpu), launch_(launch), threads_(threads), numerics_(gpu.numerics) {
    const Occupancy fit = occupancy(gpu, *launch.kernel, launch.block, launch.dynamic_shared_bytes);
    cluster_ = cluster_of(gpu, *launch.kernel, launch.grid, launch.cluster, launch.non_portable_cluster, fit);
    const std::uint64_t ctas = cluster_ ? cluster_->count() : 1;
    all_ = launch.grid.count() / ctas;
    const std::uint64_t room = cluster_
                                   ? resident_clusters(gpu, ctas, fit)
                                   : static_cast<std::uint64_t>(fit.ctas_per_sm) * static_cast<std::uint64_t>(gpu.sms);
    most_ = std::min(all_, room);
    per_sm_ = static_cast<std::uint64_t>(fit.ctas_per_sm);
  }

  std::uint64_t run() {
    add_gangs(launch_.grid_workspace != 0 ? most_ : 1);
    bool alone = threads_ == 1 || launch_.grid_workspace != 0 || !ctas_are_independent(*launch_.kernel);
    while (ended_ < all_) {
      if (!alone && clock_ > kAlone && gangs_.size() == 1) {
        alone = true;
        run_side_by_side();
        continue;
      }
      const std::uint64_t ended_before = ended_;
      bool ran = false;
      for (auto& gang : gangs_) {
        if (gang->ended()) continue;
        gang->take_turn(clock_, written_);
        ran = ran || gang->ran();
        look();
        if (gang->ended()) end(*gang);
      }
      // Who gets nowhere alone may wait for a CTA that has not begun.
      const bool full = gangs_.size() == most_ || begun_ == all_;
      if (ended_ == ended_before && !full) add_gangs(gangs_.size());
      if (!ran && full) report("deadlock: no warp can go on");
      require_progress(clock_, written_);
    }
    return clock_;
  }

 private:
  std::unique_ptr<Gang> make_gang(std::uint64_t slot) const {
    isa::ExecuteContext context;
    context.kernel = launch_.kernel;
    context.memory = launch_.memory;
    context.heap = launch_.heap;
    context.output = launch_.output;
    context.numerics = &numerics_;
    context.values = launch_.options.values;
    context.sm_id = static_cast<int>(slot / per_sm_ % static_cast<std::uint64_t>(gpu_.sms));
    return std::make_unique<Gang>(launch_, context, constants(), cluster_, shared_bytes());
  }
  void add_gangs(std::uint64_t count) {
    for (; count != 0 && gangs_.size() < most_ && begun_ < all_; --count) {
      gangs_.push_back(make_gang(gangs_.size()));
      gangs_.back()->begin(begun_++);
    }
  }

  /// Gangs that need nothing of each other, from the one that runs now to the last.
  void run_side_by_side() {
    const std::uint64_t first = begun_ - 1;
    const auto size = static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(threads_), all_ - first));
    SharedGangs shared(begun_, all_);
    std::atomic<int> others{size - 1};
    std::atomic<std::uint64_t> instructions{0};
    WorkerTeam team(size);
    team.run([&](int worker) {
      std::optional<std::uint64_t> number = worker == 0 ? std::optional(first) : shared.take();
      try {
        std::unique_ptr<Gang> own;
        if (worker != 0) own = make_gang(0);
        Gang& gang = own ? *own : *gangs_[0];
        if (worker != 0 && number) gang.begin(*number);
        instructions += serve(gang, number, shared, worker == 0);
        while (worker == 0 && others != 0) {
          look();
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      } catch (const LaunchStopped&) {
        shared.fail(0);
      } catch (...) {
        shared.fail(number.value_or(0));
      }
      if (worker != 0) --others;
    });
    shared.rethrow();
    clock_ += instructions;
    begun_ = ended_ = all_;
  }
  /// A thread's gangs, one after the other; `number` is that of the one that runs. Returns instructions.
  std::uint64_t serve(Gang& gang, std::optional<std::uint64_t>& number, SharedGangs& shared, bool looks) {
    std::uint64_t clock = 0, written = 0;
    while (number && shared.goes_on(*number)) {
      gang.take_turn(clock, written);
      if (looks) look();
      if (gang.ended()) {
        ++ended_;
        number = shared.take();
        if (number) gang.begin(*number);
        continue;
      }
      if (!gang.ran()) report("deadlock: no warp can go on");
      require_progress(clock, written);
    }
    return clock;
  }
  std::uint32_t reserved() const { return static_cast<std::uint32_t>(gpu_.sm.occupancy.reserved_shared_bytes); }
  std::size_t shared_bytes() const {
    return std::size_t{launch_.kernel->static_shared_bytes} + launch_.dynamic_shared_bytes + reserved();
  }
  std::vector<std::uint8_t> constants() const {
    const isa::LaunchFacts facts{static_cast<std::uint32_t>(gpu_.sms), reserved(), launch_.grid_workspace,
                                 launch_.parameter_copy};
    return isa::launch_constants(*launch_.kernel, facts, launch_.grid, launch_.block, launch_.parameters,
                                 launch_.dynamic_shared_bytes, cluster_);
  }
  void end(Gang& gang) {
    ++ended_;
    if (begun_ < all_) gang.begin(begun_++);
  }
  void look() const {
    LaunchWatch* const watch = launch_.options.watch;
    if (watch != nullptr && !watch->go_on(clock_, ended_)) throw LaunchStopped();
  }
  void require_progress(std::uint64_t clock, std::uint64_t written) const {
    if (clock - written > kMostIdle) report(fmt::format("nothing was written for {} instructions", kMostIdle));
  }
  [[noreturn]] void report(const std::string& what) const {
    throw Deadlock(fmt::format("{} in kernel '{}', of which only values are computed; {} of {} CTAs have ended", what,
                               isa::readable_name(launch_.kernel->name), ended_ * launch_.grid.count() / all_,
                               launch_.grid.count()));
  }

  const GpuParams& gpu_;
  const Launch& launch_;
  const int threads_;
  const arith::Numerics numerics_;
  std::optional<isa::Dim3> cluster_;
  std::uint64_t all_ = 0, most_ = 0, per_sm_ = 1;  // clusters; those at once; CTAs on an SM
  std::uint64_t begun_ = 0;
  std::atomic<std::uint64_t> ended_{0};
  std::uint64_t clock_ = 0, written_ = 0;
  std::vector<std::unique_ptr<Gang>> gangs_;
};

}  // namespace

std::uint64_t run_for_values(const GpuParams& gpu, const Launch& launch, int threads) {
  return ValueRun(gpu, launch, threads).run();
}

}  // namespace stc::gpu
