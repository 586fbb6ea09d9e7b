// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/l2_flush.h"

namespace stc::silicon {
namespace {

constexpr std::size_t kFlushFactor = 4;  // times the size of L2

std::size_t flush_kib(const DeviceFacts& facts) {
  return (kFlushFactor * static_cast<std::size_t>(facts.l2_bytes)) >> 10;
}

}  // namespace

int cubin_version(const DeviceFacts& facts) { return facts.sm_version >= 90 ? 90 : 80; }

L2Flush::L2Flush(const DeviceFacts& facts, const std::string& kernels)
    : module_(kernels + "/sm_" + std::to_string(cubin_version(facts)) + "/micro_global.cubin"),
      function_(module_.function("micro_ldg_128_cg")),
      region_(flush_kib(facts) << 10),
      clocks_(std::size_t{1} << 20) {
  region_.clear();
  arguments_.add_pointer(clocks_.address());
  arguments_.add_pointer(region_.address());
  arguments_.add_i32(static_cast<std::int32_t>(flush_kib(facts)));
  // A round of a CTA is 16 loads of 16 bytes by each of its 1024 threads; each CTA reads its share of the region.
  constexpr std::size_t kRoundKib = 256;
  const std::size_t share = flush_kib(facts) / static_cast<std::size_t>(facts.sms);
  arguments_.add_i32(static_cast<std::int32_t>((share + kRoundKib - 1) / kRoundKib));
  shape_.grid[0] = static_cast<unsigned>(facts.sms);
  shape_.block[0] = 1024;
}

void L2Flush::operator()() { launch(function_, shape_, arguments_); }

}  // namespace stc::silicon
