// SPDX-License-Identifier: Apache-2.0
// Variables of a module that have no initial value and that the host did not set: which of them does the kernel read?
// A variable counts as read when an instruction reads one of its bytes before the kernel has written that byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/values/execution.h"

namespace stc::isa {

class UnsetSymbols {
 public:
  /// `place`: address in global memory, or offset in constant bank 3.
  void watch_global(const std::string& name, std::uint64_t place, std::uint64_t bytes);
  void watch_constant(const std::string& name, std::uint64_t place, std::uint64_t bytes);

  /// The executing lanes touch `bytes` at result.address in global memory.
  void global_access(const Execution& x, unsigned bytes, bool write);
  void constant_read(int bank, std::uint64_t offset, std::uint64_t bytes);

  bool empty() const { return variables_.empty(); }
  /// Names, each once, in the order in which they were given to watch.
  std::vector<std::string> read() const;

 private:
  struct Variable {
    std::string name;
    std::uint64_t begin = 0, end = 0;
    bool constant = false;
    bool read = false;
    std::vector<bool> written;  ///< per byte, by the kernel
  };
  void touch(Variable& variable, std::uint64_t begin, std::uint64_t end, bool reads, bool writes);

  std::vector<Variable> variables_;
};

}  // namespace stc::isa
