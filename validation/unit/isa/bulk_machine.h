// SPDX-License-Identifier: Apache-2.0
// One warp that asks for bulk and tensor copies.
#pragma once

#include "models/isa/bulk_form.h"
#include "models/isa/state/mbarrier.h"
#include "models/isa/state/tensor_tile.h"
#include "validation/unit/isa/machine.h"

namespace stc::isa {

constexpr std::uint32_t kBarrier = 0x400, kBox = 0x800;

/// A CTA of 64 KiB of shared memory, with a buffer and a tensor map. Uniform registers 4, 8 and 12 begin what an
/// instruction names.
struct BulkMachine : Machine {
  BulkMachine() {
    kernel.sm_version = 90;
    cta.shared.assign(0x10000, 0xa5);
    cta.shared_role.assign(0x1000, 0);
    map_place = memory.allocate("map", 256).address;
    data = &memory.allocate("data", 2 << 20);
  }
  void place(const TensorMap& map) {
    const TensorMapBytes bytes = encode_tensor_map(map);
    std::memcpy(memory.translate(map_place, kTensorMapBytes), bytes.data(), bytes.size());
  }
  void set_uniform(std::size_t at, std::uint32_t value) { warp.ur[at] = value; }
  void set_long(std::size_t at, std::uint64_t value) {
    warp.ur[at] = static_cast<std::uint32_t>(value);
    warp.ur[at + 1] = static_cast<std::uint32_t>(value >> 32);
  }
  /// One arrival and `bytes` are missing.
  void begin_phase(std::uint32_t bytes) {
    const std::uint64_t word = std::uint64_t{(1u << 20) - 1} << 43 | std::uint64_t{(1u << 20) - 1} << 1;
    Mbarrier barrier(90, word);
    barrier.apply({1, bytes, false});
    store_word(barrier.word());
  }
  bool phase() const {
    std::uint64_t word;
    std::memcpy(&word, cta.shared.data() + kBarrier, sizeof word);
    return Mbarrier(90, word).phase();
  }
  Instruction tensor(Opcode opcode, const TensorMap& map, const TensorCoordinates& at, std::uint32_t shared) {
    place(map);
    set_long(4, map_place);
    std::size_t next = 8;
    if (opcode != Opcode::kUtmapf) set_uniform(next++, shared);
    if (opcode == Opcode::kUtmaldg) set_uniform(next++, kBarrier);
    for (const std::int32_t c : at) set_uniform(next++, static_cast<std::uint32_t>(c));
    Instruction in;
    in.opcode = opcode;
    in.a = uniform(4), in.b = uniform(8);
    BulkForm form;
    form.dimensions = map.rank;
    form.by_columns = map.by_columns;
    in.mod.variant = form.bits();
    return in;
  }
  Instruction block(bool to_shared, std::uint64_t global, std::uint32_t shared, std::uint32_t bytes) {
    Instruction in;
    in.opcode = Opcode::kUblkcp;
    BulkForm form;
    form.to_shared = to_shared, form.from_shared = !to_shared;
    in.mod.variant = form.bits();
    set_long(to_shared ? 4 : 8, global);
    set_uniform(to_shared ? 8 : 4, shared);
    if (to_shared) set_uniform(9, kBarrier);
    set_uniform(12, bytes / 16);
    in.a = uniform(4), in.b = uniform(8), in.c = uniform(12);
    return in;
  }

  Allocation* data;
  std::uint64_t map_place = 0;

 private:
  void store_word(std::uint64_t word) { std::memcpy(cta.shared.data() + kBarrier, &word, sizeof word); }
};

}  // namespace stc::isa
