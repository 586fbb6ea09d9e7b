// SPDX-License-Identifier: Apache-2.0
// YAML texts as trees whose nodes know their places.
#include "sim/config/document.h"

#include <fmt/format.h>

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using Kind = DocumentNode::Kind;

/// "kind@line:column text (children)".
std::string tree_of(const DocumentNode& node) {
  constexpr const char* kNames[] = {"nothing", "scalar", "list", "map"};
  std::string text =
      fmt::format("{}@{}:{} {}(", kNames[static_cast<int>(node.kind)], node.mark.line, node.mark.column, node.scalar);
  for (const DocumentNode* child : node.children) text += tree_of(*child);
  return text + ")";
}

std::string tree(const std::string& text) {
  Document document;
  return tree_of(*document.read(text));
}

DocumentError error_of(const std::string& text) {
  try {
    tree(text);
  } catch (const DocumentError& error) {
    return error;
  }
  return {};
}

TEST(Document, NodesKnowWhereTheyStand) {
  EXPECT_EQ(tree("a: 1\nb:\n  - x\n  - {c: ~}\n"),
            "map@0:0 (scalar@0:0 a()scalar@0:3 1()scalar@1:0 b()list@2:2 (scalar@2:4 x()map@3:4 (scalar@3:5 c()"
            "nothing@3:8 ())))");
  EXPECT_EQ(tree("'it''s'"), "scalar@0:0 it's()");
  EXPECT_EQ(tree(""), "nothing@-1:-1 ()");
}

TEST(Document, AnAliasIsTheNodeThatItNames) {
  Document document;
  const DocumentNode* const root = document.read("a: &x [1, 2]\nb: *x\nc: &y 3\nd: *y\n");
  ASSERT_EQ(root->children.size(), 8u);
  EXPECT_EQ(root->children[1], root->children[3]);
  EXPECT_EQ(root->children[5], root->children[7]);
  EXPECT_NE(root->children[1], root->children[5]);
}

TEST(Document, WhatIsNoYamlSaysWhere) {
  EXPECT_EQ(error_of("a: 1\n---\nb: 2\n").message, "a second document begins; one is allowed");
  EXPECT_EQ(error_of("a: 1\n---\nb: 2\n").mark.line, 1);
  EXPECT_EQ(error_of(",").message, "no value can begin with this character");
  const DocumentError open = error_of("a:\n  b: [1, 2\n");
  EXPECT_NE(open.message, "");
  EXPECT_GE(open.mark.line, 1);
}

}  // namespace
}  // namespace stc::sim
