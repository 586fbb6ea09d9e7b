// SPDX-License-Identifier: Apache-2.0
// Which matrix loads bring the fragments of a work item from shared memory, and with which addresses.
#pragma once

#include <vector>

#include "models/isa/instruction.h"
#include "traces/gemm/gemm_design.h"

namespace stc::gemm {

/// A work item: a column part of a step, all of whose fragments are in registers when it begins.
struct WorkItem {
  int step = 0, part = 0;
  int a_set = 0, b_set = 0, e_set = 0;  ///< of the alternating register sets
};
/// First register of B in a column of the item's part.
int b_register(const GemmDesign& d, const WorkItem& item, int column);
/// Item `index` of k-tile `tile` of the unrolled loop.
WorkItem work_item(const GemmDesign& d, int tile, int index);

enum class FragmentKind { kA, kB, kMetadata };

/// One LDSM.
struct FragmentLoad {
  FragmentKind kind = FragmentKind::kA;
  int to = 0;      ///< first register
  int column = 0;  ///< 16-byte column of the k-tile where the matrices begin
  int offset = 0;  ///< bytes to the rows
  int matrices = 4;
  int scoreboard = 0;
};

/// Loads that an item needs and its predecessor did not have: A and metadata when a step (metadata block) begins, B
/// always.
std::vector<FragmentLoad> fragment_loads(const GemmDesign& d, int tile, int index);

/// Swizzled columns are XORed into the lane's address, which takes a register. A few columns are kept; when registers
/// run out the oldest goes.
class ColumnAddresses {
 public:
  explicit ColumnAddresses(const GemmDesign& d) : d_(d) {}

  /// The lane's addresses have moved to another stage: nothing kept is right any more.
  void forget() {
    kept_.clear();
    knows_a_ = knows_b_ = false;
  }
  /// Addresses of both operands' lanes in the stage read now, where columns are XORed into them.
  std::vector<isa::Instruction> prepare_lanes();
  /// What must be computed before load(), if anything.
  std::vector<isa::Instruction> prepare(const FragmentLoad& load);
  isa::Instruction load(const FragmentLoad& load) const;

 private:
  struct Kept {
    FragmentKind kind;
    int column, address;
  };
  const Kept* find(const FragmentLoad& load) const;
  bool needs_register(const FragmentLoad& load) const;
  const TileLayout& layout(FragmentKind kind) const { return kind == FragmentKind::kA ? d_.a : d_.b; }
  int base(FragmentKind kind) const;

  const GemmDesign& d_;
  std::vector<Kept> kept_;
  bool knows_a_ = false, knows_b_ = false;  // the lane's address in the stage read now
  int next_ = 0;
};

}  // namespace stc::gemm
