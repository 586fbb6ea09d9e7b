// SPDX-License-Identifier: Apache-2.0
// probe_main CUBIN OUT_DIR: runs every matrix instruction on generated and hand-made register images and writes
//   mma_hashes.csv     op, selector, and one hash of D per chunk of cases (probe_cases.h says how to regenerate)
//   mma_golden.bin     D of the first case of each of the first 27 chunks, ops in the order of probe_ops()
//   mma_directed.csv   hand-made dot products and their result
//   mma_selection.csv  per metadata nibble and stored element: the k of the activation that was used
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "validation/gpu/cuda_driver.h"
#include "validation/gpu/probe_cases.h"
#include "validation/gpu/probe_directed.h"
#include "validation/gpu/probe_run.h"

namespace {

using namespace stc::gpu_probe;

void run_bulk(const ProbeOp& op, CUfunction function, std::ofstream& hashes, std::ofstream& golden) {
  const std::vector<std::uint32_t> d = run_cases(function, bulk_cases(op));
  hashes << op.name << ',' << op.selector;
  write_hashes(op, d, hashes);
  write_golden(op, d, golden);
}

void run_directed(const ProbeOp& op, CUfunction function, std::ofstream& csv) {
  const std::vector<DotCase> cases = directed_cases(op);
  if (cases.empty()) return;
  Images images;
  images.resize(op, cases.size());
  for (std::size_t n = 0; n < cases.size(); ++n) write_dot(op, cases[n], images, n);
  const std::vector<std::uint32_t> d = run_cases(function, images);
  const std::size_t words = 32 * static_cast<std::size_t>(op.c_registers);
  for (std::size_t n = 0; n < cases.size(); ++n) write_directed(op, cases[n], d.data() + n * words, words, csv);
}

void run_selection(const ProbeOp& op, CUfunction function, std::ofstream& csv) {
  if (!op.sparse || op.name.find("satfinite") != std::string::npos) return;
  const int batches = (stored_depth(op) + 15) / 16;
  Images images;
  images.resize(op, static_cast<std::size_t>(16 * batches * kSelectionPasses));
  std::size_t n = 0;
  for (int nibble = 0; nibble < 16; ++nibble)
    for (int batch = 0; batch < batches; ++batch)
      for (int pass = 0; pass < kSelectionPasses; ++pass) write_selection(op, nibble, batch, pass, images, n++);
  const std::vector<std::uint32_t> d = run_cases(function, images);
  const std::size_t words = 32 * static_cast<std::size_t>(op.c_registers);
  for (int nibble = 0; nibble < 16; ++nibble) {
    csv << op.name << ',' << op.selector << ',' << nibble;
    for (int j = 0; j < stored_depth(op); ++j) {
      int k = 0;
      bool found = true;
      for (int pass = 0; pass < kSelectionPasses; ++pass) {
        const auto place = static_cast<std::size_t>((nibble * batches + j / 16) * kSelectionPasses + pass);
        const int digit = static_cast<int>(result_of_row(op, d.data() + place * words, j % 16)) - 1;
        found = found && digit >= 0 && digit < 4;
        k |= (digit & 3) << (2 * pass);
      }
      csv << ',' << (found ? std::to_string(k) : "-");
    }
    csv << '\n';
  }
}

int run(const std::string& cubin, const std::string& directory) {
  const stc::silicon::Context context;
  const stc::silicon::Module module(cubin);
  std::ofstream hashes(directory + "/mma_hashes.csv"), golden(directory + "/mma_golden.bin", std::ios::binary);
  std::ofstream directed(directory + "/mma_directed.csv"), selection(directory + "/mma_selection.csv");
  hashes << "# " << context.facts().name << ", cases per hash " << kChunk
         << "\nop,selector,hash of each chunk of cases\n";
  directed << "probe,op,selector,detail,d,same_everywhere\n";
  selection << "op,selector,nibble,k used by stored element 0 and following ('-': none or several)\n";
  const auto start = std::chrono::steady_clock::now();
  int failures = 0, done = 0;
  for (const ProbeOp& op : probe_ops()) {
    if (op.needs_sm89 && context.facts().sm_version < 89) continue;
    try {
      CUfunction function = module.function(op.kernel);
      run_bulk(op, function, hashes, golden);
      run_directed(op, function, directed);
      run_selection(op, function, selection);
    } catch (const std::exception& error) {
      ++failures;
      std::printf("FAILED %s selector %d: %s\n", op.name.c_str(), op.selector, error.what());
    }
    if (++done % 20 == 0)
      std::printf("%d ops, %.1f s\n", done,
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    std::fflush(stdout);
  }
  std::printf("probes: %d ops done, %d failed, %.1f s\n", done, failures,
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: probe_main CUBIN OUT_DIR\n");
    return 2;
  }
  try {
    return run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "probe_main: %s\n", error.what());
    return 1;
  }
}
