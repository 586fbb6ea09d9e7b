// SPDX-License-Identifier: Apache-2.0
// One damaged input through the whole program, in a process of its own that is forked from this one, in the working
// folder, with limits of processor time and memory.
#pragma once

#include <string>
#include <vector>

#include "validation/fuzz/corpus.h"

namespace stc::fuzz {

/// A scenario with one or more of its parts damaged: number `index` of all inputs of a seed.
struct Trial {
  std::string scenario;
  std::vector<std::string> arguments;
  std::string file;      ///< that is damaged; empty: none
  std::string contents;  ///< of it
  bool endless = false;  ///< as its scenario's
};
Trial make_trial(const Corpus& corpus, std::uint64_t seed, std::uint64_t index);

struct Verdict {
  int exit_code = -1;   ///< -1: ended by a signal
  std::string problem;  ///< empty: the program behaved
  std::string message;  ///< what it said
};

/// Runs in `folder`, which holds the files of the corpus and is left as it was.
Verdict run_trial(const Trial& trial, const Corpus& corpus, const std::string& folder);

/// The command with its arguments, for a person to repeat.
std::string command_of(const Trial& trial);

}  // namespace stc::fuzz
