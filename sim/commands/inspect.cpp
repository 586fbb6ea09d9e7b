// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/inspect.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/isa/execute.h"
#include "models/isa/listing.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/json_text.h"
#include "traces/cubin/cubin.h"
#include "traces/cubin/cubin_error.h"
#include "traces/cubin/decoder.h"

namespace stc::sim {
namespace {

/// One instruction, decoded or the reason why not.
struct Line {
  std::uint32_t address = 0;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::optional<isa::Instruction> instruction;
  std::string error;
};

struct Inspected {
  isa::Kernel kernel;
  std::vector<Line> lines;
  std::map<std::string, int> matrix;  ///< mnemonic of matrix instructions -> count
  int undecodable = 0;
};

Inspected look_into(const cubin::Cubin& module, const isa::Kernel& kernel) {
  Inspected seen;
  seen.kernel = kernel;
  const std::vector<std::uint64_t> words = module.words(kernel.name);
  cubin::InstructionPlace place;
  place.sm = kernel.sm_version;
  place.kernel = kernel.name;
  for (std::size_t index = 0; index < words.size(); index += 2) {
    Line line;
    line.address = place.address = static_cast<std::uint32_t>(8 * index);
    line.low = words[index];
    line.high = words[index + 1];
    try {
      line.instruction = cubin::decode_instruction(line.low, line.high, place);
      const isa::Opcode opcode = line.instruction->opcode;
      if (opcode == isa::Opcode::kHmma || opcode == isa::Opcode::kImma || opcode == isa::Opcode::kDmma) {
        ++seen.matrix[isa::mnemonic(*line.instruction)];
      }
    } catch (const cubin::CubinError& error) {
      line.error = error.what();
      ++seen.undecodable;
    }
    seen.lines.push_back(std::move(line));
  }
  return seen;
}

std::string parameters_text(const isa::Kernel& k) {
  std::string text;
  for (const isa::KernelParameter& p : k.parameters) {
    text += fmt::format("{}{:#x}: {} B", text.empty() ? "" : ", ", k.parameter_base + p.offset, p.bytes);
  }
  return text.empty() ? "none" : text;
}

/// Of the first instruction that cannot be decoded; empty when there is none.
std::string first_error(const Inspected& seen) {
  for (const Line& line : seen.lines) {
    if (!line.instruction) return line.error;
  }
  return "";
}

void print_resources(const Inspected& seen) {
  const isa::Kernel& k = seen.kernel;
  fmt::print("kernel {}\n", k.name);
  fmt::print("  sm_{}  registers {}  threads <= {}  barriers {}\n", k.sm_version, k.registers, k.max_threads,
             k.barriers);
  fmt::print("  static shared {} B  local {} B per thread\n", k.static_shared_bytes, k.local_bytes);
  fmt::print("  parameters {} B in c[0x0], at {}\n", k.parameter_bytes, parameters_text(k));
  for (const auto& [bank, bytes] : k.constants) fmt::print("  constant bank {}: {} B\n", bank, bytes.size());
  fmt::print("  instructions {}", seen.lines.size());
  for (const auto& [name, count] : seen.matrix) fmt::print("  {} {}", count, name);
  fmt::print("\n");
  if (seen.undecodable != 0) {
    fmt::print("  {} instruction(s) cannot be decoded, the kernel cannot run; the first:\n", seen.undecodable);
    fmt::print("  {}\n", first_error(seen));
  }
}

void print_listing(const Inspected& seen) {
  for (const Line& line : seen.lines) {
    const std::string text = line.instruction ? isa::listing_text(*line.instruction) : "?";
    const std::string control = isa::control_text(cubin::decode_control(line.high));
    fmt::print("    /*{:04x}*/  {}  {:<72} /* {:#018x} {:#018x} */\n", line.address, control, text, line.low,
               line.high);
  }
}

nlohmann::ordered_json resources_json(const Inspected& seen, bool listing) {
  const isa::Kernel& k = seen.kernel;
  nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
  for (const isa::KernelParameter& p : k.parameters) parameters.push_back({{"offset", p.offset}, {"bytes", p.bytes}});
  nlohmann::ordered_json banks = nlohmann::ordered_json::object();
  for (const auto& [bank, bytes] : k.constants) banks[std::to_string(bank)] = bytes.size();
  nlohmann::ordered_json matrix = nlohmann::ordered_json::object();
  for (const auto& [name, count] : seen.matrix) matrix[name] = count;
  nlohmann::ordered_json j = {{"name", k.name},
                              {"sm", k.sm_version},
                              {"registers", k.registers},
                              {"max_threads", k.max_threads},
                              {"barriers", k.barriers},
                              {"static_shared_bytes", k.static_shared_bytes},
                              {"local_bytes", k.local_bytes},
                              {"parameter_base", k.parameter_base},
                              {"parameter_bytes", k.parameter_bytes},
                              {"parameters", parameters},
                              {"constant_bank_bytes", banks},
                              {"instructions", seen.lines.size()},
                              {"undecodable_instructions", seen.undecodable},
                              {"matrix_instructions", matrix}};
  if (!listing) return j;
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (const Line& line : seen.lines) {
    nlohmann::ordered_json l = {{"address", line.address},
                                {"control", isa::control_text(cubin::decode_control(line.high))},
                                {"low", fmt::format("{:#018x}", line.low)},
                                {"high", fmt::format("{:#018x}", line.high)}};
    if (line.instruction)
      l["text"] = isa::listing_text(*line.instruction);
    else
      l["error"] = line.error;
    lines.push_back(l);
  }
  j["listing"] = lines;
  return j;
}

}  // namespace

CLI::App* add_inspect_command(CLI::App& app, InspectOptions& options) {
  CLI::App* inspect = app.add_subcommand("inspect", "Show what is in a cubin: kernels, resources, instructions");
  inspect->add_option("FILE", options.file, "cubin, as written by nvcc -cubin -arch=sm_80 or sm_90")->required();
  inspect->add_option("--kernel", options.kernel, "Only this kernel (mangled name)");
  inspect->add_flag("--listing", options.listing, "Disassembly with control codes");
  inspect->add_flag("--json", options.json, "As JSON");
  inspect->footer(
      "Control codes read B<wait mask>:R<read scoreboard>:W<write scoreboard>:<Y: yield>:S<stall>.\n"
      "Example:\n  stcsim inspect gemm.cubin --listing\n");
  return inspect;
}

int inspect(const InspectOptions& options) {
  try {
    const cubin::Cubin module(read_bytes(options.file), options.file);
    if (!options.kernel.empty()) module.words(options.kernel);  // names the kernels when this one is not there
    nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
    std::string undecodable;  // the first of all kernels
    for (const isa::Kernel& kernel : module.kernels()) {
      if (!options.kernel.empty() && kernel.name != options.kernel) continue;
      const Inspected seen = look_into(module, kernel);
      if (undecodable.empty()) undecodable = first_error(seen);
      if (options.json) {
        kernels.push_back(resources_json(seen, options.listing));
        continue;
      }
      print_resources(seen);
      if (options.listing) print_listing(seen);
    }
    if (options.json) {
      fmt::print("{}\n", json_text({{"file", options.file}, {"kernels", kernels}}, 2));
    }
    if (!undecodable.empty()) throw UserError(fmt::format("{}: {}", options.file, undecodable));
  } catch (const cubin::CubinError& error) {
    throw UserError(error.what());
  }
  return kOk;
}

}  // namespace stc::sim
