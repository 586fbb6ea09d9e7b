// SPDX-License-Identifier: Apache-2.0
// Layers as files describe them, and which kernels take them.
#include "sim/convolution/kernel_library.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

class Layer : public testing::Test {
 protected:
  ConvolutionLayer read(const std::string& text, std::optional<int> n = std::nullopt) const {
    return read_convolution_layer(ConfigNode::load(folder_.write("layer.yaml", text)), n);
  }
  std::string refused(const std::string& text) const {
    return user_error([&] { read(text); });
  }
  TemporaryFolder folder_;
};

TEST_F(Layer, OutputSizesOperationsAndImages) {
  const ConvolutionLayer layer = read("{h: 224, w: 112, c: 8, k: 64, r: 7, s: 5, stride: 2, pad: 3}", 4);
  EXPECT_EQ(layer.p(), 112);
  EXPECT_EQ(layer.q(), 57);
  EXPECT_EQ(layer.pixels(), 4 * 112 * 57);
  EXPECT_EQ(layer.reduction(), 7 * 5 * 8);
  EXPECT_EQ(layer.operations(), 2.0 * 4 * 112 * 57 * 64 * 7 * 5 * 8);
  EXPECT_EQ(read("{n: 2, h: 5, w: 5, c: 8, k: 64, r: 1, s: 1, stride: 1, pad: 0}", 4).n, 2);
}

TEST_F(Layer, ImpossibleWindowsAreNamedWithTheirPlace) {
  EXPECT_THAT(refused("{n: 1, h: 5, w: 9, c: 8, k: 64, r: 8, s: 3, stride: 1, pad: 1}"),
              HasSubstr("r is 8, more than the padded image has: h + 2 pad = 7"));
  EXPECT_THAT(refused("{n: 1, h: 5, w: 9, c: 8, k: 64, r: 3, s: 3, stride: 1, pad: 3}"),
              HasSubstr("pad is 3, but must be less than r = 3"));
  EXPECT_THAT(refused("{n: 1, h: 5, w: 9, c: 8, k: 64, r: 16, s: 3, stride: 1, pad: 1}"), HasSubstr("1 .. 15"));
  EXPECT_THAT(refused("{n: 1, h: 5, w: 9, c: 8, k: 64, r: 3, s: 3, stride: 0, pad: 1}"), HasSubstr("layer.yaml:1:"));
  EXPECT_THAT(refused("{h: 5, w: 9, c: 8, k: 64, r: 3, s: 3, stride: 1, pad: 1}"), HasSubstr("n"));
}

TEST_F(Layer, KernelsRefuseWhatTheirTileOrCopiesDoNotTake) {
  const ConvolutionLibrary library = ConvolutionLibrary::load(default_kernels_folder());
  const ConvolutionLayer first = read("{n: 1, h: 9, w: 9, c: 3, k: 64, r: 3, s: 3, stride: 1, pad: 1}");
  EXPECT_THAT(user_error([&] { library.fitting(first, ElementType::f16, true); }),
              HasSubstr("c is 3, but must be a multiple of 8 (16 bytes of f16); fill up with zeros to 8"));
  const ConvolutionLayer odd = read("{n: 1, h: 9, w: 9, c: 16, k: 96, r: 3, s: 3, stride: 1, pad: 1}");
  EXPECT_THAT(user_error([&] { library.fitting(odd, ElementType::i8, false); }),
              HasSubstr("k is 96, but must be a multiple of the tile size 64"));
  const ConvolutionLayer large = read("{n: 4096, h: 224, w: 224, c: 64, k: 64, r: 1, s: 1, stride: 1, pad: 0}");
  EXPECT_THAT(user_error([&] { library.fitting(large, ElementType::f16, false); }), HasSubstr("X has"));
  const ConvolutionLayer fine = read("{n: 1, h: 9, w: 9, c: 16, k: 64, r: 3, s: 3, stride: 1, pad: 1}");
  for (const ConvolutionKernel& kernel : library.fitting(fine, ElementType::f16, true)) {
    EXPECT_EQ(kernel.gemm.tile_m, 64) << kernel.name();
    EXPECT_FALSE(library.dense_twin(kernel).sparse());
  }
  EXPECT_THAT(user_error([&] { library.find("conv_f16_dense_128x128x64_w64x64_s5", "here"); }),
              HasSubstr("here: unknown kernel 'conv_f16_dense_128x128x64_w64x64_s5'; did you mean"));
}

}  // namespace
}  // namespace stc::sim
