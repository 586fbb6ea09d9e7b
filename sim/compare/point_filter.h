// SPDX-License-Identifier: Apache-2.0
// Which points to run: terms joined by commas, all of which must hold.
//
//   group=mma,warps<=8        a column of the measured file against a value: = != < <= > >=
//   kernel~sp24               ~ and !~ search a regular expression (RE2 syntax; one without commas)
//
// Points without the column do not pass. Numbers compare as numbers.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/compare/compare_point.h"

namespace stc::sim {

class PointFilter {
 public:
  explicit PointFilter(const std::string& expression);  ///< UserError when it cannot be read; empty passes all

  bool passes(const ComparePoint& point) const;
  /// The points that pass; UserError when a term names a column that no point has, or nothing passes.
  std::vector<ComparePoint> apply(std::vector<ComparePoint> points) const;

 private:
  struct Term {
    std::string column, relation, value;
    std::unique_ptr<RE2> expression;  ///< of ~ and !~; linear in the text, no depth that could exhaust the stack
  };
  static bool holds(const Term& term, const ComparePoint& point);

  std::string expression_;
  std::vector<Term> terms_;
};

}  // namespace stc::sim
