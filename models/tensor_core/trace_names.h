// SPDX-License-Identifier: Apache-2.0
// Names of the waveform's signals, below their module, and how its numbers are shown. The tracing modules and the
// writer of the viewer's save file share them.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace stc::tensor_core {

/// A number with as many digits as fit between two clock edges; whole numbers as they are. The exact bits are traced
/// beside it.
inline double readable(double value) {
  if (!std::isfinite(value) || value == std::rint(value)) return value;
  return std::strtod(fmt::format("{:.3g}", value).c_str(), nullptr);
}

/// Copies elements for a waveform, which shows a value wider than its signal as unknown: sign extension is cut off.
inline void show_bits(const std::vector<std::uint32_t>& from, int bits, std::vector<std::uint32_t>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i] & (0xffffffffu >> (32 - bits));
}

inline std::string weight_name(int row, int stored) { return fmt::format("A.row{:02}.w{:02}", row, stored); }
inline std::string activation_name(int k, int column) { return fmt::format("B.k{:03}.col{}", k, column); }
inline std::string output_name(int row, int column) { return fmt::format("row{:02}.col{}", row, column); }
/// A word of D as a register image.
inline std::string result_name(int reg, int lane) { return fmt::format("d.r{}.lane{:02}", reg, lane); }
/// A row or column of the tile being computed.
inline std::string unit_name(int row, int column) { return fmt::format("unit_r{}c{}", row, column); }
inline std::string index_bits_name(int row) { return fmt::format("row{}.index_bits", row); }
inline std::string select_name(int row, int i) { return fmt::format("row{}.select{:02}", row, i); }
inline std::string candidate_name(int column, int i, int input) {
  return fmt::format("col{}.mux{:02}.in{:02}", column, i, input);
}
inline std::string selected_name(int row, int column, int i) {
  return fmt::format("{}.activation{:02}", unit_name(row, column), i);
}
inline std::string multiplier_weight_name(int row, int column, int i) {
  return fmt::format("{}.weight{:02}", unit_name(row, column), i);
}
inline std::string multiplier_activation_name(int row, int column, int i) {
  return fmt::format("{}.activation{:02}", unit_name(row, column), i);
}
inline std::string product_name(int row, int column, int i) {
  return fmt::format("{}.product{:02}", unit_name(row, column), i);
}
inline std::string dot_product_name(int row, int column) {
  return fmt::format("{}.dot_r{}c{}", unit_name(row, column), row, column);
}
inline std::string adder_name(int adder, const char* what) { return fmt::format("adder{}_{}", adder, what); }

}  // namespace stc::tensor_core
