// SPDX-License-Identifier: Apache-2.0
#include "sim/result/remembered.h"

#include <cstdlib>

#include "sim/base/streams.h"

namespace stc::sim {

std::string remembered_file(const char* name) {
  const auto folder = [](const char* variable, const char* below) -> std::optional<std::string> {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::string(value) + below;
  };
  for (const auto& found :
       {folder("STC_CACHE", ""), folder("XDG_CACHE_HOME", "/stcsim"), folder("HOME", "/.cache/stcsim")}) {
    if (found) return *found + "/" + name;
  }
  return "";
}

void say_not_remembered(const std::string& reason) noexcept {
  static bool said = false;
  if (said) return;
  said = true;
  say("stcsim: results are not remembered: " + reason + "\n");
}

}  // namespace stc::sim
