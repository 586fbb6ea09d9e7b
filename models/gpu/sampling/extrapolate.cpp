// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/sampling/extrapolate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "models/memory/address_hash.h"

namespace stc::gpu {
namespace {

constexpr double kLeastOfWaves = 0.03;  // error of the time of waves that are left out, no better

std::uint64_t rounded(double value) { return static_cast<std::uint64_t>(std::llround(std::max(0.0, value))); }

/// Mean and spread of what is added to.
class Spread {
 public:
  void add(double value) {
    sum_ += value;
    squares_ += value * value;
    ++count_;
  }
  double mean() const { return count_ == 0 ? 0.0 : sum_ / count_; }
  double deviation() const { return count_ < 2 ? 0.0 : std::sqrt(std::max(0.0, squares_ / count_ - mean() * mean())); }

 private:
  double sum_ = 0, squares_ = 0;
  int count_ = 0;
};

/// What the CTAs of a wave left out at one jump, in cycles of each, by their paces before it and behind.
struct LeftOut {
  Spread before, behind;
  Spread of_ctas;  ///< by each CTA's own paces
  double cycles() const { return (before.mean() + behind.mean()) / 2; }
};

/// By wave, and by jump.
std::map<std::uint64_t, std::vector<LeftOut>> left_out(const std::vector<CtaTrace>& traces, const SamplePlan& plan) {
  std::map<std::uint64_t, std::vector<LeftOut>> found;
  for (const CtaTrace& trace : traces) {
    const std::vector<Jump>& jumps = plan.jumps_of(trace.cta);
    std::vector<LeftOut>& wave = found[plan.order_of(trace.cta) / plan.wave];
    wave.resize(jumps.size());
    for (std::size_t i = 0; i < trace.jumps; ++i) {
      wave[i].before.add(jumps[i].passes * trace.before(jumps[i]));
      wave[i].behind.add(jumps[i].passes * trace.behind(jumps[i]));
      wave[i].of_ctas.add(trace.left_out(jumps[i]));
    }
  }
  return found;
}

/// A place for a CTA on an SM: when it is free, and how much of its time until then is not in the simulation.
struct Place {
  std::uint64_t free_at = 0;
  double left_out = 0;
};

class Whole {
 public:
  Whole(RunStatistics& run, Sampler& sampler, const GpuParams& gpu, std::uint64_t ctas)
      : run_(run), sampler_(sampler), gpu_(gpu), plan_(sampler.plan()), ctas_(ctas), traces_(sampler.traces()) {
    if (plan_.leaves_out_rounds()) left_out_ = left_out(traces_, plan_);
  }

  void count(const MemoryStatistics& passed_over) {
    SamplingReport report;
    report.cycles_simulated = run_.cycles;
    time();
    const auto simulated = static_cast<double>(run_.total.l2_sectors);
    count_sms();
    count_memory(passed_over, static_cast<double>(run_.total.l2_sectors) - simulated);
    describe(report);
    run_.sampling = report;
  }

 private:
  double left_out_of(std::uint64_t cta) const {
    const auto found = left_out_.find(plan_.order_of(cta) / plan_.wave);
    double cycles = 0;
    if (found == left_out_.end()) return cycles;
    for (const LeftOut& at_jump : found->second) cycles += at_jump.cycles();
    return cycles;
  }

  /// A wave of those that were simulated: its CTAs' times, when the places of an SM were free on average, with what was
  /// left out.
  struct Wave {
    Spread times, left_out;
    std::map<int, Spread> ends;  // by SM
    double apart() const {
      Spread of_sms;
      for (const auto& [sm, of_sm] : ends) of_sms.add(of_sm.mean());
      return of_sms.deviation();
    }
  };

  void time() {
    const double last = go_through_ctas();
    const double waves = static_cast<double>(plan_.skipped) / static_cast<double>(plan_.wave);
    if (waves > 0) waves_cycles_ = waves * (time_before_skip() + gaps_.mean());
    run_.cycles = rounded(last + waves_cycles_);
  }

  /// In the order in which they started; returns when the last one would end without the waves left out.
  double go_through_ctas() {
    std::vector<CtaRecord> records = run_.ctas;
    std::sort(records.begin(), records.end(), [](const CtaRecord& a, const CtaRecord& b) {
      return std::tie(a.start, a.linear_index) < std::tie(b.start, b.linear_index);
    });
    const auto first = static_cast<double>(records.front().start);
    std::map<int, std::vector<Place>> places;
    double last = 0;
    for (const CtaRecord& cta : records) {
      Place& place = place_for(places[cta.sm], cta.start);
      if (place.free_at != 0) gaps_.add(static_cast<double>(cta.start - place.free_at));
      const double left_out = left_out_of(cta.linear_index);
      place.free_at = cta.end;
      place.left_out += left_out;
      const double end = static_cast<double>(cta.end) - first + place.left_out;
      last = std::max(last, end);
      Wave& wave = waves_[plan_.order_of(cta.linear_index) / plan_.wave];
      wave.times.add(static_cast<double>(cta.end - cta.start) + left_out);
      wave.left_out.add(left_out);
      wave.ends[cta.sm].add(end);
    }
    Spread of_places;
    for (const auto& [sm, of_sm] : places) {
      for (const Place& place : of_sm) of_places.add(place.left_out);
    }
    loops_cycles_ = of_places.mean();
    return last;
  }

  static Place& place_for(std::vector<Place>& places, std::uint64_t start) {
    Place* best = nullptr;
    for (Place& place : places) {
      if (place.free_at <= start && (best == nullptr || place.free_at < best->free_at)) best = &place;
    }
    return best != nullptr ? *best : places.emplace_back();
  }

  /// Before those left out: SMs drift apart until then.
  const Wave& last_wave() const { return waves_.at(plan_.skip_from / plan_.wave - 1); }
  double time_before_skip() const { return last_wave().times.mean(); }

  /// Cycles by which refreshes put the loops' part out: what was simulated may have met each turn of pages that are
  /// refreshed together once more or less often than on average.
  double missed_refreshes(double simulated) const {
    return memory::kTurnsOfNeighbourhood * gpu_.memory.hbm.refresh_cycles * loops_cycles_ / std::max(simulated, 1.0);
  }

  void describe(SamplingReport& report) const {
    report.ctas_simulated = ctas_ - plan_.skipped;
    report.ctas_skipped = plan_.skipped;
    if (sampler_.loop()) {
      const KernelLoop& loop = *sampler_.loop();
      report.loop_passes = loop.passes;
      report.loop_passes_skipped = static_cast<std::uint32_t>(rounded(passes_left_out()));
      report.ctas_walked = loop.ctas_walked;
    }
    const auto cycles = static_cast<double>(std::max<std::uint64_t>(run_.cycles, 1));
    report.loop_share = loops_cycles_ / cycles;
    report.wave_share = waves_cycles_ / cycles;
    double apart = 0, both = 0;
    for (const auto& [wave, jumps] : left_out_) {
      for (const LeftOut& at_jump : jumps) {
        apart += std::abs(at_jump.before.mean() - at_jump.behind.mean());
        both += at_jump.before.mean() + at_jump.behind.mean();
      }
    }
    if (both > 0) {
      // Where the pace changes once from one to the other, anywhere between, their mean is off by a quarter of the
      // difference on average. Waves left out are as long as one of which a part was left out so.
      const double of_waves = plan_.skipped == 0 ? 0.0 : last_wave().left_out.mean() / last_wave().times.mean();
      report.loop_error =
          std::max(apart / (2 * both), Sampler::kSettled) * (report.loop_share + of_waves * report.wave_share) +
          missed_refreshes(static_cast<double>(report.cycles_simulated)) / cycles;
    }
    // Every CTA leaves out what they do on average, but the last one decides when the launch ends.
    double apart_by_loops = 0;
    for (const auto& [wave, jumps] : left_out_) {
      double variance = 0;
      for (const LeftOut& at_jump : jumps) variance += at_jump.of_ctas.deviation() * at_jump.of_ctas.deviation();
      apart_by_loops = std::max(apart_by_loops, std::sqrt(variance));
    }
    report.end_error = apart_by_loops / cycles;
    if (plan_.skipped == 0) return;
    const double time = time_before_skip();
    const Wave& next = waves_.at(plan_.skip_from / plan_.wave);
    const double of_next = std::abs(next.times.mean() - time) / (2 * time);
    report.wave_error = std::max(of_next + missed_error(), kLeastOfWaves) * report.wave_share;
    const double more = static_cast<double>(plan_.skipped) / static_cast<double>(plan_.skip_from);
    report.end_error += 2 * last_wave().apart() * more / cycles;
  }

  /// Of the time of waves that miss more, or less, in L2 than those simulated last: what warps wait for loads and
  /// copies, if all of that is for device memory.
  double missed_error() const {
    double all = 0;
    for (const std::uint64_t cycles : run_.total.stalls) all += static_cast<double>(cycles);
    const auto waits = [&](Stall reason) {
      return static_cast<double>(run_.total.stalls[static_cast<std::size_t>(reason)]);
    };
    const double for_data = (waits(Stall::kAsyncCopy) + waits(Stall::kGlobalMemory)) / std::max(all, 1.0);
    const L2Count of_late = sampler_.l2_count();
    const double late = of_late.missed / static_cast<double>(of_late.ctas);
    const double skipped = sampler_.missed_by_skipped() / static_cast<double>(plan_.skipped);
    return for_data * std::abs(skipped - late) / std::max(late, 1.0);
  }

  /// On average over the CTAs that were simulated.
  double passes_left_out() const {
    Spread passes;
    for (const CtaTrace& trace : traces_) {
      std::uint32_t of_cta = 0;
      for (std::size_t i = 0; i < trace.jumps; ++i) of_cta += plan_.jumps_of(trace.cta)[i].passes;
      passes.add(of_cta);
    }
    return passes.mean();
  }

  /// What a pass of a warp counts, with the instructions of the CTAs that were walked.
  std::vector<double> per_pass() const {
    if (!plan_.leaves_out_rounds()) return {};
    LoopCount loop = sampler_.loop_count();
    const double instructions = loop.counts.front();
    for (double& count : loop.counts) count *= sampler_.loop()->instructions_per_pass / instructions;
    return loop.counts;
  }

  void count_sms() {
    const std::vector<double> of_pass = per_pass();
    const double of_ctas = static_cast<double>(ctas_) / static_cast<double>(ctas_ - plan_.skipped);
    std::vector<double> sums;
    run_.total = {};
    for (std::size_t i = 0; i < run_.per_sm.size(); ++i) {
      SmStatistics& sm = run_.per_sm[i];
      const double left_out = of_pass.empty() ? 0.0 : static_cast<double>(sampler_.passes_left_out_on(i));
      std::size_t at = 0;
      each_count(sm, [&](std::uint64_t& value) {
        if (at == sums.size()) sums.push_back(0);
        const double whole = (static_cast<double>(value) + (of_pass.empty() ? 0.0 : left_out * of_pass[at])) * of_ctas;
        sums[at++] += whole;
        value = rounded(whole);
      });
      sm.ctas = rounded(static_cast<double>(sm.ctas) * of_ctas);
      if (sm.cycles_active != 0) sm.cycles_active += rounded(loops_cycles_ + waves_cycles_);
      run_.total.cycles_active += sm.cycles_active;
    }
    std::size_t at = 0;
    each_count(run_.total, [&](std::uint64_t& value) { value = rounded(sums[at++]); });
    run_.total.ctas = ctas_;
  }

  /// Of `more` sectors that L2 would have been asked for, as many are looked up, and so on, as of those that it was
  /// asked for last: when SMs begin, in step, more of them are asked for by several at a time.
  void count_memory(const MemoryStatistics& passed_over, double more) {
    MemoryStatistics& memory = run_.memory;
    const L2Count late = sampler_.l2_count();
    const auto whole = [&](std::uint64_t value, double of_late) {
      return rounded(static_cast<double>(value) + (late.asked > 0 ? more * of_late / late.asked : 0.0));
    };
    const std::uint64_t found = whole(memory.l2_sector_hits + memory.l2_sector_misses, late.looked_up);
    memory.l2_far_sectors = whole(memory.l2_far_sectors, late.far);
    memory.coalesced_sectors = whole(memory.coalesced_sectors, late.coalesced);
    memory.add(passed_over);
    memory.l2_sector_hits = found - std::min(found, memory.l2_sector_misses);
  }

  RunStatistics& run_;
  Sampler& sampler_;
  const GpuParams& gpu_;
  const SamplePlan& plan_;
  const std::uint64_t ctas_;
  const std::vector<CtaTrace> traces_;
  std::map<std::uint64_t, std::vector<LeftOut>> left_out_;
  std::map<std::uint64_t, Wave> waves_;
  Spread gaps_;
  double loops_cycles_ = 0, waves_cycles_ = 0;
};

}  // namespace

void extrapolate(RunStatistics& run, Sampler& sampler, const MemoryStatistics& passed_over, const GpuParams& gpu,
                 std::uint64_t ctas) {
  Whole(run, sampler, gpu, ctas).count(passed_over);
}

}  // namespace stc::gpu
