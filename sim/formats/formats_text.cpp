// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/base/version.h"
#include "sim/formats/formats_report.h"

namespace stc::sim {
namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string masks_text(const PruningReport& pruning) {
  return pruning.kind == "unstructured" ? "any" : grouped(pruning.legal_masks);
}

std::string quality_table(const FormatsReport& report) {
  std::string out = fmt::format("{:<20} {:>7} {:>13} {:>11}   {:>9} {:>7}   {:>12} {:>7}\n", "pruning", "kept",
                                "legal masks", "mask bits", "magnitude", "energy", "unstructured", "energy");
  out += fmt::format("{:<20} {:>7} {:>13} {:>11}   {:>9} {:>7}   {:>12} {:>7}\n", "", "%", "of a group", "per weight",
                     "kept %", "kept %", "magnitude %", "kept %");
  for (const PruningReport& p : report.prunings) {
    if (p.kind == "unstructured") continue;
    out += fmt::format("{:<20} {:>7.2f} {:>13} {:>11.3f}   {:>9.2f} {:>7.2f}   {:>12.2f} {:>7.2f}\n", p.name,
                       100 * p.kept_fraction, masks_text(p), p.mask_bits_per_weight, 100 * p.kept.magnitude,
                       100 * p.kept.energy, 100 * p.unstructured.magnitude, 100 * p.unstructured.energy);
  }
  return out;
}

std::string storage_table(const FormatsReport& report) {
  std::string out = fmt::format("{:<20} {:>8} {:>8} {:>8} {:>8}   {:>10} {:>10} {:>9}\n", "storage, % of dense", "COO",
                                "CSR", "ELL", "N:M", "N:M values", "metadata", "index");
  out += fmt::format("{:<20} {:>8} {:>8} {:>8} {:>8}   {:>10} {:>10} {:>9}\n", "", "", "", "", "", "bytes", "bytes",
                     "overhead");
  for (const PruningReport& p : report.prunings) {
    const FormatBytes& b = p.bytes;
    out += fmt::format("{:<20} {:>8.2f} {:>8.2f} {:>8.2f}", p.name, percent(b.coo, b.dense), percent(b.csr, b.dense),
                       percent(b.ell, b.dense));
    if (p.kind == "unstructured") {
      out += fmt::format(" {:>8}\n", "-");
      continue;
    }
    out += fmt::format(" {:>8.2f}   {:>10} {:>10} {:>7.2f} %\n", percent(b.nm_values + b.nm_metadata, b.dense),
                       grouped(b.nm_values), grouped(b.nm_metadata), 100 * p.index_overhead);
  }
  return out;
}

}  // namespace

std::string formats_table(const FormatsReport& report) {
  const FormatsOptions& options = report.options;
  std::string out =
      fmt::format("{}: {} x {}, groups of M along the columns\n\n", report.source, report.rows, report.columns);
  out += quality_table(report) + "\n";
  if (!report.prunings.empty()) {
    out += fmt::format("elements {} ({} bits), row and column indices {} bits; dense {} bytes\n", options.element,
                       options.element_bits, options.index_bits, grouped(report.prunings.front().bytes.dense));
  }
  out += storage_table(report);
  for (const std::string& sentence : report.left_out) out += fmt::format("left out: {}\n", sentence);
  return out;
}

std::string formats_csv(const FormatsReport& report) {
  std::string out =
      "pruning,kind,kept_fraction,legal_masks,mask_bits_per_weight,magnitude_kept,energy_kept,"
      "unstructured_magnitude_kept,unstructured_energy_kept,element,index_bits,index_overhead,dense_bytes,coo_bytes,"
      "csr_bytes,ell_bytes,nm_value_bytes,nm_metadata_bytes\n";
  for (const PruningReport& p : report.prunings) {
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", p.name, p.kind, p.kept_fraction,
                       p.legal_masks, p.mask_bits_per_weight, p.kept.magnitude, p.kept.energy, p.unstructured.magnitude,
                       p.unstructured.energy, report.options.element, report.options.index_bits, p.index_overhead,
                       p.bytes.dense, p.bytes.coo, p.bytes.csr, p.bytes.ell, p.bytes.nm_values, p.bytes.nm_metadata);
  }
  return out;
}

nlohmann::ordered_json formats_json(const FormatsReport& report) {
  nlohmann::ordered_json prunings = nlohmann::ordered_json::array();
  for (const PruningReport& p : report.prunings) {
    nlohmann::ordered_json bytes = {
        {"dense", p.bytes.dense}, {"coo", p.bytes.coo}, {"csr", p.bytes.csr}, {"ell", p.bytes.ell}};
    nlohmann::ordered_json entry = {
        {"name", p.name},
        {"kind", p.kind},
        {"kept_fraction", p.kept_fraction},
        {"kept", {{"magnitude", p.kept.magnitude}, {"energy", p.kept.energy}}},
        {"unstructured", {{"magnitude", p.unstructured.magnitude}, {"energy", p.unstructured.energy}}}};
    if (p.kind != "unstructured") {
      entry["legal_masks"] = p.legal_masks;
      entry["mask_bits_per_weight"] = p.mask_bits_per_weight;
      entry["index_overhead"] = p.index_overhead;
      bytes["nm_values"] = p.bytes.nm_values;
      bytes["nm_metadata"] = p.bytes.nm_metadata;
    }
    entry["bytes"] = bytes;
    prunings.push_back(entry);
  }
  return {{"schema", "stcsim-formats-1"},
          {"weights", {{"source", report.source}, {"rows", report.rows}, {"columns", report.columns}}},
          {"element", report.options.element},
          {"element_bits", report.options.element_bits},
          {"index_bits", report.options.index_bits},
          {"prunings", prunings},
          {"left_out", report.left_out},
          {"provenance", {{"version", version()}, {"git", git_revision()}}}};
}

}  // namespace stc::sim
