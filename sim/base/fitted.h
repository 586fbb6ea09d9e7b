// SPDX-License-Identifier: Apache-2.0
// Tables on a terminal that is narrower than they are: gaps between columns shrink, columns that find no room go on in
// the next line, sentences are broken between words. In files and pipes lines stay as they are.
#pragma once

#include <cstddef>
#include <string>

namespace stc::sim {

/// The text in lines of at most `columns` characters, wherever words allow; no word is lost.
std::string fitted(const std::string& text, std::size_t columns);

/// For standard output: fitted to its terminal, if it is one.
std::string for_output(const std::string& text);

}  // namespace stc::sim
