// SPDX-License-Identifier: Apache-2.0
#include "sim/mma/mma_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "models/arith/convert.h"
#include "models/isa/mma/element_format.h"
#include "models/isa/products/mma_trace.h"
#include "models/isa/products/warpgroup_mma.h"
#include "models/sparsity/compress.h"

namespace stc::sim {
namespace {

class Source {
 public:
  explicit Source(std::uint64_t seed) : random_(seed) {}
  std::uint32_t word() { return static_cast<std::uint32_t>(random_() >> 32); }

  /// +-[1, 2) * 2^[-5, 1].
  float number() {
    const float fraction = 1.0f + static_cast<float>(word() >> 9) * 0x1p-23f;
    const int exponent = static_cast<int>(word() % 7) - 5;
    const float magnitude = std::ldexp(fraction, exponent);
    return word() % 2 == 0 ? magnitude : -magnitude;
  }
  std::uint32_t element(isa::NumberFormat format) {
    if (format == isa::NumberFormat::s32) return word() % 2001 - 1000u;
    if (!isa::is_integer(format)) return arith::from_float(isa::float_format(format), number());
    const std::uint32_t bits = word() >> (32 - isa::bits_of(format));
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(isa::element_value(format, bits)));
  }
  std::vector<std::uint32_t> matrix(int count, isa::NumberFormat format) {
    std::vector<std::uint32_t> out;
    out.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) out.push_back(element(format));
    return out;
  }

 private:
  std::mt19937_64 random_;
};

std::vector<std::uint32_t> packed(const isa::GatherTable& table, isa::NumberFormat format,
                                  const std::vector<std::uint32_t>& elements, int registers) {
  std::vector<std::uint32_t> image(static_cast<std::size_t>(registers) * 32);
  isa::pack_registers(table, isa::bits_of(format), elements.data(), registers, image.data());
  return image;
}

/// Prunes a dense matrix, stores it in `mma.in.a` and writes its metadata.
void make_sparse(MmaCase& mma, const std::vector<std::uint32_t>& dense) {
  const isa::MmaOp& op = mma.op;
  std::vector<float> magnitudes;
  magnitudes.reserve(dense.size());
  for (const std::uint32_t bits : dense) magnitudes.push_back(static_cast<float>(isa::element_value(op.a, bits)));
  auto indices = sparsity::prune_by_magnitude(op.pattern, op.m, op.k, magnitudes.data());
  isa::metadata_layout(op).pack(indices.data(), mma.selector, mma.e.data());
  mma.in.a = sparsity::compress(op.pattern, op.m, op.k, dense.data(), std::move(indices)).values;
}

MmaCase random_case(const isa::MmaOp& op, int selector, Source& source) {
  MmaCase mma;
  mma.op = op;
  mma.selector = selector;
  mma.in.a = source.matrix(op.m * op.k, op.a);
  mma.in.b = source.matrix(op.k * op.n, op.b);
  mma.in.c = source.matrix(op.m * op.n, op.c);
  if (op.sparse) {
    mma.e.resize(static_cast<std::size_t>(isa::metadata_layout(op).registers()) * 32);
    for (std::uint32_t& word : mma.e) word = source.word();
    make_sparse(mma, std::vector<std::uint32_t>(mma.in.a));
  }
  const isa::MmaTables& tables = isa::mma_tables(op);
  mma.a = packed(tables.a, op.a, mma.in.a, op.a_registers());
  mma.b = packed(tables.b, op.b, mma.in.b, op.b_registers());
  mma.c = packed(tables.c, op.c, mma.in.c, op.c_registers());
  return mma;
}

/// Puts the matrix `part` [m][n] into `whole`, whose rows have `columns`, from a row and a column on.
template <class T>
void place(const std::vector<T>& part, int rows, std::vector<T>& whole, int columns, int row, int column) {
  const auto width = static_cast<std::ptrdiff_t>(part.size()) / rows;
  for (int r = 0; r < rows; ++r) {
    const auto from = part.begin() + r * width;
    std::copy(from, from + width, whole.begin() + std::ptrdiff_t{row + r} * columns + column);
  }
}

/// `in` and `out` of the whole from those of its parts.
void assemble(MmaCase& mma) {
  const isa::MmaOp& op = mma.op;
  const int depth = op.stored_k(), across = op.n / isa::part_of_warpgroup(op).n;
  mma.in.a.resize(static_cast<std::size_t>(op.m * depth));
  mma.in.select.resize(op.sparse ? mma.in.a.size() : 0);
  mma.in.b.resize(static_cast<std::size_t>(op.k * op.n));
  mma.in.c.resize(static_cast<std::size_t>(op.m * op.n));
  mma.out.resize(mma.in.c.size());
  for (std::size_t i = 0; i < mma.parts.size(); ++i) {
    const MmaCase& part = mma.parts[i];
    const int row = static_cast<int>(i) / across * part.op.m, column = static_cast<int>(i) % across * part.op.n;
    place(part.in.c, part.op.m, mma.in.c, op.n, row, column);
    if (!part.out.empty()) place(part.out, part.op.m, mma.out, op.n, row, column);
    if (row == 0) place(part.in.b, op.k, mma.in.b, op.n, 0, column);
    if (column != 0) continue;
    place(part.in.a, part.op.m, mma.in.a, depth, row, 0);
    if (!part.in.select.empty()) place(part.in.select, part.op.m, mma.in.select, depth, row, 0);
  }
}

/// A of each warp, B of eight columns after others, C of both.
MmaCase random_warpgroup_case(const isa::MmaOp& op, int selector, Source& source) {
  const isa::MmaOp part = isa::part_of_warpgroup(op);
  const auto across = static_cast<std::size_t>(op.n / part.n);
  MmaCase mma;
  mma.op = op;
  mma.selector = selector;
  for (int row = 0; row < op.m; row += part.m) {
    const std::size_t first = mma.parts.size();
    for (std::size_t column = 0; column < across; ++column) {
      mma.parts.push_back(random_case(part, selector, source));
      MmaCase& last = mma.parts.back();
      last.a = mma.parts[first].a, last.in.a = mma.parts[first].in.a, last.e = mma.parts[first].e;
      last.b = mma.parts[column].b, last.in.b = mma.parts[column].in.b;
    }
    mma.e.insert(mma.e.end(), mma.parts[first].e.begin(), mma.parts[first].e.end());
  }
  assemble(mma);
  return mma;
}

}  // namespace

MmaCase random_case(const isa::MmaOp& op, int selector, std::uint64_t seed) {
  Source source(seed);
  return op.m == 16 ? random_case(op, selector, source) : random_warpgroup_case(op, selector, source);
}

void compute(MmaCase& mma, const arith::Numerics& numerics) {
  if (!mma.parts.empty()) {
    for (MmaCase& part : mma.parts) compute(part, numerics);
    assemble(mma);
    return;
  }
  mma.d.resize(mma.c.size());
  isa::mma_registers(mma.op, numerics, mma.a.data(), mma.b.data(), mma.c.data(), mma.e.data(), mma.selector,
                     mma.d.data());
  mma.in = isa::unpack_registers(mma.op, mma.a.data(), mma.b.data(), mma.c.data(), mma.e.data(), mma.selector);
  mma.out = isa::unpack_registers(mma.op, mma.a.data(), mma.b.data(), mma.d.data(), mma.e.data(), mma.selector).c;
}

int selected_row(const MmaCase& mma, int row, int p) {
  return mma.op.sparse ? mma.in.select[static_cast<std::size_t>(row * mma.op.stored_k() + p)] : p;
}

std::string element_text(isa::NumberFormat format, std::uint32_t bits, int digits) {
  const double value = isa::element_value(format, bits);
  if (isa::is_integer(format)) return fmt::format("{:.0f}", value);
  if (std::isnan(value)) return "nan";
  return fmt::format("{:.{}g}", value, digits);
}

}  // namespace stc::sim
