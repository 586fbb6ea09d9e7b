// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/exec_report.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "models/isa/text/kernel_name.h"
#include "sim/base/fitted.h"
#include "sim/base/text.h"
#include "sim/result/describe_launch.h"

namespace stc::sim {
namespace {

constexpr std::size_t kMostRows = 200;  // of the table; JSON has all launches
constexpr std::size_t kNameWidth = 48;

struct Total {
  std::uint64_t timed = 0, untimed = 0, failed = 0, cycles = 0;
  double time_us = 0, wall_s = 0;
};

Total total_of(const LaunchLog& log) {
  Total total;
  for (const LaunchRecord& launch : log.launches) {
    total.wall_s += launch.result.wall_s;
    if (!launch.failure.empty()) {
      ++total.failed;
    } else if (!launch.timed) {
      ++total.untimed;
    } else {
      ++total.timed;
      total.cycles += launch.result.run.cycles_elapsed;
      total.time_us += launch.result.time_us();
    }
  }
  return total;
}

std::string size_text(const isa::Dim3& size) {
  if (size.z != 1) return fmt::format("{}x{}x{}", size.x, size.y, size.z);
  return size.y != 1 ? fmt::format("{}x{}", size.x, size.y) : fmt::format("{}", size.x);
}

std::string short_name(const std::string& symbol) {
  const std::string name = isa::readable_name(symbol);
  return name.size() <= kNameWidth ? name : name.substr(0, kNameWidth - 3) + "...";
}

std::string row(const LaunchRecord& launch) {
  const LaunchResult& result = launch.result;
  std::string out = fmt::format("  {:>6}  {:<{}}  {:>12} {:>10}", launch.number, short_name(result.name), kNameWidth,
                                size_text(result.grid), size_text(result.block));
  if (!launch.failure.empty()) return out + fmt::format("  failed, error {}\n", launch.error);
  if (!launch.timed) return out + "  not timed\n";
  return out +
         fmt::format(" {:>13} {:>12.2f}  {}\n", grouped(result.run.cycles_elapsed), result.time_us(), result.bound.by);
}

std::string heading(const ExecResult& result) {
  return fmt::format("\nstcsim: {} on {}, caches {}\n", result.program.front(), result.gpu.params.name,
                     result.cold ? "cold before each launch" : "as the launch before left them");
}

std::string ending(const ExecResult& result) {
  if (!WIFSIGNALED(result.status)) return "";
  return fmt::format("  the program was ended by signal {} ({})\n", WTERMSIG(result.status),
                     ::strsignal(WTERMSIG(result.status)));
}

std::string rows(const LaunchLog& log) {
  std::string out = fmt::format("  {:>6}  {:<{}}  {:>12} {:>10} {:>13} {:>12}  {}\n", "launch", "kernel", kNameWidth,
                                "grid", "block", "cycles", "time [us]", "bound by");
  for (std::size_t i = 0; i < log.launches.size() && i < kMostRows; ++i) out += row(log.launches[i]);
  if (log.launches.size() > kMostRows) {
    out += fmt::format("  ... and {} more; --json has all\n", log.launches.size() - kMostRows);
  }
  return out;
}

std::string totals(const LaunchLog& log) {
  const Total total = total_of(log);
  std::string out = fmt::format("  total: {} launches, {} timed: {} cycles, {:.2f} us", log.launches.size(),
                                total.timed, grouped(total.cycles), total.time_us);
  if (total.untimed != 0) out += fmt::format("; {} not timed", total.untimed);
  if (total.failed != 0) out += fmt::format("; {} failed", total.failed);
  out += fmt::format("; {:.1f} s of simulation\n", total.wall_s);
  for (const std::string& name : log.unsupported) {
    out += fmt::format("  {} was called, which is not there: it returned cudaErrorNotSupported\n", name);
  }
  return out;
}

nlohmann::ordered_json launch_json(const ExecResult& result, const LaunchRecord& launch) {
  const auto size = [](const isa::Dim3& of) { return nlohmann::ordered_json{of.x, of.y, of.z}; };
  nlohmann::ordered_json out = {{"number", launch.number},
                                {"process", launch.process},
                                {"kernel", isa::readable_name(launch.result.name)},
                                {"symbol", launch.result.name},
                                {"grid", size(launch.result.grid)},
                                {"block", size(launch.result.block)},
                                {"timed", launch.timed},
                                {"simulation_s", launch.result.wall_s}};
  if (!launch.failure.empty()) {
    out["error"] = launch.error;
    out["failure"] = launch.failure;
  } else if (launch.timed) {
    out["cycles"] = launch.result.run.cycles_elapsed;
    out["time_us"] = launch.result.time_us();
    out["bound_by"] = launch.result.bound.by;
    out["result"] = describe_launch().json({&launch.result, &result.gpu.params});
  }
  return out;
}

}  // namespace

int ExecResult::exit_code() const { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

std::string exec_table(const ExecResult& result, std::optional<std::size_t> columns) {
  const auto fit = [&](const std::string& text) { return columns ? fitted(text, *columns) : text; };
  if (result.log.processes == 0) {
    return fit(heading(result)) + ending(result) +
           fit("  the program never used the GPU. If it ought to: does it link CUDA's runtime dynamically "
               "(nvcc -cudart shared)?\n");
  }
  return fit(heading(result)) + fit(rows(result.log)) + fit(totals(result.log)) + ending(result);
}

nlohmann::ordered_json exec_json(const ExecResult& result) {
  nlohmann::ordered_json launches = nlohmann::ordered_json::array();
  for (const LaunchRecord& launch : result.log.launches) launches.push_back(launch_json(result, launch));
  const Total total = total_of(result.log);
  return {{"schema", kExecSchema},
          {"program", result.program},
          {"exit_code", result.exit_code()},
          {"gpu", {{"file", result.gpu_file}, {"name", result.gpu.params.name}, {"config_hash", result.gpu.hash}}},
          {"caches", result.cold ? "cold" : "as left"},
          {"launches", launches},
          {"total",
           {{"launches", result.log.launches.size()},
            {"timed", total.timed},
            {"failed", total.failed},
            {"cycles", total.cycles},
            {"time_us", total.time_us},
            {"simulation_s", total.wall_s}}},
          {"not_supported", result.log.unsupported},
          {"notes", result.log.notes}};
}

}  // namespace stc::sim
