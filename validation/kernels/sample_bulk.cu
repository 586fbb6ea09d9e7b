// SPDX-License-Identifier: Apache-2.0
// Bulk copies, tensor copies and asynchronous stores of sm_90 in the forms that PTX reaches, for the decoder. They are
// never run.
#include <cstdint>

#if __CUDA_ARCH__ >= 900

// clang-format off
#define STC_ARGUMENTS                                                                              \
  char *global, const char *map, std::uint32_t shared, std::uint32_t barrier, std::uint32_t bytes, \
      std::uint64_t policy, std::uint16_t mask, int x, int y, int z
#define STC_IN \
  "l"(global), "l"(map), "r"(shared), "r"(barrier), "r"(bytes), "l"(policy), "h"(mask), "r"(x), "r"(y), "r"(z)
#define STC_SAY(text) asm volatile(text ::STC_IN : "memory");

// %0 global, %1 map, %2 shared, %3 barrier, %4 bytes, %5 policy, %6 mask, %7.. coordinates
extern "C" __global__ void bulk_copies(STC_ARGUMENTS) {
  STC_SAY("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%2], [%0], %4, [%3];")
  STC_SAY("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%2], [%0], %4, [%3], %5;")
  STC_SAY(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%2], [%0], %4, [%3], %6;")
  STC_SAY(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%2], [%0], "
      "%4, [%3], %6, %5;")
  STC_SAY("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%2], [%3], %4, [%3];")
  STC_SAY("cp.async.bulk.global.shared::cta.bulk_group [%0], [%2], %4;")
  STC_SAY("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%2], %4, %5;")
  STC_SAY("cp.async.bulk.prefetch.L2.global [%0], %4;")
  STC_SAY("cp.async.bulk.prefetch.L2.global.L2::cache_hint [%0], %4, %5;")
  STC_SAY("cp.async.bulk.commit_group; cp.async.bulk.wait_group 1; cp.async.bulk.wait_group.read 0;")
}

#define STC_TO_SHARED(op)                                                                                         \
  STC_SAY("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." op " [%2], [%3], %4, " \
                                                                                              "[%3];")
#define STC_TO_GLOBAL(op) STC_SAY("cp.reduce.async.bulk.global.shared::cta.bulk_group." op " [%0], [%2], %4;")
extern "C" __global__ void bulk_reductions(STC_ARGUMENTS) {
  STC_TO_SHARED("add.u32")
  STC_TO_SHARED("add.s32") STC_TO_SHARED("min.s32") STC_TO_SHARED("max.u32") STC_TO_SHARED("inc.u32")
      STC_TO_SHARED("dec.u32") STC_TO_SHARED("and.b32") STC_TO_SHARED("or.b32") STC_TO_SHARED("xor.b32")
          STC_TO_SHARED("add.u64") STC_TO_GLOBAL("add.u32") STC_TO_GLOBAL("add.s32") STC_TO_GLOBAL("add.u64")
              STC_TO_GLOBAL("min.s64") STC_TO_GLOBAL("max.u64") STC_TO_GLOBAL("and.b64") STC_TO_GLOBAL("add.f32")
                  STC_TO_GLOBAL("add.f64") STC_TO_GLOBAL("add.noftz.f16") STC_TO_GLOBAL("add.noftz.bf16")
                      STC_TO_GLOBAL("min.f16") STC_TO_GLOBAL("max.bf16")
}

#define STC_LOAD(nd, at)                                                                                        \
  STC_SAY("cp.async.bulk.tensor." nd ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%2], [%1, " at \
          "], [%3];")
extern "C" __global__ void bulk_tensor_loads(STC_ARGUMENTS) {
  STC_LOAD("1d", "{%7}")
  STC_LOAD("2d", "{%7, %8}") STC_LOAD("3d", "{%7, %8, %9}") STC_LOAD("4d", "{%7, %8, %9, %7}")
      STC_LOAD("5d", "{%7, %8, %9, %7, %8}") STC_SAY(
          "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%2], [%1, "
          "{%7, %8}], [%3], %5;")
          STC_SAY(
              "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
              "[%2], [%1, {%7, %8}], [%3], %6;")
              STC_SAY(
                  "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster."
                  "L2::cache_hint [%2], [%1, {%7, %8}], [%3], %6, %5;")
                  STC_SAY(
                      "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%2], [%1, "
                      "{%7, %8, %9, %7}], [%3], {%6, %6};")
                      STC_SAY("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%1, {%7, %8}];") STC_SAY(
                          "cp.async.bulk.prefetch.tensor.3d.L2.global.tile.L2::cache_hint [%1, {%7, %8, %9}], %5;")
                          STC_SAY("prefetch.tensormap [%1];")
                              STC_SAY("fence.proxy.tensormap::generic.acquire.gpu [%1], 128;")
}

#define STC_REDUCE(op) \
  STC_SAY("cp.reduce.async.bulk.tensor.2d.global.shared::cta." op ".tile.bulk_group [%1, {%7, %8}], [%2];")
extern "C" __global__ void bulk_tensor_stores(STC_ARGUMENTS) {
  STC_SAY("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%1, {%7}], [%2];")
  STC_SAY("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%1, {%7, %8}], [%2];")
  STC_SAY("cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%1, {%7, %8, %9, %7, %8}], [%2];")
  STC_SAY("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint [%1, {%7, %8}], [%2], %5;")
  STC_SAY("cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%1, {%7, %8, %9}], [%2];")
  STC_REDUCE("add")
  STC_REDUCE("min") STC_REDUCE("max") STC_REDUCE("inc") STC_REDUCE("dec") STC_REDUCE("and") STC_REDUCE("or")
      STC_REDUCE("xor") STC_SAY("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;")
}

extern "C" __global__ void bulk_stores(STC_ARGUMENTS) {
  STC_SAY("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%2], %7, [%3];")
  STC_SAY("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%2], %5, [%3];")
  STC_SAY("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%2], {%7, %8, %9, %7}, [%3];")
  STC_SAY("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%2], %7, [%3];")
  STC_SAY("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.s32 [%2], %7, [%3];")
  STC_SAY("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [%2], %7, [%3];")
  STC_SAY("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%2], %5, [%3];")
}

// clang-format on
#endif
