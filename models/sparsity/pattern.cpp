// SPDX-License-Identifier: Apache-2.0
#include "models/sparsity/pattern.h"

#include <cstdio>
#include <stdexcept>

namespace stc::sparsity {
namespace {

/// Least b with 2^b >= count.
int bits_for(std::uint64_t count) {
  int bits = 0;
  while (bits < 63 && (std::uint64_t{1} << bits) < count) ++bits;
  return bits;
}

}  // namespace

std::uint64_t Pattern::legal_masks() const {
  // Multiplying before dividing is exact: each partial product is itself a binomial coefficient.
  __extension__ unsigned __int128 ways = 1;
  for (int i = 1; i <= n; ++i) ways = ways * static_cast<unsigned>(m - n + i) / static_cast<unsigned>(i);
  return static_cast<std::uint64_t>(ways);
}

int Pattern::index_bits() const {
  if (dense()) return 0;
  return encoding == IndexEncoding::joint ? bits_for(legal_masks()) : bits_for(static_cast<std::uint64_t>(m));
}

int Pattern::index_bits_per_group() const { return encoding == IndexEncoding::joint ? index_bits() : n * index_bits(); }

void Pattern::check() const {
  if (n < 1 || n > m || m > 64) {
    throw std::invalid_argument("pattern " + std::to_string(n) + ":" + std::to_string(m) +
                                " is not possible (1 <= n <= m <= 64)");
  }
  if (elements_per_index < 1 || elements_per_index > 64) {
    throw std::invalid_argument("a pattern cannot have " + std::to_string(elements_per_index) +
                                " elements per index (1 to 64)");
  }
}

std::string Pattern::name() const {
  if (dense()) return "dense";
  std::string text = std::to_string(stored_elements()) + ":" + std::to_string(group_elements());
  if (elements_per_index > 1) text += "/" + std::to_string(elements_per_index);
  if (encoding == IndexEncoding::joint) text += "j";
  return text;
}

Pattern Pattern::parse(const std::string& text) {
  if (text == "dense") return {};
  int stored = 0, group = 0, per_index = 1, used = 0;
  const bool plain = std::sscanf(text.c_str(), "%d:%d%n", &stored, &group, &used) == 2;
  auto rest = plain ? text.substr(static_cast<std::size_t>(used)) : std::string();
  if (plain && std::sscanf(rest.c_str(), "/%d%n", &per_index, &used) == 1) {
    rest = rest.substr(static_cast<std::size_t>(used));
  }
  const bool joint = rest == "j";
  const bool divides = per_index >= 1 && stored % per_index == 0 && group % per_index == 0;
  if (!plain || !(rest.empty() || joint) || !divides) {
    throw std::invalid_argument("\"" + text + "\" is not a pattern (examples: dense, 2:4, 1:2, 4:8/2, 2:16j)");
  }
  Pattern pattern{stored / per_index, group / per_index, per_index,
                  joint ? IndexEncoding::joint : IndexEncoding::per_element};
  pattern.check();
  return pattern;
}

}  // namespace stc::sparsity
