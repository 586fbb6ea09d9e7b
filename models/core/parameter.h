// SPDX-License-Identifier: Apache-2.0
// How parameter structs describe themselves.
//
// A parameter struct has one member function
//
//   template <class V> void describe(V& v) {
//     v.text("name", name, "Marketing name of the part.");
//     v.field("banks", banks, "banks", 1, 128, "Independent 4-byte banks.");   // integers and doubles
//     v.flag("sectored", sectored, "Lines are filled sector by sector.");
//     v.group("tag", tag, "Tag stage of the L1.");                             // a nested parameter struct
//   }
//
// that states each key once: name, member, unit, least and greatest legal value, one sentence. Readers, printers and
// documentation work on the list that `parameters_of` makes of it; nothing else knows the keys. Members begin as zero:
// values stand in GPU files, with their evidence.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace stc {

/// One key of a parameter struct. `target` points into the struct that was described.
struct Parameter {
  using Target = std::variant<int*, std::int64_t*, std::uint32_t*, std::uint64_t*, double*, bool*, std::string*>;
  std::string path;     ///< keys of the groups and of the field, joined by dots: "shared_memory.banks"
  std::string unit;     ///< empty for texts and flags
  double low = 0.0;     ///< least legal value (numbers only)
  double high = 0.0;    ///< greatest legal value
  std::string meaning;  ///< one sentence
  Target target;
};

struct ParameterGroup {
  std::string path;
  std::string meaning;
};

/// The visitor that turns `describe` into lists, in the order of declaration.
class ParameterLister {
 public:
  void text(const char* key, std::string& member, const char* meaning) { add(key, "", 0, 0, meaning, &member); }
  void flag(const char* key, bool& member, const char* meaning) { add(key, "", 0, 1, meaning, &member); }
  template <class T>
  void field(const char* key, T& member, const char* unit, double low, double high, const char* meaning) {
    add(key, unit, low, high, meaning, &member);
  }
  template <class Struct>
  void group(const char* key, Struct& member, const char* meaning) {
    const std::string outer = prefix_;
    groups_.push_back({outer + key, meaning});
    prefix_ += std::string(key) + ".";
    member.describe(*this);
    prefix_ = outer;
  }

  const std::vector<Parameter>& parameters() const& { return parameters_; }
  const std::vector<ParameterGroup>& groups() const& { return groups_; }
  // A loop over the list of a temporary would read what is gone.
  const std::vector<Parameter>& parameters() && = delete;
  const std::vector<ParameterGroup>& groups() && = delete;

 private:
  void add(const char* key, const char* unit, double low, double high, const char* meaning, Parameter::Target target) {
    parameters_.push_back({prefix_ + key, unit, low, high, meaning, target});
  }

  std::string prefix_;
  std::vector<Parameter> parameters_;
  std::vector<ParameterGroup> groups_;
};

template <class Struct>
ParameterLister parameters_of(Struct& parameters) {
  ParameterLister lister;
  parameters.describe(lister);
  return lister;
}

}  // namespace stc
