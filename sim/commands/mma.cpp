// SPDX-License-Identifier: Apache-2.0
#include "sim/commands/mma.h"

#include <fmt/format.h>
#include <unistd.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "models/isa/mma/mma_catalogue.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/fitted.h"
#include "sim/base/json_text.h"
#include "sim/base/whole_number.h"
#include "sim/config/gpu_config.h"
#include "sim/mma/batch.h"
#include "sim/mma/explain.h"
#include "sim/mma/op_list.h"
#include "sim/mma/tile_text.h"
#include "sim/mma/waveform.h"

namespace stc::sim {
namespace {

constexpr const char* kMmaExamples =
    "Operations are named as PTX spells them; .sync.aligned, .row.col and ::ordered_metadata may be left out.\n"
    "Examples:\n"
    "  stcsim mma --gpu configs/gpus/a100.yaml --list\n"
    "  stcsim mma --gpu configs/gpus/a100.yaml --op mma.sp.m16n8k32.f32.f16.f16.f32 --random 1\n"
    "  stcsim mma --gpu configs/gpus/h200.yaml --op mma.m16n8k16.f32.bf16.bf16.f32 --random 1 --row 3 --col 5\n"
    "  stcsim mma --gpu configs/gpus/a100.yaml --op mma.sp.m16n8k32.f32.f16.f16.f32 --vcd wave.vcd\n"
    "  stcsim mma --gpu configs/gpus/h200.yaml --op wgmma.sp.m64n32k32.f32.f16.f16 --vcd wave.vcd\n"
    "  stcsim mma --op mma.sp.m16n8k64.s32.s8.s8.s32 --lane-map\n"
    "  stcsim mma --gpu configs/gpus/h200.yaml --op wgmma.sp.m64n8k64.f32.e4m3.e4m3 --random 1 --row 40 --col 5\n"
    "  stcsim mma --gpu configs/gpus/h200.yaml --op mma.m16n8k32.s32.s8.s8.s32 --in cases.bin --out results.bin\n"
    "--lane-map needs no GPU; --list, --lane-map and --in exclude each other and all that only shows one instruction.\n"
    "--in is consecutive cases of A[32][NA] B[32][NB] C[32][NC] and, for sparse operations, E[32]: 32-bit\n"
    "little-endian words, all registers of lane 0 first. --out is D[32][NC] per case.\n";

/// Text to the screen, or JSON to the screen or a file.
int deliver(const MmaCommand& command, const std::string& text, const nlohmann::ordered_json& json) {
  if (command.json_file.empty()) {
    fmt::print("{}", for_output(text));
  } else if (command.json_file == "-") {
    fmt::print("{}\n", json_text(json, 1));
  } else {
    OutputFiles files;
    files.add_text(command.json_file, json_text(json, 1) + "\n");
    files.commit();
  }
  return kOk;
}

gpu::GpuParams gpu_of(const MmaCommand& command) {
  if (command.gpu_file.empty()) throw UserError("mma: --gpu FILE is needed (such as configs/gpus/a100.yaml)");
  const std::vector<Override> overrides = parse_overrides(command.sets, "gpu.");
  return read_gpu_config(command.gpu_file, overrides).params;
}

isa::MmaOp op_of(const MmaCommand& command) {
  if (command.op.empty()) throw UserError("mma: --op NAME is needed; stcsim mma --gpu FILE --list shows the names");
  if (command.op.find(".b1.") != std::string::npos) {
    throw UserError(
        fmt::format("--op: \"{}\" multiplies single bits (b1): kernels that use it run, but 'stcsim mma' shows "
                    "operations on elements of 4 bits and more only (see --list)",
                    command.op));
  }
  try {
    return isa::parse_mma_name(command.op);
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("--op: {}", error.what()));
  }
}

/// The operation as this GPU has it.
isa::MmaCatalogueEntry entry_of(const MmaCommand& command, int sm_version) {
  try {
    return isa::find_mma(sm_version, op_of(command));
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("--op: {}", error.what()));
  }
}

/// An index that this operation must have; `otherwise` when the option is not given.
int index_of(const char* option, const std::optional<std::string>& text, int count, int otherwise) {
  return text ? static_cast<int>(whole_number(option, *text, 0, count - 1)) : otherwise;
}

int selector_of(const MmaCommand& command, const isa::MmaCatalogueEntry& entry) {
  return index_of("--selector", command.selector, std::max(1, entry.selectors), 0);
}

/// Options that the answer to `mode` would not depend on are refused: who gives them expects something else.
void refuse_unused(const MmaCommand& command, const char* mode, const std::vector<std::string>& used) {
  const std::pair<const char*, bool> given[] = {{"--list", command.list},
                                                {"--lane-map", command.lane_map},
                                                {"--in", !command.in_file.empty()},
                                                {"--out", !command.out_file.empty()},
                                                {"--op", !command.op.empty()},
                                                {"--random", command.seed.has_value()},
                                                {"--selector", command.selector.has_value()},
                                                {"--row", command.row.has_value()},
                                                {"--col", command.column.has_value()},
                                                {"--vcd", !command.vcd_file.empty()},
                                                {"--json", !command.json_file.empty()}};
  for (const auto& [option, is_given] : given) {
    if (!is_given || std::find(used.begin(), used.end(), option) != used.end()) continue;
    throw UserError(fmt::format("{}: has no meaning together with {}; leave one of them out", option, mode));
  }
}

int batch(const MmaCommand& command, const isa::MmaCatalogueEntry& entry, const arith::Numerics& numerics) {
  if (command.in_file.empty() || command.out_file.empty()) {
    throw UserError("mma: --in FILE and --out FILE belong together");
  }
  if (entry.op.warpgroup) {
    throw UserError(fmt::format(
        "--in: images are those of a warp's registers, but {} takes B from shared memory; leave --in and --out out to "
        "see it on random operands",
        entry.op.name()));
  }
  require_outputs({command.out_file}, {command.in_file});
  auto output =
      run_batch(entry.op, numerics, selector_of(command, entry), read_bytes(command.in_file), command.in_file);
  OutputFiles files;
  files.add(command.out_file, std::move(output));
  files.commit();
  return kOk;
}

int show(const MmaCommand& command, const isa::MmaCatalogueEntry& entry, const gpu::GpuParams& gpu) {
  const auto seed = static_cast<std::uint64_t>(
      command.seed ? whole_number("--random", *command.seed, 0, std::numeric_limits<std::int64_t>::max()) : 1);
  const int selector = selector_of(command, entry);
  const int row = index_of("--row", command.row, entry.op.m, 0);
  const int column = index_of("--col", command.column, entry.op.n, 0);
  if (!command.vcd_file.empty()) {
    if (entry.emulated) {
      throw UserError(
          fmt::format("--vcd: {} (sm_{}) has no instruction {}, compilers emulate it by several others, so there is no "
                      "one pass through the tensor core to record; --list shows what it has",
                      gpu.name, gpu.sm_version, entry.op.name()));
    }
    require_outputs(
        {command.vcd_file, save_file_of(command.vcd_file), command.json_file == "-" ? "" : command.json_file});
  }
  MmaCase mma = random_case(entry.op, selector, seed);
  compute(mma, gpu.numerics);
  const bool colour = ::isatty(STDOUT_FILENO) != 0;
  std::string text =
      fmt::format("{} on {} (sm_{}){}, seed {}{}\n\n", entry.op.name(), gpu.name, gpu.sm_version,
                  entry.emulated ? ", emulated by several instructions" : "", seed,
                  entry.op.sparse ? fmt::format(", {} weights, selector {}", entry.op.pattern.name(), selector) : "");
  nlohmann::ordered_json json = tile_json(mma);
  json["gpu"] = gpu.name;
  json["sm_version"] = gpu.sm_version;
  json["seed"] = seed;
  if (command.row || command.column) {
    text += explain_text(mma, gpu.numerics, row, column);
    json["output"] = explain_json(mma, gpu.numerics, row, column);
  } else {
    text += tile_text(mma, colour);
  }
  if (!command.vcd_file.empty()) {
    const std::string save =
        write_waveform({&mma, &gpu.numerics, gpu.sm.tensor_core, command.vcd_file, gpu.sm.warpgroup});
    text += fmt::format("\nwaveform in {}; open it with: gtkwave {}\n", command.vcd_file, save);
  }
  return deliver(command, text, json);
}

}  // namespace

Command add_mma_command(CommandLine& line, MmaCommand& command) {
  Command mma = line.command("mma", "One matrix instruction under the microscope: values, selection, layouts");
  mma.option("--gpu", command.gpu_file, "GPU description (YAML)").type("FILE");
  mma.option("--set", command.sets, "Replace a parameter of the GPU; may be repeated").one_value().type("KEY=VALUE");
  mma.option("--op", command.op, "Operation").type("NAME");
  mma.flag("--list", command.list, "Every operation of the GPU with registers, blocks, interval and latency");
  mma.flag("--lane-map", command.lane_map, "Which lane's register holds which element, and the metadata bits");
  mma.option("--random", command.seed, "Show the operation on random operands of this seed, 0 or more (default 1)")
      .type("SEED");
  mma.option("--row", command.row, "Explain one output of this row: products, alignment, truncation, rounding")
      .type("R");
  mma.option("--col", command.column, "Column of the output to explain (default 0)").type("C");
  mma.option("--selector", command.selector, "Metadata selector of a sparse operation (default 0)").type("N");
  mma.option("--vcd", command.vcd_file, "Write a waveform of the tensor core at work, and a GTKWave save file")
      .type("FILE.vcd");
  mma.option("--json", command.json_file, "Write JSON; - prints it instead of the text").type("FILE");
  mma.option("--in", command.in_file, "Register images of many cases").type("FILE");
  mma.option("--out", command.out_file, "Results of --in").type("FILE");
  mma.footer(kMmaExamples);
  return mma;
}

int mma(const MmaCommand& command) {
  if (command.list) refuse_unused(command, "--list", {"--list", "--json"});
  if (command.lane_map) refuse_unused(command, "--lane-map", {"--lane-map", "--op", "--json"});
  const bool is_batch = !command.in_file.empty() || !command.out_file.empty();
  if (is_batch) refuse_unused(command, "--in and --out", {"--in", "--out", "--op", "--selector"});
  if (command.lane_map && command.gpu_file.empty()) {
    if (!command.sets.empty()) throw UserError("--set: replaces parameters of a GPU, but no --gpu is given");
    const isa::MmaOp op = op_of(command);
    return deliver(command, lane_map_text(op), lane_map_json(op));
  }
  const gpu::GpuParams gpu = gpu_of(command);
  if (command.list) return deliver(command, op_list_text(gpu), op_list_json(gpu));
  const isa::MmaCatalogueEntry entry = entry_of(command, gpu.sm_version);
  if (command.lane_map) return deliver(command, lane_map_text(entry.op), lane_map_json(entry.op));
  if (is_batch) return batch(command, entry, gpu.numerics);
  return show(command, entry, gpu);
}

}  // namespace stc::sim
