// SPDX-License-Identifier: Apache-2.0
// Every compiled GEMM kernel of the library in which warps multiply, for both architectures: two CTAs, small integers,
// results exact.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cstring>
#include <random>

#include "models/isa/values/float_bits.h"
#include "models/sparsity/compress.h"
#include "models/sparsity/metadata_layout.h"
#include "traces/cubin/cubin.h"
#include "validation/functional/functional_runner.h"
#include "validation/gpus.h"

namespace stc::functional {
namespace {

const char* const kLibrary = "traces/kernels/";

struct Element {
  std::uint32_t bytes;
  int instruction_k;  ///< of the sparse instruction
};

Element element_of(const std::string& type) {
  if (type == "s8") return {1, 64};
  if (type == "tf32") return {4, 16};
  return {2, 32};
}

std::uint32_t encode(const std::string& type, int value) {
  if (type == "s8") return static_cast<std::uint8_t>(value);
  const std::uint32_t bits = isa::as_bits(static_cast<float>(value));
  if (type == "tf32") return bits;
  return type == "bf16" ? isa::f32_to_bf16(bits) : isa::f32_to_f16(bits);
}

class GemmKernels : public ::testing::TestWithParam<int> {
 protected:
  std::uint64_t upload(const std::string& name, const std::string& type, const std::vector<int>& values) {
    const std::uint32_t bytes = element_of(type).bytes;
    isa::Allocation& buffer = memory_.allocate(name, values.size() * bytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint32_t bits = encode(type, values[i]);
      std::memcpy(buffer.data.data() + i * bytes, &bits, bytes);
    }
    return buffer.address;
  }

  /// Prunes and compresses A into buffers A and E; `a` becomes what is left of it.
  void upload_sparse(const std::string& type, int m, int k, std::vector<int>& a, Arguments& arguments) {
    const Element element = element_of(type);
    const sparsity::Pattern pattern = type == "tf32" ? sparsity::Pattern{1, 2} : sparsity::Pattern{2, 4};
    const std::vector<float> magnitudes(a.begin(), a.end());
    auto compressed =
        sparsity::compress(pattern, m, k, a.data(), sparsity::prune_by_magnitude(pattern, m, k, magnitudes.data()));
    a = sparsity::decompress(compressed);
    arguments.add(upload("A", type, compressed.values));
    const sparsity::MetadataLayout layout(pattern, element.instruction_k, static_cast<int>(8 * element.bytes));
    const auto words = sparsity::pack_matrix(layout, element.instruction_k, m, k, compressed.indices);
    isa::Allocation& buffer = memory_.allocate("E", words.size() * 4);
    std::memcpy(buffer.data.data(), words.data(), buffer.bytes);
    arguments.add(buffer.address);
  }

  void check(const YAML::Node& entry) {
    memory_ = {};
    const auto type = entry["element"].as<std::string>();
    const bool sparse = entry["pattern"].as<std::string>() != "dense";
    const auto tile = entry["tile"].as<std::vector<int>>();
    const int m = tile[0], n = 2 * tile[1], k = 3 * tile[2];
    std::mt19937 random(1);
    const auto fill = [&](int count) {
      std::vector<int> values(static_cast<std::size_t>(count));
      for (int& v : values) v = static_cast<int>(random() % 9) - 4;
      return values;
    };
    std::vector<int> a = fill(m * k);
    const std::vector<int> b = fill(n * k);
    Arguments arguments;
    if (sparse) {
      upload_sparse(type, m, k, a, arguments);
    } else {
      arguments.add(upload("A", type, a));
    }
    arguments.add(upload("B", type, b));
    arguments.add(memory_.allocate("D", static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(n) * 4).address);
    arguments.add(m).add(n).add(k);

    const std::string cubin = entry["cubins"]["sm_" + std::to_string(GetParam())].as<std::string>();
    const isa::Kernel kernel = cubin::open_cubin(kLibrary + cubin).decode(entry["symbol"].as<std::string>());
    Launch launch;
    launch.grid = {2, 1, 1};
    launch.block = {entry["threads"].as<unsigned>(), 1, 1};
    launch.dynamic_shared_bytes = entry["dynamic_shared_bytes"].as<std::uint32_t>();
    launch.parameters = arguments.bytes();
    run_kernel(kernel, launch, memory_, validation::gpu_of(GetParam()));

    const isa::BufferBytes& d = memory_.find("D")->data;
    for (int row = 0; row < m; ++row) {
      for (int column = 0; column < n; ++column) {
        int expected = 0;
        for (int i = 0; i < k; ++i) {
          expected += a[static_cast<std::size_t>(row * k + i)] * b[static_cast<std::size_t>(column * k + i)];
        }
        std::uint32_t bits;
        std::memcpy(&bits, d.data() + 4 * (row * n + column), 4);
        const int got = type == "s8" ? static_cast<int>(bits) : static_cast<int>(isa::as_float(bits));
        ASSERT_EQ(got, expected) << "D[" << row << ", " << column << "]";
      }
    }
  }

  isa::GlobalMemory memory_;
};

TEST_P(GemmKernels, GiveExactResultsOnSmallIntegers) {
  const YAML::Node manifest = YAML::LoadFile(std::string(kLibrary) + "manifest.yaml");
  ASSERT_GT(manifest["kernels"].size(), 0u);
  for (const YAML::Node& entry : manifest["kernels"]) {
    if (entry["cluster"]) continue;  // warpgroups: validation/silicon/d_hashes_test.cpp
    SCOPED_TRACE(entry["name"].as<std::string>());
    ASSERT_NO_THROW(check(entry));
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, GemmKernels, ::testing::Values(80, 90));

}  // namespace
}  // namespace stc::functional
