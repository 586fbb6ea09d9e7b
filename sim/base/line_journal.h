// SPDX-License-Identifier: Apache-2.0
// Lines on disk that outlive whatever ends the program: each is synced before append returns, one that was cut short is
// dropped when the file is opened again, and one process has the file at a time.
#pragma once

#include <string>
#include <vector>

namespace stc::sim {

class LineJournal {
 public:
  /// Opens or makes the file and locks it; UserError when it cannot be written or another process has it. `user` is
  /// what that would be ("sweep"). `forget`: what it holds is dropped, once it is locked.
  LineJournal(const std::string& file, const char* user, bool forget = false);
  ~LineJournal();
  LineJournal(const LineJournal&) = delete;
  LineJournal& operator=(const LineJournal&) = delete;

  /// Those that the file held when it was opened, without their ends.
  const std::vector<std::string>& lines() const { return lines_; }
  void append(const std::string& line);  ///< UserError when it cannot be written

 private:
  void lock(const char* user) const;
  void read(bool forget);
  [[noreturn]] void fail() const;  ///< for the reason in errno

  std::string file_;
  int descriptor_ = -1;
  std::vector<std::string> lines_;
};

}  // namespace stc::sim
