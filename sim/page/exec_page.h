// SPDX-License-Identifier: Apache-2.0
// The page of a program's launches: what took the time, kernel by kernel and launch by launch.
#pragma once

#include <string>

#include "sim/exec/exec_report.h"

namespace stc::sim {

std::string exec_page(const ExecResult& result);

}  // namespace stc::sim
