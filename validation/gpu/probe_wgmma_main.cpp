// SPDX-License-Identifier: Apache-2.0
// The bits of every warpgroup matrix instruction on an H200: the cases of probe_cases.h, four of them an instruction.
//   probe_wgmma_main CUBIN OUT_DIR     (the cubin of validation/kernels/probe_wgmma.cu)
// writes wgmma_hashes.csv, wgmma_golden.bin and wgmma_directed.csv, laid out as those of mma (validation/measured).
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "validation/gpu/cuda_driver.h"
#include "validation/gpu/probe_cases.h"
#include "validation/gpu/probe_directed.h"
#include "validation/gpu/probe_run.h"
#include "validation/gpu/probe_wgmma_cases.h"

namespace {

using namespace stc::gpu_probe;

struct Files {
  explicit Files(const std::string& directory)
      : hashes(directory + "/wgmma_hashes.csv"),
        golden(directory + "/wgmma_golden.bin", std::ios::binary),
        directed(directory + "/wgmma_directed.csv") {
    hashes << "# NVIDIA H200, cases per hash " << kChunk
           << "\nop,selector,same with A in shared memory,hash of each chunk of cases\n";
    directed << "probe,op,selector,detail,d,same_everywhere\n";
  }
  std::ofstream hashes, golden, directed;
};

void write_bulk(const ProbeOp& op, const std::vector<std::uint32_t>& d, bool same, Files& files) {
  files.hashes << op.name << ',' << op.selector << ',' << (same ? "yes" : "no");
  write_hashes(op, d, files.hashes);
  write_golden(op, d, files.golden);
}

void run_directed(const ProbeOp& op, CUfunction function, std::ofstream& csv) {
  const std::vector<DotCase> cases = directed_wgmma_cases(op);
  if (cases.empty()) return;
  Images images;
  images.resize(op, 4 * cases.size());
  for (std::size_t n = 0; n < 4 * cases.size(); ++n) write_dot(op, cases[n / 4], images, n);
  const std::vector<std::uint32_t> d = run_cases(function, images);
  const std::size_t words = 4 * 32 * static_cast<std::size_t>(op.c_registers);
  for (std::size_t n = 0; n < cases.size(); ++n) write_directed(op, cases[n], d.data() + n * words, words, csv);
}

void probe(const ProbeOp& op, const stc::silicon::Module& module, Files& files) {
  const CUfunction from_registers = module.function("probe_rs_" + op.kernel);
  const CUfunction from_memory = module.function("probe_ss_" + op.kernel);
  const Images images = bulk_cases(op);
  const std::vector<std::uint32_t> d = run_cases(from_registers, images);
  write_bulk(op, d, run_cases(from_memory, images) == d, files);
  run_directed(op, from_registers, files.directed);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: probe_wgmma_main CUBIN OUT_DIR\n");
    return 2;
  }
  int failures = 0;
  try {
    const stc::silicon::Context context;
    const stc::silicon::Module module(argv[1]);
    Files files(argv[2]);
    for (const ProbeOp& op : wgmma_probe_ops()) {
      try {
        probe(op, module, files);
      } catch (const std::exception& error) {
        ++failures;
        std::printf("FAILED %s selector %d: %s\n", op.name.c_str(), op.selector, error.what());
        if (std::string(error.what()).find("launch") != std::string::npos) return 1;
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "probe_wgmma_main: %s\n", error.what());
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
