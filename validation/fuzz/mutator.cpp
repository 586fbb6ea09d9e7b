// SPDX-License-Identifier: Apache-2.0
#include "validation/fuzz/mutator.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <vector>

namespace stc::fuzz {
namespace {

constexpr const char* kWords[] = {"0",
                                  "-1",
                                  "1",
                                  "2",
                                  "3",
                                  "7",
                                  "16",
                                  "31",
                                  "33",
                                  "64",
                                  "255",
                                  "1000",
                                  "65535",
                                  "65536",
                                  "2147483647",
                                  "2147483648",
                                  "4294967295",
                                  "4294967296",
                                  "9223372036854775807",
                                  "9223372036854775808",
                                  "18446744073709551616",
                                  "-2147483649",
                                  "0x10",
                                  "1e-300",
                                  "1e300",
                                  "1.5",
                                  "nan",
                                  "inf",
                                  "-inf",
                                  "true",
                                  "false",
                                  "null",
                                  "~",
                                  "zero",
                                  "[]",
                                  "{}",
                                  "[1, 2]",
                                  "{a: 1}",
                                  "''",
                                  "\"",
                                  "'",
                                  "---",
                                  "&a",
                                  "*a",
                                  "<<",
                                  "!!binary",
                                  "#",
                                  ",",
                                  ":",
                                  "|",
                                  ">",
                                  "%",
                                  "=",
                                  "\t",
                                  "\xff",
                                  "\xc3",
                                  "\xef\xbb\xbf",
                                  "\xed\xa0\x80",
                                  "dense",
                                  "2:4",
                                  "f16",
                                  "s8",
                                  "out",
                                  "data"};
constexpr std::uint32_t kNumbers[] = {0,          1,          2,          0x7f,       0x80,       0xff,
                                      0x100,      0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffffff,
                                      0x80000000, 0xffffffff, 0xfffffff0, 0x40000000, 0x00100000, 0x7fc00000};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-'; }

struct Span {
  std::size_t begin, size;
};

std::vector<Span> words_of(const std::string& text) {
  std::vector<Span> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && in_word(text[end])) ++end;
    if (end > i) words.push_back({i, end - i});
    i = std::max(end, i + 1);
  }
  return words;
}

std::vector<Span> lines_of(const std::string& text) {
  std::vector<Span> lines;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find('\n', i), text.size() - 1);
    lines.push_back({i, end + 1 - i});
    i = end + 1;
  }
  return lines;
}

}  // namespace

std::uint64_t Mutator::next() {
  state_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

std::string Mutator::mutate(const std::string& bytes, Format format) {
  std::string mutant = bytes;
  const std::size_t rounds = 1 + below(one_in(4) ? 8 : 2);
  for (std::size_t i = 0; i < rounds; ++i) format == Format::kText ? damage_text(mutant) : damage_binary(mutant);
  const auto slashes = [](const std::string& text) { return std::count(text.begin(), text.end(), '/'); };
  if (format == Format::kText && slashes(mutant) > slashes(bytes)) std::replace(mutant.begin(), mutant.end(), '/', '_');
  return mutant;
}

void Mutator::damage_text(std::string& text) {
  switch (below(8)) {
    case 0: damage_bytes(text); break;
    case 1:
    case 2: damage_lines(text); break;
    default: damage_word(text);
  }
}

void Mutator::damage_bytes(std::string& bytes) {
  const std::size_t at = below(bytes.size() + 1);
  const std::size_t count = 1 + below(one_in(8) ? 200 : 4);
  switch (below(4)) {
    case 0: bytes.insert(at, count, static_cast<char>(below(256))); break;
    case 1: bytes.erase(at, count); break;
    case 2: bytes.resize(one_in(4) ? at : std::min(bytes.size(), at + 1)); break;
    default:
      for (std::size_t i = at; i < std::min(bytes.size(), at + count); ++i) bytes[i] = static_cast<char>(below(256));
  }
}

void Mutator::damage_lines(std::string& text) {
  const std::vector<Span> lines = lines_of(text);
  if (lines.empty()) return;
  const Span one = lines[below(lines.size())], other = lines[below(lines.size())];
  const std::string line = text.substr(one.begin, one.size);
  switch (below(4)) {
    case 0: text.erase(one.begin, one.size); break;
    case 1: text.insert(other.begin, line); break;
    case 2: text.insert(one.begin, 1 + below(6), ' '); break;
    default: text.replace(other.begin, other.size, line);
  }
}

void Mutator::damage_word(std::string& text) {
  const std::vector<Span> words = words_of(text);
  if (words.empty()) return damage_bytes(text);
  const Span target = words[below(words.size())], other = words[below(words.size())];
  const std::string replacement =
      one_in(3) ? text.substr(other.begin, other.size) : std::string(kWords[below(std::size(kWords))]);
  text.replace(target.begin, one_in(8) ? 0 : target.size, replacement);
}

void Mutator::damage_binary(std::string& bytes) {
  if (bytes.empty()) return damage_bytes(bytes);
  const std::size_t at = below(bytes.size());
  const std::size_t rest = bytes.size() - at;
  switch (below(10)) {
    case 0: damage_bytes(bytes); break;
    case 1:
    case 2: {  // a number that a header or an immediate might hold
      const std::uint32_t number = kNumbers[below(std::size(kNumbers))];
      std::memcpy(&bytes[at], &number, std::min(rest, sizeof number));
      break;
    }
    case 3: {  // an instruction, or what else has its size, in another's place
      const std::size_t from = below(bytes.size()) / 16 * 16, to = at / 16 * 16;
      if (std::max(from, to) + 16 <= bytes.size()) std::copy_n(&bytes[from], 16, &bytes[to]);
      break;
    }
    case 4:
    case 5: {  // a register, an immediate or the control code of an instruction
      constexpr std::size_t kPlaces[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15};
      const std::size_t place = at / 16 * 16 + kPlaces[below(std::size(kPlaces))];
      if (place < bytes.size()) bytes[place] = static_cast<char>(below(256));
      break;
    }
    default: bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
  }
}

}  // namespace stc::fuzz
