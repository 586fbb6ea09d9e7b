// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/spmm_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/base/error.h"
#include "sim/crossover/parts_of_k.h"

namespace stc::sim {
namespace {

std::uint32_t tiles(std::int64_t size, int tile) { return static_cast<std::uint32_t>((size + tile - 1) / tile); }

/// Collects buffers and arguments in the order of the kernel's parameters.
class LaunchBuilder {
 public:
  LaunchBuilder(const SpmmKernel& kernel, int sm_version) : kernel_(kernel) {
    const auto cubin = kernel.cubins.find(sm_version);
    if (cubin == kernel.cubins.end()) {
      throw UserError(fmt::format("kernel {} has no cubin for sm_{}", kernel.name, sm_version));
    }
    launch_.module = cubin->second;
    launch_.kernel = kernel.name;
    launch_.block = {kernel.threads, 1, 1};
    launch_.dynamic_shared_bytes = kernel.shared_bytes;
  }

  template <class T>
  LaunchBuilder& array(const char* name, DataRole role, const std::vector<T>& data) {
    // Kernels read entries four at a time.
    std::vector<std::uint8_t> bytes((data.size() * sizeof(T) + 15) / 16 * 16 + 16);
    if (!data.empty()) std::memcpy(bytes.data(), data.data(), data.size() * sizeof(T));
    return buffer(name, role, std::move(bytes));
  }
  LaunchBuilder& indices(const char* name, const std::vector<std::uint32_t>& data) {
    if (kernel_.element == ElementType::f32) return array(name, DataRole::kMetadata, data);
    return array(name, DataRole::kMetadata, std::vector<std::uint16_t>(data.begin(), data.end()));
  }
  LaunchBuilder& values(const char* name, DataRole role, const std::vector<float>& data) {
    return array(name, role, encode_elements(data, kernel_.element));
  }
  LaunchBuilder& output(int m, int n) {
    return buffer("D", DataRole::kOutput,
                  isa::BufferBytes::zeros(static_cast<std::size_t>(m) * static_cast<std::size_t>(n) * 4));
  }
  LaunchBuilder& integer(std::int64_t value) {
    launch_.arguments.push_back(Argument::i32(static_cast<std::int32_t>(value)));
    return *this;
  }
  LaunchBuilder& shared(int bytes) {
    launch_.dynamic_shared_bytes = static_cast<std::uint32_t>(bytes);
    return *this;
  }
  PreparedLaunch grid(std::uint32_t x, std::uint32_t y = 1, int z = 1) {
    launch_.grid = {x, y, static_cast<std::uint32_t>(z)};
    return std::move(launch_);
  }

 private:
  LaunchBuilder& buffer(const char* name, DataRole role, isa::BufferBytes bytes) {
    launch_.buffers.push_back({name, role, std::move(bytes), std::nullopt, ""});
    launch_.arguments.push_back(Argument::address_of(name));
    return *this;
  }

  const SpmmKernel& kernel_;
  PreparedLaunch launch_;
};

constexpr DataRole kValues = DataRole::kWeight, kPlaces = DataRole::kMetadata, kDense = DataRole::kActivation;

}  // namespace

int parts_of_k(const SpmmKernel& kernel, int m, int n, int k, int sms) {
  if (kernel.format != SpmmFormat::kSgemm && kernel.format != SpmmFormat::kBitmap) return 1;
  const bool sgemm = kernel.format == SpmmFormat::kSgemm;
  const std::int64_t all = std::int64_t{tiles(m, kernel.tile_m)} * tiles(n, kernel.tile_n);
  return parts_of_k(all, k, sgemm ? 64 : 256, std::int64_t{kernel.ctas_per_sm} * sms, sms, sgemm);
}

PreparedLaunch prepare_spmm(const SpmmKernel& kernel, const SpmmOperands& o, int sm_version, int parts) {
  LaunchBuilder launch(kernel, sm_version);
  const SparseMatrix &a = o.sparse_a, &b = o.sparse_b;
  const std::uint32_t across = kernel.tile_n > 0 ? tiles(o.n, kernel.tile_n) : 1, down = tiles(o.m, kernel.tile_m);
  switch (kernel.format) {
    case SpmmFormat::kCsr:
      launch.array("order", kPlaces, rows_by_length(a)).array("offsets", kPlaces, a.offsets);
      launch.indices("indices", a.indices).values("values", kValues, a.values).values("B", kDense, o.dense_b);
      return launch.output(o.m, o.n).integer(o.m).integer(o.n).grid(down, across);
    case SpmmFormat::kEll: {
      const EllArrays ell = ell_of(a);
      launch.indices("indices", ell.indices).values("values", kValues, ell.values).values("B", kDense, o.dense_b);
      return launch.output(o.m, o.n).integer(o.m).integer(o.n).integer(ell.width).grid(down, across);
    }
    case SpmmFormat::kCoo:
      launch.array("rows", kPlaces, entry_rows(a)).indices("indices", a.indices).values("values", kValues, a.values);
      launch.values("B", kDense, o.dense_b).output(o.m, o.n).integer(a.entries()).integer(o.n);
      return launch.grid(std::max(1U, tiles(a.entries(), kernel.tile_m)), across);
    case SpmmFormat::kCsrCsr:
      launch.array("order", kPlaces, rows_by_length(a)).array("offsetsA", kPlaces, a.offsets);
      launch.indices("indicesA", a.indices).values("valuesA", kValues, a.values);
      launch.array("offsetsB", kPlaces, b.offsets).indices("indicesB", b.indices).values("valuesB", kValues, b.values);
      return launch.output(o.m, o.n).integer(o.n).shared(o.n * 4).grid(static_cast<std::uint32_t>(o.m));
    case SpmmFormat::kCsc: {
      const SparseMatrix columns = transposed(b);
      launch.values("A", kDense, o.dense_a).array("offsets", kPlaces, columns.offsets);
      launch.indices("indices", columns.indices).values("values", kValues, columns.values).output(o.m, o.n);
      return launch.integer(o.m).integer(o.n).integer(o.k).grid(down, across);
    }
    case SpmmFormat::kSgemm:
      launch.values("A", kValues, o.dense_a).values("B", kDense, o.dense_b).output(o.m, o.n);
      return launch.integer(o.n).integer(o.k).grid(down, across, parts);
    case SpmmFormat::kBitmap: break;
  }
  const BitmapArrays bitmap = bitmap_of(a);
  launch.array("offsets", kPlaces, bitmap.offsets).array("bitmaps", kPlaces, bitmap.bitmaps);
  launch.values("values", kValues, bitmap.values).values("B", kDense, o.dense_b).output(o.m, o.n);
  return launch.integer(o.m).integer(o.n).integer(o.k).grid(down, across, parts);
}

StorageBytes storage_of(const PreparedLaunch& launch) {
  StorageBytes bytes;
  for (const PreparedBuffer& buffer : launch.buffers) {
    if (buffer.role == kValues) bytes.values += buffer.data.size();
    if (buffer.role == kPlaces) bytes.indices += buffer.data.size();
  }
  return bytes;
}

}  // namespace stc::sim
