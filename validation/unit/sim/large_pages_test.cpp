// SPDX-License-Identifier: Apache-2.0
#include "sim/base/large_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace stc::sim {
namespace {

/// What Linux keeps of the mapping in which an address lies.
struct MappingFacts {
  bool is_heap = false;
  bool asks_for_large_pages = false;
};

MappingFacts mapping_of(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  MappingFacts facts;
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    if (words >> std::hex >> begin >> dash >> end && dash == '-') {
      here = begin <= wanted && wanted < end;
      if (here) facts.is_heap = line.find("[heap]") != std::string::npos;
    }
    if (here && line.rfind("VmFlags:", 0) == 0) facts.asks_for_large_pages = line.find(" hg") != std::string::npos;
  }
  return facts;
}

TEST(LargePages, BacksLargeBlocksOfTheHeap) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) GTEST_SKIP() << "this Linux has no large pages";
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer has an allocator of its own";
#endif
  constexpr std::size_t kBlock = 16 << 20;
  void* const before = std::malloc(kBlock);
  EXPECT_FALSE(mapping_of(before).asks_for_large_pages);
  std::free(before);
  use_large_pages();
  char* const block = static_cast<char*>(std::malloc(kBlock));
  const MappingFacts facts = mapping_of(block + kBlock / 2);
  EXPECT_TRUE(facts.is_heap);
  EXPECT_TRUE(facts.asks_for_large_pages);
  std::free(block);
}

}  // namespace
}  // namespace stc::sim
