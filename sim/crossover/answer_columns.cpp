// SPDX-License-Identifier: Apache-2.0
#include "sim/crossover/answer_columns.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/csv_table.h"

namespace stc::sim {
namespace {

using Json = nlohmann::ordered_json;

struct AnswerColumn {
  const char* csv;
  const char* json;  ///< JSON pointer from a contest's head or its answer; whole numbers below it are added up
};

const AnswerColumn kAnswerColumns[] = {
    {"gpu", "/gpu"},
    {"shape", "/shape/name"},
    {"m", "/shape/m"},
    {"n", "/shape/n"},
    {"k", "/shape/k"},
    {"contender", "/contender"},
    {"sparsity", "/sparsity"},
    {"kernel", "/kernel"},
    {"cycles_elapsed", "/cycles_elapsed"},
    {"time_us", "/time_us"},
    {"tflops_dense_equivalent", "/tflops_dense_equivalent"},
    {"speedup_vs_dense", "/speedup_vs_dense"},
    {"speedup_vs_24", "/speedup_vs_24"},
    {"warp_instructions", "/warp_instructions"},
    {"storage_values_bytes", "/storage/values"},
    {"storage_index_bytes", "/storage/indices"},
    {"l2_bytes", "/bytes/l2"},
    {"dram_bytes", "/bytes/dram"},
    {"bound", "/bound"},
    {"checked", "/checked"},
};

std::uint64_t total_of(const Json& json) {
  if (json.is_number()) return json.get<std::uint64_t>();
  std::uint64_t total = 0;
  for (const Json& below : json) total += total_of(below);
  return total;
}

std::string field_of(const Json& row, const AnswerColumn& column) {
  const Json::json_pointer place(column.json);
  if (!row.contains(place)) return "";
  const Json& value = row.at(place);
  if (value.is_null()) return "";
  if (value.is_string()) return csv_field(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  return fmt::format("{}", total_of(value));
}

/// What became of the check of D against the reference.
Json checked_json(const CrossoverReport& report, const Answer& answer) {
  if (!report.result(answer).wrong.empty()) return "wrong";
  if (!answer.ok) return "failed";
  return report.plan->study.full_values ? Json("passed") : Json();
}

}  // namespace

Json contest_head_json(const CrossoverReport& report, const Contest& contest) {
  const Study& study = report.plan->study;
  const StudyShape& shape = study.shapes[contest.shape];
  return {{"gpu", study.gpus[contest.gpu].name},
          {"shape", {{"name", shape.name}, {"m", shape.m}, {"n", shape.n}, {"k", shape.k}}},
          {"element", contest.element}};
}

Json answer_json(const CrossoverReport& report, const Answer& answer) {
  Json out = {{"contender", report.contender(answer).name}};
  if (report.contender(answer).kind == ContenderKind::kUnstructured) {
    out["sparsity"] = 1 - report.question(answer).density;
  }
  out["kernel"] = report.point(answer).kernel();
  out["time_us"] = answer.time_us;
  out["tflops_dense_equivalent"] = answer.tflops;
  out["speedup_vs_dense"] = answer.speedup > 0 ? Json(answer.speedup) : Json();
  out["speedup_vs_24"] = answer.against_24 > 0 ? Json(answer.against_24) : Json();
  out["checked"] = checked_json(report, answer);
  Json body = report.result(answer).json();
  body.erase("wall_s");
  body.erase("time_us");
  out.update(body);
  return out;
}

std::string crossover_csv(const CrossoverReport& report) {
  std::string out;
  for (const AnswerColumn& column : kAnswerColumns) out += (out.empty() ? "" : ",") + std::string(column.csv);
  out += "\n";
  for (const Contest& contest : report.contests) {
    const Json head = contest_head_json(report, contest);
    for (const Answer& answer : contest.answers) {
      Json told = head;
      told.update(answer_json(report, answer));
      std::string line;
      for (const AnswerColumn& column : kAnswerColumns) line += "," + field_of(told, column);
      out += line.substr(1) + "\n";
    }
  }
  return out;
}

}  // namespace stc::sim
