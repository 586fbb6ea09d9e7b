// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/runtime_folder.h"

#include <filesystem>
#include <system_error>

#include "sim/base/error.h"

namespace stc::sim {

std::string runtime_folder() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const char* beside : {STC_RUNTIME_FROM_PROGRAM, "cudart"}) {
    const fs::path folder = (program.parent_path() / beside).lexically_normal();
    if (fs::exists(folder / "libcudart.so.13", error)) return folder.string();
  }
  throw UserError("libcudart.so.13 of stcsim is not beside the program, where it was built or installed");
}

}  // namespace stc::sim
