// SPDX-License-Identifier: Apache-2.0
#include "sim/base/large_pages.h"
#include "sim/program.h"

int main(int argc, char** argv) {
  stc::sim::use_large_pages();
  return stc::sim::run_program(argc, argv);
}
