// SPDX-License-Identifier: Apache-2.0
#include "sim/result/result_json.h"

#include <cmath>

#include "models/core/architecture.h"
#include "sim/base/version.h"
#include "sim/result/describe_launch.h"
#include "sim/result/describe_waterfall.h"

namespace stc::sim {
namespace {

struct GpuView {
  const RunResult* result;
};

Description<GpuView> gpu_keys() {
  const auto params = [](const GpuView& of) -> const gpu::GpuParams& { return of.result->gpu; };
  Description<GpuView> of("Simulated or real GPU.");
  of.always("name", words("Name."), [=](const GpuView& from) { return Json(params(from).name); });
  of.maybe("file", words("GPU description."),
           [](const GpuView& from) { return from.result->gpu_file.empty() ? unknown() : Json(from.result->gpu_file); });
  of.always("sm_version", whole_number("compute capability x 10", known_architectures() + "."),
            [=](const GpuView& from) { return Json(params(from).sm_version); });
  of.always("sms", whole_number("SMs", "Streaming multiprocessors."),
            [=](const GpuView& from) { return Json(params(from).sms); });
  of.maybe("clock_mhz", real_number("MHz", "SM clock (of a real GPU: the highest)."),
           [=](const GpuView& from) { return Json(params(from).clock_mhz); });
  return of;
}

Description<RunResult> simulator() {
  Description<RunResult> of("The simulator itself, all launches of the run together.");
  const auto speed = [&](const char* key, const char* unit, const char* meaning, double SimulationSpeed::*value) {
    of.always(key, real_number(unit, meaning), [value](const RunResult& from) { return Json(from.speed().*value); });
  };
  speed("wall_s", "seconds", "Time in the simulation.", &SimulationSpeed::wall_s);
  speed("cycles_per_s", "GPU cycles per second", "Simulated.", &SimulationSpeed::cycles_per_s);
  speed("sm_cycles_per_s", "SM cycles per second", "Simulated: cycles_per_s times SMs.",
        &SimulationSpeed::sm_cycles_per_s);
  speed("warp_instructions_per_s", "warp instructions per second", "Simulated.",
        &SimulationSpeed::warp_instructions_per_s);
  of.always(
      "threads",
      whole_number("threads", "That ran SMs side by side, at most; fewer than asked where SMs share more than memory."),
      [](const RunResult& from) { return Json(from.speed().threads); });
  of.always("peak_mib", real_number("MiB", "Largest memory of the process."),
            [](const RunResult& from) { return Json(from.peak_mib); });
  return of;
}

Description<RunResult> provenance() {
  Description<RunResult> of("How to get this result again.");
  of.always("version", words("Of stcsim."), [](const RunResult&) { return Json(version()); });
  of.always("git", words("Commit it was built from; + if files differed."),
            [](const RunResult&) { return Json(git_revision()); });
  of.maybe("config_hash", words("Of all GPU parameters."),
           [](const RunResult& from) { return from.config_hash.empty() ? unknown() : Json(from.config_hash); });
  of.maybe("kernel_hash", words("Of the cubin."), [](const RunResult& from) {
    return from.launch.kernel_hash.empty() ? unknown() : Json(from.launch.kernel_hash);
  });
  of.maybe("cuda_driver", words("Of a real GPU."),
           [](const RunResult& from) { return from.cuda_driver.empty() ? unknown() : Json(from.cuda_driver); });
  of.maybe("date", words("Of a measurement."),
           [](const RunResult& from) { return from.date.empty() ? unknown() : Json(from.date); });
  of.always("options", map_of(words("Value."), "Options of the run file and the command line."),
            [](const RunResult& from) {
              Json options = Json::object();
              for (const auto& [key, value] : from.options) options[key] = value;
              return options;
            });
  return of;
}

Description<KernelEstimate> estimates() {
  Description<KernelEstimate> of("A kernel of the library.");
  of.always("kernel", words("Name."), [](const KernelEstimate& one) { return Json(one.kernel); });
  of.always("cycles", real_number("cycles", "First CTA to last, estimated by short runs."),
            [](const KernelEstimate& one) { return Json(one.cycles); });
  return of;
}

Json estimates_json(const std::vector<KernelEstimate>& ranked) {
  if (ranked.empty()) return unknown();
  Json list = Json::array();
  for (const KernelEstimate& one : ranked) list.push_back(estimates().json(one));
  return list;
}

Description<ExpectationResult> expectation() {
  using Result = ExpectationResult;
  Description<Result> of("A buffer that must hold what a file holds.");
  of.always("buffer", words("Name."), [](const Result& one) { return Json(one.buffer); });
  of.always("passed", yes_or_no("Verdict."), [](const Result& one) { return Json(one.passed); });
  of.always("elements", whole_number("elements", "Compared; bytes where 'expect' gives no type."),
            [](const Result& one) { return Json(one.elements); });
  of.always("wrong", whole_number("elements", "Further off than the tolerance allows."),
            [](const Result& one) { return Json(one.wrong); });
  of.always(
      "greatest_error",
      nullable(real_number("fraction", "Of the expected magnitude, or of 1 where that is less; null: infinite.")),
      [](const Result& one) { return std::isfinite(one.greatest_error) ? Json(one.greatest_error) : Json(nullptr); });
  of.always("first_mismatch", words("Empty when it passed."),
            [](const Result& one) { return Json(one.first_mismatch); });
  return of;
}

/// Of a run file's `sequence`; the last launch is the result itself.
Description<RunResult> sequence() {
  Description<RunResult> of("Launches on the same memory. The figures of the result itself are those of the last one.");
  of.always("launches", whole_number("launches", "In all."),
            [](const RunResult& from) { return Json(from.before.size() + 1); });
  of.maybe("cycles_elapsed", whole_number("SM cycles", "Of all of them, with launch overheads."),
           [](const RunResult& from) {
             if (from.launch.measured) return unknown();
             std::uint64_t sum = from.launch.run.cycles_elapsed;
             for (const LaunchResult& launch : from.before) sum += launch.run.cycles_elapsed;
             return Json(sum);
           });
  of.always("time_us", real_number("microseconds", "Of all of them."), [](const RunResult& from) {
    double sum = from.launch.time_us();
    for (const LaunchResult& launch : from.before) sum += launch.time_us();
    return Json(sum);
  });
  const auto before = [] { return list_of(describe_launch().schema(), "All but the last, in their order."); };
  of.always("before", Schema(std::function<Json()>(before)), [](const RunResult& from) {
    Json list = Json::array();
    for (const LaunchResult& launch : from.before) list.push_back(describe_launch().json({&launch, &from.gpu}));
    return list;
  });
  return of;
}

Description<RunResult> all_of_result() {
  using Source = RunResult::Source;
  Description<RunResult> of("Every number has a 'unit'. A key that a source cannot know is left out.");
  of.always("schema", Json({{"const", kResultSchema}, {"description", "Version of this format."}}),
            [](const RunResult&) { return Json(kResultSchema); });
  of.always("source", one_of("Who measured.", {"simulator", "gpu"}),
            [](const RunResult& from) { return Json(from.source == Source::kSimulator ? "simulator" : "gpu"); });
  of.maybe("run_file", words("As given."), [](const RunResult& from) { return Json(from.run_file); });
  of.always<GpuView>("gpu", gpu_keys(), [](const RunResult& from) { return GpuView{&from}; });
  for (const auto& row : describe_launch().rows()) {
    const auto value = [row](const RunResult& from) { return row.value(LaunchView{&from.launch, &from.gpu}); };
    row.required ? of.always(row.key, row.schema, value) : of.maybe(row.key, row.schema, value);
  }
  of.maybe("expectations", list_of(expectation().schema(), "With launch.expect: whether buffers hold what they must."),
           [of_one = expectation()](const RunResult& from) {
             if (from.expectations.empty()) return unknown();
             Json list = Json::array();
             for (const ExpectationResult& one : from.expectations) list.push_back(of_one.json(one));
             return list;
           });
  of.maybe<RunResult>("sequence", sequence(),
                      [](const RunResult& from) { return from.before.empty() ? std::nullopt : std::optional(from); });
  of.maybe<LaunchView>("dense", describe_launch(), [](const RunResult& from) {
    return from.dense ? std::optional(LaunchView{&*from.dense, &from.gpu}) : std::nullopt;
  });
  of.maybe<Comparison>("comparison", describe_comparison(), [](const RunResult& from) {
    return from.dense ? std::optional(Comparison{&from.launch, &*from.dense}) : std::nullopt;
  });
  of.maybe<LaunchView>("same_tile", describe_launch(), [](const RunResult& from) {
    return from.same_tile ? std::optional(LaunchView{&*from.same_tile, &from.gpu}) : std::nullopt;
  });
  of.maybe<Comparison>("same_tile_comparison", describe_comparison(), [](const RunResult& from) {
    return from.same_tile ? std::optional(Comparison{&from.launch, &*from.same_tile}) : std::nullopt;
  });
  of.maybe<Waterfall>("waterfall", describe_waterfall(), [](const RunResult& from) { return from.waterfall; });
  const Json ranked = list_of(estimates().schema(), "Kernels that 'kernel: best' chose from, the fastest first.");
  of.maybe("candidates", ranked, [](const RunResult& from) { return estimates_json(from.candidates); });
  of.maybe("dense_candidates", ranked, [](const RunResult& from) { return estimates_json(from.dense_candidates); });
  of.maybe<RunResult>("simulator", simulator(), [](const RunResult& from) {
    return from.source == Source::kSimulator ? std::optional(from) : std::nullopt;
  });
  of.always<RunResult>("provenance", provenance(), [](const RunResult& from) { return from; });
  return of;
}

const Description<RunResult>& describe_result() {
  static const Description<RunResult> description = all_of_result();
  return description;
}

}  // namespace

Json result_json(const RunResult& result) { return describe_result().json(result); }

Json result_schema() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "Result of a run, simulated or measured"}};
  schema.update(describe_result().schema());
  return schema;
}

}  // namespace stc::sim
