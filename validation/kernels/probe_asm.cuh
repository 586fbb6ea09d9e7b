// SPDX-License-Identifier: Apache-2.0
// Matrix instructions as inline assembly: STC_MMA_<na><nb><nc>(ptx, d, a, b) and STC_MMA_SP_<...>(ptx, d, a, b, e, sel)
// compute d = a x b + d on register arrays. Volatile, so that order and count are what the source says.
#pragma once

#include "probe_ops.h"

#define STC_MMA_214(ptx, d, a, b)                                  \
  asm volatile(ptx " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])    \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]))
#define STC_MMA_212(ptx, d, a, b) \
  asm volatile(ptx " {%0,%1}, {%2,%3}, {%4}, {%0,%1};" : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(b[0]))
#define STC_MMA_424(ptx, d, a, b)                                           \
  asm volatile(ptx " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])             \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define STC_MMA_422(ptx, d, a, b)                               \
  asm volatile(ptx " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};" \
               : "+r"(d[0]), "+r"(d[1])                         \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define STC_MMA_SP_224(ptx, d, a, b, e, sel)                                        \
  asm volatile(ptx " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3}, %8, " #sel ";" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                     \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(e))
#define STC_MMA_SP_222(ptx, d, a, b, e, sel)                            \
  asm volatile(ptx " {%0,%1}, {%2,%3}, {%4,%5}, {%0,%1}, %6, " #sel ";" \
               : "+r"(d[0]), "+r"(d[1])                                 \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(e))
#define STC_MMA_SP_444(ptx, d, a, b, e, sel)                                                       \
  asm volatile(ptx " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, " #sel ";" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                    \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(e))
#define STC_MMA_SP_442(ptx, d, a, b, e, sel)                                         \
  asm volatile(ptx " {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%0,%1}, %10, " #sel ";" \
               : "+r"(d[0]), "+r"(d[1])                                              \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(e))

#define STC_DENSE_PTX(shape, sat, d, a, b, c) \
  "mma.sync.aligned." #shape ".row.col." STC_NAME_##sat #d "." #a "." #b "." #c
#define STC_SPARSE_PTX(shape, sat, d, a, b, c) \
  "mma.sp.sync.aligned." #shape ".row.col." STC_NAME_##sat #d "." #a "." #b "." #c
