// SPDX-License-Identifier: Apache-2.0
// Damages a file: the same seed always in the same way.
#pragma once

#include <cstdint>
#include <string>

namespace stc::fuzz {

enum class Format : unsigned char { kText, kBinary };

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 0x2545f4914f6cdd1dULL) {}

  /// Text keeps to the folder that it stands in: no '/' is added, so that no damaged name leads out of it.
  std::string mutate(const std::string& bytes, Format format);

  /// 0 .. bound - 1.
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(next() % bound); }
  bool one_in(std::size_t chances) { return below(chances) == 0; }

 private:
  std::uint64_t next();
  void damage_text(std::string& text);
  void damage_binary(std::string& bytes);
  void damage_bytes(std::string& bytes);
  void damage_lines(std::string& text);
  /// Replaces a number or a word by another of the file, or by one that programs stumble over.
  void damage_word(std::string& text);

  std::uint64_t state_;
};

}  // namespace stc::fuzz
