// SPDX-License-Identifier: Apache-2.0
// Network files: what layers become at a batch, and what is refused with its place.
#include <algorithm>

#include "sim/network/network_file.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

const LayerWork& layer_named(const NetworkPlan& plan, const std::string& name) {
  const auto found =
      std::find_if(plan.layers.begin(), plan.layers.end(), [&](const LayerWork& work) { return work.name == name; });
  return found == plan.layers.end() ? throw std::out_of_range(name) : *found;
}

TEST(NetworkFile, EveryCommittedNetworkIsRead) {
  for (const char* name : {"bert_base", "vit_l", "llama_7b_prefill", "llama_7b_decode", "resnet50", "small"}) {
    const NetworkFile network = read_network_file(std::string("configs/networks/") + name + ".yaml", {});
    EXPECT_FALSE(network.plans.empty()) << name;
  }
}

TEST(NetworkFile, ResNetHasItsConvolutions) {
  const NetworkFile network = read_network_file("configs/networks/resnet50.yaml", {{"batch", "1"}});
  int convolutions = 0, sums = 0;
  double operations = 0;
  for (const LayerWork& work : network.plans.at(0).layers) {
    convolutions += work.kind == "convolution" ? work.count : 0;
    sums += work.kind == "add_relu" ? work.count : 0;
    operations += work.count * work.operations();
  }
  EXPECT_EQ(convolutions, 53);
  EXPECT_EQ(sums, 16);
  // 4.09 billion multiply-accumulates of 3 channels; the first layer computes 8, and 1000 classes are 1024.
  EXPECT_NEAR(operations / 2e9, 4.09 + 5.0 / 3 * 0.118, 0.02);
}

TEST(NetworkFile, SevenBillionWeights) {
  const NetworkFile network = read_network_file("configs/networks/llama_7b_decode.yaml", {{"batch", "1"}});
  double bytes = 0;
  for (const LayerWork& work : network.plans.at(0).layers) bytes += work.count * work.weight_bytes(false);
  EXPECT_NEAR(bytes / 2, 6.61e9, 0.01e9);  // all but the embedding
  EXPECT_DOUBLE_EQ(
      network.plans.at(0).layers.back().weight_bytes(true) / network.plans.at(0).layers.back().weight_bytes(false),
      9.0 / 16);
}

TEST(NetworkFile, LayersWithoutNamesAreNumbered) {
  const TemporaryFolder folder;
  const std::string gpus = std::filesystem::current_path().string() + "/configs/gpus/";
  const std::string file = replaced(contents("configs/networks/small.yaml"), "../gpus/", gpus);
  const std::string path = folder.write("n.yaml", replaced(file, "- {name: gelu, gelu: {columns: 1024}}",
                                                           "- gelu: {columns: 1024}\n      - gelu: {columns: 512}"));
  const NetworkFile network = read_network_file(path, {});
  EXPECT_EQ(layer_named(network.plans.at(0), "gelu").text, "64 x 1024");
  EXPECT_EQ(layer_named(network.plans.at(0), "gelu 2").text, "64 x 512");
}

TEST(NetworkFile, RowsFollowBatchAndPhase) {
  const auto rows = [](const char* file, std::vector<Override> sets, const char* layer) {
    return layer_named(read_network_file(file, sets).plans.back(), layer).product->w;
  };
  EXPECT_EQ(rows("configs/networks/llama_7b_prefill.yaml", {}, "qkv"), 4 * 512);
  EXPECT_EQ(rows("configs/networks/llama_7b_prefill.yaml", {}, "logits"), 4);
  EXPECT_EQ(rows("configs/networks/llama_7b_decode.yaml", {}, "qkv"), 64);
  const NetworkFile small = read_network_file("configs/networks/small.yaml", {});
  EXPECT_EQ(layer_named(small.plans.at(1), "classes").product->k, 128) << "100 outputs fill two tiles of 64";
  EXPECT_FALSE(layer_named(small.plans.at(0), "out").prunable);
  EXPECT_EQ(layer_named(small.plans.at(0), "qkv").count, 2);
}

TEST(NetworkFile, BadInputIsNamedWithItsPlace) {
  const auto refused = [](const std::string& from, const std::string& to, const std::string& text) {
    const TemporaryFolder folder;
    const std::string gpus = std::filesystem::current_path().string() + "/configs/gpus/";
    std::string file = replaced(contents("configs/networks/small.yaml"), "../gpus/", gpus);
    const std::string path = folder.write("network.yaml", replaced(file, from, to));
    try {
      read_network_file(path, {});
      ADD_FAILURE() << to << " was taken";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr(text));
      EXPECT_THAT(error.what(), HasSubstr("network.yaml:"));
    }
  };
  refused("gelu: {columns: 1024}", "gleu: {columns: 1024}", "gleu");
  refused("gelu: {columns: 1024}", "softmax: {columns: 1024}, gelu: {columns: 8}", "is both 'softmax' and 'gelu'");
  refused("gelu: {columns: 1024}", "gelu: {columns: 1023}", "multiple of 8");
  refused("gelu: {columns: 1024}", "layer_norm: {columns: 9000}", "8192");
  refused("- {name: gelu, gelu: {columns: 1024}}", "- {name: gelu}", "says not what it is");
  refused("{name: gelu, gelu", "{name: qkv, gelu", "is 'qkv', as that of a layer before: names must differ");
  refused("{name: gelu, gelu", "{name: ' ', gelu", "must not be empty");
  refused("heads: 4, head: 64", "heads: 4, head: 80", "kernels are there for 64 and 128");
  refused("heads: 4, head: 64", "heads: 4, kv_heads: 3, head: 64", "must divide heads = 4");
  refused("inputs: 256, outputs: 768", "inputs: 250, outputs: 768", "multiple of 8");
  refused("repeat: 2", "repeat: 0", "repeat");
  refused("batch: [1, 4]", "batch: [4, 1]", "greater than the one before");
  refused("batch: [1, 4]", "batch: []", "is empty");
  refused("sequence: 64", "sequence: 0", "sequence");
  refused("options: {l2: cold}", "options: {l2: tepid}", "l2");
  refused("- {name: gelu, gelu: {columns: 1024}}",
          "- {name: c, convolution: {h: 8, w: 8, c: 12, k: 64, r: 1, s: 1, stride: 1, pad: 0}}",
          "c is 12, but must be a multiple of 8");
  refused("- {name: gelu, gelu: {columns: 1024}}", "- {name: c, max_pool: {h: 7, w: 8, c: 8}}", "must be even");
}

}  // namespace
}  // namespace stc::sim
