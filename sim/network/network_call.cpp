// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_call.h"

#include <algorithm>

namespace stc::sim {
namespace {

constexpr std::uint64_t kHalf = 2;  ///< bytes of an f16
constexpr int kVector = 8;          ///< elements that a thread reads at once
constexpr int kElementwiseThreads = 256;
constexpr int kQueryRows = 64;         ///< of a CTA of attention_call
constexpr int kPooledChannels = 1024;  ///< of a CTA of average_pool_call

std::uint64_t matrix(int rows, int columns) {
  return kHalf * static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
}

unsigned ceiling(std::int64_t count, std::int64_t unit) { return static_cast<unsigned>((count + unit - 1) / unit); }

/// CTAs of elementwise kernels.
unsigned ctas_of(std::int64_t elements) { return ceiling(elements, std::int64_t{kVector} * kElementwiseThreads); }

constexpr DataRole kIn = DataRole::kActivation, kOut = DataRole::kOutput, kWeight = DataRole::kWeight;

NetworkCall norm_call(const char* kernel, int rows, int columns, bool residual, bool bias) {
  const std::uint64_t all = matrix(rows, columns), of_row = matrix(1, columns);
  NetworkCall call{kernel, {static_cast<unsigned>(rows), 1, 1}, {}, {columns}};
  call.buffers = {{"X", all, kIn}, {"R", residual ? all : 0, kIn}, {"gain", of_row, kWeight}};
  if (bias) call.buffers.push_back({"bias", of_row, kWeight});
  call.buffers.push_back({"S", residual ? all : 0, kOut});
  call.buffers.push_back({"Y", all, kOut});
  return call;
}

std::string with_head(const char* kernel, int head) { return kernel + std::string("_") + std::to_string(head); }

}  // namespace

std::uint64_t NetworkCall::bytes() const {
  std::uint64_t sum = 0;
  for (const CallBuffer& buffer : buffers) sum += buffer.bytes;
  return sum;
}

NetworkCall layer_norm_call(int rows, int columns, bool residual) {
  return norm_call("net_layer_norm", rows, columns, residual, true);
}

NetworkCall rms_norm_call(int rows, int columns, bool residual) {
  return norm_call("net_rms_norm", rows, columns, residual, false);
}

NetworkCall softmax_call(int rows, int columns) {
  const std::uint64_t all = matrix(rows, columns);
  return {"net_softmax", {static_cast<unsigned>(rows), 1, 1}, {{"X", all, kIn}, {"Y", all, kOut}}, {columns}};
}

NetworkCall gelu_call(int rows, int columns) {
  const std::uint64_t all = matrix(rows, columns);
  return {"net_gelu",
          {ctas_of(std::int64_t{rows} * columns), 1, 1},
          {{"X", all, kIn}, {"bias", matrix(1, columns), kWeight}, {"Y", all, kOut}},
          {rows, columns}};
}

NetworkCall add_relu_call(int elements) {
  const std::uint64_t all = matrix(1, elements);
  return {"net_add_relu", {ctas_of(elements), 1, 1}, {{"X", all, kIn}, {"R", all, kIn}, {"Y", all, kOut}}, {elements}};
}

NetworkCall silu_product_call(int rows, int columns) {
  return {"net_silu_product",
          {ctas_of(std::int64_t{rows} * columns), 1, 1},
          {{"X", 2 * matrix(rows, columns), kIn}, {"Y", matrix(rows, columns), kOut}},
          {rows, columns}};
}

NetworkCall rotary_call(int tokens, int positions, int heads, int head, int stride) {
  const std::int64_t pairs = std::int64_t{tokens} * heads * head / 2;
  return {with_head("net_rotary", head),
          {ctas_of(pairs), 1, 1},
          {{"X", matrix(tokens, stride), kIn}, {"angles", 2 * matrix(positions, head), kWeight}},
          {tokens, positions, heads, stride}};
}

NetworkCall gather_call(int tokens, int columns, int vocabulary) {
  return {"net_gather",
          {static_cast<unsigned>(tokens), 1, 1},
          {{"tokens", 2 * matrix(1, tokens), kIn},
           {"table", matrix(vocabulary, columns), kWeight},
           {"Y", matrix(tokens, columns), kOut}},
          {columns}};
}

NetworkCall max_pool_call(int n, int h, int w, int c) {
  const std::int64_t results = std::int64_t{n} * (h / 2) * (w / 2) * c;
  return {"net_max_pool",
          {ctas_of(results), 1, 1},
          {{"X", matrix(n * h, w) * static_cast<std::uint64_t>(c), kIn},
           {"Y", kHalf * static_cast<std::uint64_t>(results), kOut}},
          {n, h, w, c}};
}

NetworkCall average_pool_call(int n, int pixels, int c) {
  return {"net_average_pool",
          {static_cast<unsigned>(n), ceiling(c, kPooledChannels), 1},
          {{"X", matrix(n * pixels, c), kIn}, {"Y", matrix(n, c), kOut}},
          {pixels, c}};
}

NetworkCall attention_call(const AttentionSize& size) {
  const int wide = size.heads * size.head, narrow = size.kv_heads * size.head, rows = size.batch * size.tokens;
  return {with_head("net_attention", size.head),
          {ceiling(size.tokens, kQueryRows), static_cast<unsigned>(size.heads), static_cast<unsigned>(size.batch)},
          {{"Q", matrix(rows, wide), kIn},
           {"K", matrix(rows, narrow), kIn},
           {"V", matrix(rows, narrow), kIn},
           {"O", matrix(rows, wide), kOut}},
          {size.tokens, size.heads / size.kv_heads, wide, narrow, wide, size.causal ? 1 : 0}};
}

NetworkCall decode_call(const AttentionSize& size, int sms) {
  constexpr int kCtasPerSm = 4, kLeastKeys = 128;
  const int heads = size.batch * size.heads;
  const int parts = std::clamp((sms * kCtasPerSm + heads - 1) / heads, 1, (size.tokens + kLeastKeys - 1) / kLeastKeys);
  const int wide = size.heads * size.head, narrow = size.kv_heads * size.head, rows = size.batch * size.tokens;
  const auto all_parts = static_cast<std::uint64_t>(heads) * static_cast<std::uint64_t>(parts);
  return {with_head("net_decode", size.head),
          {static_cast<unsigned>(parts), static_cast<unsigned>(size.heads), static_cast<unsigned>(size.batch)},
          {{"Q", matrix(size.batch, wide), kIn},
           {"K", matrix(rows, narrow), kIn},
           {"V", matrix(rows, narrow), kIn},
           {"O", matrix(size.batch, wide), kOut},
           {"parts", all_parts * static_cast<std::uint64_t>(size.head + 2) * 4, DataRole::kOther},
           {"arrived", static_cast<std::uint64_t>(heads) * 4, DataRole::kOther}},
          {size.tokens, size.heads / size.kv_heads, wide, narrow, wide}};
}

}  // namespace stc::sim
