// SPDX-License-Identifier: Apache-2.0
// What the two separately compiled halves of the linked sample share.
#pragma once

extern "C" __device__ int linked_power(int base, int exponent);
extern "C" __device__ double linked_wave(double x);
extern "C" __device__ int* linked_slot();
extern "C" __device__ void linked_launch();

using LinkedStep = int (*)(int);
extern __device__ LinkedStep linked_steps[3];
extern __device__ int linked_counter[4];
extern __device__ int* linked_pointer;
extern __constant__ int linked_table[8];
