// SPDX-License-Identifier: Apache-2.0
#include "models/isa/mma/mma_op.h"

#include <cstdio>
#include <stdexcept>
#include <vector>

namespace stc::isa {
namespace {

constexpr const char* kExample = "mma.sp.m16n8k32.f32.f16.f16.f32";

[[noreturn]] void reject(const std::string& name, const std::string& why) {
  throw std::invalid_argument("\"" + name + "\" is not a matrix instruction: " + why + " (example: " + kExample + ")");
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

NumberFormat parse_format(const std::string& name, const std::string& part) {
  for (int i = 0; i <= static_cast<int>(NumberFormat::s32); ++i) {
    const auto format = static_cast<NumberFormat>(i);
    if (part == name_of(format)) return format;
  }
  reject(name, "unknown format \"" + part + "\"");
}

}  // namespace

sparsity::Pattern nvidia_pattern(NumberFormat weights) {
  switch (bits_of(weights)) {
    case 32: return {1, 2};
    case 4: return {2, 4, 2};
    default: return {2, 4};
  }
}

std::string MmaOp::name() const {
  std::string text = warpgroup ? "wgmma." : "mma.";
  if (sparse) text += "sp.";
  text += "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  if (saturate && !warpgroup) text += ".satfinite";
  for (const NumberFormat format : {c, a, b}) text += std::string(".") + name_of(format);
  if (!warpgroup) text += std::string(".") + name_of(c);
  if (saturate && warpgroup) text += ".satfinite";
  if (a == NumberFormat::b1) text += exclusive_or ? ".xor.popc" : ".and.popc";
  return text;
}

MmaOp parse_mma_name(const std::string& name) {
  auto parts = split(name);
  std::size_t next = 0;
  const auto take = [&](const char* word) {
    if (next >= parts.size() || parts[next] != word) return false;
    ++next;
    return true;
  };
  if (!take("mma")) reject(name, "it does not start with \"mma.\"");
  MmaOp op;
  op.sparse = take("sp") || take("sp::ordered_metadata");
  if (take("sync") && !take("aligned")) reject(name, "\".sync\" is followed by \".aligned\"");
  int m = 0, n = 0, k = 0, used = 0;
  const std::string shape = next < parts.size() ? parts[next++] : "";
  if (std::sscanf(shape.c_str(), "m%dn%dk%d%n", &m, &n, &k, &used) != 3 ||
      static_cast<std::size_t>(used) != shape.size()) {
    reject(name, "\"" + shape + "\" is not a shape like m16n8k16");
  }
  if (m != 16 || n != 8 || k < 4 || k > 512) reject(name, "shapes are m16n8kK");
  op.k = static_cast<std::uint16_t>(k);
  if (take("row") && !take("col")) reject(name, "the layouts are \".row.col\", A by rows and B by columns");
  op.saturate = take("satfinite");
  if (parts.size() - next != 4) reject(name, "four formats are needed, those of D, A, B and C");
  const NumberFormat d = parse_format(name, parts[next]);
  op.a = parse_format(name, parts[next + 1]);
  op.b = parse_format(name, parts[next + 2]);
  op.c = parse_format(name, parts[next + 3]);
  if (d != op.c) reject(name, "C and D must have one format");
  if (bits_of(op.a) != bits_of(op.b)) reject(name, "A and B must have elements of one width");
  if (op.sparse) op.pattern = nvidia_pattern(op.a);
  return op;
}

}  // namespace stc::isa
