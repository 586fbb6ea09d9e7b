// SPDX-License-Identifier: Apache-2.0
#include "validation/blocks/block_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/isa/opcode_traits.h"
#include "traces/blocks/block_kernel.h"
#include "traces/blocks/harvest.h"
#include "traces/blocks/legal_codes.h"
#include "traces/blocks/random_blocks.h"
#include "traces/blocks/safe_body.h"
#include "traces/cubin/cubin.h"
#include "traces/cubin/instruction_members.h"

namespace stc::blocks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLeast = 12, kMost = 320;
constexpr int kMostRegisters = 232;
constexpr int kInstructionsOfPass = 1200, kFewestTimes = 10, kMostTimes = 100;

/// FNV-1a.
class Hash {
 public:
  void add(std::uint64_t value) { value_ = (value_ ^ value) * 0x100000001b3u; }
  std::uint64_t value() const {
    std::uint64_t mixed = value_;  // its low bits alone are not well mixed
    mixed ^= mixed >> 33;
    mixed *= 0xff51afd7ed558ccdu;
    return mixed ^ mixed >> 33;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

std::uint64_t hash_of(const std::vector<Instruction>& body) {
  Hash hash;
  for (const Instruction& i : body) {
    for (const std::uint32_t member : cubin::members_of(i)) hash.add(member);
  }
  return hash.value();
}

std::uint64_t hash_of(std::uint64_t seed, const std::string& text, int number) {
  Hash hash;
  hash.add(seed);
  for (const char c : text) hash.add(static_cast<unsigned char>(c));
  hash.add(static_cast<std::uint64_t>(number));
  return hash.value();
}

/// Blocks with the same operations in the same order say nearly the same.
std::uint64_t shape_of(const std::vector<Instruction>& code) {
  Hash hash;
  for (const Instruction& i : code) hash.add(static_cast<std::uint64_t>(i.opcode));
  return hash.value();
}

struct Candidate {
  Block block;
  std::uint64_t rank = 0;
};

class Corpus {
 public:
  explicit Corpus(const SetOptions& options) : options_(options) {
    for (const fs::path& family : sorted(options.corpus)) {
      for (const fs::path& file : sorted(family)) add(family.filename().string(), file);
    }
  }
  const InstructionPool& pool() const { return pool_; }

  /// As many of each family as there are, up to its part.
  std::vector<Block> blocks(int count) {
    std::vector<Block> chosen;
    const std::size_t part = candidates_.empty() ? 0 : static_cast<std::size_t>(count) / candidates_.size();
    for (auto& [family, all] : candidates_) {
      std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
      for (std::size_t k = 0; k < std::min(part, all.size()); ++k) chosen.push_back(all[k].block);
    }
    return chosen;
  }

 private:
  static std::vector<fs::path> sorted(const fs::path& folder) {
    std::vector<fs::path> all;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
  }

  void add(const std::string& family, const fs::path& file) {
    const cubin::Cubin module = cubin::open_cubin(file.string());
    for (const isa::Kernel& named : module.kernels()) {
      isa::Kernel kernel;
      try {
        kernel = module.decode(named.name);
      } catch (const std::runtime_error&) {
        continue;  // something in it is not modelled
      }
      pool_.add(kernel);
      for (const Found& found : basic_blocks(kernel, kLeast, kMost)) {
        if (!shapes_.insert(shape_of(found.code)).second) continue;
        consider(family, fmt::format("{}/{}+{:#x}", family, file.stem().string(), found.address), found);
      }
    }
  }

  void consider(const std::string& family, const std::string& source, const Found& found) {
    Candidate candidate;
    if (!make_safe(found.code, candidate.block)) return;
    Block& block = candidate.block;
    if (block.reserved.first + Reserved::kCount > kMostRegisters) return;
    block.group = "found_" + family;
    block.source = source;
    name_scoreboards(block.body);
    // Hot code first, of each file as much.
    candidate.rank = hash_of(options_.seed, source, 0) >> (found.in_loop ? 2 : 0);
    candidates_[family].push_back(std::move(candidate));
  }

  const SetOptions& options_;
  InstructionPool pool_;
  std::set<std::uint64_t> shapes_;
  std::map<std::string, std::vector<Candidate>> candidates_;
};

}  // namespace

std::vector<Launch> launches_of(const TimedBlock& block, std::uint64_t seed) {
  // One warp, all sub-cores with as many as fit, and two more.
  const int most = most_warps(block.kernel);
  std::vector<Launch> others;
  for (const Launch launch : {Launch{8, 3}, Launch{16, 3}, Launch{4, 0}, Launch{8, 0}, Launch{12, 0}}) {
    if (launch.warps <= most) others.push_back(launch);
  }
  std::vector<Launch> all = {{4, 3}};
  if (most >= 16) all.push_back({16, 0});
  const auto first = static_cast<std::size_t>(hash_of(seed, block.block.name, 1));
  for (std::size_t k = 0; k < std::min<std::size_t>(2, others.size()); ++k) {
    all.push_back(others[(first + k * (1 + first / 7 % 2)) % others.size()]);
  }
  return all;
}

std::vector<TimedBlock> block_set(const SetOptions& options, const dependence::MatrixLatency& matrix_latency) {
  Corpus corpus(options);
  std::vector<Block> blocks = corpus.blocks(options.found);
  for (const std::string& group : random_groups()) {
    for (int k = 0; k < options.random; ++k) {
      const std::uint64_t seed = hash_of(options.seed, group, k);
      blocks.push_back(random_block(corpus.pool(), draw_mix(group, seed), seed));
    }
  }
  std::vector<TimedBlock> timed;
  std::set<std::uint64_t> known;
  for (Block& block : blocks) {
    const std::uint64_t hash = hash_of(block.body);
    if (!known.insert(hash).second) continue;
    TimedBlock t;
    t.test = hash % 3 == 0;
    block.name = fmt::format("block_{:04}", timed.size());
    t.kernel = kernel_of(block, matrix_latency);
    const int length = static_cast<int>(block.body.size());
    t.times = std::clamp(kInstructionsOfPass / length, kFewestTimes, kMostTimes);
    t.block = std::move(block);
    timed.push_back(std::move(t));
  }
  return timed;
}

}  // namespace stc::blocks
