// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/timeline_recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/isa/text/kernel_name.h"
#include "models/isa/text/mnemonic.h"
#include "sim/base/error.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

/// "3-7" or "3": two numbers, the first not behind the last.
std::optional<std::pair<std::uint64_t, std::uint64_t>> read_range(const std::string& text, bool one_is_enough) {
  const std::vector<std::string> ends = split(text, '-');
  if (ends.size() > 2 || (ends.size() == 1 && !one_is_enough)) return std::nullopt;
  const auto first = parse_integer(ends.front()), last = parse_integer(ends.back());
  if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
  return std::pair(static_cast<std::uint64_t>(*first), static_cast<std::uint64_t>(*last));
}

}  // namespace

TimelineChoice TimelineChoice::read(const std::string& window, const std::string& sms, int sms_of_gpu) {
  TimelineChoice choice;
  if (!window.empty()) {
    const auto range = read_range(window, false);
    if (!range) throw UserError(fmt::format("--timeline-window {}: must be two cycles such as 1000-4999", window));
    choice.begin = range->first;
    choice.end = range->second + 1;
  }
  if (sms.empty()) return choice;
  choice.sms.clear();
  for (const std::string& part : split(sms, ',')) {
    const auto range = read_range(part, true);
    if (!range || range->second >= static_cast<std::uint64_t>(sms_of_gpu)) {
      throw UserError(fmt::format("--timeline-sms {}: '{}' must be an SM from 0 to {}, or a range such as 4-7", sms,
                                  part, sms_of_gpu - 1));
    }
    for (std::uint64_t sm = range->first; sm <= range->second; ++sm) choice.sms.push_back(static_cast<int>(sm));
  }
  std::sort(choice.sms.begin(), choice.sms.end());
  choice.sms.erase(std::unique(choice.sms.begin(), choice.sms.end()), choice.sms.end());
  return choice;
}

TimelineRecorder::TimelineRecorder(const TimelineChoice& choice, int sms_of_gpu)
    : choice_(choice),
      most_spans_(choice.most_spans / choice.sms.size()),
      place_of_sm_(static_cast<std::size_t>(sms_of_gpu), -1),
      spans_(choice.sms.size()),
      seen_until_(choice.sms.size(), choice.end),
      series_(SeriesCounts(kMostTimelineBuckets)) {
  for (std::size_t i = 0; i < choice.sms.size(); ++i) {
    place_of_sm_[static_cast<std::size_t>(choice.sms[i])] = static_cast<int>(i);
  }
}

void TimelineRecorder::count(ResourceUse use) {
  if (!choice_.sees(use.cycle)) return;
  use.cycle -= choice_.begin;
  series_.mine().count(use);
}

void TimelineRecorder::issue(const IssueEvent& event) {
  count(use_of(event));
  if (event.tensor_cycles == 0) return;
  const std::uint64_t begin = std::max(event.cycle, choice_.begin);
  const std::uint64_t end = std::min(event.cycle + static_cast<std::uint64_t>(event.tensor_cycles), choice_.end);
  if (begin < end) series_.mine().count_span(Resource::kTensor, begin - choice_.begin, end - begin);
}

void TimelineRecorder::stall(const StallEvent& event) {
  const int place = place_of_sm_[static_cast<std::size_t>(event.at.sm)];
  if (place < 0) return;
  const auto sm = static_cast<std::size_t>(place);
  const std::uint64_t begin = std::max(event.begin, choice_.begin), end = std::min(event.end, seen_until_[sm]);
  if (begin >= end) return;
  if (spans_[sm].size() == most_spans_) {
    seen_until_[sm] = begin;
    return;
  }
  spans_[sm].push_back({begin, end, event.at.cta, event.address, static_cast<std::uint16_t>(event.at.warp),
                        static_cast<std::uint8_t>(event.at.sub_core), event.reason});
}

void TimelineRecorder::wavefronts(const WavefrontEvent& event) { count(use_of(event)); }

void TimelineRecorder::l1_hit(const L1HitEvent& event) { count(use_of(event)); }

void TimelineRecorder::memory_request(const MemoryEvent& event) { count(use_of(event)); }

void TimelineRecorder::dram_access(const DramEvent& event) { count(use_of(event)); }

LaunchTimeline TimelineRecorder::timeline(const isa::Kernel& kernel, const std::string& title,
                                          const gpu::RunStatistics& run, const gpu::GpuParams& gpu) const {
  std::uint64_t last = 0;
  for (const CtaRecord& cta : run.ctas) last = std::max(last, cta.end);
  LaunchTimeline timeline;
  timeline.title = isa::readable_name(title);
  timeline.cycles = run.cycles;
  timeline.cycles_elapsed = run.cycles_elapsed;
  timeline.choice = choice_;
  timeline.outside = choice_.begin >= last;
  if (timeline.outside) return timeline;
  for (const CtaRecord& cta : run.ctas) {
    if (cta.end > choice_.begin && cta.start < choice_.end) timeline.ctas.push_back(cta);
  }
  timeline.spans = spans_;
  timeline.seen_until = seen_until_;
  for (const isa::Instruction& instruction : kernel.code) timeline.mnemonics.push_back(isa::mnemonic(instruction));
  timeline.series = series_.sum().series(std::min(choice_.end, last) - choice_.begin, offered_per_cycle(gpu));
  return timeline;
}

}  // namespace stc::sim
