// SPDX-License-Identifier: Apache-2.0
// The launches of the family network that are measured on silicon and compared with the simulator, each with the title
// that its row in validation/measured/h200/network.csv has.
#pragma once

#include "sim/network/network_call.h"

namespace stc::kernels {

/// use(title, call)
template <class Use>
void each_measured_call(const Use& use) {
  using namespace stc::sim;
  constexpr int kSms = 132;
  use("layer_norm 4096x768", layer_norm_call(4096, 768, true));
  use("layer_norm 6304x1024", layer_norm_call(6304, 1024, true));
  use("rms_norm 2048x4096", rms_norm_call(2048, 4096, true));
  use("rms_norm 16x4096", rms_norm_call(16, 4096, true));
  use("softmax 49152x128", softmax_call(49152, 128));
  use("softmax 8192x2048", softmax_call(8192, 2048));
  use("gelu 4096x3072", gelu_call(4096, 3072));
  use("gelu 256x4096", gelu_call(256, 4096));
  use("add_relu 6422528", add_relu_call(8 * 56 * 56 * 256));
  use("add_relu 802816", add_relu_call(8 * 7 * 7 * 2048));
  use("silu_product 2048x11008", silu_product_call(2048, 11008));
  use("silu_product 16x11008", silu_product_call(16, 11008));
  use("rotary 2048x64x128", rotary_call(2048, 2048, 64, 128, 12288));
  use("max_pool 8x112x112x64", max_pool_call(8, 112, 112, 64));
  use("average_pool 8x49x2048", average_pool_call(8, 49, 2048));
  use("attention 32x128x12x64", attention_call({32, 128, 12, 12, 64, false}));
  use("attention 8x512x12x64", attention_call({8, 512, 12, 12, 64, false}));
  use("attention 32x197x16x64", attention_call({32, 197, 16, 16, 64, false}));
  use("attention 1x2048x32x128 causal", attention_call({1, 2048, 32, 32, 128, true}));
  use("attention 4x1024x32x128 causal", attention_call({4, 1024, 32, 32, 128, true}));
  use("attention 2x1024x32x128 causal, groups of 4", attention_call({2, 1024, 32, 8, 128, true}));
  use("decode 1x2048x32x128", decode_call({1, 2048, 32, 32, 128, false}, kSms));
  use("decode 16x2048x32x128", decode_call({16, 2048, 32, 32, 128, false}, kSms));
  use("decode 64x1024x32x128, groups of 4", decode_call({64, 1024, 32, 8, 128, false}, kSms));
}

}  // namespace stc::kernels
