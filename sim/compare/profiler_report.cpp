// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/profiler_report.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/compare/wire_reader.h"

namespace stc::sim {
namespace {

constexpr char kMagic[] = "NVR";  // and its zero
constexpr std::size_t kMagicBytes = 4;

/// What a block says of itself.
struct BlockHead {
  std::uint64_t sources = 0, results = 0, payload = 0;
};

void read_names(WireBytes table, std::vector<std::string>& names) {
  for (WireField field; next_field(table, field);) {
    if (field.number == 1) names.push_back(field.bytes.text());
  }
}

BlockHead read_head(WireBytes head, std::vector<std::string>& names) {
  BlockHead block;
  for (WireField field; next_field(head, field);) {
    if (field.number == 1) block.sources = field.value;
    if (field.number == 2) block.results = field.value;
    if (field.number == 4) read_names(field.bytes, names);
    if (field.number == 5) block.payload = field.value;
  }
  return block;
}

std::vector<std::uint8_t> read_cubin(WireBytes source) {
  constexpr std::uint32_t kCubin = 4;
  for (WireField field; next_field(source, field);) {
    if (field.number == kCubin && field.bytes.size > 4 &&
        field.bytes.take(4).text() ==
            "\x7f"
            "ELF") {
      return {field.bytes.data - 4, field.bytes.data + field.bytes.size};
    }
  }
  return {};
}

std::array<std::uint32_t, 3> read_size(WireBytes size) {
  std::array<std::uint32_t, 3> out{1, 1, 1};
  for (WireField field; next_field(size, field);) {
    if (field.number >= 1 && field.number <= 3) out[field.number - 1] = static_cast<std::uint32_t>(field.value);
  }
  return out;
}

void read_metric(WireBytes metric, const std::vector<std::string>& names, ProfiledLaunch& launch) {
  std::uint64_t name = 0;
  WireBytes value;
  for (WireField field; next_field(metric, field);) {
    if (field.number == 1) name = field.value;
    if (field.number == 2) value = field.bytes;
  }
  if (name >= names.size()) throw BadMessage();
  WireField field;
  if (!next_field(value, field)) return;  // the profiler has none
  if (field.type == WireField::Type::kBytes) {
    launch.texts[names[name]] = field.bytes.text();
  } else {
    launch.numbers[names[name]] = field.real();
  }
}

ProfiledLaunch read_launch(WireBytes result, const std::vector<std::string>& names) {
  ProfiledLaunch launch;
  for (WireField field; next_field(result, field);) {
    if (field.number == 6) launch.kernel = field.bytes.text();
    if (field.number == 10) launch.grid = read_size(field.bytes);
    if (field.number == 11) launch.block = read_size(field.bytes);
    if (field.number == 13) read_metric(field.bytes, names, launch);
  }
  return launch;
}

ProfilerReport read_blocks(WireBytes file) {
  ProfilerReport report;
  std::vector<std::string> names;  // of all blocks so far
  file.take_sized();               // the file's own head
  while (file.size != 0) {
    const BlockHead head = read_head(file.take_sized(), names);
    WireBytes payload = file.take(head.payload);
    for (std::uint64_t i = 0; i < head.sources; ++i) {
      std::vector<std::uint8_t> cubin = read_cubin(payload.take_sized());
      if (!cubin.empty()) report.cubins.push_back(std::move(cubin));
    }
    for (std::uint64_t i = 0; i < head.results; ++i) {
      report.launches.push_back(read_launch(payload.take_sized(), names));
    }
  }
  return report;
}

}  // namespace

std::optional<double> ProfiledLaunch::number(const std::string& metric) const {
  const auto found = numbers.find(metric);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

ProfilerReport read_profiler_report(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  WireBytes file{bytes.data(), bytes.size()};
  if (bytes.size() < kMagicBytes || file.take(kMagicBytes).text().substr(0, 3) != kMagic) {
    throw UserError(fmt::format("{}: is no report of Nsight Compute", path));
  }
  try {
    ProfilerReport report = read_blocks(file);
    if (report.launches.empty()) throw UserError(fmt::format("{}: holds no profiled launch", path));
    return report;
  } catch (const BadMessage& error) {
    throw UserError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace stc::sim
