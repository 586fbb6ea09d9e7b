// SPDX-License-Identifier: Apache-2.0
// Regular expressions that cost what they look like: searching takes time in proportion to expression times text, and
// neither can exhaust the stack, whatever they hold.
//
//   RegularExpression("_c[14]$").found_in("micro_c4")
//
// Understood: . [a-z] [^a-z] \d \w \s \D \W \S, escaped punctuation, ^ $, (a|b) (?:a), * + ? {2} {2,} {2,5}. What
// others know beyond that (back references, look-around, \b, named classes) is refused.
#pragma once

#include <bitset>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace stc::sim {

/// The text says what is wrong and at which character.
struct BadRegularExpression : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class RegularExpression {
 public:
  explicit RegularExpression(std::string_view expression);  ///< throws BadRegularExpression

  /// Whether a part of `text` matches.
  bool found_in(std::string_view text) const;

 private:
  friend class RegularExpressionParser;
  using Characters = std::bitset<256>;

  /// One state of the automaton. Jumps are relative, so that repeating a part is copying it.
  struct Step {
    enum class Kind : unsigned char { kTake, kBoth, kJump, kTextBegin, kTextEnd } kind = Kind::kTake;
    Characters characters;  ///< kTake: goes on over one of these
    int jump = 1;           ///< kJump; kBoth also goes to the next step
  };
  using Steps = std::vector<Step>;

  /// Adds `first` and all that is reached from it without taking a character.
  void enter(std::size_t first, std::string_view text, std::size_t place, std::vector<std::size_t>& active,
             std::vector<std::size_t>& seen) const;

  Steps steps_;
};

}  // namespace stc::sim
