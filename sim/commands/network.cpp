// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/network.h"

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/interrupt.h"
#include "sim/base/worker_pool.h"
#include "sim/network/network_run.h"

namespace stc::sim {
namespace {

constexpr const char* kNetworkExamples =
    "Examples:\n"
    "  stcsim network configs/networks/small.yaml\n"
    "  stcsim network configs/networks/bert_base.yaml --set batch=[1,8,32] --html bert.html\n"
    "  stcsim network configs/networks/llama_7b_decode.yaml --set sequence=4096 --json -\n"
    "configs/networks/README.md explains the file.\n";

}  // namespace

Command add_network_command(CommandLine& line, StudyCommand& command) {
  Command network = line.command("network", "What does 2:4 bring a whole network, end to end and per watt?");
  network.option("FILE", command.file, "Layers of a network (YAML); configs/networks/README.md explains it").required();
  network.option("--set", command.sets, "Replace a key of the file: --set batch=8 --set sequence=512; may be repeated")
      .one_value()
      .type("KEY=VALUE");
  add_study_options(network, command);
  network.footer(kNetworkExamples);
  return network;
}

int network(const StudyCommand& command) {
  refuse_printed_page(command);
  const std::vector<Override> overrides = parse_overrides(command.sets);
  require_study_outputs(command, {command.file});
  const NetworkFile file = read_network_file(command.file, overrides);
  stop_on_signals();
  const NetworkResult result = run_network(file, command.jobs > 0 ? command.jobs : available_processors());
  write_study(
      command, network_json(file, result), [&] { return network_html(file, result); }, network_text(file, result));
  return kOk;
}

}  // namespace stc::sim
