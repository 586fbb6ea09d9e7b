// SPDX-License-Identifier: Apache-2.0
// Decides, while a launch is simulated, what of it is left out.
//
// Rounds of a loop, where CTAs do not share SMs: the CTAs that the GPU holds at first go round until the mean time of a
// pass over a stretch differs by less than kSettled from that of the stretch before. A stretch is a whole number of
// periods, at least four passes and about a quarter of the passes so far. There every warp of every CTA jumps:
// registers move on as KernelLoop says, to a shortest stretch before the loop stops to be even. CTAs of the second
// wave, which find the GPU busy, leave out one part after the other, each at most one of kParts parts of the loop, with
// a shortest stretch before and behind it. What was left out is taken to have gone on at the mean of the paces before
// and behind. Where these differ by kUneven in the second wave, or more than they jitter, its loop goes on differently
// in its parts (what the CTAs before have stored is written back in one of them, say): CTAs of later waves go round in
// full; else they leave all of it out at once. CTAs that share an SM go round at unlike paces, further and further
// apart; they leave nothing out.
//
// Waves, as many CTAs as the GPU holds at once: when the mean times of the CTAs of two waves one after the other differ
// by less than kSettled, all CTAs are left out but the last whole wave and what follows it, or what follows it alone if
// that is half a wave or more and CTAs do not share SMs. Where all but kOutside of a CTA's time is spent in the loop,
// it is enough that the paces of the loop differ by so little, which is known sooner; where all but kOutsideLater is,
// behind a wave more.
//
// L2's tags see the lines of all that is left out, in its order (SkippedLines).
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "models/gpu/gpu.h"
#include "models/gpu/sampling/cta_trace.h"
#include "models/gpu/sampling/kernel_loop.h"
#include "models/gpu/sampling/skipped_lines.h"
#include "models/memory/memory_system.h"
#include "models/sm/loop_watch.h"
#include "models/sm/streaming_multiprocessor.h"

namespace stc::gpu {

/// What was left out, for who works out the figures of the whole launch.
struct SamplePlan {
  std::uint64_t wave = 0;                    ///< CTAs
  std::uint64_t skip_from = 0, skipped = 0;  ///< CTAs
  std::array<std::vector<Jump>, 3> jumps;    ///< of the CTAs of the first wave, of the second, and of all others
  std::uint32_t stretch = 0;                 ///< passes over which a pace is taken

  std::size_t kind_of(std::uint64_t cta) const { return cta / wave < 2 ? cta / wave : 2; }
  const std::vector<Jump>& jumps_of(std::uint64_t cta) const { return jumps[kind_of(cta)]; }
  bool leaves_out_rounds() const { return !jumps[0].empty(); }
  /// Which of the simulated CTAs it is, in their order.
  std::uint64_t order_of(std::uint64_t cta) const { return cta < skip_from ? cta : cta - skipped; }
};

/// Calls `each(reference)` for all that an SM counts but its CTAs and the cycles in which it has some.
template <class Statistics, class Each>
void each_count(Statistics& statistics, const Each& each) {
  for (const auto& counter : sm_counters()) {
    if (counter.value == &SmStatistics::cycles_active || counter.value == &SmStatistics::ctas) continue;
    each(statistics.*counter.value);
  }
  for (auto& stall : statistics.stalls) each(stall);
  for (auto* level : {&statistics.register_file, &statistics.shared, &statistics.l2}) {
    for (auto& bytes : level->read) each(bytes);
    for (auto& bytes : level->write) each(bytes);
  }
}

/// What SMs counted while warps made so many passes.
struct LoopCount {
  std::vector<double> counts;  ///< in the order of each_count()
  std::uint64_t passes = 0;
  void add(const SmStatistics& statistics, double times);
};

/// What L2 was asked for, in sectors, and how that went.
struct L2Count {
  double asked = 0, looked_up = 0, far = 0, coalesced = 0;
  double missed = 0;       ///< with those of what was left out
  std::uint64_t ctas = 0;  ///< by which
};

class Sampler : public sm::LoopWatch, public LaunchWatch {
 public:
  using Sms = std::vector<std::unique_ptr<sm::StreamingMultiprocessor>>;
  static constexpr double kSettled = 0.01;
  static constexpr double kOutside = 1.0 / 12, kOutsideLater = 1.0 / 4;
  static constexpr double kUneven = 0.025;  // of the cycles that were left out
  static constexpr std::uint32_t kParts = 4;

  /// Looks at the kernel. Throws SamplingRefused.
  Sampler(const Launch& launch, const sm::LaunchContext& context, const Sms& sms, std::vector<int> partition_of_sm,
          memory::MemorySystem& memory, int threads);

  const std::optional<KernelLoop>& loop() const { return loop_; }
  const SamplePlan& plan() const { return plan_; }
  /// The CTA to be sent where `cta` is due.
  std::uint64_t leave_out(std::uint64_t cta);
  /// All CTAs that ran; to be called once, when the launch has ended. Throws SamplingRefused if a warp did not go round
  /// as often as was expected.
  std::vector<CtaTrace> traces();
  /// Of the first CTAs, from where they go evenly to where they jump.
  LoopCount loop_count() const;
  /// Of all that was simulated, from when there was one wave left to come before those left out.
  L2Count l2_count() const;
  /// Sectors that the CTAs left out with their waves missed in L2.
  double missed_by_skipped() const { return missed_by_skipped_; }
  /// By warps of an SM's CTAs.
  std::uint64_t passes_left_out_on(std::size_t sm) const { return on_sm_[sm].left_out; }

  void passed(int sm, sm::WarpContext& warp, sm::Cycle now) override;
  bool go_on(std::uint64_t cycles, std::uint64_t ctas_ended) override;
  /// A CTA has ended, whose run took so many cycles.
  void ended(const CtaRecord& cta);

 private:
  struct OnSm {
    std::vector<CtaTrace> places;            ///< by place for a CTA
    std::vector<CtaTrace> left;              ///< CTAs whose place another one has taken
    std::uint64_t passes = 0, left_out = 0;  ///< of warps
    struct {
      SmStatistics counted;
      std::uint64_t passes = 0;
    } from, to;                  ///< when its first CTA began to go evenly, and jumped
    std::uint32_t furthest = 0;  ///< pass that some warp has reached
  };
  template <class Each>
  void each_trace(const Each& each);
  bool shares_sms() const { return context_.ctas_per_sm > 1 && ctas_ > sms_.size(); }
  void count_loop(OnSm& on, const sm::WarpContext& warp);
  L2Count l2_count_so_far() const;
  void look_for_jumps();
  std::vector<Jump> jumps_from(std::uint32_t at, std::uint32_t pace_before, std::uint32_t parts) const;
  bool second_wave_even();
  std::optional<double> mean_pace(std::uint32_t from, std::uint32_t to);
  void pass_lines(bool all);
  std::optional<double> pace_of_wave(std::uint64_t wave);
  std::optional<double> time_of_wave(std::uint64_t wave);
  bool waves_settled(std::uint64_t next);
  std::uint64_t skip(std::uint64_t cta);

  const sm::LaunchContext& context_;
  const Sms& sms_;
  const std::vector<int> partition_of_sm_;
  const memory::MemorySystem& memory_;
  LaunchWatch* const outer_;
  const std::uint64_t ctas_;
  SamplePlan plan_;
  std::optional<KernelLoop> loop_;
  SkippedLines lines_;
  std::vector<OnSm> on_sm_;
  std::uint64_t cycles_ = 0;  ///< since the launch began
  bool looks_for_jumps_ = false, looks_for_skip_ = true, goes_on_in_full_ = false;
  std::vector<L2Count> l2_counts_;  ///< when one wave had ended, when two had
  double missed_by_skipped_ = 0;
  std::vector<int> partition_of_place_;         ///< in a wave
  std::vector<std::vector<double>> durations_;  ///< of CTAs that have ended, by wave
};

}  // namespace stc::gpu
