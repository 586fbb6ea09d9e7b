// SPDX-License-Identifier: Apache-2.0
#include "models/dependence/latency_table.h"

#include <algorithm>

namespace stc::dependence {
namespace {

template <std::size_t kRows, std::size_t kColumns>
using Table = std::array<std::array<std::uint8_t, kColumns>, kRows>;

struct Tables {
  Table<7, 9> general;            // Writer::kAlu to kDouble; Reader::kAlu to kAddress
  Table<3, 6> uniform;            // kUniform, kUniformMove, kToUniform
  Table<4, 4> predicate;          // ALU, FMA, half, double
  Table<2, 4> uniform_predicate;  // kUniform, kUniformMove
};

// clang-format off
constexpr Tables kTables = {
    //        ALU FMA A,B C.hi half f64 MMA other memory
    {{/* ALU   */ {4, 5, 5, 3, 5, 6, 7, 4, 5},
      /* 64    */ {6, 6, 6, 4, 6, 6, 7, 4, 5},
      /* FMA   */ {5, 4, 4, 2, 5, 6, 7, 4, 5},
      /* low   */ {3, 2, 4, 2, 3, 6, 7, 4, 5},
      /* high  */ {5, 4, 6, 2, 5, 6, 7, 4, 5},
      /* half  */ {5, 5, 5, 3, 4, 6, 7, 4, 5},
      /* f64   */ {10, 10, 10, 8, 10, 6, 11, 6, 7}}},
    //        vector, other, uniform, UMOV, ULDC, branch
    {{/* arithmetic */ {6, 9, 4, 7, 12, 10},
      /* UMOV, ULDC */ {2, 2, 2, 2, 5, 3},
      /* R2UR       */ {13, 13, 13, 13, 13, 13}}},
    //        ALU, FMA, f64, guard and other
    {{/* ALU  */ {4, 5, 13, 13},
      /* FMA  */ {5, 4, 13, 13},
      /* half */ {5, 5, 13, 13},
      /* f64  */ {6, 6, 6, 14}}},
    //        vector, uniform, guard, branch
    {{/* arithmetic */ {6, 4, 11, 9},
      /* VOTEU      */ {1, 1, 5, 2}}}};

// clang-format on

template <class T>
std::size_t row(T value, T first) {
  return static_cast<std::size_t>(value) - static_cast<std::size_t>(first);
}

std::size_t uniform_column(Reader reader) {
  switch (reader) {
    case Reader::kDecoupled:
    case Reader::kAddress:
    case Reader::kMatrix: return 1;
    case Reader::kUniform: return 2;
    case Reader::kUniformMove: return 3;
    case Reader::kConstant: return 4;
    case Reader::kBranch: return 5;
    default: return 0;
  }
}

std::size_t predicate_column(Reader reader) {
  switch (reader) {
    case Reader::kAlu:
    case Reader::kHalf: return 0;
    case Reader::kFma:
    case Reader::kWideAb: return 1;
    case Reader::kDouble: return 2;
    default: return 3;
  }
}

std::size_t predicate_row(Writer writer) {
  switch (writer) {
    case Writer::kFma:
    case Writer::kWideLow:
    case Writer::kWideHigh: return 1;
    case Writer::kHalf: return 2;
    case Writer::kDouble: return 3;
    default: return 0;
  }
}

std::size_t uniform_predicate_column(Reader reader) {
  switch (reader) {
    case Reader::kUniform:
    case Reader::kUniformMove:
    case Reader::kConstant: return 1;
    case Reader::kGuard: return 2;
    case Reader::kBranch: return 3;
    default: return 0;
  }
}

/// A matrix instruction's result reaches those that read late a little earlier.
int matrix_distance(const FixedWrite& write, Reader reader) {
  if (reader == Reader::kMatrix) return write.matrix_latency;
  const int latency = write.matrix_latency - (write.eight_rows ? 1 : 0);
  switch (reader) {
    case Reader::kWideHigh:
    case Reader::kDecoupled: return latency - 2;
    case Reader::kAddress: return latency - 1;
    default: return latency;
  }
}

bool is_coupled(Reader reader) { return reader <= Reader::kDouble; }
bool is_coupled(Writer writer) { return writer <= Writer::kDouble; }

}  // namespace

int read_after_write(int resource, const FixedWrite& write, Reader reader) {
  if (reader == Reader::kShortMatrix) reader = Reader::kMatrix;
  if (isa::is_general(resource)) {
    if (write.writer == Writer::kMatrix) return matrix_distance(write, reader);
    const Reader column = reader > Reader::kAddress ? Reader::kDecoupled : reader;
    return kTables.general[row(write.writer, Writer::kAlu)][row(column, Reader::kAlu)];
  }
  if (isa::is_uniform_register(resource)) {
    return kTables.uniform[row(write.writer, Writer::kUniform)][uniform_column(reader)];
  }
  if (isa::is_predicate(resource)) {
    return kTables.predicate[predicate_row(write.writer)][predicate_column(reader)];
  }
  return kTables.uniform_predicate[write.writer == Writer::kUniformMove ? 1 : 0][uniform_predicate_column(reader)];
}

int write_after_write(const FixedWrite& first, Writer second) {
  const int matrix = first.matrix_latency;
  if (first.writer == Writer::kMatrix) {
    if (second == Writer::kMatrix) return matrix - 8;
    if (second == Writer::kScoreboard) return first.guarded ? matrix - 1 : 5;
    return first.guarded ? matrix - 4 : 1;
  }
  if (first.writer == Writer::kUniform && second == Writer::kUniformMove) return 7;
  if (!is_coupled(first.writer)) return 1;
  if (second == Writer::kScoreboard) return first.writer == Writer::kDouble ? 9 : 5;
  return second == Writer::kMatrix ? 2 : 1;
}

int write_after_read(Reader reader, Writer writer) {
  if (reader == Reader::kMatrix) return writer <= Writer::kHalf ? 7 : 1;
  if (reader == Reader::kUniform && writer == Writer::kUniformMove) return 3;
  // Behind 64-bit floating point nvcc leaves one cycle before loads, conversions and bit counts.
  if (reader == Reader::kDouble && writer == Writer::kScoreboard) return 1;
  const bool late = writer == Writer::kMatrix || writer == Writer::kScoreboard;
  return is_coupled(reader) && late ? 2 : 1;
}

}  // namespace stc::dependence
