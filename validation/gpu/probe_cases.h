// SPDX-License-Identifier: Apache-2.0
// Operand register images for matrix instructions, the same on every machine: case n of an op is a function of
// the op's name, its selector and n alone, so that a model can regenerate the inputs of which only a hash of the
// hardware's outputs was kept.
//
// Cases come in chunks of kChunk; chunk c uses distribution c mod 9 and, for sparse ops, metadata class
// (c / 9) mod 3. Elements are drawn in the order operand, lane, register, low bits first; see probe_cases.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stc::gpu_probe {

/// A matrix instruction and the registers per lane that it takes.
struct ProbeOp {
  std::string name;    ///< as PTX spells it, without .sync.aligned and .row.col
  std::string kernel;  ///< of probe_mma.cu
  int a_registers = 0, b_registers = 0, c_registers = 0;
  int k = 0;            ///< logical depth
  std::string a, b, c;  ///< element formats
  bool sparse = false;
  int selector = 0;
  bool needs_sm89 = false;
};

/// All ops and selectors of probe_ops.h, dense first.
const std::vector<ProbeOp>& probe_ops();

enum class Distribution { normal, wide, raw, cancellation, subnormal, special, powers, tiny, mixed };
constexpr int kDistributions = 9;
enum class Metadata { ordered, distinct, any };
constexpr int kMetadataClasses = 3;
constexpr int kChunk = 64;                                       ///< cases hashed together
constexpr int kChunksPerOp = 135;                                ///< 8640 cases, 1.1 million outputs
constexpr int kGoldenCases = kDistributions * kMetadataClasses;  ///< the first case of each of the first 27 chunks

const char* name_of(Distribution distribution);
const char* name_of(Metadata metadata);
Distribution distribution_of(std::uint64_t case_index);
Metadata metadata_of(std::uint64_t case_index);

/// Register images of consecutive cases: [case][lane][register], 32 lanes.
struct Images {
  std::vector<std::uint32_t> a, b, c, e;
  void resize(const ProbeOp& op, std::size_t cases);
  std::size_t cases() const { return e.size() / 32; }
};

/// Writes case `case_index` of `op` into place `slot` of `images`.
void make_case(const ProbeOp& op, std::uint64_t case_index, Images& images, std::size_t slot);

/// FNV-1a over 32-bit words (64-bit state, one multiplication a word).
std::uint64_t hash_words(const std::uint32_t* words, std::size_t count);

/// Bits per element of a format.
int bits_of(const std::string& format);
/// The bits of `value`, which the format must hold exactly (tf32: in the upper 19 of 32 bits).
std::uint32_t encode(const std::string& format, double value);

}  // namespace stc::gpu_probe
