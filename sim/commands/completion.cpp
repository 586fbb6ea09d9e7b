// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/completion.h"

#include <fmt/format.h>

#include "sim/base/completion.h"
#include "sim/base/error.h"
#include "sim/base/version.h"

namespace stc::sim {

Command add_completion_command(CommandLine& line, CompletionCommand& command) {
  Command completion = line.command("completion", "Print what completes stcsim's command line in a shell");
  completion.option("SHELL", command.shell, "The shell: bash, zsh or fish")
      .required()
      .one_of_words({"bash", "zsh", "fish"});
  completion.footer(
      "Examples:\n"
      "  source <(stcsim completion bash)\n"
      "  stcsim completion zsh > ~/.zfunc/_stcsim\n"
      "  stcsim completion fish > ~/.config/fish/completions/stcsim.fish\n"
      "cmake --install and the Debian package put all three where the shells look.\n");
  return completion;
}

int completion(const CompletionCommand& command, const CommandLine& line) {
  const CommandModel program = line.model();
  fmt::print("{}", command.shell == "bash"  ? bash_completion(program)
                   : command.shell == "zsh" ? zsh_completion(program)
                                            : fish_completion(program));
  return kOk;
}

Command add_man_command(CommandLine& line) {
  Command man = line.command("man", "Print the man page: every command with its options, in roff");
  man.footer("Example:\n  stcsim man | man -l -\n");
  return man;
}

int man(const CommandLine& line) {
  fmt::print("{}", man_page(line.model(), version()));
  return kOk;
}

}  // namespace stc::sim
