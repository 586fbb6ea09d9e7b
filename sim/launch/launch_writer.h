// SPDX-License-Identifier: Apache-2.0
// A launch that a program made, as a run file with all that it needs, for `stcsim run` and `stcgpu run`:
//   FOLDER/003/run.yaml        the third launch: grid, arguments as bytes, every allocation at its address
//   FOLDER/data/HASH.bin.zst   cubins and contents of buffers, equal ones once
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/core/data_role.h"
#include "models/isa/state/kernel.h"
#include "sim/base/files.h"

namespace stc::sim {

/// Launches of a capture's second process lie in FOLDER/process2/001 and so on.
constexpr char kProcessFolder[] = "process";

/// UserError when the folder holds launches of an earlier capture: those would be taken for launches of this one.
void require_no_launches(const std::string& folder);

class LaunchWriter {
 public:
  using Bytes = std::vector<std::uint8_t>;
  struct Shape {
    isa::Dim3 grid, block;
    std::uint64_t dynamic_shared_bytes = 0;
    bool cooperative = false;
    std::optional<isa::Dim3> cluster;
    bool non_portable_cluster = false;
  };

  LaunchWriter(const std::string& folder, std::uint64_t number);

  void set_kernel(const std::string& gpu_file, const Bytes& cubin, const std::string& symbol, const Shape& shape);
  void add_buffer(const std::string& name, std::uint64_t address, const Bytes& contents,
                  DataRole role = DataRole::kOther);
  /// A variable of the module, wherever it lies.
  void add_symbol(const std::string& name, const Bytes& contents);
  void add_argument(const std::uint8_t* bytes, std::size_t count);
  void set_limits(std::uint64_t stack_bytes, std::uint64_t heap_bytes);
  /// A further option of the run, as a run file has it.
  void add_option(const std::string& key, const std::string& value);
  /// What a buffer or a variable held after the launch; `stcsim run` then compares.
  void expect(const std::string& name, const Bytes& contents) { expect(name, contents, hash_of(contents)); }
  /// The same where that is not what the buffer was added with; for buffers only.
  void expect_if_changed(const std::string& buffer, const Bytes& contents);
  /// Writes all files, or none: UserError.
  void commit();
  /// Leaves them to others to write.
  void finish(OutputFiles& outputs);

 private:
  static std::string hash_of(const Bytes& bytes);
  void expect(const std::string& name, const Bytes& contents, const std::string& hash);
  std::string store(const Bytes& bytes, const std::string& hash, bool packed);
  std::string fill_of(const Bytes& bytes, const std::string& hash);

  const std::string folder_, run_file_;
  OutputFiles outputs_;
  std::set<std::string> stored_;               ///< files of outputs_ with contents
  std::map<std::string, std::string> hashes_;  ///< of what buffers were added with
  std::string kernel_, buffers_, symbols_, arguments_, expectations_, options_;
};

}  // namespace stc::sim
