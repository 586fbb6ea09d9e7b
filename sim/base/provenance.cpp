// SPDX-License-Identifier: Apache-2.0
#include "sim/base/provenance.h"

namespace stc::sim {

std::string caveat_of_revision(const std::string& revision) {
  if (revision == "unknown") {
    return "Built outside of git: no commit names the program that computed these figures. Not for publication.";
  }
  if (revision.empty() || revision.back() != '+') return "";
  return "Built from a modified tree: commit " + revision.substr(0, revision.size() - 1) +
         " alone does not give these figures. Not for publication.";
}

}  // namespace stc::sim
