// SPDX-License-Identifier: Apache-2.0
// One kernel of the family network. scripts/build_kernels compiles this file once per line of network_list.cpp, with
// the line's keys as macros and STC_NAME as the symbol. All matrices are f16, sums f32.
#include "validation/kernels/network_attention.cuh"
#include "validation/kernels/network_decode.cuh"
#include "validation/kernels/network_elementwise.cuh"
#include "validation/kernels/network_kinds.h"
#include "validation/kernels/network_rows.cuh"

using namespace stc::kernels;

#define STC_KERNEL extern "C" __global__ void __launch_bounds__(STC_THREADS, STC_CTAS_PER_SM) STC_NAME

#if STC_NETWORK_OF(STC_KIND) == STC_NETWORK_layer_norm
STC_KERNEL(const __half* x, const __half* r, const __half* gain, const __half* bias, __half* s, __half* y,
           int columns) {
  layer_norm(x, r, gain, bias, s, y, columns);
}
#elif STC_NETWORK_OF(STC_KIND) == STC_NETWORK_rms_norm
STC_KERNEL(const __half* x, const __half* r, const __half* gain, __half* s, __half* y, int columns) {
  rms_norm(x, r, gain, s, y, columns);
}
#elif STC_NETWORK_OF(STC_KIND) == STC_NETWORK_softmax
STC_KERNEL(const __half* x, __half* y, int columns) { softmax(x, y, columns); }
#elif STC_NETWORK_OF(STC_KIND) == STC_NETWORK_gelu
STC_KERNEL(const __half* x, const __half* bias, __half* y, int rows, int columns) {
  bias_gelu(x, bias, y, rows, columns);
}
#elif STC_NETWORK_OF(STC_KIND) == STC_NETWORK_add_relu
STC_KERNEL(const __half* x, const __half* r, __half* y, int elements) { add_relu(x, r, y, elements); }
#elif STC_NETWORK_OF(STC_KIND) == STC_NETWORK_silu_product
STC_KERNEL(const __half* x, __half* y, int rows, int columns) { silu_product(x, y, rows, columns); }
#elif STC_NETWORK_OF(STC_KIND) == STC_NETWORK_rotary
STC_KERNEL(__half* x, const float2* angles, int tokens, int positions, int heads, int stride) {
  rotary<STC_HEAD>(x, angles, tokens, positions, heads, stride);
}
#elif STC_NETWORK_OF(STC_KIND) == STC_NETWORK_gather
STC_KERNEL(const int* tokens, const __half* table, __half* y, int columns) { gather(tokens, table, y, columns); }
#elif STC_NETWORK_OF(STC_KIND) == STC_NETWORK_max_pool
STC_KERNEL(const __half* x, __half* y, int n, int h, int w, int c) { max_pool(x, y, n, h, w, c); }
#elif STC_NETWORK_OF(STC_KIND) == STC_NETWORK_average_pool
STC_KERNEL(const __half* x, __half* y, int pixels, int c) { average_pool(x, y, pixels, c); }
#elif STC_NETWORK_OF(STC_KIND) == STC_NETWORK_attention
STC_KERNEL(const __half* q, const __half* k, const __half* v, __half* o, int tokens, int group, int stride_q,
           int stride_kv, int stride_o, int causal) {
  static_assert(STC_SHARED_BYTES == AttentionTile<STC_HEAD>::kSharedBytes && STC_THREADS == kAttentionThreads);
  extern __shared__ float4 shared[];
  const AttentionShape shape{tokens, group, stride_q, stride_kv, stride_o, causal != 0};
  AttentionTile<STC_HEAD> tile(q, k, v, shape, static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)));
  tile.compute();
  tile.store(o);
}
#elif STC_NETWORK_OF(STC_KIND) == STC_NETWORK_decode
STC_KERNEL(const __half* q, const __half* k, const __half* v, __half* o, float* parts, std::uint32_t* arrived,
           int context, int group, int stride_q, int stride_kv, int stride_o) {
  Decode<STC_HEAD> decode(q, k, v, {context, group, stride_q, stride_kv, stride_o});
  decode.compute();
  decode.store(o, parts, arrived);
}
#else
#error "STC_KIND names no kind of network_kinds.h"
#endif
