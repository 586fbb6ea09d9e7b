// SPDX-License-Identifier: Apache-2.0
// YAML as our own files are written: maps of words by indentation, lists of maps or of values by dashes, and values on
// one line: plain, quoted without escapes, {...} and [...]. Whatever could mean anything else is not read at all.
#include <algorithm>
#include <cstring>

#include "sim/config/document.h"

namespace stc::sim {
namespace {

using Kind = DocumentNode::Kind;

constexpr std::size_t kLongestKey = 100;  // YAML allows 1024 characters
constexpr int kDeepest = 32;              // levels of nesting

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool in(const char* set, char c) { return c != '\0' && std::strchr(set, c) != nullptr; }
bool in_key(char c) { return is_letter(c) || is_digit(c) || in("_./-", c); }
/// Of a plain value: those that mean nothing of their own anywhere.
bool in_plain(char c) { return is_letter(c) || is_digit(c) || in(" _./-+()%=*<>;?!^~$@", c); }

/// Texts like "null" and "~" are no text.
bool is_nothing(const std::string& text) { return text == "null" || text == "Null" || text == "NULL"; }

class PlainReader {
 public:
  PlainReader(const std::string& text, Document& document) : text_(text), document_(document) {}

  DocumentNode* read() {
    if (text_.empty() || !is_ascii(text_[0])) return nullptr;  // an encoding may be announced
    if (!next_line() || column() != 0) return nullptr;
    DocumentNode* const root = block(0);
    return root != nullptr && at_end_ ? root : nullptr;
  }

 private:
  static bool is_ascii(char c) { return c >= ' ' && c <= '~'; }
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\n'; }
  char here() const { return at(place_); }
  int column() const { return static_cast<int>(place_ - line_begin_); }
  DocumentMark mark() const { return {line_, column()}; }

  /// Goes from the end of what was read to the first character of the next line that holds anything. Returns false if
  /// what follows is not of the plain kind; at_end_ says whether nothing follows.
  bool next_line() {
    bool first = place_ == 0;
    while (true) {
      if (!first && !skip_comment()) return false;
      if (!first && place_ >= text_.size()) return at_end_ = true;
      if (!first) {
        ++place_;  // the line's end
        line_begin_ = place_;
        ++line_;
      }
      first = false;
      while (here() == ' ') ++place_;
      if (here() == '#' || here() == '\n') continue;
      if (column() == 0 && (text_.compare(place_, 3, "---") == 0 || text_.compare(place_, 3, "...") == 0)) return false;
      return true;
    }
  }
  /// To the end of the line, on which nothing but a comment may be.
  bool skip_comment() {
    while (here() == ' ') ++place_;
    if (here() == '#' && column() != 0 && at(place_ - 1) != ' ') return false;
    if (here() == '#') {
      while (here() != '\n') {
        const char c = text_[place_++];
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') return false;
      }
    }
    return here() == '\n';
  }

  /// A map or a list whose lines begin at the column at which the text now stands.
  DocumentNode* block(int depth) {
    if (depth > kDeepest) return nullptr;
    const bool is_list = here() == '-';
    const int indent = column();
    DocumentNode* const node = document_.add(is_list ? Kind::kList : Kind::kMap, mark());
    while (true) {
      if (!(is_list ? element(*node, depth) : entry(*node, indent, depth))) return nullptr;
      if (at_end_ || column() < indent) return node;
      if (column() != indent || (here() == '-') != is_list) return nullptr;
    }
  }

  /// "- " and what follows, to the beginning of the next line.
  bool element(DocumentNode& list, int depth) {
    const int dash = column();
    if (at(place_ + 1) != ' ') return false;
    for (++place_; here() == ' ';) ++place_;
    if (here() == '-' && at(place_ + 1) == ' ') return false;
    const std::size_t key_end = end_of_key();
    DocumentNode* const value = key_end != 0 ? block(depth + 1) : value_of_line(dash);
    list.children.push_back(value);
    return value != nullptr;
  }

  /// "key: " and its value, to the beginning of the next line.
  bool entry(DocumentNode& map, int indent, int depth) {
    const std::size_t end = end_of_key();
    if (end == 0) return false;
    DocumentNode* const key = key_to(end);
    if (key == nullptr) return false;
    place_ = end + 1;
    while (here() == ' ') ++place_;
    const bool on_line = here() != '\n' && here() != '#';
    DocumentNode* value = nullptr;
    if (on_line) {
      value = value_of_line(indent);
    } else if (next_line() && !at_end_ && column() > indent) {
      value = end_of_key() != 0 || here() == '-' ? block(depth + 1) : nullptr;
    }
    map.children.push_back(key);
    map.children.push_back(value);
    return value != nullptr;
  }

  /// The place of the colon if a key begins here, else 0.
  std::size_t end_of_key() const {
    if (!is_letter(here()) && !is_digit(here()) && here() != '_') return 0;
    std::size_t end = place_;
    while (in_key(at(end))) ++end;
    const bool is_key = at(end) == ':' && (at(end + 1) == ' ' || at(end + 1) == '\n') && end - place_ < kLongestKey;
    return is_key ? end : 0;
  }
  DocumentNode* key_to(std::size_t end) {
    std::string text = text_.substr(place_, end - place_);
    if (is_nothing(text)) return nullptr;
    return document_.add(Kind::kScalar, mark(), std::move(text));
  }

  /// A value to the end of its line, which the next line does not continue; then goes there.
  DocumentNode* value_of_line(int indent) {
    DocumentNode* const node = value(false, 0);
    if (node == nullptr || !next_line()) return nullptr;
    return at_end_ || column() <= indent ? node : nullptr;
  }

  DocumentNode* value(bool in_flow, int depth) {
    if (depth > kDeepest) return nullptr;
    switch (here()) {
      case '{': return flow(Kind::kMap, '}', depth);
      case '[': return flow(Kind::kList, ']', depth);
      case '\'':
      case '"': return quoted();
      default: return plain(in_flow);
    }
  }

  DocumentNode* quoted() {
    const char quote = here();
    DocumentNode* const node = document_.add(Kind::kScalar, mark());
    const std::size_t begin = ++place_;
    while (here() != quote) {
      if (!is_ascii(here()) || here() == '\\') return nullptr;
      ++place_;
    }
    node->scalar = text_.substr(begin, place_ - begin);
    ++place_;
    return here() == quote || in_key(here()) || here() == ':' ? nullptr : node;
  }

  DocumentNode* plain(bool in_flow) {
    const std::size_t first = in("-+", here()) ? place_ + 1 : place_;
    if (!is_letter(at(first)) && !is_digit(at(first)) && !in("_./", at(first))) return nullptr;
    const std::size_t begin = place_;
    const DocumentMark where = mark();
    while (in_plain(here()) || (!in_flow && here() == ',')) ++place_;
    std::size_t end = place_;
    while (at(end - 1) == ' ') --end;
    if (here() == '#' && end == place_) return nullptr;
    std::string text = text_.substr(begin, end - begin);
    if (is_nothing(text)) return nullptr;
    return document_.add(Kind::kScalar, where, std::move(text));
  }

  /// {...} or [...] on one line.
  DocumentNode* flow(Kind kind, char close, int depth) {
    DocumentNode* const node = document_.add(kind, mark());
    ++place_;
    while (here() == ' ') ++place_;
    while (here() != close) {
      if (kind == Kind::kMap && !flow_key(*node)) return nullptr;
      DocumentNode* const element = value(true, depth + 1);
      if (element == nullptr) return nullptr;
      node->children.push_back(element);
      while (here() == ' ') ++place_;
      if (here() == close) break;
      if (here() != ',') return nullptr;
      for (++place_; here() == ' ';) ++place_;
      if (here() == close) return nullptr;
    }
    ++place_;
    return node;
  }
  bool flow_key(DocumentNode& map) {
    const std::size_t end = end_of_key();
    if (end == 0 || at(end + 1) != ' ') return false;
    DocumentNode* const key = key_to(end);
    if (key == nullptr) return false;
    map.children.push_back(key);
    for (place_ = end + 1; here() == ' ';) ++place_;
    return true;
  }

  const std::string& text_;
  Document& document_;
  std::size_t place_ = 0, line_begin_ = 0;
  int line_ = 0;
  bool at_end_ = false;
};

}  // namespace

DocumentNode* Document::read_plain(const std::string& text) { return PlainReader(text, *this).read(); }

}  // namespace stc::sim
