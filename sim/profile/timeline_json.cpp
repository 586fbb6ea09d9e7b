// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/timeline_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/profile/trace_text.h"

namespace stc::sim {
namespace {

// Groups of tracks, in the order in which they stand in chrome://tracing.
enum Group : int { kLaunches = 100, kShares = 200, kCounts = 300, kCtas = 400, kWarps = 1000 };  // kWarps: of SM 0
constexpr int kSms = 1000;  // from one SM's group to the next one's, and from one SM's or sub-core's tracks to the next
// Tracks count from 1, for 0 is the idle thread to Perfetto, and none has the number of its group: Perfetto puts such a
// one first.
constexpr int kPlaces = 64;  // tracks of an SM or of a sub-core, at most
constexpr std::size_t kMostCtasShown = 100'000, kMostLinesSaid = 10;

/// Gives things that overlap in time tracks of their own: each the lowest that is free.
class Tracks {
 public:
  int take(std::uint64_t begin, std::uint64_t end) {
    for (std::size_t i = 0; i < free_from_.size(); ++i) {
      if (free_from_[i] > begin) continue;
      free_from_[i] = end;
      return static_cast<int>(i);
    }
    free_from_.push_back(end);
    return static_cast<int>(free_from_.size()) - 1;
  }

 private:
  std::vector<std::uint64_t> free_from_;
};

/// One launch, whose cycle 0 is `start` in the file.
class LaunchTracks {
 public:
  LaunchTracks(const LaunchTimeline& launch, std::uint64_t start, TraceText& out)
      : launch_(launch), start_(start), out_(out) {}

  void write() {
    out_.slice(kLaunches, 1, start_, start_ + launch_.cycles_elapsed, launch_.title,
               fmt::format(R"("cycles":{},"cycles_elapsed":{})", launch_.cycles, launch_.cycles_elapsed));
    if (launch_.outside) return;
    write_series();
    write_ctas();
    for (std::size_t i = 0; i < launch_.spans.size(); ++i) write_warps(i);
  }

 private:
  void write_series() {
    const UtilisationSeries& series = launch_.series;
    const std::uint64_t begin = start_ + launch_.choice.begin;
    for (std::size_t r = 0; r < kSeriesResources; ++r) {
      const auto resource = static_cast<Resource>(r);
      const std::string name = name_of(resource), unit = fmt::format("({})", unit_of(resource));
      for (std::size_t i = 0; i <= series.buckets(); ++i) {
        const bool over = i == series.buckets();
        const std::uint64_t at = begin + i * series.bucket_cycles;
        out_.counter(kShares, name, "%", at, over ? 0 : 100 * series.fraction(resource, i));
        out_.counter(kCounts, name, unit, at, over ? 0 : static_cast<double>(series.used[r][i]));
      }
    }
  }

  void write_ctas() {
    std::vector<const CtaRecord*> ctas;
    for (const CtaRecord& cta : launch_.ctas) ctas.push_back(&cta);
    std::stable_sort(ctas.begin(), ctas.end(),
                     [](const CtaRecord* a, const CtaRecord* b) { return a->start < b->start; });
    if (ctas.size() > kMostCtasShown) ctas.resize(kMostCtasShown);
    std::map<int, Tracks> places;
    for (const CtaRecord* cta : ctas) {
      const int track = 1 + cta->sm * kSms + std::min(places[cta->sm].take(cta->start, cta->end), kPlaces - 1);
      if (named_.insert({{kCtas, track}, true}).second) out_.track(kCtas, track, fmt::format("SM {}", cta->sm));
      out_.slice(kCtas, track, start_ + cta->start, start_ + cta->end, fmt::format("CTA {}", cta->linear_index), "");
    }
  }

  void write_warps(std::size_t index) {
    const int group = kWarps + kSms * launch_.choice.sms[index];
    using Warp = std::pair<std::uint64_t, int>;  // CTA, index in it
    struct Life {
      std::uint64_t begin = 0, end = 0;
      int sub_core = 0;
      Warp warp;
    };
    std::map<Warp, Life> lives;
    for (const WarpSpan& span : launch_.spans[index]) {
      Life& life =
          lives.try_emplace({span.cta, span.warp}, Life{span.begin, span.end, span.sub_core, {}}).first->second;
      life.warp = {span.cta, span.warp};
      life.begin = std::min(life.begin, span.begin);
      life.end = std::max(life.end, span.end);
    }
    std::vector<Life> sorted;
    sorted.reserve(lives.size());
    for (const auto& [warp, life] : lives) sorted.push_back(life);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Life& a, const Life& b) { return a.begin < b.begin; });
    std::map<int, Tracks> places;
    std::map<Warp, int> track_of;
    for (const Life& life : sorted) {
      const int place = std::min(places[life.sub_core].take(life.begin, life.end), kPlaces - 1);
      const int track = 1 + life.sub_core * kSms + place;
      track_of[life.warp] = track;
      if (named_.insert({{group, track}, true}).second) {
        out_.track(group, track, fmt::format("sub-core {}, warp place {}", life.sub_core, place));
      }
      out_.slice(group, track, start_ + life.begin, start_ + life.end,
                 fmt::format("CTA {} warp {}", life.warp.first, life.warp.second), "");
    }
    for (const WarpSpan& span : launch_.spans[index]) {
      const bool issued = span.reason == Stall::kIssued;
      const std::string name = issued ? launch_.mnemonics[span.address / 16] : name_of(span.reason);
      out_.slice(group, track_of[{span.cta, span.warp}], start_ + span.begin, start_ + span.end, name,
                 fmt::format(R"("at":"{:#06x}")", span.address));
    }
  }

  const LaunchTimeline& launch_;
  const std::uint64_t start_;
  TraceText& out_;
  std::map<std::pair<int, int>, bool> named_;
};

}  // namespace

std::string timeline_json(const std::vector<LaunchTimeline>& launches, const std::string& gpu) {
  TraceText out;
  out.group(kLaunches, "launches");
  out.track(kLaunches, 1, "kernels");
  out.group(kShares, "use of the whole GPU");
  out.group(kCounts, "use of the whole GPU, in units");
  out.group(kCtas, "CTAs");
  if (!launches.empty()) {
    for (const int sm : launches.front().choice.sms) out.group(kWarps + kSms * sm, fmt::format("warps of SM {}", sm));
  }
  std::uint64_t start = 0;
  for (const LaunchTimeline& launch : launches) {
    LaunchTracks(launch, start, out).write();
    start += launch.cycles_elapsed;
  }
  return out.text(
      fmt::format(R"("stcsim":{},"gpu":{},"unit":"1 ns is a cycle of the SMs")", quoted(version()), quoted(gpu)));
}

void require_seen(const std::vector<LaunchTimeline>& launches) {
  const LaunchTimeline* longest = nullptr;
  for (const LaunchTimeline& launch : launches) {
    if (!launch.outside) return;
    if (longest == nullptr || launch.cycles > longest->cycles) longest = &launch;
  }
  if (longest == nullptr) return;
  throw UserError(fmt::format("--timeline-window: begins at cycle {}, but {} ends at cycle {}", longest->choice.begin,
                              longest->title, longest->cycles));
}

std::string left_out(const std::vector<LaunchTimeline>& launches) {
  std::vector<std::string> lines;
  for (const LaunchTimeline& launch : launches) {
    if (launch.outside) {
      lines.push_back(fmt::format("timeline of {}: it ends at cycle {}, before the window\n", launch.title,
                                  grouped(launch.cycles)));
    }
    for (std::size_t i = 0; i < launch.seen_until.size(); ++i) {
      if (launch.seen_until[i] == launch.choice.end) continue;
      lines.push_back(
          fmt::format("timeline of {}: warps of SM {} end at about cycle {}; --timeline-window or fewer "
                      "--timeline-sms show others\n",
                      launch.title, launch.choice.sms[i], grouped(launch.seen_until[i])));
    }
    if (launch.ctas.size() > kMostCtasShown) {
      lines.push_back(fmt::format("timeline of {}: shows the first {} of {} CTAs\n", launch.title,
                                  grouped(kMostCtasShown), grouped(launch.ctas.size())));
    }
  }
  const std::size_t more = lines.size() - std::min(lines.size(), kMostLinesSaid);
  lines.resize(lines.size() - more);
  std::string text = join(lines, "");
  if (more != 0) text += fmt::format("timeline: {} more such lines\n", more);
  return text;
}

}  // namespace stc::sim
