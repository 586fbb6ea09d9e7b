// SPDX-License-Identifier: Apache-2.0
// What a kernel uses that the simulator does not model, by the name of the feature.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stc::cubin {

struct UnmodelledFeature {
  std::string name;         ///< "wgmma", "texture fetches", "a form of BAR"
  int instructions = 0;     ///< 0: not a matter of instructions
  std::uint32_t first = 0;  ///< address of the first one
  std::string reason;       ///< why that one cannot be decoded
};

class Unmodelled {
 public:
  /// An instruction that needs `feature`; those of one feature are counted.
  void add_instruction(const std::string& feature, std::uint32_t address, const std::string& reason);
  void add(const std::string& feature);

  bool empty() const { return features_.empty(); }
  /// In the order in which the code first needs them.
  const std::vector<UnmodelledFeature>& features() const { return features_; }
  /// "uses wgmma (12 instructions), TMA (3), which are not modelled; first at 0x01f0: REASON".
  std::string sentence() const;
  /// "wgmma (12 instructions), TMA (3)".
  std::string list() const;

 private:
  UnmodelledFeature& feature(const std::string& name);
  std::vector<UnmodelledFeature> features_;
};

}  // namespace stc::cubin
