// SPDX-License-Identifier: Apache-2.0
#include "models/tensor_core/selector_area.h"

#include <algorithm>
#include <iterator>

namespace stc::tensor_core {
namespace {

struct ArrayRow {
  int bits;
  const char* library;
  int cells;
  double area, delay;
};
struct SelectorRow {
  int bits, n, m;
  int selector_cells;
  double selector_area, selector_delay;
  int metadata_cells;
  double metadata_area, metadata_delay;
};

constexpr ArrayRow kArrays[] = {
#define STC_MULTIPLIER_ARRAY(...) {__VA_ARGS__},
#define STC_SELECTOR_AREA(...)
#include "models/tensor_core/selector_area.def"
#undef STC_MULTIPLIER_ARRAY
#undef STC_SELECTOR_AREA
};
constexpr SelectorRow kSelectors[] = {
#define STC_MULTIPLIER_ARRAY(...)
#define STC_SELECTOR_AREA(...) {__VA_ARGS__},
#include "models/tensor_core/selector_area.def"
#undef STC_MULTIPLIER_ARRAY
#undef STC_SELECTOR_AREA
};

double array_area(int bits) {
  return std::find_if(std::begin(kArrays), std::end(kArrays), [bits](const ArrayRow& row) { return row.bits == bits; })
      ->area;
}

}  // namespace

std::optional<SelectorArea> selector_area(const isa::MmaOp& op) {
  const sparsity::Pattern& pattern = op.pattern;
  const bool one_index = pattern.encoding == sparsity::IndexEncoding::per_element && pattern.elements_per_index == 1;
  const int bits = isa::bits_of(op.a);
  if (!one_index || (bits == 8 && !isa::is_integer(op.a))) return std::nullopt;
  for (const SelectorRow& row : kSelectors) {
    if (row.bits != bits || row.n != pattern.n || row.m != pattern.m) continue;
    return SelectorArea{row.selector_cells + row.metadata_cells, row.selector_area + row.metadata_area,
                        array_area(bits), row.selector_delay + row.metadata_delay};
  }
  return std::nullopt;
}

const char* selector_area_library() { return kArrays[0].library; }

}  // namespace stc::tensor_core
