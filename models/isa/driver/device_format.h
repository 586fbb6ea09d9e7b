// SPDX-License-Identifier: Apache-2.0
// The formatting of device printf: C's conversions over a buffer of arguments.
//   FormattedText line = format_arguments("%d of %s\n", next_argument, text_at);
// Every conversion takes an argument of the size that its letter and length say, aligned to that size, as the
// compiler lays them out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace stc::isa {

struct FormattedText {
  std::string text;
  int arguments = 0;    ///< that the format asked for
  std::string unknown;  ///< the first conversion that C's printf does not have, if any
};

/// `argument(bytes)` is the next argument of 4 or 8 bytes; `text_at(address)` the characters behind %s.
FormattedText format_arguments(const std::string& format, const std::function<std::uint64_t(unsigned)>& argument,
                               const std::function<std::string(std::uint64_t)>& text_at);

}  // namespace stc::isa
