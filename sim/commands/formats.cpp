// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/fitted.h"
#include "sim/base/json_text.h"
#include "sim/base/text.h"
#include "sim/formats/formats_report.h"
#include "sim/formats/pattern_text.h"

namespace stc::sim {
namespace {

constexpr const char* kFormatsExamples =
    "Examples:\n"
    "  stcsim formats\n"
    "  stcsim formats --distribution laplace --rows 4096 --columns 4096 --patterns 2:4,2:8,4:8\n"
    "  stcsim formats --weights layer.npy --type s8 --index-bits 16 --csv layer.csv\n";

/// Storage is a matter of widths only; each type that a tensor core multiplies.
const std::map<std::string, int>& element_bits() {
  static const std::map<std::string, int> bits = {{"f64", 64}, {"f32", 32}, {"tf32", 32}, {"f16", 16}, {"bf16", 16},
                                                  {"e4m3", 8}, {"e5m2", 8}, {"s8", 8},    {"u8", 8},   {"s4", 4}};
  return bits;
}

FormatsOptions read_options(const FormatsCommand& command, int rows, int columns) {
  FormatsOptions options;
  std::vector<std::string> types;
  for (const auto& [name, bits] : element_bits()) types.push_back(name);
  const auto type = element_bits().find(command.element);
  if (type == element_bits().end()) throw UserError("--type: " + unknown_word("type", command.element, types));
  options.element = type->first;
  options.element_bits = type->second;
  options.index_bits = command.index_bits;
  const int largest = std::max(rows, columns) - 1;
  if (command.index_bits < 32 && largest >> command.index_bits != 0) {
    throw UserError(
        fmt::format("--index-bits: {} bits cannot number {} x {} elements", command.index_bits, rows, columns));
  }
  std::set<std::string> seen;
  for (const std::string& text : split(fmt::format("{}", fmt::join(command.patterns, ",")), ',')) {
    if (!seen.insert(text).second) throw UserError(fmt::format("--patterns: '{}' is given twice", text));
    if (text.empty()) {
      throw UserError(fmt::format("--patterns {}: has an empty entry; such as 2:4,4:8 is allowed",
                                  fmt::join(command.patterns, " ")));
    }
    const sparsity::Pattern pattern = read_pattern(text, "--patterns");
    if (columns % pattern.group_elements() != 0) {
      throw UserError(fmt::format("--patterns: {}: the matrix has {} columns, not a multiple of {}", text, columns,
                                  pattern.group_elements()));
    }
    options.patterns.push_back(pattern);
  }
  return options;
}

}  // namespace

Command add_formats_command(CommandLine& line, FormatsCommand& command) {
  Command formats = line.command("formats", "What patterns keep of a weight matrix, and what storing it costs");
  const Option file =
      formats.option("--weights", command.weights_file, "Weights as .npy: two dimensions, f32 or f16").type("FILE");
  formats.option("--distribution", command.distribution, "Draw weights: normal, laplace, uniform, student")
      .shows_default()
      .excludes(file);
  formats.option("--seed", command.seed, "Seed of the draw")
      .shows_default()
      .excludes(file)
      .whole_number(0, std::numeric_limits<std::int64_t>::max());
  formats.option("--rows", command.rows, "Rows (outputs) to draw")
      .shows_default()
      .excludes(file)
      .whole_number(1, 65536);
  formats.option("--columns", command.columns, "Columns (k) to draw; groups of M lie along them")
      .shows_default()
      .excludes(file)
      .whole_number(1, 65536);
  formats.option("--patterns", command.patterns, "Patterns, separated by commas: 2:4, 4:8/2 (pairs), 2:16j (joint)")
      .shows_default();
  formats.option("--type", command.element, "Type that storage is counted in").shows_default();
  formats.option("--index-bits", command.index_bits, "Bits of a row or column index in COO, CSR and ELL")
      .shows_default()
      .one_of({8, 16, 32, 64});
  formats.option("--json", command.json_file, "Write JSON; - prints it instead of the table").type("FILE");
  formats.option("--csv", command.csv_file, "Write CSV; - prints it instead of the table").type("FILE");
  formats.footer(kFormatsExamples);
  return formats;
}

int formats(const FormatsCommand& command) {
  const auto named = [](const std::string& file) { return file == "-" ? std::string() : file; };
  require_outputs({named(command.json_file), named(command.csv_file)}, {command.weights_file});
  if (command.json_file == "-" && command.csv_file == "-") {
    throw UserError("--json - and --csv -: only one of them can have standard output");
  }
  WeightMatrix weights;
  if (!command.weights_file.empty()) weights = read_npy(command.weights_file);
  const int columns = command.weights_file.empty() ? command.columns : weights.columns;
  const int rows = command.weights_file.empty() ? command.rows : weights.rows;
  const FormatsOptions options = read_options(command, rows, columns);
  if (command.weights_file.empty()) {
    weights = draw_weights(command.distribution, command.seed, command.rows, command.columns);
  }
  const FormatsReport report = make_formats_report(weights, options);
  const std::string json = json_text(formats_json(report), 2) + "\n";
  const std::string csv = formats_csv(report);
  OutputFiles outputs;
  if (!command.json_file.empty() && command.json_file != "-") outputs.add_text(command.json_file, json);
  if (!command.csv_file.empty() && command.csv_file != "-") outputs.add_text(command.csv_file, csv);
  outputs.commit();
  fmt::print("{}", command.json_file == "-" ? json : command.csv_file == "-" ? csv : for_output(formats_table(report)));
  return kOk;
}

}  // namespace stc::sim
