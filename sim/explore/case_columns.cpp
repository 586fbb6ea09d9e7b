// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/case_columns.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/csv_table.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

const SweepCase& question_of(const ExploreReport& r, const CaseReport& c) { return r.question(c); }

const SweepShape& shape_of(const ExploreReport& r, const CaseReport& c) {
  return r.plan->sweep.shapes[r.question(c).shape];
}

const LibraryKernel& kernel_of(const ExploreReport& r, const CaseReport& c) { return r.point(c).problem.kernel; }

template <class Integer>
std::int64_t whole(Integer value) {
  return static_cast<std::int64_t>(value);
}

struct CaseColumn {
  const char* csv;   ///< name of the column; empty: not in the CSV
  const char* json;  ///< JSON pointer; empty: not in the JSON
  CaseValue (*value)(const ExploreReport&, const CaseReport&);
};

const CaseColumn kCaseColumns[] = {
    {"gpu", "/gpu",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue {
       return r.plan->sweep.gpus[question_of(r, c).gpu].name;
     }},
    {"shape", "/shape/name",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return shape_of(r, c).name; }},
    {"m", "/shape/m", [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return whole(shape_of(r, c).m); }},
    {"n", "/shape/n", [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return whole(shape_of(r, c).n); }},
    {"k", "/shape/k", [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return whole(shape_of(r, c).k); }},
    {"type", "/type",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue {
       return std::string(isa::name_of(question_of(r, c).type));
     }},
    {"pattern", "/pattern",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return question_of(r, c).pattern.name(); }},
    {"kept_fraction", "/kept_fraction",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue {
       return question_of(r, c).pattern.kept_fraction();
     }},
    {"reference", "/reference",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return question_of(r, c).reference; }},
    {"", "/best_point",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue {
       return c.ok ? CaseValue(r.point(c).name) : CaseValue();
     }},
    {"tile_m", "",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return whole(kernel_of(r, c).tile_m); }},
    {"tile_n", "",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return whole(kernel_of(r, c).tile_n); }},
    {"tile_k", "",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return whole(kernel_of(r, c).tile_k); }},
    {"warp_m", "",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return whole(kernel_of(r, c).warp_m); }},
    {"warp_n", "",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return whole(kernel_of(r, c).warp_n); }},
    {"stages", "",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return whole(kernel_of(r, c).stages); }},
    {"cycles", "/cycles",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return whole(r.result(c).cycles); }},
    {"time_us", "/time_us", [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.time_us; }},
    {"tflops", "/tflops", [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.tflops; }},
    {"speedup", "/speedup", [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.speedup; }},
    {"ideal_speedup", "/ideal_speedup", [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.ideal; }},
    {"tensor_ceiling", "/tensor_ceiling",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.tensor_ceiling; }},
    {"limited_by", "/limited_by", [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.limit.by; }},
    {"reason", "/reason", [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.limit.reason; }},
    {"tensor_busy", "",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue { return r.result(c).tensor_busy; }},
    {"", "/instruction/name", [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.op.name(); }},
    {"instruction_k", "/instruction/k",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return whole(c.op.k); }},
    {"instruction_interval", "/instruction/interval",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return whole(c.timing.interval); }},
    {"array_cycles", "/instruction/array_cycles",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return whole(c.timing.step_cycles); }},
    {"collect_cycles", "/instruction/collect_cycles",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return whole(c.timing.collect_cycles); }},
    {"operand_registers", "/instruction/operand_registers",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return whole(c.timing.operand_registers); }},
    {"metadata_overhead", "/metadata_overhead",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.metadata_overhead; }},
    {"", "/legal_masks",
     [](const ExploreReport& r, const CaseReport& c) -> CaseValue {
       return whole(question_of(r, c).pattern.legal_masks());
     }},
    {"magnitude_kept", "/kept/magnitude",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.kept.magnitude; }},
    {"energy_kept", "/kept/energy",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.kept.energy; }},
    {"selector_gates", "/selector/gates",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.selector.gates(); }},
    {"selector_size_relative", "/selector/size_relative_to_2_4",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.relative_size; }},
    {"selector_area_of_multipliers", "/selector/area_of_multipliers",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue {
       return c.area ? CaseValue(c.area->relative()) : CaseValue();
     }},
    {"", "/selector/mux_inputs",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return whole(c.selector.mux_inputs); }},
    {"", "/selector/multiplexers",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return whole(c.selector.multiplexers); }},
    {"select_wires", "/selector/select_wires",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return whole(c.selector.select_wires); }},
    {"activation_wires", "/selector/activation_wires",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return whole(c.selector.activation_wires); }},
    {"", "/selector/metadata_bits_per_step",
     [](const ExploreReport&, const CaseReport& c) -> CaseValue { return whole(c.selector.metadata_bits_per_step); }},
    {"pareto", "/pareto", [](const ExploreReport&, const CaseReport& c) -> CaseValue { return c.pareto; }},
};

std::string csv_text(const CaseValue& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) return csv_field(*text);
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* const real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? "1" : "0";
  return "";
}

/// The fields of a line, or the names of the columns.
template <class FieldOf>
std::string csv_line(const FieldOf& field_of) {
  std::string line;
  for (const CaseColumn& column : kCaseColumns) {
    if (*column.csv != '\0') line += (line.empty() ? "" : ",") + field_of(column);
  }
  return line;
}

}  // namespace

std::string case_csv_header() {
  return csv_line([](const CaseColumn& column) { return std::string(column.csv); });
}

std::string case_csv_fields(const ExploreReport& report, const CaseReport& one) {
  return csv_line([&](const CaseColumn& column) { return csv_text(column.value(report, one)); });
}

Json case_json(const ExploreReport& report, const CaseReport& one) {
  Json out;
  for (const CaseColumn& column : kCaseColumns) {
    if (*column.json == '\0') continue;
    Json& place = out[Json::json_pointer(column.json)];
    const CaseValue value = column.value(report, one);
    if (const auto* const text = std::get_if<std::string>(&value)) place = *text;
    if (const auto* const number = std::get_if<std::int64_t>(&value)) place = *number;
    if (const auto* const real = std::get_if<double>(&value)) place = *real;
    if (const auto* const flag = std::get_if<bool>(&value)) place = *flag;
  }
  return out;
}

}  // namespace stc::sim
