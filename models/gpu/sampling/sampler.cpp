// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "models/gpu/sampling/repeats.h"
#include "models/gpu/sampling/sampling_refused.h"
#include "models/sm/warp_context.h"

namespace stc::gpu {
namespace {

constexpr std::uint32_t kLeastStretch = 4;  // passes
constexpr std::uint64_t kFirstSkip = 2;     // waves that are simulated before any is left out
constexpr double kJitter = 0.05;            // of the pace of one CTA over a shortest stretch
constexpr double kEnough = 0.75;            // of a wave's CTAs, and of the loop, whose pace is known

/// CTAs to be looked at: the first, the last, and two between.
std::vector<std::uint64_t> some_of(std::uint64_t ctas) {
  const std::set<std::uint64_t> chosen{0, ctas / 3, 2 * ctas / 3, ctas - 1};
  return {chosen.begin(), chosen.end()};
}

bool settled(double now, double before) { return std::abs(now - before) <= Sampler::kSettled * now; }

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

void LoopCount::add(const SmStatistics& statistics, double times) {
  std::size_t at = 0;
  each_count(statistics, [&](std::uint64_t value) {
    if (at == counts.size()) counts.push_back(0);
    counts[at++] += times * static_cast<double>(value);
  });
}

Sampler::Sampler(const Launch& launch, const sm::LaunchContext& context, const Sms& sms,
                 std::vector<int> partition_of_sm, memory::MemorySystem& memory, int threads)
    : context_(context),
      sms_(sms),
      partition_of_sm_(std::move(partition_of_sm)),
      memory_(memory),
      outer_(launch.options.watch),
      ctas_(launch.grid.count()),
      lines_(context, loop_, memory, threads),
      on_sm_(sms.size()) {
  require_no_exchange(launch, context);
  loop_ = find_loop(context, some_of(ctas_));
  plan_.wave = static_cast<std::uint64_t>(context.ctas_per_sm) * sms.size();
  partition_of_place_.resize(plan_.wave);
  for (OnSm& on : on_sm_) on.places.resize(static_cast<std::size_t>(context.ctas_per_sm));
  if (loop_) {
    plan_.stretch = (kLeastStretch + loop_->period - 1) / loop_->period * loop_->period;
    looks_for_jumps_ = !shares_sms() && loop_->last > loop_->first + 4 * plan_.stretch;
  }
  if (!looks_for_jumps_ && ctas_ < (kFirstSkip + 2) * plan_.wave) {
    throw SamplingRefused(fmt::format(
        "too little of it repeats: its {} CTAs are {:.1f} waves of the {} that the GPU holds at once, and {}", ctas_,
        static_cast<double>(ctas_) / static_cast<double>(plan_.wave), plan_.wave,
        !loop_         ? "it has no loop that it goes round often"
        : shares_sms() ? "CTAs that share an SM leave out no rounds of their loop"
                       : fmt::format("warps go round its loop {} times", loop_->passes)));
  }
}

void Sampler::passed(int sm, sm::WarpContext& warp, sm::Cycle now) {
  OnSm& on = on_sm_[static_cast<std::size_t>(sm)];
  ++on.passes;
  on.furthest = std::max(on.furthest, ++warp.passes);
  const std::vector<Jump>& jumps = plan_.jumps_of(warp.state.cta->linear_index);
  const auto jump = std::find_if(jumps.begin(), jumps.end(), [&](const Jump& one) { return one.at == warp.passes; });
  if (warp.state.index_in_cta == 0) {
    CtaTrace& trace = on.places[static_cast<std::size_t>(warp.cta_slot)];
    if (warp.passes == 1) {
      if (trace.passes != 0) on.left.push_back(std::move(trace));
      trace = {};
      trace.cta = warp.state.cta->linear_index;
      trace.sm = sm;
      trace.times.resize(loop_->passes + 1);
    }
    if (warp.passes < trace.times.size()) trace.times[warp.passes] = now;
    trace.passes = warp.passes;
    if (jump != jumps.end()) ++trace.jumps;
    count_loop(on, warp);
  }
  if (jump == jumps.end()) return;
  loop_->advance(warp.state, jump->periods);
  warp.passes += jump->passes;
  on.left_out += jump->passes;
}

template <class Each>
void Sampler::each_trace(const Each& each) {
  for (OnSm& on : on_sm_) {
    for (CtaTrace& trace : on.left) each(trace);
    for (CtaTrace& trace : on.places) {
      if (trace.passes != 0) each(trace);
    }
  }
}

/// Of the first CTA on its SM, where it begins to go evenly and where it jumps.
void Sampler::count_loop(OnSm& on, const sm::WarpContext& warp) {
  if (on.to.passes != 0 || warp.generation != 0) return;
  const std::size_t sm = static_cast<std::size_t>(&on - on_sm_.data());
  if (warp.passes == loop_->first) on.from = {sms_[sm]->statistics(), on.passes};
  if (plan_.leaves_out_rounds() && warp.passes == plan_.jumps[0].front().at) {
    on.to = {sms_[sm]->statistics(), on.passes};
  }
}

LoopCount Sampler::loop_count() const {
  LoopCount all;
  for (const OnSm& on : on_sm_) {
    if (on.to.passes == 0) continue;
    all.passes += on.to.passes - on.from.passes;
    all.add(on.to.counted, 1.0);
    all.add(on.from.counted, -1.0);
  }
  return all;
}

bool Sampler::go_on(std::uint64_t cycles, std::uint64_t ctas_ended) {
  cycles_ = cycles;
  if (looks_for_jumps_) look_for_jumps();
  pass_lines(false);
  if (plan_.skipped == 0 && ctas_ended >= (l2_counts_.size() + 1) * plan_.wave) l2_counts_.push_back(l2_count_so_far());
  return outer_ == nullptr || outer_->go_on(cycles, ctas_ended);
}

L2Count Sampler::l2_count_so_far() const {
  L2Count count;
  for (const auto& sm : sms_) count.asked += static_cast<double>(sm->statistics().l2_sectors);
  const MemoryStatistics memory = memory_.statistics();
  count.looked_up = static_cast<double>(memory.l2_sector_hits + memory.l2_sector_misses);
  count.far = static_cast<double>(memory.l2_far_sectors);
  count.coalesced = static_cast<double>(memory.coalesced_sectors);
  count.missed = static_cast<double>(memory.l2_sector_misses + memory_.passed_over().l2_sector_misses);
  return count;
}

L2Count Sampler::l2_count() const {
  L2Count count = l2_count_so_far();
  count.ctas = ctas_ - plan_.skipped;
  count.missed -= missed_by_skipped_;
  const std::uint64_t waves = std::min<std::uint64_t>(plan_.skip_from / plan_.wave, l2_counts_.size() + 1);
  if (waves < 2) return count;
  const L2Count& before = l2_counts_[waves - 2];
  count.asked -= before.asked;
  count.looked_up -= before.looked_up;
  count.far -= before.far;
  count.coalesced -= before.coalesced;
  count.missed -= before.missed;
  count.ctas -= (waves - 1) * plan_.wave;
  return count;
}

/// Pace of the first wave between two passes, of all its CTAs together; none: not all have come so far.
std::optional<double> Sampler::mean_pace(std::uint32_t from, std::uint32_t to) {
  double sum = 0;
  std::uint64_t traces = 0;
  each_trace([&](const CtaTrace& trace) {
    if (trace.passes < to) return;
    sum += 1 / trace.pace(from, to);
    ++traces;
  });
  if (traces < std::min(plan_.wave, ctas_)) return std::nullopt;
  return static_cast<double>(traces) / sum;
}

void Sampler::look_for_jumps() {
  const std::uint32_t first = loop_->first, stretch = plan_.stretch;
  std::uint32_t furthest = 0;
  for (const OnSm& on : on_sm_) furthest = std::max(furthest, on.furthest);
  bool steady = false;
  for (std::uint32_t to = first + 2 * stretch; to <= furthest && !steady; to += stretch) {
    const std::uint32_t part = std::max(stretch, (to - first) / 4 / stretch * stretch);
    const auto before = mean_pace(to - 2 * part, to - part), now = mean_pace(to - part, to);
    if (!now) return;
    steady = settled(*now, *before);
  }
  if (!steady) return;
  const std::uint32_t at = first + (furthest + 2 - first + loop_->period - 1) / loop_->period * loop_->period;
  looks_for_jumps_ = false;
  plan_.jumps[0] = jumps_from(at, at - std::max(first, at / 2), 1);
  if (plan_.leaves_out_rounds()) plan_.jumps[1] = jumps_from(first + stretch, stretch, kParts);
}

/// Part after part, of whole periods; behind each a pass, and those whose pace is taken.
std::vector<Jump> Sampler::jumps_from(std::uint32_t at, std::uint32_t pace_before, std::uint32_t parts) const {
  const std::uint32_t period = loop_->period, behind = (plan_.stretch + period) / period * period;
  const std::uint64_t longest = std::max<std::uint64_t>(loop_->passes / parts / period, 1);
  std::vector<Jump> jumps;
  while (at + behind + period <= loop_->last) {
    const std::uint64_t periods = std::min<std::uint64_t>((loop_->last - behind - at) / period, longest);
    const auto passes = static_cast<std::uint32_t>(periods) * period;
    if (!jumps.empty() && passes < plan_.stretch) break;
    jumps.push_back({at, periods, passes, pace_before, plan_.stretch});
    at += passes + behind;
    pace_before = plan_.stretch;
  }
  return jumps;
}

/// Once all CTAs on the GPU have jumped, or one of them is a period further, L2 sees what they jumped over.
void Sampler::pass_lines(bool all) {
  if (!plan_.leaves_out_rounds()) return;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Resident>> together;  // by kind of CTA, and jump
  bool to_come = false;
  each_trace([&](const CtaTrace& trace) {
    const std::vector<Jump>& jumps = plan_.jumps_of(trace.cta);
    if (trace.told == trace.jumps) {
      to_come = to_come || trace.jumps < jumps.size();
      return;
    }
    const Jump& jump = jumps[trace.told];
    together[{plan_.kind_of(trace.cta), trace.told}].push_back(
        {trace.cta, partition_of_sm_[static_cast<std::size_t>(trace.sm)]});
    all = all || trace.passes > jump.at + jump.passes + loop_->period;
  });
  if (together.empty() || (to_come && !all)) return;
  for (const auto& [of, ctas] : together) {
    const Jump& jump = plan_.jumps[of.first][of.second];
    const std::uint64_t begins = (jump.at - loop_->first) / loop_->period;
    lines_.pass_periods(ctas, begins, begins + jump.periods);
  }
  each_trace([](CtaTrace& trace) { trace.told = std::min(trace.told + 1, trace.jumps); });
}

void Sampler::ended(const CtaRecord& cta) {
  looks_for_jumps_ = false;  // of the first wave, which is over
  const std::uint64_t wave = plan_.order_of(cta.linear_index) / plan_.wave;
  if (durations_.size() <= wave) durations_.resize(wave + 1);
  durations_[wave].push_back(static_cast<double>(cta.end - cta.start));
  if (cta.linear_index < plan_.wave)
    partition_of_place_[cta.linear_index] = partition_of_sm_[static_cast<std::size_t>(cta.sm)];
}

/// Cycles that a pass took those CTAs of a wave that have come far enough, with those left out; none: too few have.
std::optional<double> Sampler::pace_of_wave(std::uint64_t wave) {
  if (!plan_.leaves_out_rounds()) return std::nullopt;
  std::vector<double> rates;
  each_trace([&](const CtaTrace& trace) {
    const std::uint32_t passes = trace.passes - std::min(trace.passes, loop_->first);
    if (plan_.order_of(trace.cta) / plan_.wave != wave || passes < kEnough * loop_->passes) return;
    const auto cycles = static_cast<double>(trace.times[trace.passes] - trace.times[loop_->first]);
    rates.push_back(passes / (cycles + trace.left_out(plan_.jumps_of(trace.cta))));
  });
  if (static_cast<double>(rates.size()) < kEnough * static_cast<double>(plan_.wave)) return std::nullopt;
  return 1 / mean(rates);
}

/// Mean time of the CTAs of a wave, with what they left out; none: not all have ended.
std::optional<double> Sampler::time_of_wave(std::uint64_t wave) {
  if (wave >= durations_.size() || durations_[wave].size() < plan_.wave) return std::nullopt;
  double left_out = 0;
  each_trace([&](const CtaTrace& trace) {
    if (plan_.order_of(trace.cta) / plan_.wave == wave) left_out += trace.left_out(plan_.jumps_of(trace.cta));
  });
  return mean(durations_[wave]) + left_out / static_cast<double>(plan_.wave);
}

/// Whether its CTAs' loops go on in the same way in all parts; not so as long as too few of them have come far enough.
bool Sampler::second_wave_even() {
  const std::vector<Jump>& jumps = plan_.jumps[1];
  std::vector<double> before(jumps.size()), behind(jumps.size());  // cycles that all of them left out
  std::uint64_t ctas = 0;
  each_trace([&](const CtaTrace& trace) {
    if (plan_.kind_of(trace.cta) != 1 || trace.jumps != jumps.size()) return;
    ++ctas;
    for (std::size_t i = 0; i < jumps.size(); ++i) {
      before[i] += jumps[i].passes * trace.before(jumps[i]);
      behind[i] += jumps[i].passes * trace.behind(jumps[i]);
    }
  });
  double apart = 0, all = 0;
  for (std::size_t i = 0; i < jumps.size(); ++i) {
    apart += std::abs(before[i] - behind[i]);
    all += (before[i] + behind[i]) / 2;
  }
  if (static_cast<double>(ctas) < kEnough * static_cast<double>(plan_.wave)) return false;
  return apart < (kUneven + kJitter / std::sqrt(static_cast<double>(ctas))) * all;
}

bool Sampler::waves_settled(std::uint64_t next) {
  // Where later waves go round in full these are compared, two of them.
  if (goes_on_in_full_ && next < kFirstSkip + 2) return false;
  const auto first = time_of_wave(0), pace = pace_of_wave(next - 2), pace_now = pace_of_wave(next - 1);
  const double outside = next > kFirstSkip ? kOutsideLater : kOutside;
  const bool mostly_loop = first && pace && *first - *pace * loop_->passes <= outside * *first;
  if (mostly_loop && pace_now && settled(*pace_now, *pace)) return true;
  if (next < (goes_on_in_full_ ? kFirstSkip : 0) + 3) return false;
  const auto before = time_of_wave(next - 3), now = time_of_wave(next - 2);
  return before && now && settled(*now, *before);
}

std::uint64_t Sampler::leave_out(std::uint64_t cta) {
  if (!looks_for_skip_ || cta % plan_.wave != 0 || cta < kFirstSkip * plan_.wave) return cta;
  if (cta == kFirstSkip * plan_.wave && plan_.leaves_out_rounds()) {
    goes_on_in_full_ = !second_wave_even();
    if (!goes_on_in_full_) plan_.jumps[2] = jumps_from(loop_->first + plan_.stretch, plan_.stretch, 1);
  }
  if (!waves_settled(cta / plan_.wave)) return cta;
  looks_for_skip_ = false;
  return skip(cta);
}

std::uint64_t Sampler::skip(std::uint64_t cta) {
  // Simulated in the end: what follows the last whole wave, with that wave unless it is half of one. CTAs that share an
  // SM are faster when others have ended and none follows: the wave that is compared has one behind it.
  const std::uint64_t wave = plan_.wave, rest = ctas_ % wave;
  const std::uint64_t end = 2 * rest >= wave && !shares_sms() ? rest : wave + rest;
  if (cta + end >= ctas_) return cta;
  plan_.skip_from = cta;
  plan_.skipped = ctas_ - end - cta;
  pass_lines(true);
  const std::uint64_t missed = memory_.passed_over().l2_sector_misses;
  // They would be on the SMs on which those of the first wave were.
  std::vector<Resident> together;
  for (std::uint64_t next = cta; next < cta + plan_.skipped; ++next) {
    together.push_back({next, partition_of_place_[next % wave]});
    if (together.size() < wave) continue;
    lines_.pass_ctas(together, cta + plan_.skipped - next - 1);
    together.clear();
    if (outer_ != nullptr && !outer_->go_on(cycles_, next)) throw LaunchStopped();
  }
  missed_by_skipped_ = static_cast<double>(memory_.passed_over().l2_sector_misses - missed);
  return cta + plan_.skipped;
}

std::vector<CtaTrace> Sampler::traces() {
  std::vector<CtaTrace> all;
  std::uint64_t passes = 0;
  each_trace([&](const CtaTrace& trace) { all.push_back(trace); });
  for (const OnSm& on : on_sm_) {
    passes += on.passes + on.left_out;
  }
  if (!loop_) return all;
  const std::uint64_t expected = (ctas_ - plan_.skipped) * loop_->steps.size() * loop_->passes;
  if (passes == expected) return all;
  throw SamplingRefused(
      fmt::format("warps do not all go round the loop at {:#06x} {} times", loop_->branch, loop_->passes));
}

}  // namespace stc::gpu
