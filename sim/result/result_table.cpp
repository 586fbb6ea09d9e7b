// SPDX-License-Identifier: Apache-2.0
#include "sim/result/result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/base/text.h"

namespace stc::sim {
namespace {

/// "18.4 MiB" with a column's width.
std::string cell(std::uint64_t bytes) {
  return fmt::format("{:>12}", bytes == 0 ? "-" : human_bytes(static_cast<double>(bytes)));
}

std::string line(const std::string& label, const std::string& text) {
  return fmt::format("  {:<18} {}\n", label, text);
}

std::string heading(const RunResult& result, const LaunchResult& launch) {
  std::string out = fmt::format("{} on {}", launch.name, result.gpu.name);
  if (launch.gemm) {
    out += fmt::format(", D[{}x{}] = A[{}x{}] x B[{}x{}]", launch.gemm->m, launch.gemm->n, launch.gemm->m,
                       launch.gemm->k, launch.gemm->k, launch.gemm->n);
  }
  return out + "\n";
}

std::string clusters_text(const LaunchResult& launch) {
  if (!launch.cluster) return "";
  return fmt::format(" in clusters of {} x {} x {}", launch.cluster->x, launch.cluster->y, launch.cluster->z);
}

std::string time_lines(const RunResult& result, const LaunchResult& launch) {
  const gpu::RunStatistics& run = launch.run;
  std::string out = line("cycles", fmt::format("{} from first CTA to last, {} with launch overhead",
                                               grouped(run.cycles), grouped(run.cycles_elapsed)));
  out += line("time", fmt::format("{:.2f} us at {:.0f} MHz{}", launch.time_us(), run.clock_mhz,
                                  launch.gemm ? fmt::format(", {:.1f} TFLOPS dense-equivalent", launch.tflops()) : ""));
  out += line("CTAs",
              fmt::format("{} of {} threads{}; at most {} at once on an SM, which has room for {} (limit: {}); {} SMs",
                          grouped(launch.grid.count()), launch.block.count(), clusters_text(launch), run.ctas_per_sm,
                          run.occupancy, run.occupancy_limit, result.gpu.sms));
  out += line("instructions", fmt::format("{} warp instructions, {} of them on tensor cores ({} sparse)",
                                          grouped(run.total.warp_instructions), grouped(run.total.tensor_instructions),
                                          grouped(run.total.sparse_tensor_instructions)));
  if (run.total.tensor_instructions != 0) {
    out += line("tensor cores",
                fmt::format("busy {:.1f} % of all cycles", 100 * tensor_busy_fraction(launch.run, result.gpu)));
  }
  return out;
}

std::string energy_lines(const LaunchResult& launch) {
  const gpu::Energy& energy = launch.run.energy;
  if (!energy.known) return line("energy", "not known for the types of these matrix instructions");
  std::string parts;
  for (int i = 0; i < gpu::kEnergyParts; ++i) {
    const double share = energy.joules[static_cast<std::size_t>(i)] / energy.total();
    if (share >= 0.005) {
      parts += fmt::format("{}{} {:.0f} %", parts.empty() ? "" : ", ", gpu::name_of(static_cast<gpu::EnergyPart>(i)),
                           100 * share);
    }
  }
  std::string out = "\n" + line("energy", fmt::format("{:.4g} mJ with random operands: {}; {:.4g} mJ with zeros",
                                                      energy.total() * 1e3, parts, energy.total_of_zeros() * 1e3));
  std::string power = fmt::format("{:.0f} W", energy.watts());
  if (energy.limited_seconds > energy.seconds) {
    power += fmt::format(" at the boost clock; within the board's limit {:.0f} W at {:.0f} MHz: {:.2f} us, {:.4g} mJ",
                         energy.limited_joules / energy.limited_seconds, energy.limited_mhz,
                         energy.limited_seconds * 1e6, energy.limited_joules * 1e3);
  }
  const double flops = 2 * static_cast<double>(launch.run.total.tensor_logical_macs);
  if (flops > 0) {
    power += fmt::format("; {:.3f} pJ per FLOP, {:.0f} GFLOPS per W, dense-equivalent",
                         energy.limited_joules * 1e12 / flops, flops * 1e-9 / energy.limited_joules);
  }
  return out + line("power", power);
}

/// What of a sampled launch was simulated, and how sure its cycles are.
std::string sampling_lines(const gpu::SamplingReport& report) {
  const std::uint64_t ctas = report.ctas_simulated + report.ctas_skipped;
  std::string out =
      line("sampled",
           fmt::format("{} of {} CTAs, on average {} of {} passes of their loop: {} cycles simulated, the rest "
                       "extrapolated",
                       grouped(report.ctas_simulated), grouped(ctas), report.loop_passes - report.loop_passes_skipped,
                       report.loop_passes, grouped(report.cycles_simulated)));
  return out +
         line("error of cycles",
              fmt::format("about {:.2f} %: {:.2f} % for {:.0f} % left out in loops, {:.2f} % for {:.0f} % left out "
                          "as waves, {:.2f} % for the end",
                          100 * report.error(), 100 * report.loop_error, 100 * report.loop_share,
                          100 * report.wave_error, 100 * report.wave_share, 100 * report.end_error));
}

std::string bytes_table(const gpu::RunStatistics& run) {
  std::string out = fmt::format("\n  {:<18}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}\n", "bytes", "weights", "metadata",
                                "activations", "outputs", "other", "total");
  const DataRole order[] = {DataRole::kWeight, DataRole::kMetadata, DataRole::kActivation, DataRole::kOutput,
                            DataRole::kOther};
  for (const Level& level : levels_of(run)) {
    for (const bool write : {false, true}) {
      const auto& bytes = write ? level.bytes->write : level.bytes->read;
      out += fmt::format("  {:<18}", fmt::format("{} {}", level.title, write ? "wr" : "rd"));
      for (const DataRole role : order) out += cell(bytes[static_cast<std::size_t>(role)]);
      out += cell(total_bytes(bytes)) + "\n";
    }
  }
  return out;
}

std::string stall_lines(const gpu::RunStatistics& run) {
  const double sum =
      static_cast<double>(std::accumulate(run.total.stalls.begin(), run.total.stalls.end(), std::uint64_t{0}));
  if (sum == 0) return "";
  std::array<int, kStalls> order{};
  std::iota(order.begin(), order.end(), 0);
  const auto count = [&](int i) { return run.total.stalls[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return count(a) > count(b); });
  std::string out = "\n  where the warps' cycles went\n";
  for (const int i : order) {
    const double percent = 100 * static_cast<double>(count(i)) / sum;
    if (percent < 0.5) continue;
    const auto stall = static_cast<Stall>(i);
    out += fmt::format("  {:>6.1f} %  {:<18} {}\n", percent, name_of(stall), meaning_of(stall));
  }
  return out;
}

std::string bound_lines(const Bound& bound) {
  std::string used;
  for (int i = 0; i < Bound::kResources; ++i) {
    used += fmt::format("{}{} {:.1f} %", i == 0 ? "" : ", ", name_of(static_cast<Bound::Resource>(i)),
                        100 * bound.utilisation[static_cast<std::size_t>(i)]);
  }
  return "\n" + line("bound by", fmt::format("{}: {}", bound.by, bound.explanation)) +
         line("utilisation", used + "; of l2 and dram over the run, of the others while SMs hold CTAs");
}

std::string check_line(const GemmCheck& check) {
  const std::string rows =
      check.rows == check.rows_in_all ? "all rows" : fmt::format("{} of {} rows", check.rows, check.rows_in_all);
  if (check.exact) {
    return line("check", check.passed ? fmt::format("passed: D equals the reference exactly ({})", rows)
                                      : fmt::format("FAILED: {} ({})", check.first_mismatch, rows));
  }
  return line("check", fmt::format("{}: relative error {:.2e}, at most {:.2e} allowed ({})",
                                   check.passed ? "passed" : "FAILED", check.error, check.limit, rows));
}

std::string expectation_lines(const std::vector<ExpectationResult>& expectations) {
  std::string out;
  for (const ExpectationResult& one : expectations) {
    const std::string text = one.passed ? fmt::format("passed: all {} elements are as expected", grouped(one.elements))
                                        : fmt::format("FAILED: {}; {} of {} are wrong", one.first_mismatch,
                                                      grouped(one.wrong), grouped(one.elements));
    out += line("expect " + one.buffer, text);
  }
  return out;
}

/// The launches of a sequence; what follows the lines is about the last one.
std::string sequence_lines(const RunResult& result) {
  if (result.before.empty()) return "";
  std::string out = "Sequence of launches on the same memory\n";
  std::vector<const LaunchResult*> all;
  for (const LaunchResult& launch : result.before) all.push_back(&launch);
  all.push_back(&result.launch);
  std::uint64_t cycles = 0;
  double time = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const gpu::RunStatistics& run = all[i]->run;
    out += line(fmt::format("launch {}", i + 1),
                fmt::format("{}: {} cycles, {:.2f} us, bound by {}", all[i]->name, grouped(run.cycles_elapsed),
                            all[i]->time_us(), all[i]->bound.by));
    cycles += run.cycles_elapsed;
    time += all[i]->time_us();
  }
  return out + line("together", fmt::format("{} cycles, {:.2f} us", grouped(cycles), time)) + "\n";
}

std::string unset_line(const std::vector<std::string>& symbols) {
  if (symbols.empty()) return "";
  return line("unset symbols", fmt::format("{}: read, but given no value by the cubin or 'symbols'; zeros were used",
                                           join(symbols, ", ")));
}

std::string unwritten_lines(const std::vector<isa::UnwrittenRead>& reads) {
  if (reads.empty()) return line("unwritten reads", "none of registers, shared or local memory");
  std::string out;
  for (const isa::UnwrittenRead& read : reads) {
    const std::string place = read.of == isa::UnwrittenRead::Of::kRegister
                                  ? fmt::format("R{}", read.place)
                                  : fmt::format("{} at 0x{:x}", isa::name_of(read.of), read.place);
    out += line("unwritten read",
                fmt::format("{} by {} at 0x{:04x}, CTA ({}, {}, {}), warp {}, lane {}", place, read.mnemonic,
                            read.instruction, read.cta.x, read.cta.y, read.cta.z, read.warp, read.lane));
  }
  return out;
}

std::string percent_saved(std::uint64_t before, std::uint64_t after) {
  if (before == 0) return "-";
  return fmt::format("{:.2f} %", 100 * (1 - static_cast<double>(after) / static_cast<double>(before)));
}

std::string weight_row(const char* title, std::uint64_t dense, std::uint64_t values, std::uint64_t metadata,
                       const std::string& totals) {
  const std::string overhead =
      values == 0 ? "-" : fmt::format("{:.2f} %", 100 * static_cast<double>(metadata) / static_cast<double>(values));
  return fmt::format("  {:<18}{}{}{}{:>11}{:>11}{}\n", title, cell(dense), cell(values), cell(metadata), overhead,
                     percent_saved(dense, values + metadata), totals);
}

std::string comparison(const RunResult& result, const LaunchResult& dense, const char* what) {
  const LaunchResult& sparse = result.launch;
  const auto weight = static_cast<std::size_t>(DataRole::kWeight);
  const auto metadata = static_cast<std::size_t>(DataRole::kMetadata);
  std::string out = fmt::format("\nAgainst {}, {}\n", what, dense.name);
  out += line("dense",
              fmt::format("{} cycles, {:.2f} us{}, tensor cores busy {:.1f} %, bound by {}", grouped(dense.run.cycles),
                          dense.time_us(), dense.gemm ? fmt::format(", {:.1f} TFLOPS", dense.tflops()) : "",
                          100 * tensor_busy_fraction(dense.run, result.gpu), dense.bound.by));
  const auto speedup = [](std::uint64_t before, std::uint64_t after) {
    return after == 0 ? 0.0 : static_cast<double>(before) / static_cast<double>(after);
  };
  out += line("speedup",
              fmt::format("{:.3f} in cycles, {:.3f} with launch overhead", speedup(dense.run.cycles, sparse.run.cycles),
                          speedup(dense.run.cycles_elapsed, sparse.run.cycles_elapsed)));
  if (dense.run.energy.known && sparse.run.energy.known) {
    const double before = dense.run.energy.limited_joules, after = sparse.run.energy.limited_joules;
    out += line("energy", fmt::format("{:.4g} mJ, {:.4g} mJ here: performance per watt {:.3f} times the dense one's",
                                      before * 1e3, after * 1e3, after > 0 ? before / after : 0.0));
  }
  if (dense.check) out += check_line(*dense.check);
  out += fmt::format("\n  {:<18}{:>12}{:>12}{:>12}{:>11}{:>11}{:>14}{:>12}{:>11}\n", "bytes read for A", "dense",
                     "values", "metadata", "md/values", "saved", "all: dense", "sparse", "saved");
  out += weight_row("stored", dense.buffer_bytes(DataRole::kWeight), sparse.buffer_bytes(DataRole::kWeight),
                    sparse.buffer_bytes(DataRole::kMetadata), "");
  const auto with = levels_of(sparse.run);
  const auto without = levels_of(dense.run);
  for (std::size_t i = 0; i < with.size(); ++i) {
    const auto& s = *with[i].bytes;
    const auto& d = *without[i].bytes;
    const std::uint64_t before = total_bytes(d.read) + total_bytes(d.write);
    const std::uint64_t after = total_bytes(s.read) + total_bytes(s.write);
    out += weight_row(with[i].title, d.read[weight], s.read[weight], s.read[metadata],
                      fmt::format("  {}{}{:>11}", cell(before), cell(after), percent_saved(before, after)));
  }
  return out;
}

}  // namespace

namespace {

/// The first three of the kernels that were tried.
std::string candidate_line(const std::string& label, const std::vector<KernelEstimate>& ranked) {
  if (ranked.empty()) return "";
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, ranked.size()); ++i) {
    names += fmt::format("{}{} ({})", i == 0 ? "" : ", ", ranked[i].kernel,
                         grouped(static_cast<std::uint64_t>(ranked[i].cycles)));
  }
  return line(label, fmt::format("of {}, by short runs (cycles): {}", ranked.size(), names));
}

std::string candidate_lines(const RunResult& result) {
  return candidate_line("best kernel", result.candidates) + candidate_line("best dense one", result.dense_candidates);
}

}  // namespace

std::string result_table(const RunResult& result) {
  const LaunchResult& launch = result.launch;
  std::string out =
      sequence_lines(result) + heading(result, launch) + candidate_lines(result) + time_lines(result, launch);
  if (launch.run.sampling) out += sampling_lines(*launch.run.sampling);
  if (launch.check) out += check_line(*launch.check);
  out += expectation_lines(result.expectations);
  out += unset_line(launch.unset_symbols);
  if (launch.unwritten_reads) out += unwritten_lines(*launch.unwritten_reads);
  out += bytes_table(launch.run) + energy_lines(launch) + stall_lines(launch.run) + bound_lines(launch.bound);
  if (result.dense) {
    const bool twin = !result.same_tile;
    out += comparison(result, *result.dense, twin ? "the dense twin" : "the fastest dense kernel");
  }
  if (result.same_tile) out += comparison(result, *result.same_tile, "the dense twin");
  if (result.waterfall) out += waterfall_table(*result.waterfall);
  const SimulationSpeed speed = result.speed();
  const auto whole = [](double value) { return grouped(static_cast<std::uint64_t>(value)); };
  return out + "\n" +
         line("simulated in",
              fmt::format(
                  "{:.2f} s with {} thread{}: {} GPU cycles/s ({} SM cycles/s), {} warp instructions/s, {:.0f} MiB",
                  speed.wall_s, speed.threads, speed.threads == 1 ? "" : "s", whole(speed.cycles_per_s),
                  whole(speed.sm_cycles_per_s), whole(speed.warp_instructions_per_s), result.peak_mib));
}

}  // namespace stc::sim
