// SPDX-License-Identifier: Apache-2.0
#include "sim/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace stc::sim {

int edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment: rows i-2, i-1 and i of the table.
  std::vector<int> before(b.size() + 1);
  std::vector<int> previous(b.size() + 1);
  std::vector<int> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({replaced, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  // A third of the letters may differ; words that contain the whole of the other are near whatever is left over.
  int best_distance = std::max(1, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    int distance = edit_distance(word, candidate);
    const bool contained = word.size() >= 3 && candidate.find(word) != std::string::npos;
    if (contained) distance = std::min(distance, 1);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

namespace {

constexpr std::size_t kMostListed = 400;  // characters, some five lines
constexpr std::size_t kNearestListed = 3;

std::string_view leaf_of(std::string_view path) { return path.substr(path.rfind('.') + 1); }

/// Of a path "sm.lsu.queue_entries" the last key counts for itself, too: whoever knows it may not know its group.
int distance_to(std::string_view word, std::string_view candidate) {
  int distance = edit_distance(word, candidate);
  if (candidate.find(word) != std::string_view::npos) distance = std::min(distance, 1);
  const std::string_view leaf = leaf_of(candidate);
  return leaf.size() == candidate.size() ? distance : std::min(distance, 1 + edit_distance(leaf_of(word), leaf));
}

/// The nearest ones first.
std::vector<std::string> by_distance(std::string_view word, std::vector<std::string> candidates) {
  std::stable_sort(candidates.begin(), candidates.end(), [word](const std::string& a, const std::string& b) {
    return distance_to(word, a) < distance_to(word, b);
  });
  return candidates;
}

}  // namespace

std::string unknown_word(std::string_view kind, std::string_view word, const std::vector<std::string>& allowed) {
  std::string text = fmt::format("unknown {} '{}'", kind, word);
  const std::string all = join(allowed, ", ");
  if (all.size() <= kMostListed) {
    if (const auto near = nearest(word, allowed)) text += fmt::format("; did you mean '{}'?", *near);
    return text + fmt::format("{} Allowed: {}", text.back() == '?' ? "" : ".", all);
  }
  std::vector<std::string> near = by_distance(word, allowed);
  near.resize(kNearestListed);
  const int reach = std::max(1, static_cast<int>(word.size()) / 3);
  if (distance_to(word, near.front()) <= reach) text += fmt::format("; did you mean '{}'?", near.front());
  return text +
         fmt::format("{} {} are allowed, nearest: {}", text.back() == '?' ? "" : ".", allowed.size(), join(near, ", "));
}

namespace {

bool begins_with_idle_zero(std::string_view digits) {
  return digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (begins_with_idle_zero(text)) {
    return std::nullopt;
  }
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (magnitude > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  const auto value = static_cast<std::int64_t>(magnitude);
  return negative ? -value : value;
}

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (begins_with_idle_zero(!text.empty() && text.front() == '-' ? text.substr(1) : text)) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && !text.empty()) return value;
  const auto whole = parse_integer(text);  // hexadecimal
  return whole ? std::optional<double>(static_cast<double>(*whole)) : std::nullopt;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator, begin)) {
    words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  words.emplace_back(text.substr(begin));
  return words;
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string human_bytes(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  while (bytes >= 1024.0 && unit < 4) {
    bytes /= 1024.0;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.2f} {}", bytes, units[unit]);
}

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_./=,:+-").find(c) != std::string::npos;
  });
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(text.size()) - 3; i > 0; i -= 3) {
    text.insert(static_cast<std::size_t>(i), ",");
  }
  return text;
}

namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

}  // namespace

std::string whole_characters(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  while (bytes > 0 && continues_character(text[bytes])) --bytes;
  return std::string(text.substr(0, bytes));
}

std::string shortened_to(const std::string& text, std::size_t columns) {
  const auto begins = [](char byte) { return !continues_character(byte); };
  if (static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins)) <= columns) return text;
  std::size_t end = 0, kept = 0;
  while (end < text.size() && (kept + 2 < columns || continues_character(text[end])))
    kept += begins(text[end++]) ? 1 : 0;
  return text.substr(0, end) + "..";
}

std::string content_hash(const void* data, std::size_t bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto* byte = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * 0x100000001b3ULL;
  return fmt::format("{:016x}", hash);
}

}  // namespace stc::sim
