// SPDX-License-Identifier: Apache-2.0
#include "sim/result/describe_launch.h"

#include <cmath>

#include "sim/result/describe_run.h"

namespace stc::sim {
namespace {

Json sizes(const isa::Dim3& of) { return {of.x, of.y, of.z}; }

Json three(const std::string& unit, const std::string& meaning) {
  return list_of(whole_number(unit, "x, y, z"), meaning);
}

Description<GemmProblem> gemm() {
  Description<GemmProblem> of("D[m,n] = A[m,k] x B[k,n].");
  of.always("m", whole_number("rows", "Rows of A and D."), [](const GemmProblem& gemm) { return Json(gemm.m); });
  of.always("n", whole_number("columns", "Columns of B and D."), [](const GemmProblem& gemm) { return Json(gemm.n); });
  of.always("k", whole_number("elements", "Depth, dense."), [](const GemmProblem& gemm) { return Json(gemm.k); });
  of.always("element", words("Type of A and B."),
            [](const GemmProblem& gemm) { return Json(name_of(gemm.kernel.element)); });
  of.always("accumulator", words("Type of D."),
            [](const GemmProblem& gemm) { return Json(name_of(gemm.kernel.accumulator)); });
  of.always("pattern", words("'dense' or N:M of A."),
            [](const GemmProblem& gemm) { return Json(gemm.kernel.pattern_name()); });
  of.always("tile", list_of(whole_number("elements", "m, n, k"), "CTA tile m, n, k."), [](const GemmProblem& gemm) {
    return Json({gemm.kernel.tile_m, gemm.kernel.tile_n, gemm.kernel.tile_k});
  });
  of.always("warp_tile", list_of(whole_number("elements", "m, n"), "Warp tile m, n."), [](const GemmProblem& gemm) {
    return Json({gemm.kernel.warp_m, gemm.kernel.warp_n});
  });
  of.always("stages", whole_number("stages", "Of the copy pipeline."),
            [](const GemmProblem& gemm) { return Json(gemm.kernel.stages); });
  return of;
}

Description<LaunchResult> kernel() {
  Description<LaunchResult> of("What ran.");
  of.always("name", words("Name in the kernel library, else the symbol."),
            [](const LaunchResult& launch) { return Json(launch.name); });
  of.maybe("module", words("Path of the cubin."), [](const LaunchResult& launch) { return Json(launch.module); });
  of.always("grid", three("CTAs", "gridDim"), [](const LaunchResult& launch) { return sizes(launch.grid); });
  of.always("block", three("threads", "blockDim"), [](const LaunchResult& launch) { return sizes(launch.block); });
  of.maybe("cluster", three("CTAs", "clusterDim; only where the launch has clusters"),
           [](const LaunchResult& launch) { return launch.cluster ? sizes(*launch.cluster) : unknown(); });
  of.maybe("registers_per_thread", whole_number("registers", "As compiled."),
           [](const LaunchResult& launch) { return Json(launch.registers); });
  of.maybe("static_shared_bytes", whole_number("bytes", "Per CTA."),
           [](const LaunchResult& launch) { return Json(launch.static_shared_bytes); });
  of.maybe("dynamic_shared_bytes", whole_number("bytes", "Per CTA."),
           [](const LaunchResult& launch) { return Json(launch.dynamic_shared_bytes); });
  of.maybe("ctas", whole_number("CTAs", "Of the grid."),
           [](const LaunchResult& launch) { return Json(launch.grid.count()); });
  const auto simulated = [&](const char* key, Json schema,
                             const std::function<Json(const gpu::RunStatistics&)>& value) {
    of.maybe(key, std::move(schema),
             [value](const LaunchResult& launch) { return launch.measured ? unknown() : value(launch.run); });
  };
  simulated("ctas_per_sm",
            whole_number("CTAs", "Most that were at once on one SM; a small grid keeps it below occupancy."),
            [](const gpu::RunStatistics& run) { return Json(run.ctas_per_sm); });
  simulated("occupancy", whole_number("CTAs", "For which an SM has room at once."),
            [](const gpu::RunStatistics& run) { return Json(run.occupancy); });
  simulated("occupancy_limit", words("What limits occupancy: registers, shared memory, warps or CTA slots."),
            [](const gpu::RunStatistics& run) { return Json(run.occupancy_limit); });
  of.maybe<GemmProblem>("gemm", gemm(), [](const LaunchResult& launch) { return launch.gemm; });
  return of;
}

Description<Measurement> measurement() {
  Description<Measurement> of("How time_us was measured: launches behind each other, events around each.");
  of.always("runs", whole_number("launches", "Timed; time_us is their median."),
            [](const Measurement& measured) { return Json(measured.runs); });
  of.always("time_us_min", real_number("microseconds", "Of the fastest."),
            [](const Measurement& measured) { return Json(measured.least_us); });
  of.always("time_us_max", real_number("microseconds", "Of the slowest."),
            [](const Measurement& measured) { return Json(measured.greatest_us); });
  of.always("l2", one_of("Caches before each launch.", {"cold", "warm"}),
            [](const Measurement& measured) { return Json(measured.warm_l2 ? "warm" : "cold"); });
  return of;
}

Description<Bound> bound() {
  Description<Bound> of("What limited the run; sim/result/bound.h states the rule.");
  of.always("by", one_of("The verdict.", {"tensor", "issue", "shared_memory", "l2", "dram", "latency", "launch"}),
            [](const Bound& bound) { return Json(bound.by); });
  Description<Bound> utilisation("Used of what each resource could give.");
  for (int i = 0; i < Bound::kResources; ++i) {
    const auto resource = static_cast<Bound::Resource>(i);
    utilisation.always(name_of(resource), real_number("fraction", meaning_of(resource)),
                       [i](const Bound& bound) { return Json(bound.utilisation[static_cast<std::size_t>(i)]); });
  }
  of.always<Bound>("utilisation", utilisation, [](const Bound& bound) { return bound; });
  of.always("launch_share", real_number("fraction", "SM-time of cycles_elapsed in which an SM held no CTA."),
            [](const Bound& bound) { return Json(bound.launch); });
  of.always("explanation", words("One sentence with the numbers."),
            [](const Bound& bound) { return Json(bound.explanation); });
  return of;
}

Description<BufferResult> buffer() {
  Description<BufferResult> of("One buffer.");
  of.always("role", words("What its bytes count as."),
            [](const BufferResult& buffer) { return Json(name_of(buffer.role)); });
  of.always("bytes", whole_number("bytes", "Size."), [](const BufferResult& buffer) { return Json(buffer.bytes); });
  of.always("hash", nullable(words("64-bit FNV-1a of the contents after the run; null when values were not computed.")),
            [](const BufferResult& buffer) { return buffer.hash.empty() ? Json(nullptr) : Json(buffer.hash); });
  return of;
}

Description<gpu::SamplingReport> sampling() {
  using Report = gpu::SamplingReport;
  Description<Report> of(
      "With options.sampling: what was simulated and what was left out. All figures of the launch are for the whole of "
      "it: cycles and counters of SMs are extrapolated, traffic of device memory is that of every line touched.");
  of.always("ctas_simulated", whole_number("CTAs", "Of the grid."),
            [](const Report& report) { return Json(report.ctas_simulated); });
  of.always("ctas_skipped", whole_number("CTAs", "Left out as whole waves."),
            [](const Report& report) { return Json(report.ctas_skipped); });
  of.always("loop_passes", whole_number("passes", "That every warp makes of the kernel's loop; 0: it has none."),
            [](const Report& report) { return Json(report.loop_passes); });
  of.always("loop_passes_skipped", whole_number("passes", "Of those, left out in simulated CTAs, on average."),
            [](const Report& report) { return Json(report.loop_passes_skipped); });
  of.always("ctas_compared",
            whole_number("CTAs",
                         "Whose warps were followed through all of the loop to see that they "
                         "go round it alike and evenly."),
            [](const Report& report) { return Json(report.ctas_walked); });
  of.always("cycles_simulated", whole_number("SM cycles", "That passed in the simulation."),
            [](const Report& report) { return Json(report.cycles_simulated); });
  of.always("loop_share", real_number("fraction", "Of cycles: left out in loops."),
            [](const Report& report) { return Json(report.loop_share); });
  of.always("wave_share", real_number("fraction", "Of cycles: left out as waves."),
            [](const Report& report) { return Json(report.wave_share); });
  of.always("error_estimate", real_number("fraction", "How far off cycles may be; the sum of the next three."),
            [](const Report& report) { return Json(report.error()); });
  of.always("loop_error",
            real_number("fraction",
                        "Pace before and after what was left out of loops differs by so much, "
                        "half of it, on the time left out there; and a refresh that may have been missed."),
            [](const Report& report) { return Json(report.loop_error); });
  of.always("wave_error",
            real_number("fraction",
                        "Half of what the wave after those left out differs by from those before, on the time "
                        "of those left out."),
            [](const Report& report) { return Json(report.wave_error); });
  of.always(
      "end_error",
      real_number("fraction", "SMs drift apart over the waves left out; the end is simulated as if they did not."),
      [](const Report& report) { return Json(report.end_error); });
  return of;
}

Description<isa::UnwrittenRead> unwritten_read() {
  using Read = isa::UnwrittenRead;
  const auto is_register = [](const Read& read) { return read.of == Read::Of::kRegister; };
  Description<Read> of("One read.");
  of.always("of", one_of("What was read.", {"register", "shared memory", "local memory"}),
            [](const Read& read) { return Json(isa::name_of(read.of)); });
  of.maybe("register", whole_number("register number", "Of a register."),
           [=](const Read& read) { return is_register(read) ? Json(read.place) : unknown(); });
  of.maybe("address", whole_number("bytes", "Of memory: first unwritten byte."),
           [=](const Read& read) { return is_register(read) ? unknown() : Json(read.place); });
  of.always("instruction_address", whole_number("bytes", "Of the reading instruction, from the kernel's start."),
            [](const Read& read) { return Json(read.instruction); });
  of.always("instruction", words("Its mnemonic."), [](const Read& read) { return Json(read.mnemonic); });
  of.always("cta", three("CTAs", "blockIdx"), [](const Read& read) { return sizes(read.cta); });
  of.always("warp", whole_number("warps", "Index in the CTA."), [](const Read& read) { return Json(read.warp); });
  of.always("lane", whole_number("lanes", "Lowest lane that read it."),
            [](const Read& read) { return Json(read.lane); });
  return of;
}

Description<GemmCheck> check() {
  Description<GemmCheck> of("Comparison of D with a float64 reference on the decompressed matrix.");
  of.always("passed", yes_or_no("Verdict."), [](const GemmCheck& check) { return Json(check.passed); });
  of.always("method", one_of("exact: equality; norm: relative error.", {"exact", "norm"}),
            [](const GemmCheck& check) { return Json(check.exact ? "exact" : "norm"); });
  of.always("error",
            nullable(real_number("fraction", "|D - R| / |R|, Frobenius norms; null when D holds infinities or NaNs.")),
            [](const GemmCheck& check) { return std::isfinite(check.error) ? Json(check.error) : Json(nullptr); });
  of.always("limit", real_number("fraction", "Greatest error that passes."),
            [](const GemmCheck& check) { return Json(check.limit); });
  of.always("rows_checked", whole_number("rows", "Rows of D compared."),
            [](const GemmCheck& check) { return Json(check.rows); });
  of.always("rows", whole_number("rows", "Rows of D."), [](const GemmCheck& check) { return Json(check.rows_in_all); });
  of.always("first_mismatch", words("Empty unless an exact check failed."),
            [](const GemmCheck& check) { return Json(check.first_mismatch); });
  return of;
}

Description<LaunchView> all_of_launch() {
  Description<LaunchView> of("The figures of one launch.");
  of.always<LaunchResult>("kernel", kernel(), [](const LaunchView& view) { return *view.launch; });
  of.include<RunFigures>(describe_run(), [](const LaunchView& view) {
    return view.launch->measured ? std::nullopt : std::optional(RunFigures{&view.launch->run, view.gpu});
  });
  of.always("time_us", Schema(std::function<Json()>([] { return figure_schema("time_us"); })),
            [](const LaunchView& view) { return Json(view.launch->time_us()); });
  of.maybe(
      "tflops",
      real_number("10^12 operations per second", "2 m n k / time_us, dense-equivalent: skipped multiplications count."),
      [](const LaunchView& view) { return view.launch->gemm ? Json(view.launch->tflops()) : unknown(); });
  of.maybe<Measurement>("measurement", measurement(), [](const LaunchView& view) { return view.launch->measured; });
  of.maybe<gpu::SamplingReport>("sampling", sampling(),
                                [](const LaunchView& view) { return view.launch->run.sampling; });
  of.maybe<Bound>("bound", bound(), [](const LaunchView& view) {
    return view.launch->measured ? std::nullopt : std::optional(view.launch->bound);
  });
  of.maybe("buffers", map_of(buffer().schema(), "By name."), [of_one = buffer()](const LaunchView& view) {
    Json buffers = Json::object();
    for (const BufferResult& one : view.launch->buffers) buffers[one.name] = of_one.json(one);
    return buffers;
  });
  of.maybe(
      "unset_symbols",
      list_of(words("Name as in the source."),
              "Variables of the module that the kernel read although neither the cubin nor the run file gives them "
              "a value other than zero."),
      [](const LaunchView& view) { return view.launch->measured ? unknown() : Json(view.launch->unset_symbols); });
  of.maybe("unwritten_reads",
           list_of(unwritten_read().schema(),
                   "With options.poison: the first read of a register, of shared and of "
                   "local memory that nobody had written."),
           [of_one = unwritten_read()](const LaunchView& view) {
             if (!view.launch->unwritten_reads) return unknown();
             Json reads = Json::array();
             for (const isa::UnwrittenRead& read : *view.launch->unwritten_reads) reads.push_back(of_one.json(read));
             return reads;
           });
  of.maybe<GemmCheck>("check", check(), [](const LaunchView& view) { return view.launch->check; });
  return of;
}

}  // namespace

const Description<LaunchView>& describe_launch() {
  static const Description<LaunchView> description = all_of_launch();
  return description;
}

}  // namespace stc::sim
