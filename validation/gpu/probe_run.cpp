// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/probe_run.h"

#include <algorithm>
#include <cstdio>
#include <thread>

namespace stc::gpu_probe {

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

std::vector<std::uint32_t> run_cases(CUfunction function, const Images& images) {
  using silicon::DeviceBuffer;
  DeviceBuffer a(images.a.size() * 4), b(images.b.size() * 4), c(images.c.size() * 4), e(images.e.size() * 4);
  DeviceBuffer d(images.c.size() * 4);
  a.write(images.a.data(), a.bytes());
  b.write(images.b.data(), b.bytes());
  c.write(images.c.data(), c.bytes());
  e.write(images.e.data(), e.bytes());
  d.clear();
  silicon::Arguments arguments;
  for (const DeviceBuffer* buffer : {&a, &b, &c, &e, &d}) arguments.add_pointer(buffer->address());
  arguments.add_i32(static_cast<std::int32_t>(images.cases()));
  silicon::LaunchShape shape;
  shape.grid[0] = 264;
  shape.block[0] = 128;
  silicon::launch(function, shape, arguments);
  silicon::synchronize();
  std::vector<std::uint32_t> result(images.c.size());
  d.read(result.data(), d.bytes());
  return result;
}

void write_hashes(const ProbeOp& op, const std::vector<std::uint32_t>& d, std::ostream& hashes) {
  const std::size_t words = 32 * static_cast<std::size_t>(op.c_registers);
  for (std::size_t chunk = 0; chunk < kChunksPerOp; ++chunk) {
    char text[20];
    std::snprintf(text, sizeof text, ",%016llx",
                  static_cast<unsigned long long>(hash_words(d.data() + chunk * kChunk * words, kChunk * words)));
    hashes << text;
  }
  hashes << '\n';
}

void write_golden(const ProbeOp& op, const std::vector<std::uint32_t>& d, std::ostream& golden) {
  const std::size_t words = 32 * static_cast<std::size_t>(op.c_registers);
  for (std::size_t n = 0; n < kGoldenCases; ++n)
    golden.write(reinterpret_cast<const char*>(d.data() + n * kChunk * words), static_cast<std::streamsize>(4 * words));
}

void write_directed(const ProbeOp& op, const DotCase& dot, const std::uint32_t* d, std::size_t words,
                    std::ostream& csv) {
  const bool uniform = std::all_of(d, d + words, [&](std::uint32_t word) { return word == d[0]; });
  char text[24];
  std::snprintf(text, sizeof text, op.c == "f16" ? "%04x" : "%08x", op.c == "f16" ? d[0] & 0xFFFF : d[0]);
  csv << dot.probe << ',' << op.name << ',' << op.selector << ",\"" << dot.detail << "\"," << text << ','
      << (uniform ? "yes" : "no") << '\n';
}

}  // namespace stc::gpu_probe
