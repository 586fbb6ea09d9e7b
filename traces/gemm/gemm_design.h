// SPDX-License-Identifier: Apache-2.0
// Every number that the parts of the builder share: shared-memory map, fragment counts, register map.
#pragma once

#include "models/core/architecture.h"
#include "traces/gemm/gemm_builder.h"
#include "traces/gemm/tile_layout.h"

namespace stc::gemm {

/// General registers, by first number. Fragments of two successive steps (parts, metadata blocks) alternate.
struct RegisterMap {
  int accumulators = 0;  ///< [row fragment][column fragment][4]
  int a = 0, a_set = 0;  ///< [set][row fragment][a_stride]; registers of one set
  int b = 0, b_set = 0;  ///< [set][column fragment of the part][b_stride]
  int e = 0, e_set = 0;  ///< [set][row fragment][metadata registers]
  int a_stride = 0, b_stride = 0;
  int spare_b = 0;  ///< of the last column in every second step, where the loop cannot wait for the one before; 0: none
  int source_a = 0, source_b = 0, source_e = 0;  ///< 64-bit pointers, one a copy segment
  int row_bytes_a = 0, row_bytes_b = 0;          ///< 64-bit: of the matrices in global memory (running addresses: none)
  int pass_bytes_a = 0, pass_bytes_b = 0;        ///< 64-bit: from one pass of copies to the next (only then)
  int block_bytes_e = 0;                         ///< from one metadata block to the next
  int copy_address = 0, copy_addresses = 0;      ///< 64-bit temporaries
  int late_copy_address = 0;                     ///< another one, where the next k-tile's metadata goes; 0: none
  int write_a = 0, write_b = 0, write_e = 0;     ///< shared addresses that this thread copies to, one a segment
  int target_a = 0, target_b = 0, target_e = 0;  ///< the same in the stage written now
  int read_a = 0, read_b = 0, read_e = 0;        ///< shared addresses that this lane loads from
  int lane_a = 0, lane_b = 0;                    ///< the same in the stage read now, where columns are XORed into them
  int load_address = 0, load_addresses = 0;      ///< temporaries of swizzled loads
  int tiles = 0, thread = 0, scratch = 0;
  int d = 0;  ///< 64-bit pointer to this lane's corner of D
  int count = 0;
};

struct GemmDesign {
  GemmSpec spec;
  GemmGeometry geometry;
  bool sparse = false;
  int element_bytes = 2;
  int warps_m = 0, warps_n = 0;
  int fragments_m = 0, fragments_n = 0;  ///< 16-row and 8-column fragments of a warp tile
  int part_n = 0;                        ///< column fragments of a part
  int items = 0;                         ///< steps x parts: units of the software pipeline
  int chunks_a = 0, chunks_b = 0;        ///< 16-byte chunks of k of one instruction
  int unroll = 1;  ///< k-tiles per loop iteration, so that alternating fragment sets come out even
  TileLayout a, b;
  int metadata_blocks = 0;         ///< of a k-tile
  int metadata_block_bytes = 0;    ///< of a CTA's rows
  bool moves_metadata = false;     ///< an odd number of blocks: the next k-tile's first is moved to where it is used
  int offset_b = 0, offset_e = 0;  ///< in a stage
  int stage_bytes = 0;
  bool prefetch_lines = false;     ///< copies ask L2 for whole lines
  bool simple_columns = false;     ///< one column of an operand's fragments a step
  bool running_addresses = false;  ///< of copies: each a pass behind the one before, not a multiple behind the first
  int shared_target = 0;           ///< B is copied to so many bytes behind A with the same addresses; 0: it has its own
  RegisterMap r;

  /// Offset in c[0] of pointer argument `index` and of m, n, k (0, 1, 2).
  std::uint32_t pointer_parameter(int index) const { return parameter_base() + 8 * static_cast<std::uint32_t>(index); }
  std::uint32_t size_parameter(int index) const {
    return pointer_parameter(sparse ? 4 : 3) + 4 * static_cast<std::uint32_t>(index);
  }
  const Architecture& architecture() const { return architecture_of(spec.sm_version); }
  std::uint32_t parameter_base() const { return architecture().constants.parameters; }
  /// Where dynamic shared memory begins.
  int shared_base() const { return static_cast<int>(architecture().system_shared_bytes); }
  /// In which family's way nvcc orders and schedules the code.
  bool in_hopper_order() const { return architecture().family == CodeFamily::kHopper; }

  int steps() const { return geometry.steps; }
  int stages() const { return spec.stages; }
  int threads() const { return static_cast<int>(geometry.threads); }
};

/// 32-bit registers per lane that hold the metadata of one instruction; 0 when dense.
int metadata_register_count(const isa::MmaOp& op);

/// Throws std::invalid_argument.
GemmDesign design(const GemmSpec& spec);

}  // namespace stc::gemm
