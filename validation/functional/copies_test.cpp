// SPDX-License-Identifier: Apache-2.0
// The kernels of sample_copies.cu: which bytes an asynchronous copy fetches and which become zero.
#include "validation/functional/kernel_fixture.h"

#include <numeric>

namespace stc::functional {
namespace {

constexpr int kLanes = 32, kSlot = 16;

struct CopyKernel {
  const char* name;
  int bytes;
};
const CopyKernel kKernels[] = {{"copies_4", 4}, {"copies_8", 8}, {"copies_16", 16}, {"copies_16_bypass", 16}};

/// Bytes that a lane fetches in a round of sample_copies.cu.
int fetched(int round, int lane, int bytes) {
  if (round <= bytes) return round;
  if (round == bytes + 1) return lane % (bytes + 1);
  return lane % 3 == 0 ? 0 : bytes;
}

class Copies : public KernelFixture {};

TEST_P(Copies, FetchTheSourceAndFillTheRestWithZeros) {
  std::vector<std::uint8_t> in(kLanes * kSlot);
  std::iota(in.begin(), in.end(), std::uint8_t{1});
  const auto pin = upload("in", in);
  for (const CopyKernel& copy : kKernels) {
    for (const std::uint32_t take : {0xffffffffu, 0x0ff00f35u}) {
      SCOPED_TRACE(testing::Message() << copy.name << ", lanes " << std::hex << take);
      const int rounds = copy.bytes + 4;
      const std::string out = std::string(copy.name) + std::to_string(take);
      const auto pout = reserve(out, static_cast<std::size_t>(rounds * kLanes * kSlot));
      run(load("sample_copies", copy.name), {1, 1, 1}, {kLanes, 1, 1}, Arguments().add(pin).add(pout).add(take));
      const auto result = download<std::uint8_t>(out);
      std::size_t at = 0;
      for (int round = 0; round < rounds; ++round) {
        for (int lane = 0; lane < kLanes; ++lane) {
          const bool copies = (take >> lane & 1) != 0;
          for (int i = 0; i < kSlot; ++i, ++at) {
            const int source =
                i < fetched(round, lane, copy.bytes) ? in[static_cast<std::size_t>(lane * copy.bytes + i)] : 0;
            ASSERT_EQ(result[at], copies && i < copy.bytes ? source : 0xaa) << round << " " << lane << " " << i;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sm, Copies, ::testing::Values(80, 90));

}  // namespace
}  // namespace stc::functional
