// SPDX-License-Identifier: Apache-2.0
// Kinds of kernels of the family network as numbers, which the preprocessor can compare.
#pragma once

#define STC_NETWORK_layer_norm 1
#define STC_NETWORK_rms_norm 2
#define STC_NETWORK_softmax 3
#define STC_NETWORK_gelu 4
#define STC_NETWORK_add_relu 5
#define STC_NETWORK_silu_product 6
#define STC_NETWORK_rotary 7
#define STC_NETWORK_gather 8
#define STC_NETWORK_max_pool 9
#define STC_NETWORK_average_pool 10
#define STC_NETWORK_attention 11
#define STC_NETWORK_decode 12

#define STC_NETWORK_JOIN(a, b) a##b
#define STC_NETWORK_OF(kind) STC_NETWORK_JOIN(STC_NETWORK_, kind)
