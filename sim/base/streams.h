// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error, also when they are closed or full.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace stc::sim {

/// To be called before any file is opened: a standard stream that was closed would otherwise be the next file.
void keep_standard_streams();

/// UserError unless everything printed has left this process: that a disk is full shows only now when the text was
/// short. Longer ones end fmt::print with std::system_error.
void finish_output();

/// What is said beside the result, on standard error; where that takes nothing, nobody listens.
void say(const std::string& text) noexcept;

/// Columns of the terminal that standard output is; none when it is no terminal.
std::optional<std::size_t> columns_of_output();
std::optional<std::size_t> columns_of_error();  ///< the same of standard error

/// Sends standard error to the end of `file`. Without one, or where it cannot be written: to nowhere if it is a
/// terminal.
void keep_off_terminal(const std::string& file);

}  // namespace stc::sim
