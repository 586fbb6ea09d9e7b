// SPDX-License-Identifier: Apache-2.0
// What reads plain YAML reads nothing otherwise than yaml-cpp, and it reads our own files.
#include "sim/config/document.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <random>

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using Kind = DocumentNode::Kind;

/// Kinds, texts and marks of a tree.
void write(const DocumentNode& node, std::string& to) {
  to += fmt::format("{}@{}:{} '{}' (", static_cast<int>(node.kind), node.mark.line, node.mark.column, node.scalar);
  for (const DocumentNode* child : node.children) write(*child, to);
  to += ")";
}

std::string plain_tree(const std::string& text) {
  Document document;
  const DocumentNode* const root = document.read_plain(text);
  std::string tree;
  if (root != nullptr) write(*root, tree);
  return tree;
}

std::string yaml_tree(const std::string& text) {
  Document document;
  std::string tree;
  try {
    write(*document.read_with_yaml_cpp(text), tree);
  } catch (const DocumentError& error) {
    tree = error.message;
  }
  return tree;
}

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Document, OurOwnFilesArePlain) {
  for (const char* file : {"configs/gpus/a100.yaml", "configs/gpus/h200.yaml", "configs/gpus/a100_40gb.yaml",
                           "traces/kernels/manifest.yaml", "configs/workloads/demo_1024_sparse.yaml"}) {
    const std::string text = text_of(file);
    ASSERT_FALSE(text.empty()) << file;
    EXPECT_TRUE(plain_tree(text) == yaml_tree(text)) << file;
  }
}

/// Each is YAML that means something of its own, or none.
TEST(Document, WhatIsNotPlainIsLeftToTheParserOfAllYaml) {
  for (const char* text : {"",
                           "a",
                           "a: &x 1\nb: *x\n",
                           "a: !!str 1\n",
                           "a: |\n  b\n",
                           "a:\n",
                           "a: null\n",
                           "a: ~\n",
                           "a: b\n  c\n",
                           "a: b: c\n",
                           "a: {b: 1\n}\n",
                           "a: [1,\n  2]\n",
                           "a: \"\\n\"\n",
                           "a: 'it''s'\n",
                           "a: {b}\n",
                           "a: [1, ]\n",
                           "a: 1\n---\nb: 2\n",
                           "--- a: 1\n",
                           "...\n",
                           "%YAML 1.2\n",
                           "a: 1\n  b: 2\n",
                           " a: 1\n",
                           "a:\tb\n",
                           "a: b\r\n",
                           "? a\n: b\n",
                           "a:\n- b\n",
                           "- - a\n",
                           "- \n",
                           "a: 1\nb\n",
                           "a: \"b\"c\n",
                           "a: b#c: d\n",
                           "a: \"b\"#c\n",
                           "'a': b\n",
                           "a: {b: 1} c\n",
                           "a: -\n",
                           "a: - b\n",
                           "a: @b\n",
                           "a: [b: c]\n",
                           "null: 1\n",
                           "a: \xc2\xb5\n",
                           "\xef\xbb\xbf"
                           "a: 1\n",
                           "a: 1\n\x04",
                           "a: # b\n",
                           "a: {b: }\n",
                           "a: {b:c}\n"}) {
    EXPECT_EQ(plain_tree(text), "") << text;
  }
}

TEST(Document, PlainTextsAreReadAsYamlIs) {
  for (const char* text :
       {"a: 1", "a: 1\n", "# c\n\na: 1  # d\n  # e\nb:   x y   \n",
        "a:\n  b: 1\n  c:\n      d: 'x: # y'\n  e: \"\"\nf: 2\n",
        "a:\n  - b\n  - c: 1\n    d: 2\n  -   e: [f, {g: -1.5, h: []}, \"i,\"]\n      j: {}\nk: {l: m n, o: +3}\n",
        "- a\n- b: 1\n", "a:  # c\n  b: 1 # \xc2\xb5\n", "a: -1\nb: .5\nc: a/b_c-d\nd: -f x\ne: 1,2\n",
        "a:\n  - 1\n  # c\n  - 2\n\n\n", "a: 'b' # c"}) {
    const std::string tree = plain_tree(text);
    EXPECT_NE(tree, "") << text;
    EXPECT_EQ(tree, yaml_tree(text)) << text;
  }
}

/// Texts of pieces that mean something to YAML, put together by chance: those that are taken are read as yaml-cpp does.
TEST(Document, NoTextIsReadOtherwise) {
  const std::vector<std::string> pieces = {
      "a",       "b: ",       "- ",   "\n",     "\n  ",      "\n    ", ":",     " ",   "{", "}",
      "[",       "]",         ", ",   "'",      "\"",        "#",      " #",    "1",   "-", ".",
      "~",       "null",      "\n- ", "\n  - ", "c: {d: 1}", "e:",     "\nf: ", "x y", "?", "!",
      "\n  g: ", "\n    h: ", "*",    "%",      "--",        "\n\n",   "/",     "=",   "@", ","};
  std::mt19937 chance(1);
  int taken = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text = i % 2 == 0 ? "a: " : "k:\n  ";
    for (std::size_t n = 1 + chance() % 9; n != 0; --n) text += pieces[chance() % pieces.size()];
    const std::string tree = plain_tree(text);
    if (tree.empty()) continue;
    ++taken;
    ASSERT_EQ(tree, yaml_tree(text)) << text;
  }
  EXPECT_GT(taken, 5000);
}

/// One character of our own files lost, doubled or put elsewhere.
TEST(Document, OurFilesWithAnErrorAreReadAsYamlIs) {
  std::mt19937 chance(2);
  const std::string manifest = text_of("traces/kernels/manifest.yaml");
  const std::string whole = manifest.substr(0, manifest.find("  - name", 1200)) +
                            "numerics:\n  f16: {value: 8, unit: products of two, evidence: \"published: x, y\"}\n";
  int taken = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = whole;
    for (std::size_t n = 1 + chance() % 2; n != 0; --n) {
      const std::size_t place = chance() % text.size();
      switch (chance() % 3) {
        case 0: text.erase(place, 1); break;
        case 1: text.insert(place, 1, text[place]); break;
        default: text[place] = whole[chance() % whole.size()];
      }
    }
    const std::string tree = plain_tree(text);
    if (tree.empty()) continue;
    ++taken;
    ASSERT_EQ(tree, yaml_tree(text)) << text;
  }
  EXPECT_GT(taken, 500);
}

}  // namespace
}  // namespace stc::sim
