// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/gemm_command.h"

#include <cudaProfiler.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>

#include "sim/base/error.h"
#include "sim/base/median.h"
#include "sim/launch/gemm_workload.h"
#include "sim/launch/random.h"
#include "validation/gpu/gpu_launch.h"

namespace stc::silicon {
namespace {

using sim::ElementType;

constexpr std::size_t kPatternBytes = std::size_t{8} << 20;

struct GemmPoint {
  std::string kernel, l2;
  std::int64_t m = 0, n = 0, k = 0;
};

std::vector<GemmPoint> read_points(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw sim::UserError(path + ": cannot be read");
  std::vector<GemmPoint> points;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    GemmPoint point;
    if (!(words >> point.kernel)) continue;
    if (!(words >> point.m >> point.n >> point.k >> point.l2) || (point.l2 != "cold" && point.l2 != "warm"))
      throw sim::UserError(fmt::format("{}: not 'kernel m n k cold|warm': {}", path, line));
    points.push_back(point);
  }
  return points;
}

std::vector<std::uint8_t> random_elements(ElementType type) {
  const sim::Random random(1);
  const auto width = static_cast<std::size_t>(sim::bytes_of(type));
  std::vector<std::uint8_t> bytes(kPatternBytes);
  for (std::size_t i = 0; i < bytes.size() / width; ++i) {
    const std::uint64_t bits = sim::is_integer(type) ? sim::encode_integer(type, random.integer(i, -127, 127))
                                                     : sim::encode(type, random.real(i, -1, 1));
    for (std::size_t b = 0; b < width; ++b) bytes[i * width + b] = static_cast<std::uint8_t>(bits >> (8 * b));
  }
  return bytes;
}

std::vector<std::uint8_t> random_metadata(ElementType type) {
  static constexpr std::uint8_t kPairs[] = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE};
  const sim::Random random(2);
  std::vector<std::uint8_t> bytes(kPatternBytes);
  const auto nibble = [&](std::size_t i) {
    if (sim::bytes_of(type) == 4) return (random.bits(i) & 1) != 0 ? std::uint8_t{0xE} : std::uint8_t{0x4};
    return kPairs[random.integer(i, 0, 5)];
  };
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(nibble(2 * i) | nibble(2 * i + 1) << 4);
  return bytes;
}

/// Device memory that points share: one region per role, as large as its largest user, holding the pattern of one type.
class Regions {
 public:
  CUdeviceptr get(DataRole role, ElementType type, std::size_t bytes) {
    Region& region = regions_[role];
    if (!region.buffer || region.buffer->bytes() < bytes || region.type != type) {
      region.buffer.reset();
      region.buffer = std::make_unique<DeviceBuffer>(std::max(bytes, kPatternBytes));
      region.type = type;
      fill(role, type, *region.buffer);
    }
    return region.buffer->address();
  }

 private:
  struct Region {
    std::unique_ptr<DeviceBuffer> buffer;
    ElementType type = ElementType::f16;
  };

  void fill(DataRole role, ElementType type, DeviceBuffer& buffer) {
    if (role == DataRole::kOutput) return buffer.clear();
    std::vector<std::uint8_t>& pattern = patterns_[{role == DataRole::kMetadata, type}];
    if (pattern.empty()) pattern = role == DataRole::kMetadata ? random_metadata(type) : random_elements(type);
    buffer.write(pattern.data(), kPatternBytes);
    for (std::size_t done = kPatternBytes; done < buffer.bytes(); done *= 2)
      STC_CUDA(cuMemcpyDtoD(buffer.address() + done, buffer.address(), std::min(done, buffer.bytes() - done)));
  }

  std::map<DataRole, Region> regions_;
  std::map<std::pair<bool, ElementType>, std::vector<std::uint8_t>> patterns_;
};

class Bench {
 public:
  Bench(const GemmCommand& command, const Context& context)
      : command_(command),
        version_(cubin_version(context.facts())),
        manifest_(sim::Manifest::load(sim::default_kernels_folder())),
        flush_(context.facts(), command.micro_kernels) {}

  /// One row of the table, without the point's own columns.
  std::string run(const GemmPoint& point) {
    sim::GemmPlan plan;
    plan.kernel = point.kernel;
    plan.m = point.m, plan.n = point.n, plan.k = point.k;
    plan.place = plan.m_place = plan.n_place = plan.k_place = command_.points;
    const sim::GemmProblem problem = sim::resolve_gemm(plan, manifest_);
    const sim::PreparedLaunch prepared = sim::prepare_gemm(problem, version_, nullptr);
    std::vector<CUdeviceptr> addresses;
    for (const sim::PreparedBuffer& buffer : prepared.buffers)
      addresses.push_back(regions_.get(buffer.role, problem.kernel.element, buffer.data.size()));
    GpuLaunch launch(prepared, addresses);
    const bool warm = point.l2 == "warm";
    launch.run();
    if (warm) launch.run();
    if (command_.profile) {
      if (!warm) flush_();
      synchronize();
      STC_CUDA(cuProfilerStart());
      launch.run();
      synchronize();
      STC_CUDA(cuProfilerStop());
      return "";
    }
    return time(launch, warm);
  }

 private:
  std::string time(GpuLaunch& launch, bool warm) {
    std::vector<double> times;
    double sum = 0;
    while (static_cast<int>(times.size()) < command_.runs || (sum < 2000 && times.size() < 101)) {
      if (!warm) flush_();
      times.push_back(launch.timed_run());
      sum += times.back();
    }
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    return fmt::format("{},{:.3f},{:.3f},{:.3f}", times.size(), sim::median(times), *least, *most);
  }

  const GemmCommand& command_;
  int version_;
  sim::Manifest manifest_;
  L2Flush flush_;
  Regions regions_;
};

}  // namespace

int gemm(const GemmCommand& command) {
  const std::vector<GemmPoint> points = read_points(command.points);
  const Context context;
  Bench bench(command, context);
  std::ofstream out(command.out);
  if (!out) throw sim::UserError(command.out + ": cannot be written");
  out << "kernel,m,n,k,l2,runs,time_us_median,time_us_min,time_us_max\n";
  const auto begin = std::chrono::steady_clock::now();
  std::size_t done = 0, failed = 0;
  for (const GemmPoint& point : points) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (command.seconds > 0 && seconds > command.seconds) break;
    try {
      const std::string numbers = bench.run(point);
      out << fmt::format("{},{},{},{},{},{}\n", point.kernel, point.m, point.n, point.k, point.l2, numbers)
          << std::flush;
      ++done;
    } catch (const std::exception& error) {
      ++failed;
      fmt::print("FAILED {} {} {} {} {}: {}\n", point.kernel, point.m, point.n, point.k, point.l2, error.what());
    }
  }
  fmt::print("gemm: {} of {} points, {} failed, {:.1f} s\n", done, points.size(), failed,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return failed == 0 ? sim::kOk : sim::kCheckFailed;
}

}  // namespace stc::silicon
