// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/profile_json.h"

#include "sim/base/version.h"
#include "sim/result/describe_run.h"
#include "sim/result/nsight_stalls.h"

namespace stc::sim {
namespace {

using Called = std::pair<std::string, std::uint32_t>;

Description<Called> place_keys() {
  Description<Called> of("A line of a source file.");
  of.always("file", words("As the compiler wrote it."), [](const Called& from) { return Json(from.first); });
  of.always("line", whole_number("lines", "From 1."), [](const Called& from) { return Json(from.second); });
  return of;
}

Description<cubin::SourceLine> source_keys() {
  using Line = cubin::SourceLine;
  Description<Line> of("Where the instruction comes from, of a cubin compiled with -lineinfo.");
  of.always("file", words("As the compiler wrote it."), [](const Line& from) { return Json(from.file); });
  of.always("line", whole_number("lines", "From 1."), [](const Line& from) { return Json(from.line); });
  of.maybe("called_from", list_of(place_keys().schema(), "Of an inlined function: the calls of it, outermost last."),
           [of_one = place_keys()](const Line& from) {
             if (from.called_from.empty()) return unknown();
             Json list = Json::array();
             for (const Called& one : from.called_from) list.push_back(of_one.json(one));
             return list;
           });
  return of;
}

Json stalls_json(const InstructionCounts& counts) {
  Json stalls = Json::object();
  for (std::size_t i = 0; i < counts.stalls.size(); ++i) {
    if (counts.stalls[i] != 0) stalls[name_of(static_cast<Stall>(i))] = counts.stalls[i];
  }
  return stalls;
}

/// Counts that are 0 are left out.
void add_counts(Description<InstructionCounts>& of) {
  for (const CountColumn& column : count_columns()) {
    of.maybe(column.key, whole_number(column.unit, std::string(column.meaning) + " Left out: 0."),
             [value = column.value](const InstructionCounts& from) {
               return from.*value == 0 ? unknown() : Json(from.*value);
             });
  }
  of.always("stalls",
            map_of(whole_number("warp-cycles", "Spent so."),
                   "Where warps that had come to it spent their cycles, by reason (stall_reasons); 0 is left out."),
            stalls_json);
}

struct InstructionView {
  const ProfiledInstruction* instruction = nullptr;
  std::uint64_t all_warp_cycles = 0;
};

Description<InstructionView> instruction_keys() {
  using View = InstructionView;
  Description<View> of("An instruction.");
  of.always("address", whole_number("bytes", "In the kernel's code; functions that it calls follow behind it."),
            [](const View& from) { return Json(from.instruction->address); });
  of.always("text", words("As NVIDIA's disassembler writes it."),
            [](const View& from) { return Json(from.instruction->text); });
  of.maybe<cubin::SourceLine>("source", source_keys(), [](const View& from) {
    const cubin::SourceLine& line = from.instruction->source;
    return line.file.empty() ? std::nullopt : std::optional(line);
  });
  of.always("share_of_time", real_number("fraction", "Of the warp-cycles of all instructions; 0 where there are none."),
            [](const View& from) { return Json(share(from.instruction->counts.warp_cycles(), from.all_warp_cycles)); });
  Description<InstructionCounts> counts;
  add_counts(counts);
  of.include<InstructionCounts>(counts, [](const View& from) { return std::optional(from.instruction->counts); });
  return of;
}

Description<UtilisationSeries> series_keys() {
  Description<UtilisationSeries> of("What the whole GPU used of its resources over time, in buckets.");
  of.always("bucket_cycles", whole_number("SM cycles", "Length of a bucket; the first begins with the launch."),
            [](const UtilisationSeries& from) { return Json(from.bucket_cycles); });
  Description<UtilisationSeries> used("Sums of each bucket."), offered("What the GPU offers.");
  for (std::size_t i = 0; i < kSeriesResources; ++i) {
    const auto resource = static_cast<Resource>(i);
    used.always(name_of(resource), list_of(whole_number(unit_of(resource), "In a bucket."), meaning_of(resource)),
                [i](const UtilisationSeries& from) { return Json(from.used[i]); });
    offered.always(name_of(resource), real_number(unit_of(resource), "In a cycle."),
                   [i](const UtilisationSeries& from) { return Json(from.per_cycle[i]); });
  }
  const auto same = [](const UtilisationSeries& from) { return from; };
  of.always<UtilisationSeries>("used", used, same);
  of.always<UtilisationSeries>("offered_per_cycle", offered, same);
  return of;
}

Description<LaunchProfile> launch_keys() {
  using Launch = LaunchProfile;
  Description<Launch> of("A launch, or all launches of a kernel of a program together.");
  of.always("role", one_of("What it is to the run.", {"launch", "before", "dense", "same_tile", "program"}),
            [](const Launch& from) { return Json(from.role); });
  of.always("kernel", words("Symbol."), [](const Launch& from) { return Json(from.kernel); });
  of.always("title", words("For people."), [](const Launch& from) { return Json(from.title); });
  of.always("kernel_hash", words("As in results: of the cubin, or of a kernel that was built for the run."),
            [](const Launch& from) { return Json(from.kernel_hash); });
  of.always("sm_version", whole_number("compute capability x 10", "Of its code."),
            [](const Launch& from) { return Json(from.sm_version); });
  of.always("launches", whole_number("launches", "That are added up here."),
            [](const Launch& from) { return Json(from.launches); });
  of.always("cycles", whole_number("SM cycles", "From the first CTA's start to the last CTA's end, of all of them."),
            [](const Launch& from) { return Json(from.cycles); });
  Description<InstructionCounts> totals("Sums over the instructions: what the launch's result counts.");
  add_counts(totals);
  of.always<InstructionCounts>("totals", totals, [](const Launch& from) { return from.totals(); });
  of.maybe<UtilisationSeries>("utilisation", series_keys(), [](const Launch& from) {
    return from.series.buckets() == 0 ? std::nullopt : std::optional(from.series);
  });
  of.always("instructions", list_of(instruction_keys().schema(), "All of the kernel, in the order of their addresses."),
            [keys = instruction_keys()](const Launch& from) {
              const std::uint64_t all = from.totals().warp_cycles();
              Json list = Json::array();
              for (const ProfiledInstruction& one : from.instructions) list.push_back(keys.json({&one, all}));
              return list;
            });
  return of;
}

Description<Stall> stall_keys() {
  Description<Stall> of("A reason for which warps wait.");
  of.always("meaning", words("What the warp waits for."), [](const Stall& stall) { return Json(meaning_of(stall)); });
  of.always("nsight",
            list_of(words("Such as long_scoreboard."), "What Nsight Compute calls it, or what it is a part of."),
            [](const Stall& stall) { return Json(nsight_names(stall)); });
  return of;
}

using Launches = std::vector<LaunchProfile>;

Description<Launches> profile_keys() {
  Description<Launches> of("What the instructions of a run cost. Every number has a 'unit'.");
  of.always("schema", Json({{"const", kProfileSchema}, {"description", "Version of this format."}}),
            [](const Launches&) { return Json(kProfileSchema); });
  of.always("version", words("Of stcsim."), [](const Launches&) { return Json(version()); });
  of.always("stall_reasons", map_of(stall_keys().schema(), "Reasons by their names in 'stalls'."),
            [keys = stall_keys()](const Launches&) {
              Json reasons = Json::object();
              for (int i = 0; i < kStalls; ++i)
                reasons[name_of(static_cast<Stall>(i))] = keys.json(static_cast<Stall>(i));
              return reasons;
            });
  of.always("launches", list_of(launch_keys().schema(), "In their order."),
            [keys = launch_keys()](const Launches& all) {
              Json list = Json::array();
              for (const LaunchProfile& one : all) list.push_back(keys.json(one));
              return list;
            });
  return of;
}

}  // namespace

Json profile_json(const std::vector<LaunchProfile>& launches) { return profile_keys().json(launches); }

Json profile_schema() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Profile of a run"}};
  schema.update(profile_keys().schema());
  return schema;
}

}  // namespace stc::sim
