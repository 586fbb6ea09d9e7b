// SPDX-License-Identifier: Apache-2.0
// Warpgroup instructions of sm_90a in the forms that PTX reaches, for the decoder. They are never run.
#include <cstdint>

#if __CUDA_ARCH_FEAT_SM90_ALL

// Operands after D: registers of A or its descriptor (%a), descriptor of B (%b), metadata (%e), scale-d.
#define STC_D4 "{%0, %1, %2, %3}"
#define STC_D2 "{%0, %1}"
#define STC_OUT4 "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define STC_OUT2 "+r"(d[0]), "+r"(d[1])
#define STC_BODY(name, ...)                                                                          \
  extern "C" __global__ void name(std::uint32_t* out, std::uint64_t x, std::uint64_t y, int scale) { \
    std::uint32_t d[4] = {out[0], out[1], out[2], out[3]};                                           \
    [[maybe_unused]] std::uint32_t a[4] = {out[4], out[5], out[6], out[7]}, e = out[8];              \
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                          \
    __VA_ARGS__                                                                                      \
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");  \
    for (int i = 0; i < 4; ++i) out[i] = d[i];                                                       \
  }
#define STC_IN_A "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(y), "r"(e), "r"(scale)
#define STC_IN_X "l"(x), "l"(y), "r"(e), "r"(scale)
#define STC_P4_A "{.reg .pred p; setp.ne.b32 p, %10, 0; "
#define STC_P4_X "{.reg .pred p; setp.ne.b32 p, %7, 0; "

// f16, bf16: signs and transpositions.
STC_BODY(warpgroup_negate,
         asm volatile(STC_P4_X "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " STC_D4 ", %4, %5, p, -1, 1, 0, 0;}"
                      : STC_OUT4
                      : STC_IN_X);
         asm volatile(STC_P4_X "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " STC_D4 ", %4, %5, p, 1, -1, 0, 1;}"
                      : STC_OUT4
                      : STC_IN_X);
         asm volatile(STC_P4_X "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 " STC_D4
                               ", %4, %5, p, -1, -1, 1, 1;}"
                      : STC_OUT4
                      : STC_IN_X);)
STC_BODY(warpgroup_from_zero,
         asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 " STC_D4 ", %4, %5, 0, 1, 1, 1, 0;"
                      : STC_OUT4
                      : STC_IN_X);)
STC_BODY(warpgroup_registers, asm volatile(STC_P4_A "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " STC_D4
                                                    ", {%4, %5, %6, %7}, %8, p, -1, -1, 1;}"
                                           : STC_OUT4
                                           : STC_IN_A);
         asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 " STC_D4 ", {%4, %5, %6, %7}, %8, 1, -1, 1;"
                      : STC_OUT4
                      : STC_IN_A);
         asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 " STC_D4 ", {%4, %5, %6, %7}, %8, 1, 1, -1;"
                      : STC_OUT4
                      : STC_IN_A);)
STC_BODY(warpgroup_halves,
         asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 " STC_D2 ", %2, %3, 1, 1, 1, 0, 0;"
                      : STC_OUT2
                      : STC_IN_X);
         asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k32.f16.f16.f16 " STC_D2 ", %2, %3, %4, 1, 1, 1, 1, 0, 1;"
                      : STC_OUT2
                      : STC_IN_X);
         asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f16.e5m2.e4m3 " STC_D2 ", %2, %3, 1, 1, 1;"
                      : STC_OUT2
                      : STC_IN_X);)
STC_BODY(warpgroup_sparse,
         asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 " STC_D4 ", %4, %5, %6, 0, 1, 1, 1, 0, 0;"
                      : STC_OUT4
                      : STC_IN_X);
         asm volatile(STC_P4_X "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16 " STC_D4
                               ", %4, %5, %6, 1, p, -1, 1, 1, 0;}"
                      : STC_OUT4
                      : STC_IN_X);
         asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32 " STC_D4 ", %4, %5, %6, 1, 1, 1, 1;"
                      : STC_OUT4
                      : STC_IN_X);
         asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e5m2.e5m2 " STC_D4 ", %4, %5, %6, 0, 1, 1, 1;"
                      : STC_OUT4
                      : STC_IN_X);
         asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.u8.satfinite " STC_D4 ", %4, %5, %6, 0, 1;"
                      : STC_OUT4
                      : STC_IN_X);)
STC_BODY(warpgroup_sparse_registers,
         asm volatile(STC_P4_A "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 " STC_D4
                               ", {%4, %5, %6, %7}, %8, %9, 1, p, 1, 1, 1;}"
                      : STC_OUT4
                      : STC_IN_A);
         asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.u8.s8 " STC_D4 ", {%4, %5, %6, %7}, %8, %9, 0, 1;"
                      : STC_OUT4
                      : STC_IN_A);)
STC_BODY(warpgroup_integers,
         asm volatile(STC_P4_X "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8.satfinite " STC_D4 ", %4, %5, p;}"
                      : STC_OUT4
                      : STC_IN_X);
         asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.s8 " STC_D4 ", %4, %5, 1;"
                      : STC_OUT4
                      : STC_IN_X);
         asm volatile("wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc " STC_D4 ", %4, %5, 1;"
                      : STC_OUT4
                      : STC_IN_X);)

extern "C" __global__ void __launch_bounds__(384, 1) warpgroup_registers_move(std::uint32_t* out) {
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    out[threadIdx.x] = 1;
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    out[threadIdx.x] = 2;
  }
}

extern "C" __global__ void warpgroup_groups(std::uint32_t* out) {
  asm volatile("wgmma.fence.sync.aligned; wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 7;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
  out[0] = 1;
}

#endif
