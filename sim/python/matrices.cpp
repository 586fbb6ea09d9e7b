// SPDX-License-Identifier: Apache-2.0
#include "sim/python/matrices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/arith/convert.h"
#include "models/isa/mma/element_format.h"
#include "models/isa/mma/mma_catalogue.h"
#include "models/isa/products/execute_mma.h"
#include "models/isa/products/mma_trace.h"
#include "models/sparsity/compress.h"
#include "models/sparsity/metadata_layout.h"
#include "sim/base/error.h"
#include "sim/config/gpu_config.h"
#include "sim/launch/element_type.h"

namespace stc::sim {
namespace {

/// What the models refuse is the user's error here.
template <class Work>
auto as_user_error(const Work& work) {
  try {
    return work();
  } catch (const std::invalid_argument& error) {
    throw UserError(error.what());
  }
}

isa::MmaOp parse_op(const std::string& name) {
  const isa::MmaOp op = as_user_error([&] { return isa::parse_mma_name(name); });
  if (op.warpgroup) throw UserError(fmt::format("{}: only operations of a warp are computed here, mma...", name));
  return op;
}

std::uint32_t element_bits(isa::NumberFormat format, double value, const char* operand, std::size_t place) {
  const auto refuse = [&] {
    throw UserError(
        fmt::format("{}: element {} is {}, which is no value of {}", operand, place, value, isa::name_of(format)));
  };
  std::uint32_t bits = 0;
  if (isa::is_integer(format)) {
    if (!(std::fabs(value) <= 4294967296.0) || value != std::floor(value)) refuse();
    bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  } else {
    bits = arith::from_float(isa::float_format(format), static_cast<float>(value));
  }
  const double back = isa::element_value(format, bits);
  if (back != value && !(std::isnan(back) && std::isnan(value))) refuse();
  return bits;
}

std::vector<std::uint32_t> operand_bits(isa::NumberFormat format, const std::vector<double>& values,
                                        const char* operand) {
  std::vector<std::uint32_t> bits(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) bits[i] = element_bits(format, values[i], operand, i);
  return bits;
}

std::vector<float> as_floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

}  // namespace

sparsity::Pattern pattern_of(const std::string& text) {
  return as_user_error([&] { return sparsity::Pattern::parse(text); });
}

std::vector<std::int32_t> stored_columns(const std::string& pattern, int rows, int k,
                                         const std::vector<std::uint8_t>& indices) {
  const sparsity::Pattern of = pattern_of(pattern);
  return as_user_error([&] {
    sparsity::check_shape(of, rows, k);
    if (const auto wrong = sparsity::check_indices(of, rows, k, indices)) throw UserError("indices: " + wrong->message);
    const int stored = k / of.m * of.n, per_row = k / of.group_elements() * of.n;
    std::vector<std::int32_t> columns;
    columns.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(stored));
    for (int row = 0; row < rows; ++row) {
      const std::uint8_t* own = indices.data() + std::ptrdiff_t{row} * per_row;
      sparsity::for_stored(of, k, own, [&](int, int logical) { columns.push_back(logical); });
    }
    return columns;
  });
}

std::vector<std::uint8_t> pruned_indices(const std::string& pattern, int rows, int k,
                                         const std::vector<float>& weights) {
  const sparsity::Pattern of = pattern_of(pattern);
  return as_user_error([&] { return sparsity::prune_by_magnitude(of, rows, k, weights.data()); });
}

std::vector<std::uint8_t> indices_of(const std::string& pattern, int rows, int k, const std::vector<float>& weights) {
  const sparsity::Pattern of = pattern_of(pattern);
  return as_user_error([&] {
    if (const auto wrong = sparsity::check_pruned(of, rows, k, weights.data())) {
      throw UserError(fmt::format("{}; prune it first", wrong->message));
    }
    return sparsity::prune_by_magnitude(of, rows, k, weights.data());
  });
}

std::vector<std::uint32_t> metadata_of(const std::string& pattern, int rows, int k, int element_bits,
                                       const std::vector<std::uint8_t>& indices) {
  const sparsity::Pattern of = pattern_of(pattern);
  const int instruction_k = 512 / element_bits;  // of the deepest sparse instruction of these elements
  return as_user_error([&] {
    const sparsity::MetadataLayout layout(of, instruction_k, element_bits);
    const int step = instruction_k * layout.selectors();
    if (rows % 16 != 0 || k % step != 0) {
      throw UserError(fmt::format(
          "a matrix of {} x {} has no metadata words: rows must be a multiple of 16 and k of {}", rows, k, step));
    }
    return sparsity::pack_matrix(layout, instruction_k, rows, k, indices);
  });
}

std::vector<double> rounded_to(const std::string& type, const std::vector<double>& values) {
  const auto found = element_type_of(type);
  if (!found) throw UserError(fmt::format("unknown type '{}'", type));
  std::vector<double> out(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = is_integer(*found) ? std::nearbyint(values[i]) : values[i];
    if (!holds(*found, value)) {
      throw UserError(fmt::format("element {} is {}, but {}", i, values[i], range_text(*found)));
    }
    out[i] = is_integer(*found) ? value : decode(*found, encode(*found, value));
  }
  return out;
}

MmaShape mma_shape(const std::string& op) {
  const isa::MmaOp parsed = parse_op(op);
  return {parsed.name(),
          parsed.m,
          parsed.n,
          parsed.k,
          parsed.sparse,
          parsed.pattern.name(),
          isa::name_of(parsed.a),
          isa::name_of(parsed.b),
          isa::name_of(parsed.c)};
}

std::vector<double> mma_values(const MmaRequest& request) {
  const gpu::GpuParams gpu = read_gpu_config(request.gpu_file, parse_overrides(request.sets, "gpu.")).params;
  const isa::MmaOp op = as_user_error([&] { return isa::find_mma(gpu.sm_version, parse_op(request.op)).op; });
  std::vector<double> a = request.a;
  std::vector<std::uint16_t> select;
  if (op.sparse) {
    const std::string pattern = op.pattern.name();
    const auto columns = stored_columns(pattern, op.m, op.k, indices_of(pattern, op.m, op.k, as_floats(request.a)));
    a.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::size_t row = i / static_cast<std::size_t>(op.stored_k());
      a[i] = request.a[row * op.k + static_cast<std::size_t>(columns[i])];
      select.push_back(static_cast<std::uint16_t>(columns[i]));
    }
  }
  const auto a_bits = operand_bits(op.a, a, "a"), b_bits = operand_bits(op.b, request.b, "b"),
             c_bits = operand_bits(op.c, request.c, "c");
  std::vector<std::uint32_t> d(c_bits.size());
  isa::mma_matrices(op, gpu.numerics, a_bits.data(), b_bits.data(), op.sparse ? select.data() : nullptr, c_bits.data(),
                    d.data());
  std::vector<double> out(d.size());
  std::transform(d.begin(), d.end(), out.begin(), [&](std::uint32_t bits) { return isa::element_value(op.c, bits); });
  return out;
}

}  // namespace stc::sim
