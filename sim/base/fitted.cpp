// SPDX-License-Identifier: Apache-2.0
#include "sim/base/fitted.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/streams.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

using Lines = std::vector<std::string>;
/// First character of a column, and the one behind its last.
using Span = std::pair<std::size_t, std::size_t>;

constexpr std::size_t kContinuation = 4;  // blanks before what goes on in the next line
constexpr std::size_t kLeastRoom = 24;    // of a sentence that is broken inside of its column

bool coloured(const std::string& line) { return line.find('\x1b') != std::string::npos; }

/// Words in lines of `width`, the first one behind what stands in `out` already, later ones behind `indent` blanks.
void add_words(const std::string& text, std::size_t indent, std::size_t width, Lines& out) {
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    std::string& line = out.back();
    const bool begins = line.find_first_not_of(' ') == std::string::npos;
    const std::size_t gap = begins || line.back() == ' ' ? 0 : 1;
    if (!begins && line.size() > indent && line.size() + gap + word.size() > width) {
      line.erase(line.find_last_not_of(' ') + 1);
      out.push_back(std::string(indent, ' ') + word);
    } else {
      line += std::string(gap, ' ') + word;
    }
  }
}

/// A line by itself: "  bound by           latency: no resource ..." goes on below its sentence.
Lines broken(const std::string& line, std::size_t width) {
  const std::size_t begin = line.find_first_not_of(' ');
  std::size_t indent = begin + kContinuation;
  const std::size_t gap = line.find("  ", begin);
  if (gap != std::string::npos) {
    const std::size_t after = line.find_first_not_of(' ', gap);
    if (after != std::string::npos && after + kLeastRoom <= width) indent = after;
  }
  Lines out = {line.substr(0, indent < line.size() ? (gap == std::string::npos ? begin : indent) : begin)};
  add_words(line.substr(out.front().size()), indent, width, out);
  return out;
}

bool blank_at(const std::string& line, std::size_t at) { return at >= line.size() || line[at] == ' '; }

/// The columns that all of `lines` have; at least two places where every line is blank lie between them.
std::vector<Span> columns_of(const Lines& lines) {
  std::size_t longest = 0;
  for (const std::string& line : lines) longest = std::max(longest, line.size());
  std::vector<Span> spans;
  for (std::size_t at = 0; at < longest; ++at) {
    const bool gap =
        std::all_of(lines.begin(), lines.end(), [at](const std::string& line) { return blank_at(line, at); });
    if (gap) continue;
    if (spans.empty() || at > spans.back().second + 1) spans.emplace_back(at, at);
    spans.back().second = at + 1;
  }
  return spans;
}

/// A row of a table.
void add_row(const std::string& line, const std::vector<Span>& spans, std::size_t width, Lines& out) {
  out.emplace_back(std::string(std::min<std::size_t>(spans.front().first, 2), ' '));
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto [begin, end] = spans[i];
    std::string cell = begin < line.size() ? line.substr(begin, end - begin) : "";
    const bool first = out.back().find_first_not_of(' ') == std::string::npos;
    const std::size_t at = out.back().size() + (first ? 0 : 1);
    if (i + 1 == spans.size() && at + kLeastRoom <= width) {
      if (!first) out.back() += ' ';
      if (at + cell.size() <= width) {
        out.back() += cell;
      } else {
        add_words(cell, at, width, out);
      }
      break;
    }
    cell.resize(end - begin, ' ');
    if (!first && at + cell.size() > width) {
      out.back().erase(out.back().find_last_not_of(' ') + 1);
      out.emplace_back(kContinuation, ' ');
    } else if (!first) {
      out.back() += ' ';
    }
    out.back() += cell;
  }
  out.back().erase(out.back().find_last_not_of(' ') + 1);
}

bool blank_between(const std::string& line, const std::vector<Span>& spans) {
  for (std::size_t i = 0; i + 1 < spans.size(); ++i) {
    for (std::size_t at = spans[i].second; at < spans[i + 1].first; ++at) {
      if (!blank_at(line, at)) return false;
    }
  }
  return true;
}

/// Lines without an empty one between them.
void add_block(const Lines& block, std::size_t width, Lines& out) {
  Lines wide;
  for (const std::string& line : block) {
    if (line.size() > width && !coloured(line)) wide.push_back(line);
  }
  const std::vector<Span> seen = columns_of(wide);
  Lines rows;
  for (const std::string& line : block) {
    if (!coloured(line) && blank_between(line, seen)) rows.push_back(line);
  }
  const std::vector<Span> spans = columns_of(rows);
  const bool table = wide.size() > 1 && spans.size() > 2;
  for (const std::string& line : block) {
    if (table && !coloured(line) && blank_between(line, seen)) {
      add_row(line, spans, width, out);
    } else if (line.size() > width && !coloured(line)) {
      const Lines parts = broken(line, width);
      out.insert(out.end(), parts.begin(), parts.end());
    } else {
      out.push_back(line);
    }
  }
}

}  // namespace

std::string fitted(const std::string& text, std::size_t columns) {
  Lines out, block;
  for (const std::string& line : split(text, '\n')) {
    if (line.find_first_not_of(' ') != std::string::npos) {
      block.push_back(line);
      continue;
    }
    add_block(block, columns, out);
    block.clear();
    out.push_back(line);
  }
  add_block(block, columns, out);
  return join(out, "\n");
}

std::string for_output(const std::string& text) {
  const auto columns = columns_of_output();
  return columns ? fitted(text, *columns) : text;
}

}  // namespace stc::sim
