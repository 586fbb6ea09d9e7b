// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/point_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/error.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

// Longer ones first, so that "<=" is not read as "<".
constexpr const char* kRelations[] = {"!=", "<=", ">=", "!~", "=", "<", ">", "~"};
constexpr std::size_t kLongestQuote = 60;

std::string shortened(const std::string& text) {
  return text.size() > kLongestQuote ? whole_characters(text, kLongestQuote) + "..." : text;
}

std::unique_ptr<RE2> expression_of(const std::string& value) {
  RE2::Options options(RE2::Latin1);  // bytes, whatever they encode
  options.set_log_errors(false);
  auto expression = std::make_unique<RE2>(value, options);
  if (!expression->ok()) {
    throw UserError(
        fmt::format("--filter: '{}' is no regular expression: {}", shortened(value), shortened(expression->error())));
  }
  return expression;
}

/// -1, 0 or 1.
int order(const std::string& a, const std::string& b) {
  const auto x = parse_number(a), y = parse_number(b);
  if (x && y) return *x < *y ? -1 : *x > *y ? 1 : 0;
  const int difference = a.compare(b);
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

}  // namespace

PointFilter::PointFilter(const std::string& expression) : expression_(expression) {
  if (expression.empty()) return;
  for (const std::string& text : split(expression, ',')) {
    const std::size_t place = text.find_first_of("!=<>~");
    Term term;
    for (const char* relation : kRelations) {
      if (place == std::string::npos || place == 0 ||
          text.compare(place, std::string(relation).size(), relation) != 0) {
        continue;
      }
      term = {text.substr(0, place), relation, text.substr(place + std::string(relation).size()), nullptr};
      break;
    }
    if (term.relation.empty()) {
      throw UserError(
          fmt::format("--filter: '{}' must be COLUMN and VALUE with one of = != < <= > >= ~ !~ between, for "
                      "example warps<=8",
                      text));
    }
    if (term.relation.back() == '~') term.expression = expression_of(term.value);
    const auto number = parse_number(term.value);
    const bool ordered = term.relation.front() == '<' || term.relation.front() == '>';
    const bool nothing = number && std::isnan(*number);
    if (ordered && (!number || nothing)) {
      throw UserError(fmt::format("--filter: '{}': < <= > >= need a number", shortened(text)));
    }
    if (nothing && !term.expression) {
      throw UserError(fmt::format("--filter: '{}': nan equals nothing", shortened(text)));
    }
    terms_.push_back(std::move(term));
  }
}

bool PointFilter::holds(const Term& term, const ComparePoint& point) {
  const std::string* value = point.field(term.column);
  if (value == nullptr) return false;
  if (term.expression) return RE2::PartialMatch(*value, *term.expression) == (term.relation == "~");
  const int sign = order(*value, term.value);
  if (term.relation == "=") return sign == 0;
  if (term.relation == "!=") return sign != 0;
  if (term.relation == "<") return sign < 0;
  if (term.relation == "<=") return sign <= 0;
  if (term.relation == ">") return sign > 0;
  return sign >= 0;
}

bool PointFilter::passes(const ComparePoint& point) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) { return holds(term, point); });
}

std::vector<ComparePoint> PointFilter::apply(std::vector<ComparePoint> points) const {
  std::set<std::string> columns;
  for (const ComparePoint& point : points) {
    for (const auto& [name, value] : point.fields) columns.insert(name);
  }
  for (const Term& term : terms_) {
    if (columns.count(term.column) == 0) {
      throw UserError(
          fmt::format("--filter: {}",
                      unknown_word("column", term.column, std::vector<std::string>(columns.begin(), columns.end()))));
    }
  }
  const std::size_t before = points.size();
  points.erase(std::remove_if(points.begin(), points.end(), [&](const ComparePoint& point) { return !passes(point); }),
               points.end());
  if (points.empty()) {
    throw UserError(fmt::format("--filter: none of the {} measured points passes '{}'", before, expression_));
  }
  return points;
}

}  // namespace stc::sim
