// SPDX-License-Identifier: Apache-2.0
#include "traces/gemm/fragment_loads.h"

#include <algorithm>

#include "traces/gemm/compiler_habits.h"
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
      const int first_apart = item.step == 1 ? ceil_div(d.fragments_m, 2) : d.fragments_m - 1;
      const bool apart = item.step != 0 && i >= first_apart && i > 0 && d.geometry.parts == 1;
      load.scoreboard = apart ? kScoreboardLateRows + item.a_set : fragment_scoreboard(d, item.a_set);
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
    load.scoreboard = kScoreboardMetadata;
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
      load.to = b_register(d, item, j) + chunk;
      load.column = item.step * d.chunks_b + chunk;
      load.offset = (item.part * d.part_n + j) * 8 * d.b.row_stride();
      load.matrices = fragments == 2 ? 4 : largest_load(d.chunks_b - chunk);
      load.scoreboard = fragment_scoreboard(d, item.b_set);
      loads.push_back(load);
      chunk += load.matrices / fragments;
    }
  }
}

}  // namespace

int b_register(const GemmDesign& d, const WorkItem& item, int column) {
  const bool spare = d.r.spare_b != 0 && item.part == 1 && column + 1 == d.part_n && item.step % 2 != 0;
  return spare ? d.r.spare_b : d.r.b + item.b_set * d.r.b_set + column * d.r.b_stride;
}

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
  const auto a_end = static_cast<std::ptrdiff_t>(loads.size());
  add_b(d, item, loads);
  if (d.geometry.parts == 1 && d.chunks_a <= 2) {
    const std::ptrdiff_t late_rows = d.fragments_m - rows_before_columns(d, item.step);
    std::rotate(loads.begin() + a_end - late_rows, loads.begin() + a_end, loads.end());
  }
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

std::vector<isa::Instruction> ColumnAddresses::prepare_lanes() {
  knows_a_ = knows_b_ = true;
  const auto lane = [this](int to, FragmentKind kind) {
    return sum(d_.spec.sm_version, to, reg(base(kind)), uniform(kUniformRead));
  };
  return {lane(d_.r.lane_a, FragmentKind::kA), lane(d_.r.lane_b, FragmentKind::kB)};
}

std::vector<isa::Instruction> ColumnAddresses::prepare(const FragmentLoad& load) {
  if (!needs_register(load) || find(load) != nullptr) return {};
  std::vector<isa::Instruction> code;
  bool& known = load.kind == FragmentKind::kA ? knows_a_ : knows_b_;
  const int lane = load.kind == FragmentKind::kA ? d_.r.lane_a : d_.r.lane_b;
  const auto give_up = [&](int address) {
    kept_.erase(std::remove_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.address == address; }),
                kept_.end());
  };
  if (!known) {
    code.push_back(sum(d_.spec.sm_version, lane, reg(base(load.kind)), uniform(kUniformRead)));
    give_up(lane);
  }
  // The last column needs no register of its own.
  const int in_step = load.kind == FragmentKind::kA ? d_.chunks_a : d_.chunks_b;
  const bool last = d_.simple_columns && load.column == (d_.steps() - 1) * in_step;
  known = !last;
  int address = lane;
  if (!last) {
    address = d_.r.load_address + next_;
    next_ = (next_ + 1) % d_.r.load_addresses;
  }
  give_up(address);
  kept_.push_back({load.kind, load.column, address});
  code.push_back(lop3(address, reg(lane), immediate(std::int64_t{load.column} * kChunkBytes), reg(kRz), kXor));
  return code;
}

isa::Instruction ColumnAddresses::load(const FragmentLoad& load) const {
  if (needs_register(load)) {
    return writes(load_matrices(load.to, find(load)->address, load.offset, load.matrices), load.scoreboard);
  }
  return writes(
      load_matrices(load.to, base(load.kind), load.offset + load.column * kChunkBytes, load.matrices, kUniformRead),
      load.scoreboard);
}

}  // namespace stc::gemm
