// SPDX-License-Identifier: Apache-2.0
#include "models/isa/mma/mma_catalogue.h"

#include <stdexcept>

#include "models/core/architecture.h"
#include "models/sparsity/metadata_layout.h"

namespace stc::isa {
namespace {

using F = NumberFormat;

void add(std::vector<MmaCatalogueEntry>& out, F a, F b, F c, bool sparse, std::initializer_list<int> depths,
         bool emulated = false, bool saturate = false) {
  for (const int k : depths) {
    MmaCatalogueEntry entry;
    entry.op.k = static_cast<std::uint16_t>(k);
    entry.op.a = a;
    entry.op.b = b;
    entry.op.c = c;
    entry.op.sparse = sparse;
    entry.op.saturate = saturate;
    entry.emulated = emulated;
    if (sparse) {
      entry.op.pattern = nvidia_pattern(a);
      entry.selectors = sparsity::MetadataLayout(entry.op.pattern, k, bits_of(a)).selectors();
    }
    out.push_back(entry);
  }
}

void add_integers(std::vector<MmaCatalogueEntry>& out, F first, F second, bool sparse,
                  std::initializer_list<int> depths, bool emulated) {
  for (const F a : {first, second}) {
    for (const F b : {first, second}) {
      add(out, a, b, F::s32, sparse, depths, emulated, false);
      add(out, a, b, F::s32, sparse, depths, emulated, true);
    }
  }
}

}  // namespace

std::vector<MmaCatalogueEntry> mma_catalogue(int sm_version) {
  const Architecture& architecture = architecture_of(sm_version);
  const bool emulates_int4 = architecture.emulates_int4_mma;
  std::vector<MmaCatalogueEntry> out;
  for (const F c : {F::f32, F::f16}) add(out, F::f16, F::f16, c, false, {8, 16});
  add(out, F::bf16, F::bf16, F::f32, false, {8, 16});
  add(out, F::tf32, F::tf32, F::f32, false, {4, 8});
  for (const F c : {F::f32, F::f16}) add(out, F::f16, F::f16, c, true, {16, 32});
  add(out, F::bf16, F::bf16, F::f32, true, {16, 32});
  add(out, F::tf32, F::tf32, F::f32, true, {8, 16});
  add_integers(out, F::s8, F::u8, false, {16, 32}, false);
  add_integers(out, F::s8, F::u8, true, {32, 64}, false);
  add_integers(out, F::s4, F::u4, false, {32, 64}, emulates_int4);
  add_integers(out, F::s4, F::u4, true, {64, 128}, emulates_int4);
  if (architecture.has_fp8_mma) {
    for (const F a : {F::e4m3, F::e5m2}) {
      for (const F b : {F::e4m3, F::e5m2}) {
        for (const F c : {F::f32, F::f16}) add(out, a, b, c, false, {16, 32}, true);
        add(out, a, b, F::f32, true, {64}, true);
      }
    }
  }
  return out;
}

std::vector<MmaCatalogueEntry> warpgroup_catalogue(int sm_version) {
  std::vector<MmaCatalogueEntry> out;
  if (architecture_of(sm_version).family != CodeFamily::kHopper) return out;
  for (const bool sparse : {false, true}) {
    const int k16 = sparse ? 32 : 16;
    for (const F c : {F::f32, F::f16}) add(out, F::f16, F::f16, c, sparse, {k16});
    add(out, F::bf16, F::bf16, F::f32, sparse, {k16});
    add(out, F::tf32, F::tf32, F::f32, sparse, {k16 / 2});
    for (const F a : {F::e4m3, F::e5m2}) {
      for (const F b : {F::e4m3, F::e5m2}) {
        for (const F c : {F::f32, F::f16}) add(out, a, b, c, sparse, {k16 * 2});
      }
    }
    add_integers(out, F::s8, F::u8, sparse, {k16 * 2}, false);
  }
  for (MmaCatalogueEntry& entry : out) {
    entry.op.warpgroup = true;
    entry.op.m = 64;
    entry.op.n = 256;
  }
  return out;
}

namespace {

MmaCatalogueEntry find_warpgroup_mma(int sm_version, const MmaOp& op) {
  const bool has_columns = !is_integer(op.a) || op.n <= 32 || op.n % 16 == 0;
  std::string depths;
  for (MmaCatalogueEntry& entry : warpgroup_catalogue(sm_version)) {
    entry.op.n = op.n;
    if (entry.op == op && has_columns) return entry;
    MmaOp same_formats = entry.op;
    same_formats.k = op.k;
    if (same_formats == op && entry.op.k != op.k) depths = " (it has " + entry.op.name() + ")";
  }
  if (!has_columns) depths = " (columns of integers above 32 are multiples of 16)";
  throw std::invalid_argument("sm_" + std::to_string(sm_version) + " has no " + op.name() +
                              (depths.empty() ? " (see stcsim mma --list)" : depths));
}

}  // namespace

MmaCatalogueEntry find_mma(int sm_version, const MmaOp& op) {
  if (op.warpgroup) return find_warpgroup_mma(sm_version, op);
  std::string depths;
  for (const MmaCatalogueEntry& entry : mma_catalogue(sm_version)) {
    if (entry.op == op) return entry;
    MmaOp same_formats = entry.op;
    same_formats.k = op.k;
    if (same_formats == op) depths += (depths.empty() ? "" : ", ") + entry.op.name();
  }
  throw std::invalid_argument("sm_" + std::to_string(sm_version) + " has no " + op.name() +
                              (depths.empty() ? " (see stcsim mma --list)" : " (it has " + depths + ")"));
}

}  // namespace stc::isa
