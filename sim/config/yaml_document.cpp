// SPDX-License-Identifier: Apache-2.0
#include "sim/config/yaml_document.h"

#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>

#include <sstream>

namespace stc::sim {
namespace {

/// Refuses the start of a second document. yaml-cpp itself reads a text like "," as documents without end, none of
/// which takes a character.
class OneDocument : public YAML::EventHandler {
 public:
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
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  int documents_ = 0;
  YAML::Mark first_;
};

}  // namespace

YAML::Node load_document(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  OneDocument one;
  while (parser.HandleNextDocument(one)) {
  }
  return YAML::Load(text);
}

}  // namespace stc::sim
