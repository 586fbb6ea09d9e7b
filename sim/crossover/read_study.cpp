// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/crossover/study.h"
#include "sim/formats/matrix_market.h"
#include "sim/formats/weight_matrix.h"
#include "sim/launch/manifest.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kLargestSize = std::int64_t{1} << 24;

const std::vector<std::string>& contender_names() {
  static const std::vector<std::string> names = {"dense_f32", "dense_tf32", "dense_f16", "dense_bf16", "dense_s8",
                                                 "sp12_tf32", "sp24_f16",   "sp24_bf16", "sp24_s8",    "csr_f32",
                                                 "csr_f16",   "ell_f32",    "ell_f16",   "coo_f32",    "csr_csr_f32",
                                                 "csc_f32",   "bitmap_f16"};
  return names;
}

Contender contender_of(const std::string& name, const std::string& place) {
  const std::size_t cut = name.rfind('_');
  Contender contender{name, place, ContenderKind::kUnstructured, name.substr(0, cut), name.substr(cut + 1)};
  if (contender.format == "dense") contender.kind = ContenderKind::kDense;
  if (contender.format.rfind("sp", 0) == 0) contender.kind = ContenderKind::kStructured;
  return contender;
}

class StudyReader {
 public:
  StudyReader(const std::string& file, const std::vector<Override>& overrides)
      : root_(ConfigNode::load(file, overrides)) {
    study_.file = file;
  }

  Study read() {
    root_.allow_keys({"title", "gpus", "shapes", "density", "kernels", "gemm_tiles", "options", "library"});
    if (const auto title = root_.find("title")) study_.title = title->text();
    for (const auto& [name, node] : named_entries(root_, "gpus")) study_.gpus.push_back(read_gpu_variant(name, node));
    for (const auto& [name, node] : named_entries(root_, "shapes")) read_shape(name, node);
    read_densities();
    for (const ConfigNode& node : filled_list(root_.at("kernels"))) read_contender(node);
    if (const auto tiles = root_.find("gemm_tiles")) {
      for (const ConfigNode& tile : filled_list(*tiles)) study_.gemm_tiles.push_back(tile.text());
    }
    if (const auto options = root_.find("options")) read_options(*options);
    const auto library = root_.find("library");
    study_.kernels_folder = library ? library->file_path() : default_kernels_folder();
    return std::move(study_);
  }

 private:
  /// Sizes that a file of weights fixes.
  void read_weights(const ConfigNode& node, StudyShape& shape) {
    shape.weights = node.file_path();
    const WeightMatrix weights = read_npy(shape.weights);
    shape.m = weights.rows;
    shape.k = weights.columns;
  }

  void read_matrix(const ConfigNode& node, StudyShape& shape) {
    shape.matrix = node.file_path();
    const SparseMatrix matrix = read_matrix_market(shape.matrix);
    shape.m = matrix.rows;
    shape.k = matrix.columns;
    shape.density = matrix.density();
  }

  void read_shape(const std::string& name, const ConfigNode& node) {
    node.allow_keys({"m", "n", "k", "weights", "matrix"});
    StudyShape shape;
    shape.name = name;
    shape.place = node.where();
    const auto weights = node.find("weights"), matrix = node.find("matrix");
    if (weights && matrix) node.fail("has both 'weights' and 'matrix'; one of them is needed");
    if (weights || matrix) {
      for (const char* key : {"m", "k"}) {
        if (const auto size = node.find(key)) size->fail("is that of the file; leave it out");
      }
      weights ? read_weights(*weights, shape) : read_matrix(*matrix, shape);
    } else {
      shape.m = static_cast<int>(node.at("m").integer(1, kLargestSize));
      shape.k = static_cast<int>(node.at("k").integer(1, kLargestSize));
    }
    shape.n = static_cast<int>(node.at("n").integer(1, kLargestSize));
    study_.shapes.push_back(shape);
  }

  void read_densities() {
    for (const ConfigNode& node : filled_list(root_.at("density"))) {
      const double density = node.number();
      if (!(density > 0 && density <= 1)) {
        node.fail(
            fmt::format("is {}, but the share of elements that are kept lies above 0 and is at most 1", node.text()));
      }
      if (std::find(study_.densities.begin(), study_.densities.end(), density) != study_.densities.end()) {
        node.fail(fmt::format("{} is given twice", node.text()));
      }
      study_.densities.push_back(density);
    }
    std::sort(study_.densities.begin(), study_.densities.end(), std::greater<>());
  }

  void read_contender(const ConfigNode& node) {
    const std::string name = node.one_of(contender_names());
    for (const Contender& known : study_.contenders) {
      if (known.name == name) node.fail(fmt::format("'{}' is given twice", name));
    }
    study_.contenders.push_back(contender_of(name, node.place()));
  }

  void read_options(const ConfigNode& node) {
    node.allow_keys({"values", "l2", "pad", "seed"});
    if (const auto values = node.find("values")) study_.full_values = values->one_of({"addresses", "full"}) == "full";
    if (const auto l2 = node.find("l2")) study_.warm_l2 = l2->one_of({"cold", "warm"}) == "warm";
    if (const auto pad = node.find("pad")) study_.pad = pad->flag();
    if (const auto seed = node.find("seed")) study_.seed = static_cast<std::uint64_t>(seed->integer(0, INT64_MAX));
  }

  ConfigNode root_;
  Study study_;
};

}  // namespace

std::string StudyShape::sizes() const { return fmt::format("{} x {} x {}", m, n, k); }

std::vector<double> Study::densities_of(const StudyShape& shape) const {
  return shape.matrix.empty() ? densities : std::vector<double>{shape.density};
}

Study read_study(const std::string& file, const std::vector<Override>& overrides) {
  return StudyReader(file, overrides).read();
}

}  // namespace stc::sim
