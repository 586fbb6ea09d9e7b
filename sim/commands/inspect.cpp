// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "models/isa/opcode_traits.h"
#include "models/isa/text/kernel_name.h"
#include "models/isa/text/listing.h"
#include "models/isa/values/execute.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/fitted.h"
#include "sim/base/json_text.h"
#include "sim/base/streams.h"
#include "sim/base/text.h"
#include "sim/profile/profile_json.h"
#include "sim/profile/profile_listing.h"
#include "traces/cubin/cubin.h"
#include "traces/cubin/cubin_error.h"
#include "traces/cubin/decoder.h"

namespace stc::sim {
namespace {

/// Matrix instructions by mnemonic.
std::map<std::string, int> matrix_instructions(const cubin::KernelContents& seen) {
  std::map<std::string, int> counts;
  for (const cubin::CodeLine& line : seen.lines) {
    if (!line.instruction) continue;
    const isa::Sources sources = isa::traits_of(line.instruction->opcode).sources;
    if (sources != isa::Sources::kMatrix && sources != isa::Sources::kDoubleMatrix) continue;
    ++counts[isa::mnemonic(*line.instruction)];
  }
  return counts;
}

std::size_t undecodable(const cubin::KernelContents& seen) {
  return static_cast<std::size_t>(std::count_if(seen.lines.begin(), seen.lines.end(),
                                                [](const cubin::CodeLine& line) { return !line.instruction; }));
}

std::string parameters_text(const isa::Kernel& k) {
  std::string text;
  for (const isa::KernelParameter& p : k.parameters) {
    text += fmt::format("{}{:#x}: {} B", text.empty() ? "" : ", ", k.parameter_base + p.offset, p.bytes);
  }
  return text.empty() ? "none" : text;
}

/// What the source fixes of thread-block clusters; a launch may ask for them besides.
std::string cluster_line(const isa::Kernel& k) {
  if (k.cluster) return fmt::format("  clusters of {} x {} x {} CTAs\n", k.cluster->x, k.cluster->y, k.cluster->z);
  return k.max_cluster_ctas != 0 ? fmt::format("  clusters of at most {} CTAs\n", k.max_cluster_ctas) : "";
}

void print_resources(const cubin::KernelContents& seen) {
  const isa::Kernel& k = seen.kernel;
  std::string out = fmt::format("kernel {}\n", k.name);
  const std::string name = isa::readable_name(k.name);
  if (name != k.name) out += fmt::format("  {}\n", name);
  out += fmt::format("  sm_{}  registers {}  threads <= {}  barriers {}\n", k.sm_version, k.registers, k.max_threads,
                     k.barriers);
  out += fmt::format("  static shared {} B  local {} B per thread\n", k.static_shared_bytes, k.local_bytes);
  out += cluster_line(k);
  out += fmt::format("  parameters {} B in c[0x0], at {}\n", k.parameter_bytes, parameters_text(k));
  for (const auto& [bank, bytes] : k.constants) out += fmt::format("  constant bank {}: {} B\n", bank, bytes.size());
  out += fmt::format("  instructions {}", seen.lines.size());
  for (const auto& [mnemonic, count] : matrix_instructions(seen)) out += fmt::format("  {} {}", count, mnemonic);
  out += "\n";
  for (std::size_t i = 1; i < seen.parts.size(); ++i) {
    const cubin::CodePart& part = seen.parts[i];
    out += fmt::format("  reaches {} at {:#06x}{}\n", isa::readable_name(part.function), part.base,
                       part.pointed ? ", if at all through a pointer" : "");
  }
  for (const isa::CodePlace& place : k.code_places) {
    if (!place.missing.empty()) out += fmt::format("  leaves out {}\n", place.missing);
  }
  if (!seen.unmodelled.empty()) out += fmt::format("  cannot run: {}\n", seen.unmodelled.sentence());
  fmt::print("{}", for_output(out));
}

/// On a narrow terminal the instruction's bits stand below it.
void print_listing(const cubin::KernelContents& seen) {
  constexpr std::size_t kBeforeListed = 33, kListed = 72, kBits = 44;  // columns
  const bool below = columns_of_output().value_or(kBeforeListed + kListed + kBits) < kBeforeListed + kListed + kBits;
  auto part = seen.parts.begin();
  for (const cubin::CodeLine& line : seen.lines) {
    if (seen.parts.size() > 1 && part != seen.parts.end() && part->base == line.address) {
      fmt::print("  {}:\n", isa::readable_name((part++)->function));
    }
    const std::string text = line.instruction ? isa::listing_text(*line.instruction) : "?";
    const std::string control = isa::control_text(cubin::decode_control(line.high));
    const std::string head = fmt::format("    /*{:04x}*/  {}  ", line.address, control);
    const std::string bits = fmt::format("/* {:#018x} {:#018x} */", line.low, line.high);
    if (below) {
      fmt::print("{}\n{:{}}{}\n", for_output(head + text), "", kBeforeListed, bits);
    } else {
      fmt::print("{}{:<{}} {}\n", head, text, kListed, bits);
    }
  }
}

nlohmann::ordered_json unmodelled_json(const cubin::KernelContents& seen) {
  nlohmann::ordered_json features = nlohmann::ordered_json::array();
  for (const cubin::UnmodelledFeature& feature : seen.unmodelled.features()) {
    nlohmann::ordered_json entry = {{"feature", feature.name}, {"instructions", feature.instructions}};
    if (feature.instructions != 0) {
      entry["first"] = feature.first;
      entry["reason"] = feature.reason;
    }
    features.push_back(entry);
  }
  return features;
}

nlohmann::ordered_json resources_json(const cubin::KernelContents& seen, bool listing) {
  const isa::Kernel& k = seen.kernel;
  nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
  for (const isa::KernelParameter& p : k.parameters) parameters.push_back({{"offset", p.offset}, {"bytes", p.bytes}});
  nlohmann::ordered_json banks = nlohmann::ordered_json::object();
  for (const auto& [bank, bytes] : k.constants) banks[std::to_string(bank)] = bytes.size();
  nlohmann::ordered_json matrix = nlohmann::ordered_json::object();
  for (const auto& [name, count] : matrix_instructions(seen)) matrix[name] = count;
  nlohmann::ordered_json j = {{"name", k.name},
                              {"readable_name", isa::readable_name(k.name)},
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
                              {"undecodable_instructions", undecodable(seen)},
                              {"unmodelled", unmodelled_json(seen)},
                              {"matrix_instructions", matrix}};
  if (k.cluster) j["cluster"] = {k.cluster->x, k.cluster->y, k.cluster->z};
  if (k.max_cluster_ctas != 0) j["max_cluster_ctas"] = k.max_cluster_ctas;
  if (!listing) return j;
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (const cubin::CodeLine& line : seen.lines) {
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

/// Launches of kernels of the module whose bytes have this hash.
std::vector<LaunchProfile> profiled_launches(const InspectOptions& options, const std::string& hash) {
  std::vector<LaunchProfile> here;
  std::string others;
  for (LaunchProfile& launch : read_profile(options.profile)) {
    if (launch.kernel_hash != hash) {
      others += fmt::format("{}{} of a cubin with the hash {}", others.empty() ? "" : ", ", launch.kernel,
                            launch.kernel_hash);
    } else if (options.kernel.empty() || launch.kernel == options.kernel) {
      here.push_back(std::move(launch));
    }
  }
  if (!here.empty()) return here;
  throw UserError(fmt::format("{}: is no profile of {}{}, whose hash is {}{}", options.profile,
                              options.kernel.empty() ? "" : options.kernel + " of ", options.file, hash,
                              others.empty() ? "" : "; it has " + others));
}

/// The profile's instructions are those of the file, or the profile is damaged.
void require_same_code(const InspectOptions& options, const cubin::Cubin& module, const LaunchProfile& launch) {
  const cubin::KernelContents seen = module.look_into(launch.kernel);
  const auto same = [](const cubin::CodeLine& line, const ProfiledInstruction& one) {
    return line.address == one.address;
  };
  if (std::equal(seen.lines.begin(), seen.lines.end(), launch.instructions.begin(), launch.instructions.end(), same))
    return;
  throw UserError(fmt::format("{}: is damaged: its instructions of {} are not those of {}", options.profile,
                              launch.kernel, options.file));
}

void print_profile(const InspectOptions& options, const std::vector<std::uint8_t>& bytes, const cubin::Cubin& module) {
  const std::vector<LaunchProfile> launches = profiled_launches(options, content_hash(bytes.data(), bytes.size()));
  for (const LaunchProfile& launch : launches) require_same_code(options, module, launch);
  const ListingStyle style{columns_of_output().value_or(ListingStyle::kNarrowest), columns_of_output().has_value()};
  for (const LaunchProfile& launch : launches) fmt::print("{}", profile_listing(launch, style));
}

}  // namespace

Command add_inspect_command(CommandLine& line, InspectOptions& options) {
  Command inspect =
      line.command("inspect", "Show what is in a cubin: kernels, resources, what is not modelled, instructions");
  inspect.option("FILE", options.file, "cubin, as written by nvcc -cubin").required();
  inspect.option("--kernel", options.kernel, "Only this kernel (mangled name)");
  inspect.flag("--listing", options.listing, "Disassembly with control codes");
  inspect
      .option("--profile", options.profile,
              "Show this profile of `stcsim run --profile`: the instructions with their share of the time, how often "
              "they were executed and what warps waited for at them")
      .type("FILE");
  inspect.prints("--profile-schema", "Print the JSON schema of profiles, every key with its unit and meaning, and exit",
                 [] { return json_text(profile_schema(), 2); });
  inspect.flag("--json", options.json, "As JSON");
  inspect.footer(
      "Control codes read B<wait mask>:R<read scoreboard>:W<write scoreboard>:<Y: yield>:S<stall>.\n"
      "Examples:\n  stcsim inspect gemm.cubin --listing\n  stcsim inspect gemm.cubin --profile profile.json | less "
      "-R\n");
  return inspect;
}

int inspect(const InspectOptions& options) {
  if (!options.profile.empty() && (options.json || options.listing)) {
    throw UserError(fmt::format("{}: does not go with --profile, which prints a listing of its own and is JSON already",
                                options.json ? "--json" : "--listing"));
  }
  try {
    const std::vector<std::uint8_t> bytes = read_bytes(options.file);
    const cubin::Cubin module(bytes, options.file);
    if (!options.kernel.empty()) module.look_into(options.kernel);  // names the kernels when this one is not there
    if (!options.profile.empty()) {
      print_profile(options, bytes, module);
      return kOk;
    }
    nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
    for (const isa::Kernel& kernel : module.kernels()) {
      if (!options.kernel.empty() && kernel.name != options.kernel) continue;
      const cubin::KernelContents seen = module.look_into(kernel.name);
      if (options.json) {
        kernels.push_back(resources_json(seen, options.listing));
        continue;
      }
      print_resources(seen);
      if (options.listing) print_listing(seen);
    }
    if (options.json) {
      fmt::print("{}\n", json_text({{"file", options.file}, {"kernels", kernels}}, 2));
    } else if (module.relocatable()) {
      fmt::print("The module is relocatable (compiled with -rdc=true): its kernels can run once it is linked.\n");
    }
  } catch (const cubin::CubinError& error) {
    throw UserError(error.what());
  }
  return kOk;
}

}  // namespace stc::sim
