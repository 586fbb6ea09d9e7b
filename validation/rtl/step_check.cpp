// SPDX-License-Identifier: Apache-2.0
// step_check < VECTORS: drives the Verilated step_array with what step_vectors printed and compares every output. Made
// by Verilator, not by this project's build: scripts/rtl check.
#include <verilated.h>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include "Vstep_array.h"

namespace {

/// A port of up to 64 bits is a number, a wider one has words.
template <class Port>
std::uint32_t& word(Port& port, std::size_t i) {
  return reinterpret_cast<std::uint32_t*>(&port)[i];
}

template <class Port>
void read(std::istream& from, Port& port, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) from >> std::hex >> word(port, i);
}

/// Accumulators, or "+": what the step before added up.
template <class Port, class Sums>
void read_accumulators(std::istream& from, Port& port, Sums& sums) {
  from >> std::ws;
  if (from.peek() != '+') return read(from, port, 32);
  from.get();
  for (std::size_t i = 0; i < 32; ++i) word(port, i) = word(sums, i);
}

template <class Port>
bool same(std::istream& from, Port& port, std::size_t words, const char* name, int line) {
  bool all = true;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint32_t want = 0;
    from >> std::hex >> want;
    if (word(port, i) == want) continue;
    if (all) std::fprintf(stderr, "line %d: %s word %zu is %x, SystemC says %x\n", line, name, i, word(port, i), want);
    all = false;
  }
  return all;
}

/// "-" stands for sums that SystemC adds up in a later step.
template <class Port>
bool same_sums(std::istream& from, Port& port, int line) {
  from >> std::ws;
  if (from.peek() != '-') return same(from, port, 32, "sums", line);
  from.get();
  return true;
}

}  // namespace

int main() {
  unsigned k = 0, stored = 0, bits = 0, selectors = 0, lanes = 0, registers = 0;
  std::string text;
  std::getline(std::cin, text);
  std::istringstream(text) >> std::hex >> k >> stored >> bits >> selectors >> lanes >> registers;
  if (k != STC_K || stored != STC_STORED || bits != STC_BITS || selectors != STC_SELECTORS ||
      registers != STC_REGISTERS) {
    std::fprintf(stderr, "the vectors are of another instruction: k %u, stored %u\n", k, stored);
    return 1;
  }
  Vstep_array array;
  int line = 1, wrong = 0;
  while (std::getline(std::cin, text)) {
    ++line;
    std::istringstream from(text);
    unsigned place = 0;
    from >> std::hex >> place;
    array.place = static_cast<unsigned char>(place);
    read(from, array.metadata, registers * 32);
    read(from, array.weights, 32);
    read(from, array.activations, std::size_t{16} * STC_M);
    read_accumulators(from, array.accumulators, array.sums);
    array.eval();
    const bool good = same(from, array.selects, std::size_t{STC_MULTIPLIERS} * bits / 4, "selects", line) &
                      same(from, array.selected, 128, "selected", line) & same_sums(from, array.sums, line);
    if (!from) std::fprintf(stderr, "line %d is cut short\n", line);
    if (!good || !from) ++wrong;
  }
  std::printf("%d steps, %d differ\n", line - 1, wrong);
  return wrong == 0 && line > 1 ? 0 : 1;
}
