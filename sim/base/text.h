// SPDX-License-Identifier: Apache-2.0
// Small text helpers: nearest word for a misspelt one, strict numbers, sizes for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stc::sim {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to `word`, when it is close enough to be what was meant.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "unknown key 'mm'; did you mean 'm'? Allowed: m, n, k" (the question is left out when nothing is near). Of more than
/// a few lines of allowed words only the nearest are listed: "240 are allowed, nearest: sms, gpcs, name".
std::string unknown_word(std::string_view kind, std::string_view word, const std::vector<std::string>& allowed);

/// The whole of `text` as a number; whole numbers may be hexadecimal (0x10). Empty when it is none, or larger than 64
/// bits hold. 010 is none: some read it as ten and some as eight.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<double> parse_number(std::string_view text);

std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& words, std::string_view separator);

/// "1.50 GiB", "17 B".
std::string human_bytes(double bytes);
/// "12,345,678".
std::string grouped(std::uint64_t value);

/// `word` as a shell reads it back.
std::string shell_word(const std::string& word);

/// At most the first `bytes` bytes of UTF-8, without the piece of a character at the end.
std::string whole_characters(std::string_view text, std::size_t bytes);
/// At most `columns` characters; a longer text ends in "..".
std::string shortened_to(const std::string& text, std::size_t columns);

/// 64-bit FNV-1a of bytes, 16 hexadecimal digits: names a content in results; not for security.
std::string content_hash(const void* data, std::size_t bytes);

}  // namespace stc::sim
