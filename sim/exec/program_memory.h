// SPDX-License-Identifier: Apache-2.0
// Device memory of one program: what it holds between launches. A launch borrows all of it as isa::GlobalMemory.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/isa/state/global_memory.h"

namespace stc::sim {

/// A piece of a file that the program maps too: memory that host and device share.
class SharedPages {
 public:
  SharedPages() = default;
  /// Maps `bytes` of the file and closes it. UserError when that does not work.
  SharedPages(int file, std::size_t bytes);
  ~SharedPages();
  SharedPages(SharedPages&& other) noexcept;
  SharedPages& operator=(SharedPages&& other) noexcept;
  std::uint8_t* data() const { return data_; }

 private:
  std::uint8_t* data_ = nullptr;
  std::size_t bytes_ = 0;
};

class ProgramMemory {
 public:
  static constexpr int kNoModule = -1;
  struct Block {
    std::string name;
    isa::BufferBytes data;
    int module = kNoModule;  ///< whose variable it is
    SharedPages shared;      ///< if mapped by the host: what holds the contents between launches
    std::uint8_t* bytes() { return shared.data() != nullptr ? shared.data() : data.data(); }
  };

  /// Addresses begin at `first` and end before `end`; at most `capacity` bytes are given away.
  ProgramMemory(std::uint64_t first, std::uint64_t end, std::uint64_t capacity);

  /// Address of a new block of zeros; 0 when there is no room.
  std::uint64_t allocate(std::uint64_t bytes);
  /// False when no block that the program asked for begins there.
  bool free(std::uint64_t address);
  /// The host maps the block at `address` from now on; `file` holds as many bytes. False when there is none.
  bool share(std::uint64_t address, int file);
  /// Host pointer to device bytes [address, address + bytes), or nullptr.
  std::uint8_t* translate(std::uint64_t address, std::uint64_t bytes);
  /// The block that holds `address` and its address; {0, nullptr} when there is none.
  std::pair<std::uint64_t, const Block*> find(std::uint64_t address) const;
  Block* variable(int module, const std::string& name, std::uint64_t* address = nullptr);
  std::map<std::uint64_t, Block>& blocks() { return blocks_; }  ///< by address
  void drop_module(int module);
  /// Of memory that comes to its end: variables that the host maps too, at their addresses.
  void take_managed_variables(ProgramMemory& from);
  std::uint64_t left() const { return capacity_ - used_; }

  /// All blocks, for a launch of this module, whose variables have their own names.
  isa::GlobalMemory lend(int module);
  /// The end of that launch. Of what it has added, blocks with these names stay: those of `variables` as the module's.
  void take_back(isa::GlobalMemory& memory, int module, const std::set<std::string>& variables,
                 const std::set<std::string>& others);

 private:
  std::uint64_t place_for(std::uint64_t bytes) const;

  std::map<std::uint64_t, Block> blocks_;  // by address
  const std::uint64_t first_, end_, capacity_;
  std::uint64_t used_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace stc::sim
