// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/config_values.h"

#include <fmt/format.h>

#include "sim/base/text.h"

namespace stc::sim {

ElementType read_element_type(const ConfigNode& node) {
  const auto type = element_type_of(node.text());
  if (!type) node.fail(unknown_word("element type", node.text(), element_type_names()));
  return *type;
}

isa::NumberFormat read_multiplicand_type(const ConfigNode& node) {
  const std::string name = node.one_of({"f16", "bf16", "tf32", "s8"});
  for (const auto type : {isa::NumberFormat::bf16, isa::NumberFormat::tf32, isa::NumberFormat::s8}) {
    if (name == isa::name_of(type)) return type;
  }
  return isa::NumberFormat::f16;
}

std::vector<int> read_tile_sizes(const ConfigNode& node, std::size_t count) {
  constexpr std::int64_t kLargestTile = 4096;
  std::vector<int> sizes;
  for (const ConfigNode& element : node.elements()) {
    sizes.push_back(static_cast<int>(element.integer(1, kLargestTile)));
  }
  if (sizes.size() != count) node.fail(fmt::format("must hold {} sizes, but holds {}", count, sizes.size()));
  return sizes;
}

}  // namespace stc::sim
