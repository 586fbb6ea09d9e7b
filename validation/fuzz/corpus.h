// SPDX-License-Identifier: Apache-2.0
// What is damaged: for each kind of input a few small files of this source tree that are right, with the command that
// reads them. A GPU of two SMs and small kernels make a run a matter of milliseconds.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "validation/fuzz/mutator.h"

namespace stc::fuzz {

/// One command over the files of the working folder, and which of its parts are damaged.
struct Scenario {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::string> damaged;            ///< files, of which one is damaged at a time
  std::vector<std::size_t> damaged_arguments;  ///< indices; used when `damaged` is empty, or now and then beside it
  bool refused = false;                        ///< undamaged too: what it reads says less than it needs
  bool endless = false;                        ///< what is simulated may last as long as a damaged size asks for
};

struct Corpus {
  std::map<std::string, std::string> files;  ///< name in the working folder -> contents
  std::vector<Scenario> scenarios;
};

/// `root`: the source tree.
Corpus make_corpus(const std::string& root);

Format format_of(const std::string& file);

}  // namespace stc::fuzz
