// SPDX-License-Identifier: Apache-2.0
#include "sim/config/document.h"

#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>
#include <utility>

namespace stc::sim {
namespace {

using Kind = DocumentNode::Kind;

DocumentMark mark_of(const YAML::Mark& mark) {
  return mark.is_null() ? DocumentMark{} : DocumentMark{mark.line, mark.column};
}

/// Builds the tree. Refuses the start of a second document. yaml-cpp itself reads a text like "," as documents without
/// end, none of which takes a character.
class Builder : public YAML::EventHandler {
 public:
  explicit Builder(Document& document) : document_(document) {}
  DocumentNode* root() const { return root_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) {
      first_ = mark;
    } else if (mark.pos == first_.pos) {
      throw YAML::Exception(mark, "no value can begin with this character");
    } else {
      throw YAML::Exception(mark, "a second document begins; one is allowed");
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { place(Kind::kNothing, mark, anchor); }
  void OnAlias(const YAML::Mark&, YAML::anchor_t anchor) override { append(anchored_[anchor - 1]); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string& value) override {
    place(Kind::kScalar, mark, anchor)->scalar = value;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back(place(Kind::kList, mark, anchor));
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back(place(Kind::kMap, mark, anchor));
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  DocumentNode* place(Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    DocumentNode* const node = document_.add(kind, mark_of(mark));
    if (anchor != YAML::NullAnchor) anchored_.resize(anchor, node);  // they are numbered as they come
    append(node);
    return node;
  }
  void append(DocumentNode* node) {
    if (open_.empty()) {
      root_ = node;
    } else {
      open_.back()->children.push_back(node);
    }
  }

  Document& document_;
  DocumentNode* root_ = nullptr;
  std::vector<DocumentNode*> open_, anchored_;
  int documents_ = 0;
  YAML::Mark first_;
};

}  // namespace

DocumentNode* Document::add(Kind kind, DocumentMark mark, std::string scalar) {
  nodes_.push_back({kind, std::move(scalar), {}, mark});
  return &nodes_.back();
}

DocumentNode* Document::read(const std::string& text) {
  std::istringstream stream(text);
  Builder builder(*this);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    throw DocumentError{mark_of(error.mark), error.msg};
  }
  return builder.root() != nullptr ? builder.root() : add(Kind::kNothing, {});
}

}  // namespace stc::sim
