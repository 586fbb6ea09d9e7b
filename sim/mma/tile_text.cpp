// SPDX-License-Identifier: Apache-2.0
#include "sim/mma/tile_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace stc::sim {
namespace {

constexpr int kLineWidth = 118;
constexpr int kResultDigits = 7;

/// ANSI colours that read well on light and dark ground: cyan, yellow, green, magenta, blue, red.
constexpr int kColours[] = {36, 33, 32, 35, 34, 31};

struct Cell {
  std::string text;
  int colour = -1;  ///< place inside the group, or none
};

std::string paint(const Cell& cell, std::size_t width, bool colour) {
  std::string text = fmt::format("{:>{}}", cell.text, width);
  if (!colour || cell.colour < 0) return text;
  const auto code = kColours[static_cast<std::size_t>(cell.colour) % std::size(kColours)];
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

/// Rows and columns with labels, cut into panels of whole `unit`s of columns that fit a line.
struct Grid {
  int rows, columns, unit;
  std::function<std::string(int)> row_label;
  std::function<std::string(int)> unit_label;  ///< heading of a unit; null: none
  std::function<Cell(int, int)> cell;
};

std::string grid_text(const Grid& grid, bool colour) {
  std::size_t width = 0, label_width = 0;
  for (int row = 0; row < grid.rows; ++row) {
    label_width = std::max(label_width, grid.row_label(row).size());
    for (int column = 0; column < grid.columns; ++column) {
      width = std::max(width, grid.cell(row, column).text.size());
    }
  }
  const int unit_width = grid.unit * static_cast<int>(width + 1) + 2;
  const int units = (grid.columns + grid.unit - 1) / grid.unit;
  const int per_panel = std::max(1, (kLineWidth - static_cast<int>(label_width)) / unit_width);
  std::string out;
  for (int first = 0; first < units; first += per_panel) {
    const int last = std::min(units, first + per_panel);
    if (grid.unit_label) {
      out += fmt::format("  {:<{}}", "", label_width);
      for (int u = first; u < last; ++u) {
        const std::string label = "  " + grid.unit_label(u);
        out += u + 1 == last ? label : fmt::format("{:<{}}", label, unit_width);
      }
      out += '\n';
    }
    for (int row = 0; row < grid.rows; ++row) {
      out += fmt::format("  {:<{}}", grid.row_label(row), label_width);
      for (int column = first * grid.unit; column < std::min(grid.columns, last * grid.unit); ++column) {
        out += column % grid.unit == 0 ? "  " : " ";
        out += paint(grid.cell(row, column), width, colour);
      }
      out += '\n';
    }
    if (last < units) out += '\n';
  }
  return out;
}

std::string row_name(int row) { return fmt::format("row {:>2}", row); }

std::string range(int first, int count) { return fmt::format("k {}-{}", first, first + count - 1); }

/// One character per dense element; an element that two indices name can only come from unusual metadata.
std::string mask_text(const MmaCase& mma, bool colour) {
  const isa::MmaOp& op = mma.op;
  const int group = op.pattern.group_elements();
  std::string out = "Stored positions along k (# stored, . pruned, = more than once)\n";
  for (int row = 0; row < op.m; ++row) {
    std::vector<int> uses(op.k);
    for (int p = 0; p < op.stored_k(); ++p) ++uses[static_cast<std::size_t>(selected_row(mma, row, p))];
    out += "  " + row_name(row) + " ";
    for (int k = 0; k < op.k; ++k) {
      if (k % group == 0) out += ' ';
      const int count = uses[static_cast<std::size_t>(k)];
      const int place = k % group / op.pattern.elements_per_index;
      out += paint({count == 0 ? "." : count == 1 ? "#" : "=", count == 0 ? -1 : place}, 1, colour);
    }
    out += '\n';
  }
  return out;
}

int place_of(const isa::MmaOp& op, int k) {
  return op.sparse ? k % op.pattern.group_elements() / op.pattern.elements_per_index : -1;
}

std::string a_text(const MmaCase& mma, bool colour) {
  const isa::MmaOp& op = mma.op;
  Grid grid;
  grid.rows = op.m;
  grid.columns = op.stored_k();
  grid.unit = op.sparse ? op.pattern.stored_elements() : 4;
  grid.row_label = row_name;
  const int covered = op.sparse ? op.pattern.group_elements() : grid.unit;
  grid.unit_label = [=](int unit) { return range(unit * covered, covered); };
  grid.cell = [&](int row, int p) {
    const std::uint32_t bits = mma.in.a[static_cast<std::size_t>(row * op.stored_k() + p)];
    const int k = selected_row(mma, row, p);
    std::string text = element_text(op.a, bits);
    if (op.sparse) text += fmt::format("@{:<2}", k);
    return Cell{text, place_of(op, k)};
  };
  const std::string title = op.sparse ? "Stored A: value@k multiplies row k of B\n" : "A\n";
  return title + grid_text(grid, colour);
}

std::string plain_matrix(const char* title, int rows, int columns, isa::NumberFormat format,
                         const std::vector<std::uint32_t>& bits, const std::function<std::string(int)>& label,
                         const std::function<int(int)>& row_colour, bool colour, int digits = kOperandDigits) {
  Grid grid;
  grid.rows = rows;
  grid.columns = columns;
  grid.unit = 8;
  if (columns > grid.unit)
    grid.unit_label = [](int unit) { return fmt::format("columns {}-{}", 8 * unit, 8 * unit + 7); };
  grid.row_label = label;
  grid.cell = [&](int row, int column) {
    return Cell{element_text(format, bits[static_cast<std::size_t>(row * columns + column)], digits), row_colour(row)};
  };
  return fmt::format("{}\n", title) + grid_text(grid, colour);
}

}  // namespace

std::string tile_text(const MmaCase& mma, bool colour) {
  const isa::MmaOp& op = mma.op;
  const auto none = [](int) { return -1; };
  std::string out;
  if (op.sparse) out += mask_text(mma, colour) + '\n';
  out += a_text(mma, colour) + '\n';
  out += plain_matrix(
             "B", op.k, op.n, op.b, mma.in.b, [](int k) { return fmt::format("k {:>3}", k); },
             [&](int k) { return place_of(op, k); }, colour) +
         '\n';
  out += plain_matrix("C", op.m, op.n, op.c, mma.in.c, row_name, none, colour) + '\n';
  out += plain_matrix("D", op.m, op.n, op.c, mma.out, row_name, none, colour, kResultDigits);
  return out;
}

}  // namespace stc::sim
