// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/selector_area.h"

namespace stc::tensor_core {
namespace {

struct ArrayRow {
  const char* library;
  int cells;
  double area, delay;
};
struct SelectorRow {
  int n, m;
  int selector_cells;
  double selector_area, selector_delay;
  int metadata_cells;
  double metadata_area, metadata_delay;
};

constexpr ArrayRow kArray =
#define STC_MULTIPLIER_ARRAY(...) {__VA_ARGS__};
#define STC_SELECTOR_AREA(...)
#include "models/tensor_core/selector_area.def"
#undef STC_MULTIPLIER_ARRAY
#undef STC_SELECTOR_AREA
    constexpr SelectorRow kSelectors[] = {
#define STC_MULTIPLIER_ARRAY(...)
#define STC_SELECTOR_AREA(...) {__VA_ARGS__},
#include "models/tensor_core/selector_area.def"
#undef STC_MULTIPLIER_ARRAY
#undef STC_SELECTOR_AREA
};

}  // namespace

std::optional<SelectorArea> selector_area(const isa::MmaOp& op) {
  const sparsity::Pattern& pattern = op.pattern;
  const bool one_index = pattern.encoding == sparsity::IndexEncoding::per_element && pattern.elements_per_index == 1;
  if (isa::bits_of(op.a) != 16 || !one_index) return std::nullopt;
  for (const SelectorRow& row : kSelectors) {
    if (row.n != pattern.n || row.m != pattern.m) continue;
    return SelectorArea{row.selector_cells + row.metadata_cells, row.selector_area + row.metadata_area, kArray.area,
                        row.selector_delay + row.metadata_delay};
  }
  return std::nullopt;
}

const char* selector_area_library() { return kArray.library; }

}  // namespace stc::tensor_core
