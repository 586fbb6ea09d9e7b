// SPDX-License-Identifier: Apache-2.0
// The PTX instructions of the warpgroup GEMM kernels, one wrapper each.
#pragma once

#include <cstdint>

#include "validation/kernels/wgmma_tile.h"

namespace stc::kernels {

/// A tensor map as the driver encodes it, a parameter of the kernel.
struct alignas(64) TensorMap {
  std::uint64_t words[16];
};

__device__ inline std::uint32_t shared_address(const void* place) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(place));
}

// mbarriers

__device__ inline void init_barrier(std::uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
/// Makes the barriers known to the cluster and to tensor copies.
__device__ inline void publish_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__device__ inline void expect_bytes(std::uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ inline void arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// At the same barrier of CTA `rank` of the cluster.
__device__ inline void arrive_at(std::uint32_t barrier, std::uint32_t rank) {
  asm volatile(
      "{ .reg .b32 there;\n"
      "  mapa.shared::cluster.u32 there, %0, %1;\n"
      "  mbarrier.arrive.shared::cluster.b64 _, [there]; }" ::"r"(barrier),
      "r"(rank)
      : "memory");
}
__device__ inline void wait(std::uint32_t barrier, std::uint32_t parity) {
  asm volatile(
      "{ .reg .pred done;\n"
      "again:\n"
      "  mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "  @!done bra again; }" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

// Tensor copies

__device__ inline void load_box(std::uint32_t target, const TensorMap& map, std::uint32_t barrier, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
          target),
      "l"(&map), "r"(barrier), "r"(x), "r"(y)
      : "memory");
}
/// The same, to the same place of every CTA of `mask`.
__device__ inline void load_box_for(std::uint16_t mask, std::uint32_t target, const TensorMap& map,
                                    std::uint32_t barrier, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(target),
      "l"(&map), "r"(barrier), "r"(x), "r"(y), "h"(mask)
      : "memory");
}

// Warpgroups and clusters

template <int kRegisters>
__device__ inline void keep_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

__device__ inline bool elected() {
  std::uint32_t chosen;
  asm volatile(
      "{ .reg .pred p;\n"
      "  elect.sync _|p, 0xffffffff;\n"
      "  selp.b32 %0, 1, 0, p; }"
      : "=r"(chosen));
  return chosen != 0;
}

__device__ inline std::uint32_t cluster_rank() {
  std::uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ inline void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

__device__ inline void fence_warpgroup() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int kPending>
__device__ inline void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

// Products. Operands of the instructions by their number: accumulators, A, B, [metadata], whether to accumulate.

#define STC_OUT_4(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define STC_OUT_16(i) STC_OUT_4(i), STC_OUT_4(i + 4), STC_OUT_4(i + 8), STC_OUT_4(i + 12)
#define STC_OUT_64(i) STC_OUT_16(i), STC_OUT_16(i + 16), STC_OUT_16(i + 32), STC_OUT_16(i + 48)
#define STC_OUT_128(i) STC_OUT_64(i), STC_OUT_64(i + 64)
#define STC_NAMES_64                                                                                               \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
  "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, " \
  "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define STC_NAMES_128                                                                                                \
  STC_NAMES_64                                                                                                       \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, " \
  "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, "       \
  "%106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, "     \
  "%124, %125, %126, %127"

#define STC_WGMMA(COUNT, A, B, ACCUMULATE, SHAPE_AND_TYPES, REST)                                                \
  asm volatile("{ .reg .pred p;\n  setp.ne.b32 p, %" #ACCUMULATE                                                 \
               ", 0;\n  wgmma.mma_async.sync.aligned." SHAPE_AND_TYPES " {" STC_NAMES_##COUNT "}, %" #A ", %" #B \
                                                                                              ", p" REST "; }"   \
               : STC_OUT_##COUNT(0)                                                                              \
               : "l"(a), "l"(b), "r"(accumulate)                                                                 \
               : "memory")

/// d = a x b (+ d), 32 bytes of k. Accumulators are held as bits, whatever their type.
template <Element kType>
__device__ inline void wgmma(std::uint32_t (&d)[64], std::uint64_t a, std::uint64_t b, int accumulate) {
  if constexpr (kType == Element::f16) STC_WGMMA(64, 64, 65, 66, "m64n128k16.f32.f16.f16", ", 1, 1, 0, 0");
  if constexpr (kType == Element::bf16) STC_WGMMA(64, 64, 65, 66, "m64n128k16.f32.bf16.bf16", ", 1, 1, 0, 0");
  if constexpr (kType == Element::s8) STC_WGMMA(64, 64, 65, 66, "m64n128k32.s32.s8.s8", "");
  if constexpr (kType == Element::e4m3) STC_WGMMA(64, 64, 65, 66, "m64n128k32.f32.e4m3.e4m3", ", 1, 1");
}
template <Element kType>
__device__ inline void wgmma(std::uint32_t (&d)[128], std::uint64_t a, std::uint64_t b, int accumulate) {
  if constexpr (kType == Element::f16) STC_WGMMA(128, 128, 129, 130, "m64n256k16.f32.f16.f16", ", 1, 1, 0, 0");
  if constexpr (kType == Element::bf16) STC_WGMMA(128, 128, 129, 130, "m64n256k16.f32.bf16.bf16", ", 1, 1, 0, 0");
  if constexpr (kType == Element::s8) STC_WGMMA(128, 128, 129, 130, "m64n256k32.s32.s8.s8", "");
  if constexpr (kType == Element::e4m3) STC_WGMMA(128, 128, 129, 130, "m64n256k32.f32.e4m3.e4m3", ", 1, 1");
}
#undef STC_WGMMA

#define STC_WGMMA_SPARSE(COUNT, A, B, E, ACCUMULATE, SELECTOR, SHAPE_AND_TYPES, REST)            \
  asm volatile("{ .reg .pred p;\n  setp.ne.b32 p, %" #ACCUMULATE                                 \
               ", 0;\n  wgmma.mma_async.sp.sync.aligned." SHAPE_AND_TYPES " {" STC_NAMES_##COUNT \
               "}, %" #A ", %" #B ", %" #E ", %" #SELECTOR ", p" REST "; }"                      \
               : STC_OUT_##COUNT(0)                                                              \
               : "l"(a), "l"(b), "r"(metadata), "r"(accumulate), "n"(kSelector)                  \
               : "memory")

/// d = a x b (+ d) with a stored 2:4, 64 bytes of dense k.
template <Element kType, int kSelector>
__device__ inline void wgmma_sparse(std::uint32_t (&d)[64], std::uint64_t a, std::uint64_t b, std::uint32_t metadata,
                                    int accumulate) {
  if constexpr (kType == Element::f16)
    STC_WGMMA_SPARSE(64, 64, 65, 66, 67, 68, "m64n128k32.f32.f16.f16", ", 1, 1, 0, 0");
  if constexpr (kType == Element::bf16)
    STC_WGMMA_SPARSE(64, 64, 65, 66, 67, 68, "m64n128k32.f32.bf16.bf16", ", 1, 1, 0, 0");
  if constexpr (kType == Element::s8) STC_WGMMA_SPARSE(64, 64, 65, 66, 67, 68, "m64n128k64.s32.s8.s8", "");
  if constexpr (kType == Element::e4m3) STC_WGMMA_SPARSE(64, 64, 65, 66, 67, 68, "m64n128k64.f32.e4m3.e4m3", ", 1, 1");
}
template <Element kType, int kSelector>
__device__ inline void wgmma_sparse(std::uint32_t (&d)[128], std::uint64_t a, std::uint64_t b, std::uint32_t metadata,
                                    int accumulate) {
  if constexpr (kType == Element::f16)
    STC_WGMMA_SPARSE(128, 128, 129, 130, 131, 132, "m64n256k32.f32.f16.f16", ", 1, 1, 0, 0");
  if constexpr (kType == Element::bf16)
    STC_WGMMA_SPARSE(128, 128, 129, 130, 131, 132, "m64n256k32.f32.bf16.bf16", ", 1, 1, 0, 0");
  if constexpr (kType == Element::s8) STC_WGMMA_SPARSE(128, 128, 129, 130, 131, 132, "m64n256k64.s32.s8.s8", "");
  if constexpr (kType == Element::e4m3)
    STC_WGMMA_SPARSE(128, 128, 129, 130, 131, 132, "m64n256k64.f32.e4m3.e4m3", ", 1, 1");
}
#undef STC_WGMMA_SPARSE

}  // namespace stc::kernels
