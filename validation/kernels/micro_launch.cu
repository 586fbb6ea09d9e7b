// SPDX-License-Identifier: Apache-2.0
// Launch and dispatch of CTAs: every CTA records when and where it ran and stays for `spin` clocks.
#include "micro_common.cuh"

extern "C" __global__ void micro_ctas(std::uint32_t* samples, int spin) { stay(samples, spin); }

extern "C" __global__ void micro_empty() {}
