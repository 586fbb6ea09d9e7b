// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/report_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "models/isa/text/kernel_name.h"
#include "sim/base/error.h"
#include "sim/result/nsight_stalls.h"
#include "traces/cubin/cubin.h"
#include "traces/cubin/cubin_error.h"

namespace stc::sim {
namespace {

constexpr char kDynamicShared[] = "launch__shared_mem_per_block_dynamic";
constexpr char kRegisters[] = "launch__registers_per_thread";

/// A count of both sides; the first of the metrics that the report has.
struct CountPair {
  const char *title, *unit, *figure;
  double scale;  ///< reported in units of the figure
  std::vector<const char*> metrics;
};
const std::vector<CountPair>& counts() {
  static const std::vector<CountPair> all = {
      {"elapsed cycles", "cycles", "cycles_elapsed", 1, {"gpc__cycles_elapsed.max", "sm__cycles_elapsed.max"}},
      {"time", "us", "time_us", 1e-3, {"gpu__time_duration.sum", "gpu__time_duration.max"}},
      {"warp instructions", "", "instructions.warp", 1, {"smsp__inst_executed.sum", "sm__inst_executed.sum"}},
      {"shared-memory wavefronts",
       "",
       "memory.shared_wavefronts",
       1,
       {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"}},
      {"L2 sectors from L1", "", "memory.l2_sectors_served", 1, {"lts__t_sectors_srcunit_tex.sum"}},
      {"DRAM bytes read", "bytes", "memory.dram_read_bytes", 1, {"dram__bytes_read.sum"}},
      {"DRAM bytes written", "bytes", "memory.dram_write_bytes", 1, {"dram__bytes_write.sum"}},
  };
  return all;
}

/// Name without result, template arguments and parameters, which profilers and compilers write differently.
std::string plain_name(const std::string& name) {
  const std::string before = name.substr(0, name.find_first_of("(<"));
  const std::size_t space = before.find_last_of(" :");
  return space == std::string::npos ? before : before.substr(space + 1);
}

std::vector<isa::Kernel> kernels_of(const std::vector<std::uint8_t>& cubin) {
  try {
    return cubin::Cubin(cubin, "the report's cubin").kernels();
  } catch (const cubin::CubinError& error) {
    throw UserError(error.what());
  }
}

std::vector<ReportedKernel> candidates(const ProfilerReport& report, const std::string& name, bool plain) {
  std::vector<ReportedKernel> found;
  for (const std::vector<std::uint8_t>& bytes : report.cubins) {
    for (const isa::Kernel& kernel : kernels_of(bytes)) {
      const std::string readable = isa::readable_name(kernel.name);
      const bool same = plain ? plain_name(readable) == plain_name(name) : kernel.name == name || readable == name;
      const bool known = std::any_of(found.begin(), found.end(), [&](const ReportedKernel& other) {
        return other.kernel.name == kernel.name && *other.cubin == bytes;
      });
      if (same && !known) found.push_back({&bytes, kernel});
    }
  }
  return found;
}

/// Instances of a template, whose arguments profilers leave out, often differ in their registers.
std::vector<ReportedKernel> with_registers(const std::vector<ReportedKernel>& found, std::optional<double> registers) {
  std::vector<ReportedKernel> same;
  std::copy_if(found.begin(), found.end(), std::back_inserter(same), [&](const ReportedKernel& one) {
    return registers && static_cast<double>(one.kernel.registers) == *registers;
  });
  return same;
}

std::string size_text(const std::array<std::uint32_t, 3>& size) {
  return fmt::format("[{}, {}, {}]", size[0], size[1], size[2]);
}

/// Sum of the stalls' metrics; none where the report lacks one.
std::optional<double> reported_stall(const ProfiledLaunch& launch, const StallPair& pair) {
  double sum = 0;
  for (const char* name : pair.nsight) {
    const auto part = launch.number(fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", name));
    if (!part) return std::nullopt;
    sum += *part;
  }
  return sum;
}

}  // namespace

ReportedKernel kernel_of(const ProfilerReport& report, const ProfiledLaunch& launch) {
  std::vector<ReportedKernel> found = candidates(report, launch.kernel, false);
  if (found.empty()) found = candidates(report, launch.kernel, true);
  if (found.empty()) throw UserError(fmt::format("the report has no machine code for {}", launch.kernel));
  if (found.size() > 1) found = with_registers(found, launch.number(kRegisters));
  if (found.size() != 1) throw UserError(fmt::format("several kernels of the report go by the name {}", launch.kernel));
  return found.front();
}

std::string run_file_template(const ProfiledLaunch& launch, const isa::Kernel& kernel, const std::string& about,
                              const std::string& gpu_file) {
  std::string text = fmt::format(
      "# {}\n# A report holds neither arguments nor memory: fill in args, and name the buffers.\n"
      "gpu: {}\nlaunch:\n  module: kernel.cubin\n  kernel: {}\n  grid: {}\n  block: {}\n  dynamic_shared_bytes: "
      "{:.0f}\n"
      "  buffers: {{}}  # such as A: {{bytes: 4096, fill: {{random_f32: {{seed: 1}}}}}}\n  args:{}\n",
      about, gpu_file, kernel.name, size_text(launch.grid), size_text(launch.block),
      launch.number(kDynamicShared).value_or(0), kernel.parameters.empty() ? " []" : "");
  for (const isa::KernelParameter& parameter : kernel.parameters) {
    const char* const form = parameter.bytes == 8   ? "a buffer's name, {i64: 1} or {f64: 1}"
                             : parameter.bytes == 4 ? "{i32: 1} or {f32: 1}"
                                                    : "{hex: \"...\"}";
    text += fmt::format("    {}  # {} bytes: {}\n", kToFillIn, parameter.bytes, form);
  }
  return text;
}

std::vector<ReportedFigure> reported_figures(const ProfiledLaunch& launch, const Json& figures) {
  std::vector<ReportedFigure> rows;
  for (const CountPair& pair : counts()) {
    for (const char* metric : pair.metrics) {
      const std::optional<double> reported = launch.number(metric);
      if (!reported) continue;
      rows.push_back({pair.title, pair.unit, *reported * pair.scale, figure_of(figures, pair.figure)});
      break;
    }
  }
  const double issued = figure_of(figures, "stalls.issued");
  for (const StallPair& pair : stall_pairs()) {
    const std::optional<double> reported = reported_stall(launch, pair);
    if (!reported || issued == 0 || pair.ours.front() == Stall::kIssued) continue;  // of one issue, one
    const double simulated = std::accumulate(pair.ours.begin(), pair.ours.end(), 0.0, [&](double sum, Stall stall) {
      return sum + figure_of(figures, fmt::format("stalls.{}", name_of(stall)));
    });
    rows.push_back({fmt::format("stall: {}", pair.title), "warps per issue", *reported, simulated / issued});
  }
  return rows;
}

}  // namespace stc::sim
