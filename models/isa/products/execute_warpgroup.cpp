// SPDX-License-Identifier: Apache-2.0
// Matrix instructions of warpgroups (HGMMA, QGMMA, IGMMA): each warp computes its 16 rows when it issues.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/isa/mma/matrix_descriptor.h"
#include "models/isa/products/warpgroup_mma.h"
#include "models/isa/values/execution.h"
#include "models/isa/values/handlers.h"

namespace stc::isa {
namespace {

constexpr int kPart = 16;               ///< bytes that stay together under every swizzle
constexpr int kLines = 8;               ///< of an 8x8 matrix of 16-bit elements
constexpr std::size_t kMostParts = 32;  ///< of 8 columns
constexpr int kRegistersA = 4;
constexpr std::size_t kMostRegistersB = 4;
using Image = std::array<std::uint32_t, kWarpSize>;

MatrixDescriptor descriptor(const Execution& x, int pair, const char* operand) {
  const auto first = static_cast<std::size_t>(x.instruction.b.index) + static_cast<std::size_t>(2 * pair);
  const bool zero = x.instruction.b.index == kUniformZero;
  const std::uint64_t word = zero ? 0 : x.warp.ur[first & 63u] | std::uint64_t{x.warp.ur[(first + 1) & 63u]} << 32;
  const MatrixDescriptor found(word);
  if (found.unknown_bits() != 0) {
    throw_fault(x.instruction, x.warp, x.context, -1,
                fmt::format("the descriptor of {}, {:#018x}, has bits {:#x} set, which are none of its fields", operand,
                            word, found.unknown_bits()));
  }
  return found;
}

/// An operand in shared memory: A (0) or B (1), each with its descriptor.
struct SharedOperand {
  SharedOperand(const Execution& x, int pair) : name(pair == 0 ? "A" : "B"), at(descriptor(x, pair, name)) {}
  const char* name;
  MatrixDescriptor at;
};

const std::uint8_t* shared_part(const Execution& x, std::uint32_t address, const SharedOperand& operand) {
  const CtaState& cta = *x.warp.cta;
  if (std::size_t{address} + kPart > cta.shared.size()) {
    throw_fault(x.instruction, x.warp, x.context, -1,
                fmt::format("the descriptor of {} ({}) leads to shared address {:#x}, beyond the {} bytes that the CTA "
                            "has",
                            operand.name, operand.at.describe(), address, cta.shared.size()));
  }
  return cta.shared.data() + address;
}

/// Eight lines of 16 bytes as a register: line i goes to lanes 4 i to 4 i + 3.
template <class Address>
void load_lines(const Execution& x, const SharedOperand& operand, Address&& address, Image& to) {
  for (int line = 0; line < kLines; ++line)
    std::memcpy(&to[static_cast<std::size_t>(4 * line)], shared_part(x, address(line), operand), kPart);
}

/// Exchanges lines and places of 16-bit elements.
void transpose_lines(Image& image) {
  std::array<std::uint16_t, 64> from{}, to{};
  std::memcpy(from.data(), image.data(), sizeof from);
  for (std::size_t line = 0; line < kLines; ++line) {
    for (std::size_t place = 0; place < kLines; ++place) to[kLines * place + line] = from[kLines * line + place];
  }
  std::memcpy(image.data(), to.data(), sizeof to);
}

/// The register that holds lines `line` to `line` + 7 (rows of A, columns of B) of bytes 16 `part` on along K.
void load_image(const Execution& x, const SharedOperand& from, bool transposed, int line, int part, Image& to) {
  if (transposed) {
    load_lines(
        x, from, [&](int k) { return from.at.mn_major(kLines * part + k, 2 * line); }, to);
    transpose_lines(to);
  } else {
    load_lines(
        x, from, [&](int i) { return from.at.k_major(line + i, kPart * part); }, to);
  }
}

void flip_signs(NumberFormat format, Image* images, int count) {
  const int bits = bits_of(format);
  const std::uint32_t signs = bits == 32 ? 0x80000000u : bits == 16 ? 0x80008000u : 0x80808080u;
  for (int i = 0; i < count; ++i) {
    for (std::uint32_t& word : images[i]) word ^= signs;
  }
}

void load_a(const Execution& x, std::array<Image, kRegistersA>& a) {
  const Instruction& in = x.instruction;
  if (in.a.kind == Operand::Kind::kRegister) {
    for (int r = 0; r < kRegistersA; ++r)
      a[static_cast<std::size_t>(r)] = source_register(x, in.a.index == kRegisterZero ? kRegisterZero : in.a.index + r);
  } else {
    const SharedOperand from(x, 0);
    const int row = 16 * (x.warp.index_in_cta % 4);
    for (int r = 0; r < kRegistersA; ++r) {
      load_image(x, from, (in.mod.variant & 1) != 0, row + 8 * (r % 2), r / 2, a[static_cast<std::size_t>(r)]);
    }
  }
  if (in.a.negate) flip_signs(in.mma.a, a.data(), kRegistersA);
}

void load_b(const Execution& x, Image* b) {
  const Instruction& in = x.instruction;
  const SharedOperand from(x, 1);
  const int registers = in.mma.k * bits_of(in.mma.b) / 128;
  int count = 0;
  for (int column = 0; column < in.mma.n; column += kLines) {
    for (int r = 0; r < registers; ++r) load_image(x, from, (in.mod.variant & 2) != 0, column, r, b[count++]);
  }
  if (in.b.negate) flip_signs(in.mma.b, b, count);
}

/// Where nothing is computed, the fields alone.
void check_descriptors(const Execution& x) {
  if (x.instruction.a.kind != Operand::Kind::kRegister) descriptor(x, 0, "A");
  descriptor(x, 1, "B");
}

}  // namespace

void execute_warpgroup_mma(Execution& x) {
  const Instruction& in = x.instruction;
  if (!computes_matrix(x)) return check_descriptors(x);
  const int registers = in.mma.c_registers();
  std::array<Image, kRegistersA> a;
  std::array<Image, kMostParts * kMostRegistersB> b;
  load_a(x, a);
  load_b(x, b.data());
  const Vector e = in.mma.sparse ? source_register(x, in.metadata_register) : kZeroVector;
  std::array<Image, 4 * kMostParts> c{};
  if (in.c.index != kRegisterZero && uniform_predicate(x.warp, in.source_predicate0)) {
    for (int r = 0; r < registers; ++r) c[static_cast<std::size_t>(r)] = source_register(x, in.c.index + r);
  }
  warpgroup_rows(in.mma, *x.context.numerics, a[0].data(), b[0].data(), c[0].data(), e.data(), in.selector,
                 c[0].data());
  if (in.dest == kRegisterZero) return;
  for (int r = 0; r < registers; ++r) dest_register(x, in.dest + r) = c[static_cast<std::size_t>(r)];
}

}  // namespace stc::isa
