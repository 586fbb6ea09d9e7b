// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/tensor_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "models/isa/state/tensor_map.h"

namespace stc::sim {
namespace {

/// 0 for none, else 1, 2, 3 for `least` bytes, twice and four times that.
int steps_of_two(const ConfigNode& node, const std::string& key, std::int64_t least) {
  const auto found = node.find(key);
  if (!found) return 0;
  const std::int64_t value = found->integer(0, 4 * least);
  for (int step = 0; step < 4; ++step) {
    if (value == (step == 0 ? 0 : least << (step - 1))) return step;
  }
  found->fail(fmt::format("is {}, but must be 0, {}, {} or {}", value, least, 2 * least, 4 * least));
}

isa::TensorType type_in(const ConfigNode& node) {
  isa::TensorType type{};
  std::vector<std::string> names;
  for (int number = 0; isa::driver_type(number, type); ++number) names.emplace_back(isa::name_of(type));
  const std::string name = node.one_of(names);
  for (int number = 0; isa::driver_type(number, type) && name != isa::name_of(type);) ++number;
  return type;
}

std::vector<std::uint64_t> numbers_of(const ConfigNode& list, std::size_t count) {
  std::vector<std::uint64_t> numbers;
  for (const ConfigNode& one : list.elements())
    numbers.push_back(static_cast<std::uint64_t>(one.integer(1, std::numeric_limits<std::int64_t>::max())));
  if (numbers.size() != count) list.fail(fmt::format("has {} numbers, but must have {}", numbers.size(), count));
  return numbers;
}

void read_dimensions(const ConfigNode& node, isa::TensorMap& map) {
  const std::size_t rank = node.at("sizes").elements().size();
  if (rank == 0 || rank > isa::kMostDimensions) node.at("sizes").fail("must have one to five numbers");
  map.rank = static_cast<int>(rank);
  const std::vector<std::uint64_t> sizes = numbers_of(node.at("sizes"), rank), box = numbers_of(node.at("box"), rank);
  std::vector<std::uint64_t> steps(rank, 1), strides;
  if (const auto found = node.find("steps")) steps = numbers_of(*found, rank);
  if (const auto found = node.find("strides")) strides = numbers_of(*found, rank - 1);
  for (std::size_t d = 0; d < rank; ++d) {
    map.size[d] = sizes[d];
    map.box[d] = static_cast<std::uint32_t>(std::min<std::uint64_t>(box[d], std::numeric_limits<std::uint32_t>::max()));
    map.step[d] =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(steps[d], std::numeric_limits<std::uint32_t>::max()));
    if (d == 0) continue;
    const std::uint64_t before = d == 1 ? static_cast<std::uint64_t>(isa::bytes_of(map.type)) : map.stride[d - 1];
    if (strides.empty() && __builtin_mul_overflow(before, sizes[d - 1], &map.stride[d]))
      map.stride[d] = std::numeric_limits<std::uint64_t>::max();  // too long, as will be said
    if (!strides.empty()) map.stride[d] = strides[d - 1];
  }
}

}  // namespace

Argument read_tensor_map(const ConfigNode& node) {
  node.allow_keys({"buffer", "offset", "type", "sizes", "strides", "box", "steps", "swizzle", "promotion", "fill"});
  Argument argument;
  HeldPointer address;
  address.key = "0";
  address.buffer = node.at("buffer").text();
  if (const auto offset = node.find("offset"))
    address.offset = static_cast<std::uint64_t>(offset->integer(0, std::numeric_limits<std::int64_t>::max()));
  isa::TensorMap map;
  map.address = address.offset;  // buffers begin at multiples of 512
  map.type = type_in(node.at("type"));
  read_dimensions(node, map);
  map.swizzle = steps_of_two(node, "swizzle", 32);
  map.promotion = steps_of_two(node, "promotion", 64);
  if (const auto fill = node.find("fill")) map.fills_with_nan = fill->one_of({"zeros", "nan"}) == "nan";
  if (const std::string problem = isa::encoding_problem(map); !problem.empty())
    node.fail("is no tensor map: " + problem);
  map.address = 0;
  const isa::TensorMapBytes bytes = isa::encode_tensor_map(map);
  argument.bytes.assign(bytes.begin(), bytes.end());
  argument.pointers.push_back(address);
  argument.spelling = fmt::format("tensor_map: {}", address.buffer);
  return argument;
}

}  // namespace stc::sim
