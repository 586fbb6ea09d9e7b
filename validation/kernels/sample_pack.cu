// SPDX-License-Identifier: Apache-2.0
// Conversions to narrow formats: each kernel makes one word of two neighbouring inputs and of bits that a pack keeps.
#include <cstdint>

#define KERNEL(name) extern "C" __global__ void name(const std::uint32_t* in, std::uint32_t* out, int n)
#define INDEX                                          \
  const int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return;

__device__ std::uint32_t kept(std::uint32_t word) { return word * 2654435761u; }

#define TO_TF32(name, instruction)                                                \
  KERNEL(name) {                                                                  \
    INDEX;                                                                        \
    std::uint32_t r;                                                              \
    asm volatile(instruction " %0, %1;" : "=r"(r) : "f"(__uint_as_float(in[i]))); \
    out[i] = r;                                                                   \
  }
TO_TF32(tf32_rna, "cvt.rna.tf32.f32")
#if __CUDA_ARCH__ >= 900
TO_TF32(tf32_rn, "cvt.rn.tf32.f32")
TO_TF32(tf32_rn_relu, "cvt.rn.relu.tf32.f32")
TO_TF32(tf32_rz, "cvt.rz.tf32.f32")
TO_TF32(tf32_rz_relu, "cvt.rz.relu.tf32.f32")
#endif

#define PACK_FLOATS(name, convert, format)                                                               \
  KERNEL(name) {                                                                                         \
    INDEX;                                                                                               \
    int a, b;                                                                                            \
    std::uint32_t r;                                                                                     \
    asm(convert " %0, %1;" : "=r"(a) : "f"(__uint_as_float(in[i])));                                     \
    asm(convert " %0, %1;" : "=r"(b) : "f"(__uint_as_float(in[(i + 1) % n])));                           \
    asm("cvt.pack.sat." format ".s32.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(kept(in[i]))); \
    out[i] = r;                                                                                          \
  }
PACK_FLOATS(floats_s8, "cvt.rni.s32.f32", "s8")
PACK_FLOATS(floats_u8, "cvt.rni.s32.f32", "u8")
PACK_FLOATS(floats_s8_rz, "cvt.rzi.s32.f32", "s8")
PACK_FLOATS(floats_u8_rz, "cvt.rzi.s32.f32", "u8")

#define PACK_INTEGERS(format)                                  \
  KERNEL(integers_##format) {                                  \
    INDEX;                                                     \
    std::uint32_t r;                                           \
    asm("cvt.pack.sat." #format ".s32.b32 %0, %1, %2, %3;"     \
        : "=r"(r)                                              \
        : "r"(in[i]), "r"(in[(i + 1) % n]), "r"(kept(in[i]))); \
    out[i] = r;                                                \
  }
PACK_INTEGERS(u8)
PACK_INTEGERS(s8)
PACK_INTEGERS(u4)
PACK_INTEGERS(s4)
PACK_INTEGERS(u2)
PACK_INTEGERS(s2)

/// The other operand forms: a constant of the launch, a literal.
KERNEL(integers_forms) {
  INDEX;
  std::uint32_t r, s;
  asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, 0;" : "=r"(r) : "r"(in[i]), "r"(n));
  asm("cvt.pack.sat.s4.s32.b32 %0, %1, -3, %2;" : "=r"(s) : "r"(in[i]), "r"(r));
  out[i] = s;
}
