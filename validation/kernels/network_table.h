// SPDX-License-Identifier: Apache-2.0
// The kernels of the family network: what a network does between its matrix products. STC_NETWORK(kind, head size,
// threads, dynamic shared bytes, CTAs per SM, arguments). A head size of 0 stands for kernels that have none; CTAs per
// SM bounds the registers.
STC_NETWORK(layer_norm, 0, 128, 0, 8, "X/R/gain/bias/S/Y/columns")
STC_NETWORK(rms_norm, 0, 128, 0, 8, "X/R/gain/S/Y/columns")
STC_NETWORK(softmax, 0, 128, 0, 8, "X/Y/columns")
STC_NETWORK(gelu, 0, 256, 0, 6, "X/bias/Y/rows/columns")
STC_NETWORK(add_relu, 0, 256, 0, 6, "X/R/Y/elements")
STC_NETWORK(silu_product, 0, 256, 0, 6, "X/Y/rows/columns")
STC_NETWORK(rotary, 64, 256, 0, 6, "X/angles/tokens/positions/heads/stride")
STC_NETWORK(rotary, 128, 256, 0, 6, "X/angles/tokens/positions/heads/stride")
STC_NETWORK(gather, 0, 128, 0, 8, "tokens/table/Y/columns")
STC_NETWORK(max_pool, 0, 256, 0, 4, "X/Y/n/h/w/c")
STC_NETWORK(average_pool, 0, 128, 0, 8, "X/Y/pixels/c")
STC_NETWORK(attention, 64, 128, 32768, 3, "Q/K/V/O/tokens/group/strideQ/strideKV/strideO/causal")
STC_NETWORK(attention, 128, 128, 65536, 2, "Q/K/V/O/tokens/group/strideQ/strideKV/strideO/causal")
STC_NETWORK(decode, 64, 128, 0, 6, "Q/K/V/O/parts/arrived/context/group/strideQ/strideKV/strideO")
STC_NETWORK(decode, 128, 128, 0, 6, "Q/K/V/O/parts/arrived/context/group/strideQ/strideKV/strideO")
