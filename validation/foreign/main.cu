// SPDX-License-Identifier: Apache-2.0
// Runs registered cases one after the other:
//
//   foreign                     names of all cases, "races" behind those of FOREIGN_RACE
//   foreign NAME...             these; "NAME: PASS" or "NAME: FAIL" for each
//   foreign --repeat N NAME...  each so many times, with a launch of case_marker in front whose grid is {number,
//   repeat}
//                               (both from 1), so that a profiler's list of launches can be read
#include <cstring>
#include <map>

#include "validation/foreign/foreign.h"

namespace {

struct Entry {
  foreign::Case function;
  bool races;
};

std::map<std::string, Entry>& cases() {
  static std::map<std::string, Entry> all;
  return all;
}

__global__ void case_marker() {}

bool run(const std::string& name, int number, int repeats) {
  bool passed = true;
  for (int repeat = 1; repeat <= repeats; ++repeat) {
    if (repeats > 1) case_marker<<<dim3(number, repeat), 1>>>();
    passed = cases().at(name).function() && passed;
  }
  std::printf("%s: %s\n", name.c_str(), passed ? "PASS" : "FAIL");
  std::fflush(stdout);
  return passed;
}

}  // namespace

foreign::Registration::Registration(const char* file, const char* name, Case function, bool races) {
  cases()[std::string(file) + "/" + name] = {function, races};
}

int main(int count, char** words) {
  int first = 1, repeats = 1;
  if (count > 2 && std::strcmp(words[1], "--repeat") == 0) {
    repeats = std::atoi(words[2]);
    first = 3;
  }
  bool passed = true;
  for (int i = first; i < count; ++i) {
    if (cases().count(words[i]) == 0) {
      std::printf("%s: there is no such case\n", words[i]);
      return 4;
    }
    passed = run(words[i], i - first + 1, repeats) && passed;
  }
  if (count == 1) {
    for (const auto& [name, entry] : cases()) std::printf("%s%s\n", name.c_str(), entry.races ? " races" : "");
  }
  return passed ? 0 : 1;
}
