// SPDX-License-Identifier: Apache-2.0
#include "sim/mma/batch.h"

#include <fmt/format.h>

#include "models/isa/products/execute_mma.h"
#include "sim/base/error.h"

namespace stc::sim {
namespace {

constexpr std::size_t kLanes = 32;

/// [32][registers] little-endian bytes to [registers][32] words.
const std::uint8_t* read_image(const std::uint8_t* bytes, std::vector<std::uint32_t>& image) {
  const std::size_t registers = image.size() / kLanes;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t r = 0; r < registers; ++r, bytes += 4) {
      image[r * kLanes + lane] = static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
                                 static_cast<std::uint32_t>(bytes[2]) << 16 |
                                 static_cast<std::uint32_t>(bytes[3]) << 24;
    }
  }
  return bytes;
}

std::uint8_t* write_image(const std::vector<std::uint32_t>& image, std::uint8_t* bytes) {
  const std::size_t registers = image.size() / kLanes;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t r = 0; r < registers; ++r) {
      const std::uint32_t word = image[r * kLanes + lane];
      for (int shift = 0; shift < 32; shift += 8) *bytes++ = static_cast<std::uint8_t>(word >> shift);
    }
  }
  return bytes;
}

std::vector<std::uint32_t> image_of(int registers) {
  return std::vector<std::uint32_t>(static_cast<std::size_t>(registers) * kLanes);
}

int metadata_registers(const isa::MmaOp& op) { return op.sparse ? isa::metadata_layout(op).registers() : 0; }

}  // namespace

int words_per_case(const isa::MmaOp& op) {
  return 32 * (op.a_registers() + op.b_registers() + op.c_registers() + metadata_registers(op));
}

std::vector<std::uint8_t> run_batch(const isa::MmaOp& op, const arith::Numerics& numerics, int selector,
                                    const std::vector<std::uint8_t>& input, const std::string& file) {
  const std::size_t case_bytes = static_cast<std::size_t>(words_per_case(op)) * 4;
  if (input.empty() || input.size() % case_bytes != 0) {
    throw UserError(
        fmt::format("{}: {} bytes are not a whole number of cases of {}; one case is {} bytes "
                    "(32 lanes x ({} A + {} B + {} C + {} metadata) words)",
                    file, input.size(), op.name(), case_bytes, op.a_registers(), op.b_registers(), op.c_registers(),
                    metadata_registers(op)));
  }
  const std::size_t cases = input.size() / case_bytes;
  auto a = image_of(op.a_registers()), b = image_of(op.b_registers()), c = image_of(op.c_registers());
  auto e = image_of(metadata_registers(op)), d = c;
  std::vector<std::uint8_t> output(cases * d.size() * 4);
  const std::uint8_t* from = input.data();
  std::uint8_t* to = output.data();
  for (std::size_t i = 0; i < cases; ++i) {
    for (std::vector<std::uint32_t>* image : {&a, &b, &c, &e}) from = read_image(from, *image);
    isa::mma_registers(op, numerics, a.data(), b.data(), c.data(), e.data(), selector, d.data());
    to = write_image(d, to);
  }
  return output;
}

}  // namespace stc::sim
