// SPDX-License-Identifier: Apache-2.0
// A program for `stcsim exec`: `program SCENARIO`. Its exit code is 0 when all was as it ought to be.
#include <cstring>
#include <fstream>
#include <iterator>

#include "validation/unit/exec/runtime.h"

namespace stc::exec_test {

std::vector<std::uint8_t> cubin(const std::string& name) {
  std::ifstream file(std::string(STC_SOURCE_FOLDER "/validation/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

const void* kernel(const std::string& file, const char* name) {
  void *library = nullptr, *found = nullptr;
  EXPECT(cudaLibraryLoadData(&library, cubin(file).data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == 0);
  EXPECT(cudaLibraryGetKernel(&found, library, name) == 0);
  return found;
}

}  // namespace stc::exec_test

int main(int count, char** words) {
  using namespace stc::exec_test;
  for (const auto* all : {&memory_scenarios, &launch_scenarios, &process_scenarios, &driver_scenarios, &graph_scenarios,
                          &node_scenarios, &reset_scenarios, &tensor_scenarios}) {
    for (const NamedScenario& scenario : *all) {
      if (count == 2 && std::strcmp(words[1], scenario.name) == 0) return scenario.run();
    }
  }
  std::printf("there is no such scenario\n");
  return 99;
}
