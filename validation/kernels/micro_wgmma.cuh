// SPDX-License-Identifier: Apache-2.0
// Matrix instructions of warpgroups as micro_wgmma.cu and micro_wgmma_beside.cu write them: STC_ONE multiplies into
// float d[n] by the descriptors a and b.
#pragma once

#include "micro_common.cuh"

#if __CUDA_ARCH_FEAT_SM90_ALL

namespace {

constexpr unsigned kPlaceOfB = 16384, kBytes = 65536 + 1024;

/// Lines of 128 bytes, tiles of eight one after the other.
__device__ std::uint64_t operand(std::uint32_t address) {
  return (address & 0x3ffff) >> 4 | std::uint64_t{1} << 16 | std::uint64_t{64} << 32 | std::uint64_t{1} << 62;
}

}  // namespace

#define STC_4(f, i) f(i), f(i + 1), f(i + 2), f(i + 3)
#define STC_16(f, i) STC_4(f, i), STC_4(f, i + 4), STC_4(f, i + 8), STC_4(f, i + 12)
#define STC_32(f, i) STC_16(f, i), STC_16(f, i + 16)
#define STC_64(f, i) STC_32(f, i), STC_32(f, i + 32)
#define STC_128(f, i) STC_64(f, i), STC_64(f, i + 64)
#define STC_SUM(i) "+f"(d[i])
#define STC_NAMES_4 "{%0, %1, %2, %3}"
#define STC_NAMES_16 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}"
#define STC_NAMES_32                                                                                                \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
  "%24, %25, %26, %27, %28, %29, %30, %31}"
#define STC_NAMES_64                                                                                                \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
  "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "  \
  "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"
#define STC_NAMES_128                                                                                               \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
  "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "  \
  "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, "  \
  "%68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, "  \
  "%90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, "  \
  "%110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}"
#define STC_MEMORY_4 "%4, %5, "
#define STC_MEMORY_META_4 "%6, 0, "
#define STC_REGISTERS_4 "{%7, %7, %7, %7}, %5, "
#define STC_REGISTERS_META_4 "%6, 0, "
#define STC_MEMORY_16 "%16, %17, "
#define STC_MEMORY_META_16 "%18, 0, "
#define STC_REGISTERS_16 "{%19, %19, %19, %19}, %17, "
#define STC_REGISTERS_META_16 "%18, 0, "
#define STC_MEMORY_32 "%32, %33, "
#define STC_MEMORY_META_32 "%34, 0, "
#define STC_REGISTERS_32 "{%35, %35, %35, %35}, %33, "
#define STC_REGISTERS_META_32 "%34, 0, "
#define STC_MEMORY_64 "%64, %65, "
#define STC_MEMORY_META_64 "%66, 0, "
#define STC_REGISTERS_64 "{%67, %67, %67, %67}, %65, "
#define STC_REGISTERS_META_64 "%66, 0, "
#define STC_MEMORY_128 "%128, %129, "
#define STC_MEMORY_META_128 "%130, 0, "
#define STC_REGISTERS_128 "{%131, %131, %131, %131}, %129, "
#define STC_REGISTERS_META_128 "%130, 0, "
#define STC_END_MEMORY "p, 1, 1, 0, 0;}"
#define STC_END_REGISTERS "p, 1, 1, 0;}"

#define STC_ONE(ptx, n, rest, end)                                                        \
  asm volatile("{.reg .pred p; setp.eq.u32 p, 0, 0; " ptx " " STC_NAMES_##n ", " rest end \
               : STC_##n(STC_SUM, 0)                                                      \
               : "l"(a), "l"(b), "r"(metadata), "r"(zero)                                 \
               : "memory");

/// Four for each of `iterations`, and the wait for all of them.
#define STC_REPEAT(ptx, n, rest, end)                                                                           \
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                                       \
  _Pragma("unroll 1") for (int i = 0; i < iterations; ++i) {                                                    \
    STC_ONE(ptx, n, rest, end) STC_ONE(ptx, n, rest, end) STC_ONE(ptx, n, rest, end) STC_ONE(ptx, n, rest, end) \
  }                                                                                                             \
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");

#endif
