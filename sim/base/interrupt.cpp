// SPDX-License-Identifier: Apache-2.0
#include "sim/base/interrupt.h"

#include <csignal>

namespace stc::sim {
namespace {

volatile std::sig_atomic_t asked = 0;

/// Async-signal-safe.
void note(int signal) {
  asked = signal;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

const char* Interrupted::name() const { return signal == SIGINT ? "SIGINT (Ctrl-C)" : "SIGTERM"; }

Interrupted kept_in(const Interrupted& stopped, const std::string& journal) {
  return {stopped.signal,
          std::string(stopped.what()) + "\ntheir results are in " + journal + "; the same command goes on from there"};
}

void stop_on_signals() {
  asked = 0;
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;
    struct sigaction ours {};
    ours.sa_handler = note;
    ours.sa_flags = SA_RESTART;  // poll() returns all the same
    ::sigaction(signal, &ours, nullptr);
  }
}

void leave_signals_to_parent() {
  asked = 0;
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
}

int stop_signal() noexcept { return asked; }

void stop_if_asked(const std::string& reached) {
  if (asked != 0) throw Interrupted(asked, reached);
}

}  // namespace stc::sim
