// SPDX-License-Identifier: Apache-2.0
// The program as a function: arguments in, exit code out, results on standard output.
#pragma once

namespace stc::sim {

/// Never throws; whatever goes wrong is one message on standard error and an exit code of sim/base/error.h.
int run_program(int argc, char** argv) noexcept;

}  // namespace stc::sim
