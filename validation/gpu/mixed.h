// SPDX-License-Identifier: Apache-2.0
// What the hashes of measured/h200/special_functions.csv are sums of, on a GPU and where they are compared.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define STC_EVERYWHERE __host__ __device__
#else
#define STC_EVERYWHERE
#endif

/// The finaliser of SplitMix64 of an operand and its result.
STC_EVERYWHERE constexpr std::uint64_t mixed(std::uint32_t operand, std::uint32_t result) {
  std::uint64_t x = std::uint64_t{operand} << 32 | result;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
