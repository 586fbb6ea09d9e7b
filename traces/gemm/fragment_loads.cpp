// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/fragment_loads.h"

#include <algorithm>

#include "traces/gemm/instructions.h"
#include "traces/gemm/program_parts.h"

namespace stc::gemm {
namespace {

int largest_load(int matrices) { return matrices >= 4 ? 4 : matrices >= 2 ? 2 : 1; }

void add_a(const GemmDesign& d, const WorkItem& item, std::vector<FragmentLoad>& loads) {
  for (int chunk = 0; chunk < d.chunks_a; chunk += 2) {
    for (int i = 0; i < d.fragments_m; ++i) {
      FragmentLoad load;
      load.kind = FragmentKind::kA;
      load.to = d.r.a + item.a_set * d.r.a_set + i * d.r.a_stride + 2 * chunk;
      load.column = item.step * d.chunks_a + chunk;
      load.offset = i * 16 * d.a.row_stride();
      load.matrices = d.chunks_a - chunk >= 2 ? 4 : 2;
      load.scoreboard = a_scoreboard(d, item.a_set);
      loads.push_back(load);
    }
  }
}

void add_metadata(const GemmDesign& d, const WorkItem& item, std::vector<FragmentLoad>& loads) {
  const int matrices = d.fragments_m * d.geometry.metadata_registers;
  const int block = item.step / d.geometry.metadata_instructions;
  for (int done = 0; done < matrices;) {
    FragmentLoad load;
    load.kind = FragmentKind::kMetadata;
    load.to = d.r.e + item.e_set * d.r.e_set + done;
    load.offset = block * d.metadata_block_bytes + done * 128;
    load.matrices = largest_load(matrices - done);
    load.scoreboard = metadata_scoreboard();
    loads.push_back(load);
    done += load.matrices;
  }
}

void add_b(const GemmDesign& d, const WorkItem& item, std::vector<FragmentLoad>& loads) {
  const int fragments = d.chunks_b == 2 ? 2 : 1;  // of one load
  for (int j = 0; j < d.part_n; j += fragments) {
    for (int chunk = 0; chunk < d.chunks_b;) {
      FragmentLoad load;
      load.kind = FragmentKind::kB;
      load.to = d.r.b + item.b_set * d.r.b_set + j * d.r.b_stride + chunk;
      load.column = item.step * d.chunks_b + chunk;
      load.offset = (item.part * d.part_n + j) * 8 * d.b.row_stride();
      load.matrices = fragments == 2 ? 4 : largest_load(d.chunks_b - chunk);
      load.scoreboard = b_scoreboard(d, item.b_set);
      loads.push_back(load);
      chunk += load.matrices / fragments;
    }
  }
}

}  // namespace

WorkItem work_item(const GemmDesign& d, int tile, int index) {
  WorkItem item;
  item.step = index / d.geometry.parts;
  item.part = index % d.geometry.parts;
  item.a_set = (tile * d.steps() + item.step) % 2;
  item.b_set = (tile * d.items + index) % 2;
  if (d.sparse) item.e_set = (tile * d.metadata_blocks + item.step / d.geometry.metadata_instructions) % 2;
  return item;
}

std::vector<FragmentLoad> fragment_loads(const GemmDesign& d, int tile, int index) {
  const WorkItem item = work_item(d, tile, index);
  std::vector<FragmentLoad> loads;
  if (item.part == 0) {
    if (d.sparse && item.step % d.geometry.metadata_instructions == 0) add_metadata(d, item, loads);
    add_a(d, item, loads);
  }
  add_b(d, item, loads);
  return loads;
}

int ColumnAddresses::base(FragmentKind kind) const {
  switch (kind) {
    case FragmentKind::kA: return d_.r.read_a;
    case FragmentKind::kB: return d_.r.read_b;
    case FragmentKind::kMetadata: break;
  }
  return d_.r.read_e;
}

bool ColumnAddresses::needs_register(const FragmentLoad& load) const {
  return load.kind != FragmentKind::kMetadata && load.column != 0 && layout(load.kind).swizzled();
}

const ColumnAddresses::Kept* ColumnAddresses::find(const FragmentLoad& load) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
    return kept.kind == load.kind && kept.column == load.column;
  });
  return found == kept_.end() ? nullptr : &*found;
}

std::vector<isa::Instruction> ColumnAddresses::prepare(const FragmentLoad& load) {
  if (!needs_register(load) || find(load) != nullptr) return {};
  const int address = d_.r.load_address + next_;
  next_ = (next_ + 1) % d_.r.load_addresses;
  kept_.erase(std::remove_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.address == address; }),
              kept_.end());
  kept_.push_back({load.kind, load.column, address});
  return {lop3(address, reg(base(load.kind)), immediate(std::int64_t{load.column} * kChunkBytes), reg(kRz), kXor)};
}

isa::Instruction ColumnAddresses::load(const FragmentLoad& load) const {
  int address = base(load.kind), offset = load.offset;
  if (needs_register(load)) {
    address = find(load)->address;
  } else {
    offset += load.column * kChunkBytes;
  }
  return writes(load_matrices(load.to, address, offset, load.matrices), load.scoreboard);
}

}  // namespace stc::gemm
