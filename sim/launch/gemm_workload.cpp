// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/gemm_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "models/isa/state/tensor_map.h"
#include "models/sparsity/compress.h"
#include "models/sparsity/metadata_layout.h"
#include "sim/base/error.h"
#include "sim/base/text.h"
#include "sim/launch/built_kernel.h"
#include "sim/launch/random.h"

namespace stc::sim {
namespace {

constexpr std::uint64_t kStreamA = 1;
constexpr std::uint64_t kStreamB = 2;

/// Largest whole number up to which every whole number is a value of the type.
double exact_integers(ElementType type) {
  switch (type) {
    case ElementType::f16:
    case ElementType::tf32: return 2048.0;
    case ElementType::bf16: return 256.0;
    case ElementType::e4m3: return 16.0;
    case ElementType::e5m2: return 8.0;
    case ElementType::f32: return 16777216.0;
    default: return static_cast<double>(greatest_of(type));
  }
}

int checked_size(std::int64_t size, int tile, const std::string& place, const LibraryKernel& kernel) {
  if (size % tile != 0) {
    const std::int64_t below = size / tile * tile;
    throw UserError(fmt::format("{} is {}, but must be a multiple of the tile size {} of {} ({}{})", place, size, tile,
                                kernel.name, below > 0 ? fmt::format("{} or ", below) : "", below + tile));
  }
  return static_cast<int>(size);
}

void set_range(GemmProblem& problem, const GemmPlan& plan) {
  const ElementType type = problem.kernel.element;
  const bool whole = is_integer(type);
  problem.integers = whole || plan.input == GemmPlan::Input::kIntegers;
  const double reach = plan.input == GemmPlan::Input::kIntegers ? 4.0 : whole ? exact_integers(type) : 1.0;
  problem.low = plan.low.value_or(-reach);
  problem.high = plan.high.value_or(reach);
  const auto fail = [&](const std::string& why) {
    throw UserError(fmt::format("{}: inputs from {} to {}: {}", plan.input_place, problem.low, problem.high, why));
  };
  if (!std::isfinite(problem.low) || !std::isfinite(problem.high) || problem.low > problem.high) {
    fail("low must not exceed high, both finite");
  }
  const double largest = std::fmax(std::fabs(problem.low), std::fabs(problem.high));
  if (!whole && !holds(type, largest)) fail(range_text(type));
  if (!problem.integers) return;
  if (problem.low != std::floor(problem.low) || problem.high != std::floor(problem.high)) fail("must be whole numbers");
  if (largest > exact_integers(type)) {
    fail(fmt::format("{} holds all whole numbers only up to {}", name_of(type), exact_integers(type)));
  }
  const int bits = type == ElementType::e4m3 ? 14 : 24;  // what the tensor core keeps of sums of 8-bit floats
  if (!is_integer(problem.kernel.accumulator) && largest * largest * problem.k > std::ldexp(1.0, bits)) {
    fail(fmt::format("with k = {} a sum may exceed 2^{}, beyond which {} no longer holds every whole number", problem.k,
                     bits, bits == 24 ? "f32" : "a sum of 8-bit floats"));
  }
}

/// Given operands must be values of the kernel's type; those of a sparse kernel must have its pattern.
void require_exact(const std::vector<float>& values, int columns, ElementType type, const char* name) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<double>(values[i]);
    const auto at = [&] {
      const auto width = static_cast<std::size_t>(columns);
      return name[0] == 'A' ? fmt::format("A[{}, {}]", i / width, i % width)
                            : fmt::format("B[{}, {}]", i % width, i / width);
    };
    if (!std::isfinite(value)) throw UserError(fmt::format("{} is {}, but must be finite", at(), value));
    if (!holds(type, value) || (is_integer(type) && value != std::floor(value))) {
      throw UserError(fmt::format("{} is {}, but {}", at(), value, range_text(type)));
    }
    if (decode(type, encode(type, value)) != value) {
      throw UserError(
          fmt::format("{} is {}, which is no value of {}; round the matrix first", at(), value, name_of(type)));
    }
  }
}

void take_given(GemmProblem& problem, const GivenMatrices& given) {
  const LibraryKernel& kernel = problem.kernel;
  require_exact(given.a, problem.k, kernel.element, "A");
  require_exact(given.b, problem.k, kernel.element, "B");
  if (kernel.sparse()) {
    if (const auto wrong = sparsity::check_pruned(kernel.pattern(), problem.m, problem.k, given.a.data())) {
      throw UserError(fmt::format("A: {}, which {} cannot store; prune it first", wrong->message, kernel.name));
    }
  }
  problem.integers = is_integer(kernel.element);
  for (const std::vector<float>* values : {&given.a, &given.b}) {
    const auto [low, high] = std::minmax_element(values->begin(), values->end());
    problem.low = std::fmin(problem.low, static_cast<double>(*low));
    problem.high = std::fmax(problem.high, static_cast<double>(*high));
  }
}

std::vector<float> make_matrix(const GemmProblem& problem, std::uint64_t stream, std::size_t count) {
  const Random random(problem.seed, stream);
  const auto low = static_cast<std::int64_t>(problem.low);
  const auto high = static_cast<std::int64_t>(problem.high);
  std::vector<float> matrix(count);
  for (std::size_t i = 0; i < count; ++i) {
    matrix[i] = problem.integers ? static_cast<float>(random.integer(i, low, high))
                                 : static_cast<float>(random.real(i, problem.low, problem.high));
  }
  // A whole number within the checked range is exact in the type.
  if (!problem.integers) round_elements(matrix, problem.kernel.element);
  return matrix;
}

std::vector<std::uint32_t> metadata_words(const GemmProblem& problem, const std::vector<std::uint8_t>& indices) {
  if (problem.kernel.spec) {
    try {
      return gemm::pack_metadata(*problem.kernel.spec, problem.m, problem.k, indices);
    } catch (const std::invalid_argument& error) {
      throw UserError(fmt::format("{}: {}; with options.values: addresses no metadata is needed", problem.kernel.name,
                                  error.what()));
    }
  }
  // The deepest sparse instruction of every type reads 512 bits of dense k; one metadata register serves as many of
  // them as there are selectors.
  const int bits = 8 * bytes_of(problem.kernel.element);
  const int instruction_k = 512 / bits;
  const sparsity::MetadataLayout layout(problem.kernel.pattern(), instruction_k, bits);
  return sparsity::pack_matrix(layout, instruction_k, problem.m, problem.k, indices);
}

std::vector<std::uint8_t> pack_metadata(const GemmProblem& problem, const std::vector<std::uint8_t>& indices) {
  const std::vector<std::uint32_t> words = metadata_words(problem, indices);
  std::vector<std::uint8_t> bytes(words.size() * sizeof(std::uint32_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

isa::TensorType tensor_type(ElementType type) {
  switch (type) {
    case ElementType::f16: return isa::TensorType::kF16;
    case ElementType::bf16: return isa::TensorType::kBf16;
    default: return isa::TensorType::kU8;
  }
}

std::uint64_t product(std::int64_t a, std::int64_t b, std::int64_t c) { return static_cast<std::uint64_t>(a * b * c); }

std::uint64_t metadata_bytes(const GemmProblem& problem) {
  const LibraryKernel& kernel = problem.kernel;
  if (kernel.spec) {
    return gemm::geometry(*kernel.spec)
        .metadata_bytes(static_cast<std::uint64_t>(problem.m), static_cast<std::uint64_t>(problem.k));
  }
  return kernel.sparse() ? product(problem.k / kernel.metadata_k, problem.m / 16, std::int64_t{32} * 4) : 0;
}

/// The tensor map of A or B: boxes are what one tensor copy of a warpgroup kernel takes, its rows are lines of shared
/// memory (traces/kernels/README.md).
Argument map_of(const GemmProblem& problem, const std::string& name) {
  const LibraryKernel& kernel = problem.kernel;
  const bool weights = name == "A";
  const int stored = weights ? kernel.stored : 1, group = weights ? kernel.group : 1;
  isa::TensorMap map;
  map.type = tensor_type(kernel.element);
  map.rank = 2;
  map.size[0] = static_cast<std::uint64_t>(problem.k * std::int64_t{stored} / group);
  map.size[1] = static_cast<std::uint64_t>(weights ? problem.m : problem.n);
  map.stride[1] = map.size[0] * static_cast<std::uint64_t>(bytes_of(kernel.element));
  // A k-tile of B that is longer than a line of shared memory comes line by line.
  const int line = 128 / bytes_of(kernel.element);
  map.box[0] = static_cast<std::uint32_t>(std::min(line, kernel.tile_k * stored / group));
  map.box[1] = static_cast<std::uint32_t>(weights ? kernel.tile_m : kernel.tile_n / kernel.cluster);
  map.swizzle = map.row_bytes() == 128 ? 3 : 2;
  map.promotion = 3;
  if (const std::string wrong = isa::encoding_problem(map); !wrong.empty()) {
    throw UserError(fmt::format("{} has no tensor map: {}", name, wrong));
  }
  const isa::TensorMapBytes bytes = isa::encode_tensor_map(map);
  Argument argument;
  argument.bytes.assign(bytes.begin(), bytes.end());
  argument.pointers.push_back({0, name, 0, "0"});
  argument.spelling = fmt::format("tensor_map: {}", name);
  return argument;
}

/// An argument as the manifest names it.
Argument argument_of(const GemmProblem& problem, const std::string& name) {
  if (name == "map_A" || name == "map_B") return map_of(problem, name.substr(4));
  if (name == "m") return Argument::i32(problem.m);
  if (name == "n") return Argument::i32(problem.n);
  return name == "k" ? Argument::i32(problem.k) : Argument::address_of(name);
}

const LibraryKernel& library_kernel(const GemmPlan& plan, const Manifest& manifest) {
  if (plan.kernel.empty()) {
    throw UserError(plan.place + ": 'best' is found by simulating; name a kernel here (stcsim run tells which one)");
  }
  const LibraryKernel* kernel = manifest.find(plan.kernel);
  if (kernel == nullptr) {
    throw UserError(fmt::format("{}: {}", plan.place, unknown_word("kernel", plan.kernel, manifest.names())));
  }
  if ((plan.type && *plan.type != kernel->element) ||
      (!plan.pattern.empty() && plan.pattern != kernel->pattern_name())) {
    throw UserError(fmt::format("{}: kernel {} has type {} and pattern {}, but {}{}{} is asked for", plan.place,
                                kernel->name, name_of(kernel->element), kernel->pattern_name(),
                                plan.type ? name_of(*plan.type) : "", plan.type && !plan.pattern.empty() ? " " : "",
                                plan.pattern));
  }
  return *kernel;
}

}  // namespace

GemmProblem resolve_gemm(const GemmPlan& plan, const Manifest& manifest) {
  GemmProblem problem;
  problem.kernel = plan.built ? built_kernel(*plan.built, plan.place) : library_kernel(plan, manifest);
  const LibraryKernel& kernel = problem.kernel;
  problem.m = checked_size(plan.m, kernel.tile_m, plan.m_place, kernel);
  problem.n = checked_size(plan.n, kernel.tile_n, plan.n_place, kernel);
  problem.k = checked_size(plan.k, kernel.tile_k, plan.k_place, kernel);
  problem.seed = plan.seed;
  problem.given = plan.given;
  if (plan.given) {
    take_given(problem, *plan.given);
  } else {
    set_range(problem, plan);
  }
  return problem;
}

std::optional<LibraryKernel> dense_twin(const LibraryKernel& kernel, const Manifest& manifest) {
  if (kernel.spec) {
    gemm::GemmSpec spec = *kernel.spec;
    spec.pattern = {};
    return built_kernel(spec, "dense twin of " + kernel.name);
  }
  const LibraryKernel* twin = manifest.dense_twin(kernel);
  return twin == nullptr ? std::nullopt : std::optional<LibraryKernel>(*twin);
}

GemmProblem with_kernel(const GemmProblem& problem, const LibraryKernel& kernel) {
  GemmProblem other = problem;
  other.kernel = kernel;
  return other;
}

GemmMatrices make_matrices(const GemmProblem& problem) {
  GemmMatrices matrices;
  if (problem.given) {
    matrices.a = problem.given->a;
    matrices.b = problem.given->b;
  } else {
    matrices.a = make_matrix(problem, kStreamA, product(problem.m, problem.k, 1));
    matrices.b = make_matrix(problem, kStreamB, product(problem.n, problem.k, 1));
  }
  if (problem.kernel.sparse()) {
    const sparsity::Pattern pattern = problem.kernel.pattern();
    matrices.indices = sparsity::prune_by_magnitude(pattern, problem.m, problem.k, matrices.a.data());
    matrices.a =
        sparsity::decompress(sparsity::compress(pattern, problem.m, problem.k, matrices.a.data(), matrices.indices));
  }
  return matrices;
}

double host_bytes(const GemmProblem& problem, bool values) {
  const LibraryKernel& kernel = problem.kernel;
  const double m = problem.m, n = problem.n, k = problem.k;
  const double stored = m * k * kernel.stored / kernel.group;
  const double buffers = (stored + n * k) * bytes_of(kernel.element) + m * n * bytes_of(kernel.accumulator) +
                         static_cast<double>(metadata_bytes(problem));
  if (!values) return buffers;
  // make_matrices(): A twice while it is pruned, its stored values, and an index for each of them.
  const double pruning = kernel.sparse() ? m * k * sizeof(float) + stored * (sizeof(float) + 1) : 0;
  return buffers + (m * k + n * k) * sizeof(float) + pruning;
}

PreparedLaunch prepare_gemm(const GemmProblem& problem, int sm_version, const GemmMatrices* matrices) {
  const LibraryKernel& kernel = problem.kernel;
  const auto cubin = kernel.cubins.find(sm_version);
  if (cubin == kernel.cubins.end() && !kernel.spec) {
    std::vector<std::string> versions;
    for (const auto& [version, file] : kernel.cubins) versions.push_back(fmt::format("sm_{}", version));
    throw UserError(
        fmt::format("kernel {} has no cubin for sm_{}, only for {}", kernel.name, sm_version, join(versions, ", ")));
  }
  const auto element_bytes = static_cast<std::uint64_t>(bytes_of(kernel.element));
  const auto stored = static_cast<std::uint64_t>(kernel.stored);
  const auto group = static_cast<std::uint64_t>(kernel.group);
  require_host_memory(host_bytes(problem, matrices != nullptr),
                      fmt::format("m = {}, n = {}, k = {}", problem.m, problem.n, problem.k));
  const std::uint64_t a_bytes = product(problem.m, problem.k, 1) * element_bytes * stored / group;
  const std::uint64_t b_bytes = product(problem.n, problem.k, 1) * element_bytes;
  const std::uint64_t d_bytes = product(problem.m, problem.n, bytes_of(kernel.accumulator));
  const std::uint64_t e_bytes = metadata_bytes(problem);

  PreparedLaunch launch;
  if (kernel.spec) {
    launch.built = kernel.spec;
  } else {
    launch.module = cubin->second;
    if (kernel.what_if) launch.as_pattern = kernel.pattern();
  }
  launch.kernel = kernel.symbol;
  launch.persistent = static_cast<std::uint32_t>(kernel.cluster);
  const int together = std::max(1, kernel.cluster);
  const int rows = (problem.m / kernel.tile_m + together - 1) / together * together;
  launch.grid = {static_cast<std::uint32_t>(rows * (problem.n / kernel.tile_n)), 1, 1};
  launch.block = {kernel.threads, 1, 1};
  launch.dynamic_shared_bytes = kernel.dynamic_shared_bytes;
  const auto add = [&](const char* name, DataRole role, std::uint64_t bytes, std::vector<std::uint8_t> data) {
    launch.buffers.push_back({name, role, isa::BufferBytes::padded(std::move(data), bytes), std::nullopt, ""});
  };
  if (matrices == nullptr) {
    add("A", DataRole::kWeight, a_bytes, {});
    if (kernel.sparse()) add("E", DataRole::kMetadata, e_bytes, {});
    add("B", DataRole::kActivation, b_bytes, {});
  } else if (kernel.sparse()) {
    const auto compressed =
        sparsity::compress(kernel.pattern(), problem.m, problem.k, matrices->a.data(), matrices->indices);
    add("A", DataRole::kWeight, a_bytes, encode_elements(compressed.values, kernel.element));
    add("E", DataRole::kMetadata, e_bytes, pack_metadata(problem, matrices->indices));
    add("B", DataRole::kActivation, b_bytes, encode_elements(matrices->b, kernel.element));
  } else {
    add("A", DataRole::kWeight, a_bytes, encode_elements(matrices->a, kernel.element));
    add("B", DataRole::kActivation, b_bytes, encode_elements(matrices->b, kernel.element));
  }
  add("D", DataRole::kOutput, d_bytes, {});
  for (const std::string& name : kernel.arguments) {
    launch.arguments.push_back(argument_of(problem, name));
  }
  return launch;
}

}  // namespace stc::sim
