// SPDX-License-Identifier: Apache-2.0
// Thompson's construction; all states that a prefix of the text can reach are followed at once.
#include "sim/compare/regular_expression.h"

#include <fmt/format.h>

#include <cctype>

namespace stc::sim {
namespace {

constexpr int kDeepest = 100;             ///< groups inside each other
constexpr std::size_t kMostSteps = 5000;  ///< of an automaton
constexpr int kMostRepeats = 1000;

}  // namespace

class RegularExpressionParser {
 public:
  using Step = RegularExpression::Step;
  using Steps = RegularExpression::Steps;
  using Characters = RegularExpression::Characters;

  explicit RegularExpressionParser(std::string_view text) : text_(text) {}

  Steps read() {
    Steps steps = alternatives();
    if (!done()) fail("')' closes no group");
    return steps;
  }

 private:
  bool done() const { return place_ == text_.size(); }
  bool next_is(char c) const { return !done() && text_[place_] == c; }
  bool take(std::string_view word) {
    if (text_.substr(place_, word.size()) != word) return false;
    place_ += word.size();
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw BadRegularExpression(fmt::format("character {}: {}", place_ + 1, what));
  }

  static Step step(Step::Kind kind, int jump) { return {kind, {}, jump}; }

  void append(Steps& to, const Steps& more) const {
    if (to.size() + more.size() > kMostSteps) fail("the expression is too large up to here");
    to.insert(to.end(), more.begin(), more.end());
  }

  Steps alternatives() {
    if (++depth_ > kDeepest) fail(fmt::format("groups lie more than {} deep in each other", kDeepest));
    Steps all = sequence();
    while (take("|")) {
      const Steps other = sequence();
      Steps both = {step(Step::Kind::kBoth, static_cast<int>(all.size()) + 2)};
      append(both, all);
      both.push_back(step(Step::Kind::kJump, static_cast<int>(other.size()) + 1));
      append(both, other);
      all = std::move(both);
    }
    --depth_;
    return all;
  }

  Steps sequence() {
    Steps all;
    while (!done() && !next_is('|') && !next_is(')')) append(all, repeated());
    return all;
  }

  Steps repeated() {
    const bool anchor = next_is('^') || next_is('$');
    Steps part = atom();
    int least = 1, most = 1;  // most -1: without end
    if (!quantifier(least, most)) return part;
    if (anchor) fail("^ and $ cannot be repeated");
    take("?");  // a lazy one finds in the same texts
    if (!done() && std::string_view("*+?{").find(text_[place_]) != std::string_view::npos) {
      fail("a repetition cannot be repeated; put it in parentheses");
    }
    return repeat(part, least, most);
  }

  bool quantifier(int& least, int& most) {
    if (take("*")) return least = 0, most = -1, true;
    if (take("+")) return least = 1, most = -1, true;
    if (take("?")) return least = 0, most = 1, true;
    if (!take("{")) return false;
    least = most = number();
    if (take(",")) most = next_is('}') ? -1 : number();
    if (!take("}")) fail("'}' is missing");
    if (most >= 0 && most < least) fail("the second number of a repetition is less than the first");
    return true;
  }

  int number() {
    int value = 0;
    const std::size_t begin = place_;
    for (; !done() && std::isdigit(static_cast<unsigned char>(text_[place_])) != 0; ++place_) {
      value = value * 10 + (text_[place_] - '0');
      if (value > kMostRepeats) fail(fmt::format("more than {} repetitions", kMostRepeats));
    }
    if (place_ == begin) fail("a number is missing");
    return value;
  }

  Steps repeat(const Steps& part, int least, int most) const {
    const int size = static_cast<int>(part.size());
    Steps all;
    for (int i = 0; i < least; ++i) append(all, part);
    Steps more = {step(Step::Kind::kBoth, most < 0 ? size + 2 : size + 1)};
    append(more, part);
    if (most < 0) more.push_back(step(Step::Kind::kJump, -size - 1));
    for (int i = least; i < (most < 0 ? least + 1 : most); ++i) append(all, more);
    return all;
  }

  Steps atom() {
    if (take("(")) return group();
    if (take("^")) return {step(Step::Kind::kTextBegin, 1)};
    if (take("$")) return {step(Step::Kind::kTextEnd, 1)};
    for (const char* word : {"*", "+", "?", "{"}) {
      if (take(word)) fail(fmt::format("nothing stands before '{}' to be repeated", word));
    }
    return {{Step::Kind::kTake, characters(), 1}};
  }

  Steps group() {
    if (!take("?:") && next_is('?')) fail("'(?' is not supported except as '(?:'");
    Steps inner = alternatives();
    if (!take(")")) fail("')' is missing");
    return inner;
  }

  /// What one character of the text may be.
  Characters characters() {
    if (take(".")) return Characters().set();
    if (take("[")) return bracket();
    if (next_is('\\')) return escape();
    return only(text_[place_++]);
  }

  static Characters only(char c) { return Characters().set(static_cast<unsigned char>(c)); }

  Characters escape() {
    ++place_;
    if (done()) fail("nothing follows the last '\\'");
    const char c = text_[place_];
    Characters set;
    for (std::size_t i = 0; i < set.size(); ++i) {
      const int code = i < 128 ? static_cast<int>(i) : 0;
      const int lower = std::tolower(c);
      set[i] = code != 0 && (lower == 'd'   ? std::isdigit(code) != 0
                             : lower == 'w' ? std::isalnum(code) != 0 || code == '_'
                             : lower == 's' ? std::isspace(code) != 0
                                            : false);
    }
    if (std::string_view("dwsDWS").find(c) == std::string_view::npos) {
      if (std::ispunct(static_cast<unsigned char>(c)) == 0) fail(fmt::format("'\\{}' is not supported", c));
      set = only(c);
    }
    ++place_;
    return std::isupper(static_cast<unsigned char>(c)) != 0 ? ~set : set;
  }

  Characters bracket() {
    const bool inverted = take("^");
    Characters all;
    for (bool first = true; first || !next_is(']'); first = false) {
      if (done()) fail("']' is missing");
      if (text_.substr(place_, 2) == "[:" || text_.substr(place_, 2) == "[." || text_.substr(place_, 2) == "[=") {
        fail("named classes are not supported");
      }
      const Characters low = next_is('\\') ? escape() : only(text_[place_++]);
      const bool range = low.count() == 1 && next_is('-') && text_.substr(place_ + 1, 1) != "]";
      all |= range ? up_to(low) : low;
    }
    take("]");
    return inverted ? ~all : all;
  }

  Characters up_to(const Characters& low) {
    ++place_;
    if (done()) fail("']' is missing");
    const Characters high = next_is('\\') ? escape() : only(text_[place_++]);
    if (high.count() != 1) fail("a range must end with one character");
    Characters all;
    std::size_t from = 0, to = 0;
    while (!low[from]) ++from;
    while (!high[to]) ++to;
    if (to < from) fail("a range ends before it begins");
    for (std::size_t i = from; i <= to; ++i) all.set(i);
    return all;
  }

  std::string_view text_;
  std::size_t place_ = 0;
  int depth_ = 0;
};

RegularExpression::RegularExpression(std::string_view expression)
    : steps_(RegularExpressionParser(expression).read()) {}

void RegularExpression::enter(std::size_t first, std::string_view text, std::size_t place,
                              std::vector<std::size_t>& active, std::vector<std::size_t>& seen) const {
  std::vector<std::size_t> waiting = {first};
  while (!waiting.empty()) {
    const std::size_t at = waiting.back();
    waiting.pop_back();
    if (seen[at] == place + 1) continue;
    seen[at] = place + 1;
    if (at == steps_.size() || steps_[at].kind == Step::Kind::kTake) {
      active.push_back(at);
      continue;
    }
    const Step& step = steps_[at];
    const auto target = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + step.jump);
    if (step.kind == Step::Kind::kTextBegin && place != 0) continue;
    if (step.kind == Step::Kind::kTextEnd && place != text.size()) continue;
    waiting.push_back(target);
    if (step.kind == Step::Kind::kBoth) waiting.push_back(at + 1);
  }
}

bool RegularExpression::found_in(std::string_view text) const {
  std::vector<std::size_t> active, next;
  std::vector<std::size_t> seen(steps_.size() + 1, 0);  // at which place, plus one, a step was entered
  for (std::size_t place = 0;; ++place) {
    enter(0, text, place, active, seen);  // a match may begin anywhere
    for (const std::size_t at : active) {
      if (at == steps_.size()) return true;
    }
    if (place == text.size()) return false;
    next.clear();
    const auto character = static_cast<unsigned char>(text[place]);
    for (const std::size_t at : active) {
      if (steps_[at].characters[character]) enter(at + 1, text, place + 1, next, seen);
    }
    active.swap(next);
  }
}

}  // namespace stc::sim
