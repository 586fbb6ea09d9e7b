// SPDX-License-Identifier: Apache-2.0
// The points of a measured microbenchmark table (validation/measured/GPU/{intervals,clocks,latency,ctas}.csv): each row
// holds what is needed to launch its kernel again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stc::micro {

/// What a kernel writes; the column layout of the table tells which.
enum class Kind : std::uint8_t { kInterval, kClocks, kLatency, kCtas };

struct Point {
  Kind kind = Kind::kInterval;
  std::string group, cubin, kernel, args;
  std::uint32_t ctas = 1, warps = 1, shared_bytes = 0;
  std::uint64_t data_bytes = 0;
  bool flushed = false;       ///< L2 held nothing of `data` when the launch began
  std::uint32_t samples = 0;  ///< clocks, latency: numbers per row
  /// interval: cycles, cta_cycles, warp_cycles. clocks: clock of each read, by warp. latency: median clocks of each SM.
  /// ctas: clocks of each CTA.
  std::vector<double> measured;
  std::string key() const {
    return group + "," + kernel + "," + std::to_string(ctas) + "," + std::to_string(warps) + "," + args;
  }
};

/// Makes a transfer that all SMs take part in `factor` times shorter (fewer rounds), and with it what was measured:
/// rates stay, start and end weigh more. False when the point is no such transfer or has too few rounds.
bool shorten(Point& point, std::uint32_t factor);

/// Reads a table; rows of one launch become one point. `filter` must occur in "group,kernel,ctas,warps,args".
/// UserError when it is no such table.
std::vector<Point> read_points(const std::string& file, const std::string& filter);

}  // namespace stc::micro
