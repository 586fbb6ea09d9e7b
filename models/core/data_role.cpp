// SPDX-License-Identifier: Apache-2.0
#include "models/core/data_role.h"

namespace stc {

const char* name_of(DataRole role) {
  switch (role) {
    case DataRole::kOther: return "other";
    case DataRole::kWeight: return "weight";
    case DataRole::kMetadata: return "metadata";
    case DataRole::kActivation: return "activation";
    case DataRole::kOutput: return "output";
  }
  return "?";
}

}  // namespace stc
