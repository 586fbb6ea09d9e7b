// SPDX-License-Identifier: Apache-2.0
// What `stcsim network` is asked: the layers of a network, GPUs, numbers of sequences or images at once.
// configs/networks/README.md explains the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/convolution/kernel_library.h"
#include "sim/network/network_call.h"

namespace stc::sim {

struct NetworkGpu {
  std::string name;
  GpuConfig config;
};

/// How much of the network's input is worked on at once.
struct NetworkInput {
  int batch = 1;        ///< sequences or images
  int sequence = 1;     ///< tokens of a sequence
  bool decode = false;  ///< one new token a sequence; the others are in the cache of keys and values
  int tokens() const { return decode ? batch : batch * sequence; }
};

/// A layer at a certain input: a product with weights, or a call of a kernel between the products.
struct LayerWork {
  std::string name, kind, place;            ///< no two layers have the same name
  int count = 1;                            ///< how often the network has it
  bool prunable = false;                    ///< its weights may be 2:4
  std::optional<ConvolutionLayer> product;  ///< a linear layer is a 1x1 convolution of one row of pixels
  NetworkCall call;                         ///< without a product; of a product the kernel is chosen later
  std::string text;                         ///< "4096 x 768 -> 2304"

  double operations() const { return product ? product->operations() : 0.0; }
  /// Stored values and, if sparse, metadata of a product's weights.
  double weight_bytes(bool sparse) const;
};

struct NetworkPlan {
  NetworkInput input;
  std::vector<LayerWork> layers;  ///< in the order of the network
};

struct NetworkFile {
  std::string file, title;
  std::vector<NetworkGpu> gpus;
  std::vector<NetworkPlan> plans;  ///< of each batch, ascending
  bool warm_l2 = false;
  int tiles = 2;  ///< promising kernels of a product that are simulated, dense and 2:4 each
  std::string kernels_folder;
  ConvolutionLibrary products;
};

/// UserError with file and place for what is wrong, and for a layer that no kernel takes.
NetworkFile read_network_file(const std::string& file, const std::vector<Override>& overrides);

}  // namespace stc::sim
