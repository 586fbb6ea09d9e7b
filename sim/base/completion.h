// SPDX-License-Identifier: Apache-2.0
// Scripts that complete a program's command line in a shell, and its man page.
#pragma once

#include <string>

#include "sim/base/command_model.h"

namespace stc::sim {

std::string bash_completion(const CommandModel& program);
std::string zsh_completion(const CommandModel& program);
std::string fish_completion(const CommandModel& program);

/// Section 1, in roff's man macros. `version` stands in its footer.
std::string man_page(const CommandModel& program, const std::string& version);

}  // namespace stc::sim
