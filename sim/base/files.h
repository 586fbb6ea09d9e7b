// SPDX-License-Identifier: Apache-2.0
// Whole files in and out. Outputs appear complete or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stc::sim {

/// All bytes of a regular file; UserError when it cannot be read.
std::vector<std::uint8_t> read_bytes(const std::string& path);
std::string read_text(const std::string& path);
std::string file_hash(const std::string& path);  ///< content_hash of its bytes
/// That of this program, which is read once: results are those of this program alone.
const std::string& program_hash();

/// Normal form of `path`, taken relative to `folder` unless it is absolute; UserError when no file can have this name.
std::string resolve_path(const std::string& folder, const std::string& path);
std::string folder_of(const std::string& path);

/// UserError unless `path` could be created or replaced. Folders that are missing count as creatable.
void require_writable(const std::string& path);

/// UserError unless all outputs could be written, each to a file of its own that is none of the inputs. Empty names are
/// skipped.
void require_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs = {});

/// Outputs of a run: collected while it computes, written together at its end (temporary files, then renames), so that
/// an error leaves nothing behind. A link is followed; what is no regular file (a pipe, /dev/null) is written to in
/// place, after all others.
class OutputFiles {
 public:
  void add(std::string path, std::vector<std::uint8_t> bytes) {
    files_.emplace_back(std::move(path), std::move(bytes));
  }
  void add_text(std::string path, const std::string& text) {
    files_.emplace_back(std::move(path), std::vector<std::uint8_t>(text.begin(), text.end()));
  }
  /// Those of `other`, to be written with these.
  void add_all(OutputFiles&& other) {
    for (auto& file : other.files_) files_.push_back(std::move(file));
    other.files_.clear();
  }
  /// Writes all; UserError (and no file) when one cannot be written.
  void commit();

 private:
  std::vector<std::pair<std::string, std::vector<std::uint8_t>>> files_;
};

}  // namespace stc::sim
