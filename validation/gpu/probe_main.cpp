// SPDX-License-Identifier: Apache-2.0
// probe_main CUBIN OUT_DIR: runs every matrix instruction on generated and hand-made register images and writes
//   mma_hashes.csv     op, selector, and one hash of D per chunk of cases (probe_cases.h says how to regenerate)
//   mma_golden.bin     D of the first case of each of the first 27 chunks, ops in the order of probe_ops()
//   mma_directed.csv   hand-made dot products and their result
//   mma_selection.csv  per metadata nibble and stored element: the k of the activation that was used
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <thread>

#include "validation/gpu/cuda_driver.h"
#include "validation/gpu/probe_cases.h"
#include "validation/gpu/probe_directed.h"

namespace {

using stc::silicon::DeviceBuffer;
using namespace stc::gpu_probe;

class Runner {
 public:
  Runner(const stc::silicon::Module& module, const ProbeOp& op) : op_(op), function_(module.function(op.kernel)) {}

  std::vector<std::uint32_t> run(const Images& images) const {
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
    stc::silicon::launch(function_, shape, arguments);
    stc::silicon::synchronize();
    std::vector<std::uint32_t> result(images.c.size());
    d.read(result.data(), d.bytes());
    return result;
  }

 private:
  const ProbeOp& op_;
  CUfunction function_;
};

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    });
  for (std::thread& thread : threads) thread.join();
}

void run_bulk(const ProbeOp& op, const Runner& runner, std::ofstream& hashes, std::ofstream& golden) {
  constexpr std::size_t cases = static_cast<std::size_t>(kChunk) * kChunksPerOp;
  Images images;
  images.resize(op, cases);
  in_parallel(kChunksPerOp, [&](std::size_t chunk) {
    for (std::size_t n = chunk * kChunk; n < (chunk + 1) * kChunk; ++n) make_case(op, n, images, n);
  });
  const std::vector<std::uint32_t> d = runner.run(images);
  const std::size_t words = 32 * static_cast<std::size_t>(op.c_registers);
  hashes << op.name << ',' << op.selector;
  for (std::size_t chunk = 0; chunk < kChunksPerOp; ++chunk) {
    char text[20];
    std::snprintf(text, sizeof text, ",%016llx",
                  static_cast<unsigned long long>(hash_words(d.data() + chunk * kChunk * words, kChunk * words)));
    hashes << text;
  }
  hashes << '\n';
  for (std::size_t n = 0; n < kGoldenCases; ++n)
    golden.write(reinterpret_cast<const char*>(d.data() + n * kChunk * words), static_cast<std::streamsize>(4 * words));
}

void run_directed(const ProbeOp& op, const Runner& runner, std::ofstream& csv) {
  const std::vector<DotCase> cases = directed_cases(op);
  if (cases.empty()) return;
  Images images;
  images.resize(op, cases.size());
  for (std::size_t n = 0; n < cases.size(); ++n) write_dot(op, cases[n], images, n);
  const std::vector<std::uint32_t> d = runner.run(images);
  const std::size_t words = 32 * static_cast<std::size_t>(op.c_registers);
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

void run_selection(const ProbeOp& op, const Runner& runner, std::ofstream& csv) {
  if (!op.sparse || op.name.find("satfinite") != std::string::npos) return;
  const int batches = (stored_depth(op) + 15) / 16;
  Images images;
  images.resize(op, static_cast<std::size_t>(16 * batches * kSelectionPasses));
  std::size_t n = 0;
  for (int nibble = 0; nibble < 16; ++nibble)
    for (int batch = 0; batch < batches; ++batch)
      for (int pass = 0; pass < kSelectionPasses; ++pass) write_selection(op, nibble, batch, pass, images, n++);
  const std::vector<std::uint32_t> d = runner.run(images);
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
      const Runner runner(module, op);
      run_bulk(op, runner, hashes, golden);
      run_directed(op, runner, directed);
      run_selection(op, runner, selection);
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
