// SPDX-License-Identifier: Apache-2.0
// The bits of every warpgroup matrix instruction on an H200: the cases of probe_cases.h, four of them an instruction.
//   probe_wgmma_main CUBIN OUT_DIR     (the cubin of validation/kernels/probe_wgmma.cu)
// writes wgmma_hashes.csv, wgmma_golden.bin and wgmma_directed.csv, laid out as those of mma (validation/measured).
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "validation/gpu/cuda_driver.h"
#include "validation/gpu/probe_cases.h"
#include "validation/gpu/probe_directed.h"
#include "validation/gpu/probe_wgmma_cases.h"

namespace {

using stc::silicon::DeviceBuffer;
using namespace stc::gpu_probe;

std::vector<std::uint32_t> run(CUfunction function, const Images& images) {
  DeviceBuffer a(images.a.size() * 4), b(images.b.size() * 4), c(images.c.size() * 4), e(images.e.size() * 4);
  DeviceBuffer d(images.c.size() * 4);
  a.write(images.a.data(), a.bytes());
  b.write(images.b.data(), b.bytes());
  c.write(images.c.data(), c.bytes());
  e.write(images.e.data(), e.bytes());
  d.clear();
  stc::silicon::Arguments arguments;
  for (const DeviceBuffer* buffer : {&a, &b, &c, &e, &d}) arguments.add_pointer(buffer->address());
  arguments.add_i32(static_cast<std::int32_t>(images.cases()));
  stc::silicon::LaunchShape shape;
  shape.grid[0] = 264;
  shape.block[0] = 128;
  stc::silicon::launch(function, shape, arguments);
  stc::silicon::synchronize();
  std::vector<std::uint32_t> result(images.c.size());
  d.read(result.data(), d.bytes());
  return result;
}

Images bulk_cases(const ProbeOp& op) {
  Images images;
  images.resize(op, static_cast<std::size_t>(kChunk) * kChunksPerOp);
  std::vector<std::thread> threads;
  const unsigned workers = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned t = 0; t < workers; ++t)
    threads.emplace_back([&images, &op, t, workers] {
      for (std::size_t n = t; n < images.cases(); n += workers) make_case(op, n, images, n);
    });
  for (std::thread& thread : threads) thread.join();
  return images;
}

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
  const std::size_t words = 32 * static_cast<std::size_t>(op.c_registers);
  files.hashes << op.name << ',' << op.selector << ',' << (same ? "yes" : "no");
  for (std::size_t chunk = 0; chunk < kChunksPerOp; ++chunk) {
    char text[20];
    std::snprintf(text, sizeof text, ",%016llx",
                  static_cast<unsigned long long>(hash_words(d.data() + chunk * kChunk * words, kChunk * words)));
    files.hashes << text;
  }
  files.hashes << '\n';
  for (std::size_t n = 0; n < kGoldenCases; ++n)
    files.golden.write(reinterpret_cast<const char*>(d.data() + n * kChunk * words),
                       static_cast<std::streamsize>(4 * words));
}

void run_directed(const ProbeOp& op, CUfunction function, std::ofstream& csv) {
  const std::vector<DotCase> cases = directed_wgmma_cases(op);
  if (cases.empty()) return;
  Images images;
  images.resize(op, 4 * cases.size());
  for (std::size_t n = 0; n < 4 * cases.size(); ++n) write_dot(op, cases[n / 4], images, n);
  const std::vector<std::uint32_t> d = run(function, images);
  const std::size_t words = 4 * 32 * static_cast<std::size_t>(op.c_registers);
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const std::uint32_t* image = d.data() + n * words;
    bool uniform = true;
    for (std::size_t i = 1; i < words; ++i) uniform = uniform && image[i] == image[0];
    char text[24];
    std::snprintf(text, sizeof text, op.c == "f16" ? "%04x" : "%08x", op.c == "f16" ? image[0] & 0xFFFF : image[0]);
    csv << cases[n].probe << ',' << op.name << ',' << op.selector << ",\"" << cases[n].detail << "\"," << text << ','
        << (uniform ? "yes" : "no") << '\n';
  }
}

void probe(const ProbeOp& op, const stc::silicon::Module& module, Files& files) {
  const CUfunction from_registers = module.function("probe_rs_" + op.kernel);
  const CUfunction from_memory = module.function("probe_ss_" + op.kernel);
  const Images images = bulk_cases(op);
  const std::vector<std::uint32_t> d = run(from_registers, images);
  write_bulk(op, d, run(from_memory, images) == d, files);
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
