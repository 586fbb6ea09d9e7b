// SPDX-License-Identifier: Apache-2.0
// The one document of a YAML text as a tree whose nodes know where they stand: yaml-cpp's events, in one pass.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace stc::sim {

/// Place in a text, from 0 on; -1: none.
struct DocumentMark {
  int line = -1;
  int column = -1;
  bool is_null() const { return line < 0; }
};

struct DocumentNode {
  enum class Kind { kNothing, kScalar, kList, kMap };
  Kind kind = Kind::kNothing;
  std::string scalar;
  std::vector<DocumentNode*> children;  ///< elements of a list; of a map key, value, key, value
  DocumentMark mark;
};

/// A text that cannot be read: what is wrong, and where.
struct DocumentError {
  DocumentMark mark;
  std::string message;
};

/// Keeps the nodes that it makes. An alias is the node that it names, so they may be shared.
class Document {
 public:
  /// Reads a text. DocumentError when it is no YAML or begins a second document: whoever writes two expects both to
  /// count.
  DocumentNode* read(const std::string& text);

  DocumentNode* add(DocumentNode::Kind kind, DocumentMark mark, std::string scalar = "");

 private:
  std::deque<DocumentNode> nodes_;
};

}  // namespace stc::sim
