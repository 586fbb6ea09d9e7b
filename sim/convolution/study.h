// SPDX-License-Identifier: Apache-2.0
// `stcsim conv`: layers of a network on one or more GPUs, each with the fastest dense and the fastest 2:4 kernel.
//
//   title: "ResNet-50"
//   gpus: {A100: ../gpus/a100.yaml}
//   type: f16
//   n: 8                                  # images, of layers that do not say otherwise
//   layers:
//     conv1: {h: 224, w: 224, c: 8, k: 64, r: 7, s: 7, stride: 2, pad: 3, note: "3 channels, filled up to 8"}
//   options: {l2: cold}
#pragma once

#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/convolution/advice.h"
#include "sim/convolution/kernel_library.h"

namespace stc::sim {

struct ConvolutionGpu {
  std::string name;
  GpuConfig config;
};

struct NetworkLayer {
  ConvolutionLayer layer;
  int count = 1;     ///< how often the network has it
  std::string note;  ///< for people
};

struct ConvolutionStudy {
  std::string file, title;
  std::vector<ConvolutionGpu> gpus;
  ElementType type = ElementType::f16;
  bool warm_l2 = false;
  std::vector<NetworkLayer> layers;
  ConvolutionLibrary library;
};

/// UserError with file and place for what is wrong, and for a layer that no kernel takes.
ConvolutionStudy read_convolution_study(const std::string& file, const std::vector<Override>& overrides);

/// A layer on a GPU.
struct LayerResult {
  std::size_t gpu = 0, layer = 0;
  std::vector<KernelTime> times;            ///< of every kernel that takes the layer
  std::size_t dense_at = 0, sparse_at = 0;  ///< the fastest of each, in `times`
  Advice advice;
  const KernelTime& dense() const { return times[dense_at]; }
  const KernelTime& sparse() const { return times[sparse_at]; }
  double speedup() const;
};

struct ConvolutionTotals {
  double dense_us = 0, sparse_us = 0, best_us = 0;  ///< all layers, as often as the network has them
};

struct ConvolutionResult {
  std::vector<LayerResult> layers;  ///< GPU after GPU
  ConvolutionTotals totals_of(const ConvolutionStudy& study, std::size_t gpu) const;
};

/// Simulates in `jobs` processes. RuntimeError when a kernel ends with a fault.
ConvolutionResult run_study(const ConvolutionStudy& study, int jobs);

std::string study_table(const ConvolutionStudy& study, const ConvolutionResult& result);
std::string study_json(const ConvolutionStudy& study, const ConvolutionResult& result);
std::string study_html(const ConvolutionStudy& study, const ConvolutionResult& result);

}  // namespace stc::sim
