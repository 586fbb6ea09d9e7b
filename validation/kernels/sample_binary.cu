// SPDX-License-Identifier: Apache-2.0
// Matrix products of single bits, every shape and both operations: D = C + bits set in both (AND), that differ (XOR).
// One warp; `in` holds the registers of A, B and C of lane 0, then those of lane 1 ...; `out` those of D.
#define OPERANDS_8x128 "{%0, %1}, {%2}, {%3}, {%4, %5};"
#define OPERANDS_16x128 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
#define OPERANDS_16x256 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"

#define OP(shape, operation) "mma.sync.aligned." shape ".row.col.s32.b1.b1.s32." operation ".popc "

#define BINARY(operation)                                                                                    \
  extern "C" __global__ void binary_8x128_##operation(unsigned* out, const unsigned* in) {                   \
    const unsigned* r = in + 4 * threadIdx.x;                                                                \
    unsigned d[2];                                                                                           \
    asm(OP("m8n8k128", #operation) OPERANDS_8x128                                                            \
        : "=r"(d[0]), "=r"(d[1])                                                                             \
        : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));                                                       \
    for (int i = 0; i < 2; ++i) out[2 * threadIdx.x + i] = d[i];                                             \
  }                                                                                                          \
  extern "C" __global__ void binary_16x128_##operation(unsigned* out, const unsigned* in) {                  \
    const unsigned* r = in + 7 * threadIdx.x;                                                                \
    unsigned d[4];                                                                                           \
    asm(OP("m16n8k128", #operation) OPERANDS_16x128                                                          \
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                     \
        : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]));                      \
    for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];                                             \
  }                                                                                                          \
  extern "C" __global__ void binary_16x256_##operation(unsigned* out, const unsigned* in) {                  \
    const unsigned* r = in + 10 * threadIdx.x;                                                               \
    unsigned d[4];                                                                                           \
    asm(OP("m16n8k256", #operation) OPERANDS_16x256                                                          \
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                     \
        : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]), "r"(r[8]), \
          "r"(r[9]));                                                                                        \
    for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = d[i];                                             \
  }

BINARY(and)
BINARY(xor)
