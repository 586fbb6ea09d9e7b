// SPDX-License-Identifier: Apache-2.0
#include "sim/base/data_folder.h"

#include <filesystem>
#include <system_error>

namespace stc::sim {

namespace {

std::string given;  // by the host, once, before anything is read

}  // namespace

void use_data_folder(const std::string& folder) { given = folder; }

std::string data_folder() {
  if (!given.empty()) return given;
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = (program.parent_path() / STC_DATA_FROM_PROGRAM).lexically_normal();
    if (fs::is_directory(installed, error)) return installed.string();
  }
  return STC_SOURCE_FOLDER;
}

}  // namespace stc::sim
