// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_layers.h"

#include <fmt/format.h>

#include <algorithm>

#include <limits>

namespace stc::sim {
namespace {

constexpr int kMost = 1 << 20;
constexpr int kRowColumns = 8192;   ///< that a CTA of the kernels by rows holds
constexpr int kOutputTile = 64;     ///< rows of the smallest tile of the products' kernels
constexpr int kVectorElements = 8;  ///< 16 bytes of f16
constexpr int kDecodeSms = 132;     ///< that the keys of a new token are shared out for, on every GPU

using Node = ConfigNode;

int size_at(const Node& node, const char* key, int low = 1, int high = kMost) {
  return static_cast<int>(node.at(key).integer(low, high));
}

/// A size that kernels read in vectors.
int columns_at(const Node& node, const char* key, int most = kMost) {
  const int size = size_at(node, key, 1, most);
  if (size % kVectorElements != 0) {
    node.at(key).fail(fmt::format("is {}, but must be a multiple of {} (16 bytes of f16)", size, kVectorElements));
  }
  return size;
}

bool flag_at(const Node& node, const char* key) {
  const auto found = node.find(key);
  return found && found->flag();
}

/// Of all tokens, or one a sequence: `rows: sequences`.
int rows_of(const Node& node, const NetworkInput& input) {
  const auto rows = node.find("rows");
  return rows && rows->one_of({"tokens", "sequences"}) == "sequences" ? input.batch : input.tokens();
}

int head_at(const Node& node) {
  const int head = size_at(node, "head");
  if (head != 64 && head != 128) node.at("head").fail(fmt::format("is {}, but kernels are there for 64 and 128", head));
  return head;
}

AttentionSize attention_size(const Node& node, const NetworkInput& input) {
  AttentionSize size;
  size.batch = input.batch;
  size.tokens = input.sequence;
  size.heads = size_at(node, "heads", 1, 1024);
  size.kv_heads = node.find("kv_heads") ? size_at(node, "kv_heads", 1, size.heads) : size.heads;
  if (size.heads % size.kv_heads != 0) {
    node.at("kv_heads").fail(fmt::format("is {}, but must divide heads = {}", size.kv_heads, size.heads));
  }
  size.head = head_at(node);
  size.causal = flag_at(node, "causal");
  return size;
}

LayerWork of_call(NetworkCall call, std::string text) {
  LayerWork work;
  work.call = std::move(call);
  work.text = std::move(text);
  return work;
}

LayerWork read_linear(const Node& node, const NetworkInput& input) {
  node.allow_keys({"inputs", "outputs", "rows", "sparse"});
  const int inputs = columns_at(node, "inputs", 1 << 16), outputs = size_at(node, "outputs", 1, 1 << 16);
  const int rows = rows_of(node, input), filled = (outputs + kOutputTile - 1) / kOutputTile * kOutputTile;
  LayerWork work;
  ConvolutionLayer product;
  product.n = product.h = product.r = product.s = product.stride = 1;
  product.w = rows;
  product.c = inputs;
  product.k = filled;
  work.product = product;
  work.prunable = !node.find("sparse") || node.at("sparse").flag();
  work.text = fmt::format("{} x {} -> {}", rows, inputs, outputs);
  return work;
}

LayerWork read_convolution(const Node& node, const NetworkInput& input) {
  node.allow_keys({"h", "w", "c", "k", "r", "s", "stride", "pad", "sparse"});
  LayerWork work;
  work.product = read_convolution_layer(node, input.batch);
  work.prunable = !node.find("sparse") || node.at("sparse").flag();
  work.text = work.product->text();
  return work;
}

LayerWork read_attention(const Node& node, const NetworkInput& input) {
  node.allow_keys({"heads", "kv_heads", "head", "causal"});
  const AttentionSize size = attention_size(node, input);
  std::string text = fmt::format("{} x {} tokens, {} heads of {}", size.batch, size.tokens, size.heads, size.head);
  return of_call(input.decode ? decode_call(size, kDecodeSms) : attention_call(size), std::move(text));
}

LayerWork read_rotary(const Node& node, const NetworkInput& input) {
  node.allow_keys({"heads", "kv_heads", "head"});
  const AttentionSize size = attention_size(node, input);
  const int turned = size.heads + size.kv_heads, stride = (size.heads + 2 * size.kv_heads) * size.head;
  return of_call(rotary_call(input.tokens(), input.decode ? 1 : input.sequence, turned, size.head, stride),
                 fmt::format("{} tokens, {} heads of {}", input.tokens(), turned, size.head));
}

std::string matrix_text(int rows, int columns) { return fmt::format("{} x {}", rows, columns); }

LayerWork read_layer_norm(const Node& node, const NetworkInput& input) {
  node.allow_keys({"columns", "residual", "rows"});
  const int rows = rows_of(node, input), columns = columns_at(node, "columns", kRowColumns);
  return of_call(layer_norm_call(rows, columns, flag_at(node, "residual")), matrix_text(rows, columns));
}

LayerWork read_rms_norm(const Node& node, const NetworkInput& input) {
  node.allow_keys({"columns", "residual", "rows"});
  const int rows = rows_of(node, input), columns = columns_at(node, "columns", kRowColumns);
  return of_call(rms_norm_call(rows, columns, flag_at(node, "residual")), matrix_text(rows, columns));
}

LayerWork read_softmax(const Node& node, const NetworkInput& input) {
  node.allow_keys({"columns", "rows"});
  const int rows = rows_of(node, input), columns = columns_at(node, "columns", kRowColumns);
  return of_call(softmax_call(rows, columns), matrix_text(rows, columns));
}

LayerWork read_gelu(const Node& node, const NetworkInput& input) {
  node.allow_keys({"columns", "rows"});
  const int rows = rows_of(node, input), columns = columns_at(node, "columns");
  return of_call(gelu_call(rows, columns), matrix_text(rows, columns));
}

LayerWork read_silu_product(const Node& node, const NetworkInput& input) {
  node.allow_keys({"columns", "rows"});
  const int rows = rows_of(node, input), columns = columns_at(node, "columns");
  return of_call(silu_product_call(rows, columns), matrix_text(rows, columns));
}

LayerWork read_gather(const Node& node, const NetworkInput& input) {
  node.allow_keys({"columns", "vocabulary"});
  const int columns = columns_at(node, "columns", 1 << 16), vocabulary = size_at(node, "vocabulary");
  return of_call(gather_call(input.tokens(), columns, vocabulary), matrix_text(input.tokens(), columns));
}

/// Pixels and channels of an image, of which there are `input.batch`.
struct ImageSize {
  int h, w, c;
  std::int64_t elements;
};
ImageSize image_size(const Node& node, const NetworkInput& input) {
  ImageSize size{size_at(node, "h", 1, 4096), size_at(node, "w", 1, 4096), columns_at(node, "c"), 0};
  size.elements = std::int64_t{input.batch} * size.h * size.w * size.c;
  if (size.elements > std::numeric_limits<int>::max()) {
    node.fail(fmt::format("has {} elements in {} images, but the kernels count to 2^31", size.elements, input.batch));
  }
  return size;
}
std::string image_text(const NetworkInput& input, const ImageSize& size) {
  return fmt::format("{} x {} x {} x {}", input.batch, size.h, size.w, size.c);
}

LayerWork read_add_relu(const Node& node, const NetworkInput& input) {
  node.allow_keys({"h", "w", "c"});
  const ImageSize size = image_size(node, input);
  return of_call(add_relu_call(static_cast<int>(size.elements)), image_text(input, size));
}

LayerWork read_max_pool(const Node& node, const NetworkInput& input) {
  node.allow_keys({"h", "w", "c"});
  const ImageSize size = image_size(node, input);
  for (const char* key : {"h", "w"}) {
    if (node.at(key).integer(1, 4096) % 2 != 0) node.at(key).fail("must be even: windows of 3 x 3 go on by two");
  }
  return of_call(max_pool_call(input.batch, size.h, size.w, size.c), image_text(input, size));
}

LayerWork read_average_pool(const Node& node, const NetworkInput& input) {
  node.allow_keys({"h", "w", "c"});
  const ImageSize size = image_size(node, input);
  return of_call(average_pool_call(input.batch, size.h * size.w, size.c), image_text(input, size));
}

struct KindOfLayer {
  const char* key;
  LayerWork (*read)(const Node& node, const NetworkInput& input);
};
constexpr KindOfLayer kKinds[] = {{"linear", read_linear},
                                  {"convolution", read_convolution},
                                  {"attention", read_attention},
                                  {"rotary", read_rotary},
                                  {"layer_norm", read_layer_norm},
                                  {"rms_norm", read_rms_norm},
                                  {"softmax", read_softmax},
                                  {"gelu", read_gelu},
                                  {"silu_product", read_silu_product},
                                  {"gather", read_gather},
                                  {"add_relu", read_add_relu},
                                  {"max_pool", read_max_pool},
                                  {"average_pool", read_average_pool}};

LayerWork read_layer(const Node& node, const NetworkInput& input) {
  std::vector<std::string> allowed = {"name"};
  for (const KindOfLayer& kind : kKinds) allowed.emplace_back(kind.key);
  node.allow_keys(allowed);
  const KindOfLayer* found = nullptr;
  for (const KindOfLayer& kind : kKinds) {
    if (!node.find(kind.key)) continue;
    if (found != nullptr) node.fail(fmt::format("is both '{}' and '{}': a layer is one of them", found->key, kind.key));
    found = &kind;
  }
  allowed.erase(allowed.begin());
  if (found == nullptr) node.fail(fmt::format("says not what it is: one of {}", fmt::join(allowed, ", ")));
  LayerWork work = found->read(node.at(found->key), input);
  work.kind = found->key;
  if (const auto name = node.find("name")) {
    work.name = name->text();
    if (work.name.find_first_not_of(" \t") == std::string::npos) name->fail("must not be empty");
  }
  work.place = node.at(found->key).where();
  if (work.product) work.product->place = work.place;
  return work;
}

bool has_layer(const std::vector<LayerWork>& layers, const std::string& name) {
  return std::any_of(layers.begin(), layers.end(), [&](const LayerWork& work) { return work.name == name; });
}

/// "gelu", "gelu 2" ...
std::string free_name(const std::vector<LayerWork>& layers, const std::string& kind) {
  std::string name = kind;
  for (int number = 2; has_layer(layers, name); ++number) name = fmt::format("{} {}", kind, number);
  return name;
}

}  // namespace

void read_layers(const ConfigNode& list, const NetworkInput& input, int times, std::vector<LayerWork>& layers) {
  const std::vector<ConfigNode> entries = list.elements();
  if (entries.empty()) list.fail("is empty");
  for (const ConfigNode& entry : entries) {
    if (entry.is_map() && entry.find("repeat")) {
      entry.allow_keys({"repeat", "layers"});
      const auto repeat = static_cast<int>(entry.at("repeat").integer(1, 10000));
      if (std::int64_t{times} * repeat > kMost) entry.at("repeat").fail("makes more layers than a network has");
      read_layers(entry.at("layers"), input, times * repeat, layers);
      continue;
    }
    LayerWork work = read_layer(entry, input);
    if (!work.name.empty() && has_layer(layers, work.name)) {
      entry.at("name").fail(fmt::format("is '{}', as that of a layer before: names must differ", work.name));
    }
    if (work.name.empty()) work.name = free_name(layers, work.kind);
    if (work.product) work.product->name = work.name;
    work.count = times;
    layers.push_back(std::move(work));
  }
}

}  // namespace stc::sim
