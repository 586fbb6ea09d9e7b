// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/utilisation.h"

#include <algorithm>
#include <numeric>

namespace stc::sim {
namespace {

constexpr double kSectorBytesOfSeries = 32, kWavefrontBytesOfSeries = 128;

struct ResourceRow {
  const char *name, *unit, *meaning;
};
constexpr std::array<ResourceRow, kSeriesResources> kResourceRows = {{
    {"tensor", "cycles of a tensor core", "Tensor cores."},
    {"issue", "warp instructions", "Issue slots of the sub-cores."},
    {"shared", "wavefronts", "Data stages of the SMs, by shared memory; when the instructions are issued."},
    {"l1", "32-byte sectors", "Data stages of the SMs, by sectors that L1 has."},
    {"l2_read", "32-byte sectors", "What L2 can send to the SMs; when it is asked."},
    {"l2_write", "32-byte sectors", "What the SMs can send to L2; when it leaves."},
    {"dram", "32-byte sectors", "Device memory, reads and writes; when the request behind them is served."},
}};

}  // namespace

const char* name_of(Resource resource) { return kResourceRows[static_cast<std::size_t>(resource)].name; }
const char* unit_of(Resource resource) { return kResourceRows[static_cast<std::size_t>(resource)].unit; }
const char* meaning_of(Resource resource) { return kResourceRows[static_cast<std::size_t>(resource)].meaning; }

std::array<double, kSeriesResources> offered_per_cycle(const gpu::GpuParams& gpu) {
  const auto& crossbar = gpu.memory.crossbar;
  const double sub_cores = static_cast<double>(gpu.sms) * gpu.sm.sub_cores;
  const double stage_bytes = static_cast<double>(gpu.sms) * gpu.sm.lsu.data_width_bytes / gpu.sm.lsu.wavefront_interval;
  return {sub_cores,
          sub_cores,
          stage_bytes / kWavefrontBytesOfSeries,
          stage_bytes / kSectorBytesOfSeries,
          std::min(crossbar.read_bytes_per_cycle, crossbar.sm_read_bytes_per_cycle * gpu.sms) / kSectorBytesOfSeries,
          std::min(crossbar.write_bytes_per_cycle, crossbar.sm_write_bytes_per_cycle * gpu.sms) / kSectorBytesOfSeries,
          gpu.memory.hbm.bytes_per_cycle / kSectorBytesOfSeries};
}

std::uint64_t UtilisationSeries::total(Resource resource) const {
  const auto& counts = used[static_cast<std::size_t>(resource)];
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double UtilisationSeries::fraction(Resource resource, std::size_t bucket) const {
  const auto of = static_cast<std::size_t>(resource);
  return static_cast<double>(used[of][bucket]) / (per_cycle[of] * static_cast<double>(bucket_cycles));
}

void SeriesCounts::count_span(Resource resource, std::uint64_t begin, std::uint64_t cycles) {
  const std::uint64_t end = begin + cycles;
  while (begin < end) {
    const std::uint64_t until = std::min(end, ((begin >> shift_) + 1) << shift_);
    count({resource, begin, until - begin});
    begin = until;
  }
}

void SeriesCounts::widen(std::uint64_t cycle) {
  for (; cycle >> shift_ >= used_.size(); ++shift_) {
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const auto taken = used_[i];
      used_[i] = {};
      for (std::size_t r = 0; r < kSeriesResources; ++r) used_[i / 2][r] += taken[r];
    }
  }
}

void SeriesCounts::add(const SeriesCounts& other) {
  if (other.shift_ > shift_) widen((std::uint64_t{used_.size()} << other.shift_) - 1);
  const unsigned narrower = shift_ - std::min(shift_, other.shift_);
  for (std::size_t i = 0; i < used_.size(); ++i) {
    for (std::size_t r = 0; r < kSeriesResources; ++r) used_[i >> narrower][r] += other.used_[i][r];
  }
}

UtilisationSeries SeriesCounts::series(std::uint64_t cycles,
                                       const std::array<double, kSeriesResources>& per_cycle) const {
  UtilisationSeries out;
  out.bucket_cycles = std::uint64_t{1} << shift_;
  out.per_cycle = per_cycle;
  std::size_t buckets = std::min<std::size_t>(used_.size(), (cycles + out.bucket_cycles - 1) / out.bucket_cycles);
  for (std::size_t i = buckets; i < used_.size(); ++i) {
    if (std::any_of(used_[i].begin(), used_[i].end(), [](std::uint64_t units) { return units != 0; })) buckets = i + 1;
  }
  for (std::size_t r = 0; r < kSeriesResources; ++r) {
    for (std::size_t i = 0; i < buckets; ++i) out.used[r].push_back(used_[i][r]);
  }
  return out;
}

}  // namespace stc::sim
