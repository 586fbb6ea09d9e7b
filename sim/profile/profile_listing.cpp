// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/profile_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>

#include "models/isa/text/kernel_name.h"
#include "sim/base/text.h"
#include "sim/result/describe_run.h"
#include "sim/result/nsight_stalls.h"

namespace stc::sim {
namespace {

constexpr std::size_t kHeatLevels = 4;
constexpr std::array<const char*, kHeatLevels + 1> kHeat = {"    ", ".   ", "..  ", "+++ ", "####"};
constexpr std::array<int, kHeatLevels + 1> kHeatColours = {0, 222, 215, 208, 196};        // of 256, pale to red
constexpr std::size_t kBeforeText = 29, kLeastText = 30, kMostText = 64;                  // columns
constexpr std::size_t kRoomForMeaning = 120, kNamesBesideMeaning = 28, kNamesAlone = 46;  // columns
constexpr double kWorthNaming = 0.05;
constexpr std::uint64_t kColdest = 50;  // times colder than the hottest is not hot at all

std::size_t heat_of(std::uint64_t cycles, std::uint64_t hottest) {
  if (cycles == 0 || cycles < hottest / kColdest) return 0;
  return 1 + static_cast<std::size_t>(std::min<std::uint64_t>(kHeatLevels - 1, cycles * kHeatLevels / (hottest + 1)));
}

std::string heat_text(std::size_t heat, bool colour) {
  if (!colour || heat == 0) return kHeat[heat];
  return fmt::format("\033[48;5;{}m    \033[0m", kHeatColours[heat]);
}

/// Names come from files and may hold anything; a terminal obeys some of it.
std::string cut(std::string text, std::size_t columns) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  if (text.size() <= columns) return text;
  return text.substr(0, columns - 2) + "..";
}

/// "1234567" or, where that is longer than seven digits, "12.3M".
std::string short_count(std::uint64_t count) {
  constexpr std::uint64_t kLongest = 9'999'999;
  if (count <= kLongest) return std::to_string(count);
  double value = static_cast<double>(count);
  for (const char* unit : {"k", "M", "G", "T"}) {
    value /= 1000;
    if (value < 10000) return fmt::format("{:.1f}{}", value, unit);
  }
  return fmt::format("{:.1e}", static_cast<double>(count));
}

/// Reasons with at least a twentieth of the cycles, the largest first.
std::vector<std::pair<double, Stall>> largest_stalls(const InstructionCounts& counts) {
  std::vector<std::pair<double, Stall>> found;
  const std::uint64_t all = counts.warp_cycles();
  for (int i = 0; i < kStalls; ++i) {
    const double part = share(counts.stalls[static_cast<std::size_t>(i)], all);
    if (part >= kWorthNaming) found.emplace_back(part, static_cast<Stall>(i));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  return found;
}

/// What it costs beside time, for each execution, then what warps wait for.
std::vector<std::string> notes_of(const InstructionCounts& counts) {
  std::vector<std::string> notes;
  const auto each = [&](std::uint64_t count) { return share(count, counts.warp_executions); };
  for (const auto& [part, stall] : largest_stalls(counts)) {
    if (stall == Stall::kIssued) continue;
    notes.push_back(fmt::format("{} {:.0f}%", name_of(stall), 100 * part));
  }
  const std::uint64_t wavefronts = counts.shared_wavefronts + counts.copy_wavefronts;
  if (wavefronts != 0) notes.push_back(fmt::format("{:.3g} wavefronts", each(wavefronts)));
  if (counts.conflict_wavefronts != 0)
    notes.push_back(fmt::format("{:.3g} of conflicts", each(counts.conflict_wavefronts)));
  if (counts.l1_hit_sectors != 0) notes.push_back(fmt::format("{:.3g} sectors of L1", each(counts.l1_hit_sectors)));
  const std::uint64_t l2 = counts.l2_read_sectors + counts.l2_write_sectors;
  if (l2 != 0) notes.push_back(fmt::format("{:.3g} sectors of L2", each(l2)));
  return notes;
}

/// As many of them, from the first on, as there is room for; `rest` stands for others.
std::string as_fits(const std::vector<std::string>& notes, std::size_t columns, const char* rest = "") {
  std::string text;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const char* const between = text.empty() ? "" : ", ";
    const std::size_t behind = i + 1 == notes.size() ? 0 : std::strlen(rest);
    if (text.size() + std::strlen(between) + notes[i].size() + behind > columns) return text + rest;
    text += between;
    text += notes[i];
  }
  return text;
}

/// Lines of source files, as far as they can be read.
class SourceText {
 public:
  std::string line(const std::string& file, std::uint32_t number) {
    auto found = files_.find(file);
    if (found == files_.end()) {
      std::vector<std::string> lines;
      std::ifstream stream(file);
      for (std::string text; std::getline(stream, text);) lines.push_back(text);
      found = files_.emplace(file, std::move(lines)).first;
    }
    if (number == 0 || number > found->second.size()) return "";
    const std::string& text = found->second[number - 1];
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first);
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

std::string place_of(const std::string& file, std::uint32_t line) {
  return fmt::format("{}:{}", file.substr(file.find_last_of('/') + 1), line);
}

std::string source_text(const cubin::SourceLine& source, SourceText& texts) {
  if (source.file.empty()) return "-- no source line";
  std::string text = "-- " + place_of(source.file, source.line);
  if (!source.called_from.empty()) {
    text +=
        fmt::format(" (called from {})", place_of(source.called_from.back().first, source.called_from.back().second));
  }
  const std::string line = texts.line(source.file, source.line);
  return line.empty() ? text : text + "  " + line;
}

std::string head_of(const LaunchProfile& launch, const InstructionCounts& totals, std::size_t columns) {
  std::string text = cut(fmt::format("kernel {}", isa::readable_name(launch.kernel)), columns) + "\n";
  text += fmt::format("  {}{} cycles, {} warp instructions, {} warp-cycles\n",
                      launch.launches == 1 ? "" : fmt::format("{} launches, ", launch.launches), grouped(launch.cycles),
                      grouped(totals.warp_executions), grouped(totals.warp_cycles()));
  text += "  where warps spend their time (Nsight Compute's name):\n";
  const bool with_meaning = columns >= kRoomForMeaning;
  const std::size_t room = with_meaning ? kNamesBesideMeaning : kNamesAlone;
  for (const auto& [part, stall] : largest_stalls(totals)) {
    const std::vector<std::string> names = nsight_names(stall);
    std::string line = fmt::format("  {:6.1f} %  {:<17} {:<30} {}", 100 * part, name_of(stall),
                                   names.empty() ? "" : fmt::format("({})", as_fits(names, room, ", ...")),
                                   with_meaning ? meaning_of(stall) : "");
    line.erase(line.find_last_not_of(' ') + 1);
    text += cut(line, columns) + "\n";
  }
  return text;
}

}  // namespace

std::string profile_listing(const LaunchProfile& launch, const ListingStyle& style) {
  const std::size_t columns = std::max(style.columns, ListingStyle::kNarrowest);
  const std::size_t text_columns = std::clamp(columns / 2 - 10, kLeastText, kMostText);
  const InstructionCounts totals = launch.totals();
  const std::uint64_t all = totals.warp_cycles();
  std::uint64_t hottest = 0;
  bool has_source = false;
  for (const ProfiledInstruction& one : launch.instructions) {
    hottest = std::max(hottest, one.counts.warp_cycles());
    has_source |= !one.source.file.empty();
  }
  std::string text = head_of(launch, totals, columns);
  text += fmt::format("  time       executed  address  {:<{}} warps wait for\n", "instruction", text_columns);
  SourceText texts;
  const ProfiledInstruction* before = nullptr;
  for (const ProfiledInstruction& one : launch.instructions) {
    const bool other_line = before == nullptr || !(before->source == one.source);
    if (has_source && other_line) text += cut(source_text(one.source, texts), columns) + "\n";
    before = &one;
    const std::uint64_t cycles = one.counts.warp_cycles();
    const std::string percent = cycles == 0 ? "" : fmt::format("{:.1f}%", 100 * share(cycles, all));
    const std::string executed = one.counts.warp_executions == 0 ? "-" : short_count(one.counts.warp_executions);
    std::string line =
        fmt::format("{} {:>5} {:>8}   {:05x}  {:<{}} ", heat_text(heat_of(cycles, hottest), style.colour), percent,
                    executed, one.address, cut(one.text, text_columns), text_columns);
    line += as_fits(notes_of(one.counts), columns - kBeforeText - text_columns);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace stc::sim
