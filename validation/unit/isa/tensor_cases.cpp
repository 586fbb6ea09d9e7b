// SPDX-License-Identifier: Apache-2.0
#include "validation/unit/isa/tensor_cases.h"

#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace stc::isa {
namespace {

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<std::vector<std::string>> rows_of_file(const std::string& name, std::size_t cells) {
  std::ifstream file("validation/measured/h200/" + name);
  std::vector<std::vector<std::string>> rows;
  bool header = true;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (std::exchange(header, false)) continue;
    rows.push_back(split_at(line, ','));
    rows.back().resize(cells);
  }
  if (rows.empty()) throw std::runtime_error("no rows in " + name);
  return rows;
}

/// From the cell of the type to that of NaN.
TensorMap map_in(const std::vector<std::string>& cells, std::size_t first) {
  TensorMap map;
  if (!driver_type(std::stoi(cells[first]), map.type)) throw std::runtime_error("no type " + cells[first]);
  map.rank = std::stoi(cells[first + 1]);
  const auto sizes = split_at(cells[first + 2], ':'), strides = split_at(cells[first + 3], ':'),
             box = split_at(cells[first + 4], ':'), steps = split_at(cells[first + 5], ':');
  for (std::size_t d = 0; d < static_cast<std::size_t>(map.rank); ++d) {
    map.size[d] = std::stoull(sizes[d]);
    map.box[d] = static_cast<std::uint32_t>(std::stoul(box[d]));
    map.step[d] = static_cast<std::uint32_t>(std::stoul(steps[d]));
    if (d != 0) map.stride[d] = std::stoull(strides[d - 1]);
  }
  map.interleave = std::stoi(cells[first + 6]);
  map.swizzle = std::stoi(cells[first + 7]);
  map.promotion = std::stoi(cells[first + 8]);
  map.fills_with_nan = cells[first + 9] == "1";
  return map;
}

}  // namespace

std::vector<MapCase> measured_maps() {
  std::vector<MapCase> cases;
  for (const auto& cells : rows_of_file("tensor_maps.csv", 13)) {
    MapCase one;
    one.result = std::stoi(cells[0]);
    one.map = map_in(cells, 1);
    one.map.address = std::stoull(cells[11], nullptr, 16);
    std::size_t at = 0;
    for (const std::string& word : split_at(cells[12], ' ')) {
      const std::uint64_t value = std::stoull(word, nullptr, 16);
      std::memcpy(one.bytes.data() + at, &value, sizeof value);
      at += sizeof value;
    }
    cases.push_back(one);
  }
  return cases;
}

namespace {

std::uint32_t number(const std::string& cell, int base = 10) {
  return cell.empty() ? 0u : static_cast<std::uint32_t>(std::stoul(cell, nullptr, base));
}
std::uint64_t hash_in(const std::string& cell) { return cell.empty() ? 0 : std::stoull(cell, nullptr, 16); }

TileCase tile_in(const std::vector<std::string>& cells) {
  TileCase one;
  for (const std::string& cell : cells) one.row += cell + ",";
  one.what = cells[0];
  one.loads = cells[0] != "store";
  one.status = cells[1];
  one.map = map_in(cells, 2);
  const auto at = split_at(cells[12], ':');
  for (std::size_t d = 0; d < at.size(); ++d) one.at[d] = std::stoi(at[d]);
  one.offset = number(cells[13]), one.bytes = number(cells[14]), one.shown = number(cells[15]);
  one.hash = hash_in(cells[16]);
  return one;
}

}  // namespace

std::vector<TileCase> measured_tiles() {
  std::vector<TileCase> cases;
  for (const auto& cells : rows_of_file("tensor_tiles.csv", 17)) cases.push_back(tile_in(cells));
  return cases;
}

std::vector<TileCase> measured_tensor_values() {
  std::vector<TileCase> cases;
  for (const auto& cells : rows_of_file("tensor_values.csv", 22)) {
    TileCase one = tile_in(cells);
    if (!cells[17].empty()) {
      const auto lower = split_at(cells[17], ':'), upper = split_at(cells[18], ':');
      one.map.by_columns = true;
      for (std::size_t d = 0; d < one.map.places(); ++d) {
        one.map.lower[d] = std::stoi(lower[d]);
        one.map.upper[d] = std::stoi(upper[d]);
      }
      one.map.box = {number(cells[19]), 1, 1, 1, 1};
      one.map.pixels = number(cells[20]);
      one.column_offsets = number(cells[21]);
    }
    cases.push_back(one);
  }
  return cases;
}

std::vector<ReductionCase> measured_reductions() {
  std::vector<ReductionCase> cases;
  for (const auto& cells : rows_of_file("bulk_reductions.csv", 9)) {
    ReductionCase one;
    for (const std::string& cell : cells) one.row += cell + ",";
    one.what = cells[0], one.operation = cells[1], one.type = cells[2], one.status = cells[6];
    one.to = number(cells[3]), one.lanes = number(cells[4], 16), one.step = number(cells[5]);
    one.bytes = number(cells[7]), one.hash = hash_in(cells[8]);
    cases.push_back(one);
  }
  return cases;
}

}  // namespace stc::isa
