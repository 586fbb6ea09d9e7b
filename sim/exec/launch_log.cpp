// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/launch_log.h"

#include <algorithm>

#include "sim/base/streams.h"

namespace stc::sim {

void LaunchLog::note(const std::string& text) {
  if (std::find(notes.begin(), notes.end(), text) != notes.end()) return;
  notes.push_back(text);
  say("stcsim: " + text + "\n");
}

}  // namespace stc::sim
