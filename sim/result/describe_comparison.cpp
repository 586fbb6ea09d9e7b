// SPDX-License-Identifier: Apache-2.0
#include "sim/result/describe_launch.h"
#include "sim/result/describe_run.h"

namespace stc::sim {
namespace {

struct Weights {
  std::uint64_t dense = 0, values = 0, metadata = 0;
};

Json fraction_saved(std::uint64_t with, std::uint64_t without) {
  return without == 0 ? Json(nullptr) : Json(1.0 - share(with, without));
}

Description<Weights> weights() {
  Description<Weights> of("Bytes of A without and with sparsity.");
  of.always("dense", whole_number("bytes", "By the dense kernel."),
            [](const Weights& bytes) { return Json(bytes.dense); });
  of.always("sparse_values", whole_number("bytes", "Stored weights, by the sparse kernel."),
            [](const Weights& bytes) { return Json(bytes.values); });
  of.always("sparse_metadata", whole_number("bytes", "Metadata, by the sparse kernel."),
            [](const Weights& bytes) { return Json(bytes.metadata); });
  of.always("metadata_per_value_byte",
            nullable(real_number("fraction", "sparse_metadata / sparse_values; null when nothing was read.")),
            [](const Weights& bytes) {
              return bytes.values == 0 ? Json(nullptr) : Json(share(bytes.metadata, bytes.values));
            });
  of.always("saved_fraction",
            nullable(signed_number("fraction",
                                   "1 - (sparse_values + sparse_metadata) / dense; null when the dense "
                                   "kernel read nothing.")),
            [](const Weights& bytes) { return fraction_saved(bytes.values + bytes.metadata, bytes.dense); });
  return of;
}

struct Moved {
  std::uint64_t dense = 0, sparse = 0;
};

Description<Moved> moved() {
  Description<Moved> of("All bytes of a level, read and written.");
  of.always("dense", whole_number("bytes", "By the dense kernel."),
            [](const Moved& bytes) { return Json(bytes.dense); });
  of.always("sparse", whole_number("bytes", "By the sparse kernel."),
            [](const Moved& bytes) { return Json(bytes.sparse); });
  of.always("saved_fraction", nullable(signed_number("fraction", "1 - sparse / dense.")),
            [](const Moved& bytes) { return fraction_saved(bytes.sparse, bytes.dense); });
  return of;
}

const LevelBytes& level(const LaunchResult& launch, std::size_t i) { return *levels_of(launch.run)[i].bytes; }

Weights weights_at(const Comparison& both, std::size_t i) {
  const auto weight = static_cast<std::size_t>(DataRole::kWeight);
  const auto metadata = static_cast<std::size_t>(DataRole::kMetadata);
  const LevelBytes& with = level(*both.sparse, i);
  return {level(*both.dense, i).read[weight], with.read[weight], with.read[metadata]};
}

std::uint64_t all_bytes(const LevelBytes& bytes) { return total_bytes(bytes.read) + total_bytes(bytes.write); }

Description<Comparison> all_of_comparison() {
  Description<Comparison> by_level("A, by level; storage: the buffers' sizes."), all_moved("Everything, by level.");
  by_level.always<Weights>("storage", weights(), [](const Comparison& both) {
    return Weights{both.dense->buffer_bytes(DataRole::kWeight), both.sparse->buffer_bytes(DataRole::kWeight),
                   both.sparse->buffer_bytes(DataRole::kMetadata)};
  });
  const gpu::RunStatistics none;
  const auto levels = levels_of(none);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    by_level.always<Weights>(levels[i].key, weights(), [i](const Comparison& both) { return weights_at(both, i); });
    all_moved.always<Moved>(levels[i].key, moved(), [i](const Comparison& both) {
      return Moved{all_bytes(level(*both.dense, i)), all_bytes(level(*both.sparse, i))};
    });
  }
  Description<Comparison> of("Sparse kernel against its dense twin.");
  of.always("speedup", real_number("ratio", "cycles of the dense kernel / cycles of the sparse one."),
            [](const Comparison& both) { return Json(share(both.dense->run.cycles, both.sparse->run.cycles)); });
  of.always("speedup_elapsed", real_number("ratio", "The same for cycles_elapsed."), [](const Comparison& both) {
    return Json(share(both.dense->run.cycles_elapsed, both.sparse->run.cycles_elapsed));
  });
  const auto same = [](const Comparison& both) { return both; };
  of.always<Comparison>("weight_bytes_read", by_level, same);
  of.always<Comparison>("bytes_moved", all_moved, same);
  return of;
}

}  // namespace

const Description<Comparison>& describe_comparison() {
  static const Description<Comparison> description = all_of_comparison();
  return description;
}

}  // namespace stc::sim
