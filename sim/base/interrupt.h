// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and its like: long commands stop at a safe place and say what was reached.
#pragma once

#include <stdexcept>
#include <string>

namespace stc::sim {

/// A signal asked to stop. The text says what was reached, without the signal's name.
struct Interrupted : std::runtime_error {
  Interrupted(int by, const std::string& reached) : std::runtime_error(reached), signal(by) {}
  int exit_code() const { return 128 + signal; }  ///< as shells have it
  const char* name() const;
  int signal;
};

/// Of a command that keeps its results in `journal` as they come.
Interrupted kept_in(const Interrupted& stopped, const std::string& journal);

/// From now on the first SIGINT or SIGTERM only asks to stop; one more ends the process at once. What was ignored when
/// the program began (nohup) stays ignored.
void stop_on_signals();

/// For a process that works for another: SIGINT, which a terminal sends to both, is left to the other one.
void leave_signals_to_parent();

/// The signal that asked to stop; 0: none.
int stop_signal() noexcept;

/// Throws Interrupted when a signal asked to stop.
void stop_if_asked(const std::string& reached);

}  // namespace stc::sim
