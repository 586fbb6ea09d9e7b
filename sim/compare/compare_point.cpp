// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/compare_point.h"

#include <fmt/format.h>

#include "sim/base/text.h"

namespace stc::sim {

std::string SimulationTask::name() const {
  if (kind == Kind::kGemm) return fmt::format("{} {}x{}x{} {}", kernel, m, n, k, warm_l2 ? "warm" : "cold");
  if (kind == Kind::kConvolution) {
    return fmt::format("{} {} pad {} {}", kernel, layer.text(), layer.pad, warm_l2 ? "warm" : "cold");
  }
  if (kind == Kind::kSpmm) {
    const std::string cut = parts > 1 ? fmt::format(", k in {} parts", parts) : "";
    return fmt::format("{} {}x{}x{}, {:g} % zeros{}", kernel, m, n, k, 100 * sparsity, cut);
  }
  if (kind == Kind::kForeign) return fmt::format("{} launch {}", foreign.case_folder, foreign.number);
  return fmt::format("{}/{} {} CTAs x {} warps, {} B shared, {} B data ({}){}", micro.cubin, kernel, micro.ctas,
                     micro.warps, micro.shared_bytes, micro.data_bytes, micro.args,
                     micro.flushed ? ", caches emptied" : "");
}

double SimulationTask::cost() const {
  if (kind == Kind::kGemm) return 1e6 + static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) / 100;
  if (kind == Kind::kConvolution) return 1e6 + layer.operations() / 200;
  if (kind == Kind::kSpmm) {  // entries, or all of k, one by one
    const bool whole = spmm.format == SpmmFormat::kSgemm || spmm.format == SpmmFormat::kBitmap;
    return 1e6 +
           static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) * (whole ? 1 : 1 - sparsity) / 16;
  }
  if (kind == Kind::kForeign) return 1e7;
  return 1e6 + 1e6 * micro.ctas * micro.warps + static_cast<double>(micro.data_bytes) / 4;
}

const std::string* ComparePoint::field(const std::string& name) const {
  for (const auto& [key, value] : fields) {
    if (key == name) return &value;
  }
  return nullptr;
}

double ComparePoint::field_number(const std::string& name) const {
  const std::string* text = field(name);
  return text == nullptr ? 0.0 : parse_number(*text).value_or(0.0);
}

}  // namespace stc::sim
