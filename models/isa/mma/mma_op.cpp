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

/// The parts of a name, one after the other.
class NameParts {
 public:
  explicit NameParts(const std::string& name) : name_(name), parts_(split(name)) {}

  bool take(const char* word) {
    if (next_ >= parts_.size() || parts_[next_] != word) return false;
    ++next_;
    return true;
  }
  std::size_t left() const { return parts_.size() - next_; }
  NumberFormat format() { return parse_format(name_, parts_[next_++]); }
  /// Reads mMnNkK into an operation and says whether it is one.
  bool shape(int& m, int& n, int& k) {
    const std::string text = next_ < parts_.size() ? parts_[next_++] : "";
    int used = 0;
    if (std::sscanf(text.c_str(), "m%dn%dk%d%n", &m, &n, &k, &used) != 3 ||
        static_cast<std::size_t>(used) != text.size()) {
      reject(name_, "\"" + text + "\" is not a shape like m16n8k16");
    }
    return k >= 4 && k <= 512;
  }
  [[noreturn]] void reject_it(const std::string& why) const { reject(name_, why); }

 private:
  const std::string& name_;
  const std::vector<std::string> parts_;
  std::size_t next_ = 0;
};

void require_one_width(const NameParts& parts, const MmaOp& op) {
  if (bits_of(op.a) != bits_of(op.b)) parts.reject_it("A and B must have elements of one width");
}

MmaOp parse_of_warp(NameParts& parts) {
  MmaOp op;
  op.sparse = parts.take("sp") || parts.take("sp::ordered_metadata");
  if (parts.take("sync") && !parts.take("aligned")) parts.reject_it("\".sync\" is followed by \".aligned\"");
  int m = 0, n = 0, k = 0;
  if (!parts.shape(m, n, k) || m != 16 || n != 8) parts.reject_it("shapes are m16n8kK");
  op.k = static_cast<std::uint16_t>(k);
  if (parts.take("row") && !parts.take("col"))
    parts.reject_it("the layouts are \".row.col\", A by rows and B by columns");
  op.saturate = parts.take("satfinite");
  if (parts.left() != 4) parts.reject_it("four formats are needed, those of D, A, B and C");
  const NumberFormat d = parts.format();
  op.a = parts.format();
  op.b = parts.format();
  op.c = parts.format();
  if (d != op.c) parts.reject_it("C and D must have one format");
  require_one_width(parts, op);
  return op;
}

MmaOp parse_of_warpgroup(NameParts& parts) {
  constexpr int kRows = 64, kMostColumns = 256;
  MmaOp op;
  op.warpgroup = true;
  parts.take("mma_async");
  op.sparse = parts.take("sp");
  if (parts.take("sync") && !parts.take("aligned")) parts.reject_it("\".sync\" is followed by \".aligned\"");
  int m = 0, n = 0, k = 0;
  if (!parts.shape(m, n, k) || m != kRows || n < 8 || n > kMostColumns || n % 8 != 0)
    parts.reject_it("shapes of warpgroups are m64nNkK, N a multiple of 8 up to 256");
  op.m = kRows;
  op.n = static_cast<std::uint16_t>(n);
  op.k = static_cast<std::uint16_t>(k);
  if (parts.left() < 3) parts.reject_it("three formats are needed, those of D, A and B");
  op.c = parts.format();
  op.a = parts.format();
  op.b = parts.format();
  op.saturate = parts.take("satfinite");
  if (parts.left() != 0)
    parts.reject_it("three formats are needed, those of D, A and B, and \".satfinite\" at the end");
  require_one_width(parts, op);
  return op;
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
  NameParts parts(name);
  const bool warpgroup = parts.take("wgmma");
  if (!warpgroup && !parts.take("mma")) reject(name, "it does not start with \"mma.\" or \"wgmma.\"");
  MmaOp op = warpgroup ? parse_of_warpgroup(parts) : parse_of_warp(parts);
  if (op.sparse) op.pattern = nvidia_pattern(op.a);
  return op;
}

}  // namespace stc::isa
