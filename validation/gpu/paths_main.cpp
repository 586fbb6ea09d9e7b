// SPDX-License-Identifier: Apache-2.0
// paths_main CASES CUBIN_DIR OUT: launches every case of CASES once and writes one CSV row each to OUT.
//
// CASES, written by paths_stage.py, holds one case a line, fields separated by tabs:
//   cubin  kernel  ctas  threads (per CTA)  data (one number a thread, separated by spaces)
// Kernels of paths.cu, path_frames.cu and path_walks.cu leave a trail, the others words (path_counts.cu); the row ends
// with the one or their hash.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "validation/gpu/cuda_driver.h"
#include "validation/kernels/trail.h"

namespace {

using namespace stc::silicon;
using stc::paths::kTrailWords;

constexpr std::size_t kWords = 65536;

struct Case {
  std::string cubin, kernel, text;
  unsigned ctas = 1, threads = 32;
  std::vector<std::int32_t> data;
};

std::vector<Case> read_cases(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    Case c;
    std::string ctas, threads;
    std::getline(fields, c.cubin, '\t') && std::getline(fields, c.kernel, '\t') && std::getline(fields, ctas, '\t') &&
        std::getline(fields, threads, '\t') && std::getline(fields, c.text);
    c.ctas = static_cast<unsigned>(std::stoul(ctas));
    c.threads = static_cast<unsigned>(std::stoul(threads));
    std::istringstream numbers(c.text);
    for (std::int32_t number = 0; numbers >> number;) c.data.push_back(number);
    cases.push_back(c);
  }
  return cases;
}

std::string hash_of(const std::vector<std::uint32_t>& words) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const std::uint32_t word : words) hash = (hash ^ word) * 0x100000001b3ull;
  char text[32];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string run_case(const Case& c, const Module& module) {
  const bool frames = c.cubin == "path_frames" || c.cubin == "path_walks";
  const std::size_t trail_words = frames ? 8 * kTrailWords : kTrailWords;
  DeviceBuffer trail(trail_words * 4), data(std::max<std::size_t>(c.data.size() * 4, 4096)), words(kWords * 4);
  trail.clear(), data.clear(), words.clear();
  data.write(c.data.data(), c.data.size() * 4);
  LaunchShape shape;
  shape.grid[0] = c.ctas;
  shape.block[0] = c.threads;
  const bool leaves_trail = c.cubin != "path_counts";
  Arguments arguments;
  if (leaves_trail) arguments.add_pointer(trail.address());
  arguments.add_pointer(data.address());
  arguments.add_pointer(words.address());
  launch(module.function(c.kernel), shape, arguments);
  synchronize();
  std::vector<std::uint32_t> result(leaves_trail ? trail_words : kWords);
  (leaves_trail ? trail : words).read(result.data(), result.size() * 4);
  return leaves_trail ? stc::paths::trail_text(stc::paths::passages(result)) : hash_of(result);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: paths_main CASES CUBIN_DIR OUT\n");
    return 2;
  }
  try {
    const Context context;
    std::map<std::string, std::unique_ptr<Module>> modules;
    std::ofstream out(argv[3]);
    out << "kernel,ctas,threads,data,result\n";
    for (const Case& c : read_cases(argv[1])) {
      std::unique_ptr<Module>& module = modules[c.cubin];
      if (!module) module = std::make_unique<Module>(std::string(argv[2]) + "/" + c.cubin + ".cubin");
      out << c.kernel << ',' << c.ctas << ',' << c.threads << ',' << c.text << ',' << run_case(c, *module) << '\n';
      out.flush();
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "paths_main: %s\n", error.what());
    return 1;
  }
}
