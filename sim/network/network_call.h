// SPDX-License-Identifier: Apache-2.0
// Launches of the kernels that a network needs between its matrix products (traces/kernels/README.md, "Kernels between
// the products"): grid, buffers and sizes in the order of the arguments. Used by the simulator and by network_check.cu.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/data_role.h"

namespace stc::sim {

struct CallBuffer {
  std::string name;
  std::uint64_t bytes = 0;  ///< 0: a null pointer
  DataRole role = DataRole::kActivation;
};

struct NetworkCall {
  std::string kernel;  ///< symbol
  unsigned grid[3] = {1, 1, 1};
  std::vector<CallBuffer> buffers;
  std::vector<int> sizes;  ///< integer arguments, behind the buffers

  std::uint64_t bytes() const;  ///< of all buffers
};

/// Y = norm(X + R) by rows, the sum stored to S; without a residual norm(X). columns: a multiple of 8, at most 8192.
NetworkCall layer_norm_call(int rows, int columns, bool residual);
NetworkCall rms_norm_call(int rows, int columns, bool residual);
NetworkCall softmax_call(int rows, int columns);
/// Y = gelu(X + bias). columns: a multiple of 8.
NetworkCall gelu_call(int rows, int columns);
/// Y = max(X + R, 0). elements: a multiple of 8.
NetworkCall add_relu_call(int elements);
/// X [rows][2 * columns]: gates, then values.
NetworkCall silu_product_call(int rows, int columns);
/// `heads` heads of `head` values (64 or 128) at the start of each row of X [tokens][stride] are turned.
NetworkCall rotary_call(int tokens, int positions, int heads, int head, int stride);
/// Rows of an embedding table [vocabulary][columns].
NetworkCall gather_call(int tokens, int columns, int vocabulary);
/// 3 x 3, stride 2, border 1, of n images of h x w pixels of c channels; h and w even, c a multiple of 8.
NetworkCall max_pool_call(int n, int h, int w, int c);
/// Over all pixels of an image.
NetworkCall average_pool_call(int n, int pixels, int c);

struct AttentionSize {
  int batch = 1;     ///< sequences
  int tokens = 0;    ///< of a sequence; of `decode_call` those before the new one
  int heads = 0;     ///< of Q
  int kv_heads = 0;  ///< of K and V; divides `heads`
  int head = 0;      ///< values of a head: 64 or 128
  bool causal = false;
};
/// All tokens of all sequences.
NetworkCall attention_call(const AttentionSize& size);
/// One new token a sequence, on a GPU of so many SMs: keys are cut into parts until each SM has four CTAs, but into
/// none shorter than 128 keys.
NetworkCall decode_call(const AttentionSize& size, int sms);

}  // namespace stc::sim
