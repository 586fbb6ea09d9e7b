// SPDX-License-Identifier: Apache-2.0
// block_writer: kernels that time basic blocks, as cubins, with the list of points that micro_main measures.
//   block_writer --gpu configs/gpus/h200.yaml --corpus programs --out blocks
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "models/tensor_core/mma_timing.h"
#include "sim/base/command_line.h"
#include "sim/base/error.h"
#include "sim/config/gpu_config.h"
#include "traces/blocks/block_kernel.h"
#include "traces/cubin/cubin_writer.h"
#include "validation/blocks/block_set.h"

namespace {

using namespace stc;
using namespace stc::blocks;

struct Options {
  std::string gpu, out;
  SetOptions set;
};

constexpr std::size_t kBlocksOfFile = 100;
constexpr int kDataBytes = 32 * kGlobalWindow + kGlobalWindow, kSharedBytesOfWarp = kSharedWindow;

void write_lines(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file) throw sim::UserError(path + ": cannot be written");
}

std::string points_of(const TimedBlock& block, const std::string& cubin, std::uint64_t seed) {
  std::string lines;
  for (const Launch& launch : launches_of(block, seed)) {
    lines += fmt::format("{}_{}\t{}\t{}\t1\t{}\t{}\t{}\tinterval\t0\tout data {} {}\t0\n", block.block.group,
                         block.test ? "test" : "calibration", cubin, block.block.name, launch.warps,
                         launch.warps * kSharedBytesOfWarp, kDataBytes, block.times, launch.mask);
  }
  return lines;
}

void write(const Options& options) {
  const sim::GpuConfig gpu = sim::read_gpu_config(options.gpu, {});
  const auto latency = [&gpu](const isa::MmaOp& op) {
    return tensor_core::mma_timing(op, gpu.params.sm.tensor_core).latency;
  };
  const std::vector<TimedBlock> blocks = block_set(options.set, latency);
  std::filesystem::create_directories(options.out);
  std::string table = "kernel,group,third,source,instructions,registers,times\n";
  std::size_t points = 0;
  for (std::size_t first = 0; first < blocks.size(); first += kBlocksOfFile) {
    const std::string name = fmt::format("blocks_{:02}", first / kBlocksOfFile);
    std::vector<isa::Kernel> kernels;
    std::string list;
    for (std::size_t k = first; k < std::min(blocks.size(), first + kBlocksOfFile); ++k) {
      const TimedBlock& b = blocks[k];
      kernels.push_back(b.kernel);
      list += points_of(b, name, options.set.seed);
      table += fmt::format("{},{},{},{},{},{},{}\n", b.block.name, b.block.group, b.test ? "test" : "calibration",
                           b.block.source, b.block.body.size(), b.kernel.registers, b.times);
    }
    const std::vector<std::uint8_t> bytes = cubin::write_cubin(kernels);
    write_lines(fmt::format("{}/{}.cubin", options.out, name), std::string(bytes.begin(), bytes.end()));
    write_lines(fmt::format("{}/{}.list", options.out, name), list);
    points += static_cast<std::size_t>(std::count(list.begin(), list.end(), '\n'));
  }
  write_lines(options.out + "/blocks.csv", table);
  fmt::print("{} blocks, {} points\n", blocks.size(), points);
}

}  // namespace

int main(int argc, char** argv) {
  stc::sim::CommandLine line("block_writer", "Kernels that time basic blocks, and the list of points to measure.");
  stc::sim::Command app = line.whole();
  Options options;
  app.option("--gpu", options.gpu, "GPU description, e.g. configs/gpus/h200.yaml").required();
  app.option("--corpus", options.set.corpus, "Folder of FAMILY/*.cubin from which instructions and blocks are taken")
      .required();
  app.option("--out", options.out, "Folder to be written").required();
  app.option("--seed", options.set.seed, "Of all that is drawn at random");
  app.option("--found", options.set.found, "Blocks of programs");
  app.option("--random", options.set.random, "Blocks of each group of random ones");
  if (const auto exit_code = line.parse(argc, argv)) return *exit_code;
  try {
    write(options);
    return stc::sim::kOk;
  } catch (const std::exception& error) {
    fmt::print(stderr, "block_writer: {}\n", error.what());
    return stc::sim::kUserErrorExit;
  }
}
