// SPDX-License-Identifier: Apache-2.0
// The PTX instructions of the GEMM kernels, one wrapper each.
#pragma once

#include <cstdint>

#include "validation/kernels/gemm_tile.h"

namespace stc::kernels {

/// Copies 16 bytes to shared memory past L1 when `enabled`; the predicate keeps the loop free of branches.
__device__ inline void copy_async(std::uint32_t target, const void* source, bool enabled) {
  asm volatile(
      "{ .reg .pred p;\n"
      "  setp.ne.b32 p, %2, 0;\n"
      "  @p cp.async.cg.shared.global [%0], [%1], 16; }" ::"r"(target),
      "l"(source), "r"(static_cast<int>(enabled)));
}

/// The same, and zeros where not `inside`: `source` is then not read.
__device__ inline void copy_async_or_zero(std::uint32_t target, const void* source, bool inside, bool enabled) {
  asm volatile(
      "{ .reg .pred p, zero;\n"
      "  setp.ne.b32 p, %3, 0;\n"
      "  setp.eq.b32 zero, %2, 0;\n"
      "  @p cp.async.cg.shared.global [%0], [%1], 16, zero; }" ::"r"(target),
      "l"(source), "r"(static_cast<int>(inside)), "r"(static_cast<int>(enabled)));
}

__device__ inline void commit_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int kPending>
__device__ inline void wait_groups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

__device__ inline void barrier() { asm volatile("bar.sync 0;" ::: "memory"); }

__device__ inline void load_matrix_x4(std::uint32_t (&r)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

__device__ inline void load_matrix_x4_trans(std::uint32_t (&r)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

__device__ inline void load_matrix_x2(std::uint32_t (&r)[2], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(address));
}

#define STC_MMA(SHAPE_AND_TYPES)                                                                            \
  asm volatile("mma.sync.aligned." SHAPE_AND_TYPES " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                             \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

/// d += a x b, 32 bytes of k. Accumulators are held as bits, whatever their type.
template <Element kType>
__device__ inline void mma(std::uint32_t (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
  if constexpr (kType == Element::f16) STC_MMA("m16n8k16.row.col.f32.f16.f16.f32");
  if constexpr (kType == Element::bf16) STC_MMA("m16n8k16.row.col.f32.bf16.bf16.f32");
  if constexpr (kType == Element::tf32) STC_MMA("m16n8k8.row.col.f32.tf32.tf32.f32");
  if constexpr (kType == Element::s8) STC_MMA("m16n8k32.row.col.s32.s8.s8.s32");
}
#undef STC_MMA

#define STC_MMA_SPARSE(SHAPE_AND_TYPES)                                                                  \
  asm volatile("mma.sp::ordered_metadata.sync.aligned." SHAPE_AND_TYPES                                  \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, %13;"                \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                          \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), \
                 "r"(metadata), "n"(kSelector))

/// d += a x b with a stored 2:4 (1:2 for tf32), 64 bytes of dense k. `kSelector` names the lanes of each quad that
/// supply the metadata.
template <Element kType, int kSelector>
__device__ inline void mma_sparse(std::uint32_t (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[4],
                                  std::uint32_t metadata) {
  if constexpr (kType == Element::f16) STC_MMA_SPARSE("m16n8k32.row.col.f32.f16.f16.f32");
  if constexpr (kType == Element::bf16) STC_MMA_SPARSE("m16n8k32.row.col.f32.bf16.bf16.f32");
  if constexpr (kType == Element::tf32) STC_MMA_SPARSE("m16n8k16.row.col.f32.tf32.tf32.f32");
  if constexpr (kType == Element::s8) STC_MMA_SPARSE("m16n8k64.row.col.s32.s8.s8.s32");
}
#undef STC_MMA_SPARSE

}  // namespace stc::kernels
