// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/explore/sweep.h"
#include "sim/formats/pattern_text.h"
#include "sim/formats/weight_matrix.h"
#include "sim/launch/config_values.h"
#include "sim/launch/manifest.h"

namespace stc::sim {
namespace {

constexpr std::int64_t kLargestSize = std::int64_t{1} << 24;

/// The names in use; what the user may refer to.
template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Named& item : items) names.push_back(item.name);
  return names;
}

template <class Named>
std::size_t index_of(const ConfigNode& node, const char* kind, const std::vector<Named>& items) {
  const std::string name = node.text();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == name) return i;
  }
  node.fail(unknown_word(kind, name, names_of(items)));
}

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  return all;
}

class SweepReader {
 public:
  SweepReader(const std::string& file, const std::vector<Override>& overrides)
      : root_(ConfigNode::load(file, overrides)) {
    sweep_.file = file;
  }

  Sweep read() {
    root_.allow_keys({"title", "gpus", "shapes", "tiles", "weights", "options", "kernels", "grid", "points"});
    if (const auto title = root_.find("title")) sweep_.title = title->text();
    for (const auto& [name, node] : named_entries(root_, "gpus")) sweep_.gpus.push_back(read_gpu_variant(name, node));
    for (const auto& [name, node] : named_entries(root_, "shapes")) read_shape(name, node);
    for (const ConfigNode& node : filled_list(root_.at("tiles"))) sweep_.tiles.push_back(read_tile(node));
    if (const auto weights = root_.find("weights")) read_weights(*weights);
    if (const auto options = root_.find("options")) read_options(*options);
    const auto kernels = root_.find("kernels");
    sweep_.kernels_folder = kernels ? kernels->file_path() : default_kernels_folder();
    if (const auto grid = root_.find("grid")) read_grid(*grid);
    if (const auto points = root_.find("points")) {
      for (const ConfigNode& node : filled_list(*points)) read_point(node);
    }
    if (sweep_.cases.empty()) {
      throw UserError(fmt::format("{}: describes no point: 'grid' or 'points' is needed", sweep_.file));
    }
    add_references();
    return std::move(sweep_);
  }

 private:
  void read_shape(const std::string& name, const ConfigNode& node) {
    node.allow_keys({"m", "n", "k"});
    const auto size = [&](const char* key) { return static_cast<int>(node.at(key).integer(1, kLargestSize)); };
    sweep_.shapes.push_back({name, node.where(), size("m"), size("n"), size("k")});
  }

  static SweepTile read_tile(const ConfigNode& node) {
    node.allow_keys({"tile", "warp", "stages"});
    SweepTile tile;
    tile.place = node.place();
    const std::vector<int> sizes = read_tile_sizes(node.at("tile"), 3);
    tile.m = sizes[0];
    tile.n = sizes[1];
    tile.k = sizes[2];
    if (const auto warp = node.find("warp")) {
      const std::vector<int> warp_sizes = read_tile_sizes(*warp, 2);
      tile.warp_m = warp_sizes[0];
      tile.warp_n = warp_sizes[1];
    }
    if (const auto stages = node.find("stages")) tile.stages = static_cast<int>(stages->integer(2, 8));
    return tile;
  }

  void read_weights(const ConfigNode& node) {
    node.allow_keys({"file", "distribution", "seed"});
    if (const auto file = node.find("file")) {
      if (node.find("distribution")) node.fail("has both 'file' and 'distribution'; one of them is needed");
      sweep_.weights.file = file->file_path();
    }
    if (const auto name = node.find("distribution")) sweep_.weights.distribution = name->one_of(distribution_names());
    if (const auto seed = node.find("seed")) {
      sweep_.weights.seed = static_cast<std::uint64_t>(seed->integer(0, INT64_MAX));
    }
  }

  void read_options(const ConfigNode& node) {
    node.allow_keys({"kernels", "l2", "pad"});
    if (const auto kernels = node.find("kernels"))
      sweep_.compiled = kernels->one_of({"built", "compiled"}) == "compiled";
    if (const auto l2 = node.find("l2")) sweep_.warm_l2 = l2->one_of({"cold", "warm"}) == "warm";
    if (const auto pad = node.find("pad")) sweep_.pad = pad->flag();
  }

  static sparsity::Pattern read_one_pattern(const ConfigNode& node) {
    return read_pattern(node.text(), fmt::format("{}: {}", node.place(), node.path()));
  }

  void read_grid(const ConfigNode& node) {
    node.allow_keys({"pattern", "gpu", "shape", "type"});
    std::vector<sparsity::Pattern> patterns;
    for (const ConfigNode& element : filled_list(node.at("pattern"))) patterns.push_back(read_one_pattern(element));
    std::vector<isa::NumberFormat> types;
    if (const auto list = node.find("type")) {
      for (const ConfigNode& element : filled_list(*list)) types.push_back(read_multiplicand_type(element));
    } else {
      types.push_back(isa::NumberFormat::f16);
    }
    const auto chosen = [&](const char* key, const auto& items) {
      const auto list = node.find(key);
      if (!list) return all_of(items.size());
      std::vector<std::size_t> indices;
      for (const ConfigNode& element : filled_list(*list)) indices.push_back(index_of(element, key, items));
      return indices;
    };
    const std::vector<std::size_t> gpus = chosen("gpu", sweep_.gpus), shapes = chosen("shape", sweep_.shapes);
    for (const std::size_t gpu : gpus) {
      for (const std::size_t shape : shapes) {
        for (const isa::NumberFormat type : types) {
          for (const sparsity::Pattern& pattern : patterns) {
            add({node.place(), gpu, shape, type, pattern, all_of(sweep_.tiles.size()), false});
          }
        }
      }
    }
  }

  void read_point(const ConfigNode& node) {
    node.allow_keys({"pattern", "gpu", "shape", "type", "tile"});
    SweepCase one;
    one.place = node.place();
    one.gpu = index_of(node.at("gpu"), "gpu", sweep_.gpus);
    one.shape = index_of(node.at("shape"), "shape", sweep_.shapes);
    one.pattern = read_one_pattern(node.at("pattern"));
    if (const auto type = node.find("type")) one.type = read_multiplicand_type(*type);
    const auto tile = node.find("tile");
    if (!tile || (tile->is_scalar() && tile->text() == "best")) {
      one.tiles = all_of(root_.at("tiles").elements().size());
    } else {
      sweep_.tiles.push_back(read_tile(*tile));
      one.tiles = {sweep_.tiles.size() - 1};
    }
    add(one);
  }

  void add(const SweepCase& added) {
    for (const SweepCase& known : sweep_.cases) {
      if (!known.same_question(added)) continue;
      throw UserError(fmt::format("{}: pattern {}, GPU {}, shape {}, type {} was asked for before", added.place,
                                  added.pattern.name(), sweep_.gpus[added.gpu].name, sweep_.shapes[added.shape].name,
                                  isa::name_of(added.type)));
    }
    sweep_.cases.push_back(added);
  }

  void add_references() {
    const std::vector<SweepCase> asked = sweep_.cases;
    for (const SweepCase& one : asked) {
      SweepCase dense = one;
      dense.pattern = {};
      dense.reference = true;
      const auto known = std::find_if(sweep_.cases.begin(), sweep_.cases.end(),
                                      [&](const SweepCase& other) { return other.same_question(dense); });
      if (known == sweep_.cases.end()) {
        sweep_.cases.push_back(dense);
      } else if (known->reference) {
        // Points of one question may name tiles of their own: the reference tries all of them.
        for (const std::size_t tile : one.tiles) {
          if (std::find(known->tiles.begin(), known->tiles.end(), tile) == known->tiles.end()) {
            known->tiles.push_back(tile);
          }
        }
      }
    }
  }

  ConfigNode root_;
  Sweep sweep_;
};

}  // namespace

Sweep read_sweep(const std::string& file, const std::vector<Override>& overrides) {
  return SweepReader(file, overrides).read();
}

}  // namespace stc::sim
