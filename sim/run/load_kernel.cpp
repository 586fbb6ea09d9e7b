// SPDX-License-Identifier: Apache-2.0
#include "sim/run/load_kernel.h"

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/text.h"
#include "traces/cubin/cubin.h"
#include "traces/cubin/cubin_error.h"

namespace stc::sim {
namespace {

std::string choose(const cubin::Cubin& module, const std::string& file, const std::string& kernel,
                   const std::string& place) {
  const std::string at = place.empty() ? "" : place + ": ";
  std::vector<std::string> names;
  for (const isa::Kernel& candidate : module.kernels()) names.push_back(candidate.name);
  if (names.empty()) throw UserError(fmt::format("{}: holds no kernel", file));
  if (kernel.empty()) {
    if (names.size() == 1) return names.front();
    throw UserError(fmt::format("{}{}: holds {} kernels, so 'kernel' must name one of: {}", at, file, names.size(),
                                join(names, ", ")));
  }
  for (const std::string& name : names) {
    if (name == kernel) return name;
  }
  throw UserError(fmt::format("{}{}: {}", at, file, unknown_word("kernel", kernel, names)));
}

}  // namespace

isa::Kernel load_kernel(const std::vector<std::uint8_t>& cubin, const std::string& file, const std::string& kernel,
                        const std::string& place) {
  try {
    const cubin::Cubin module(cubin, file);
    return module.decode(choose(module, file, kernel, place));
  } catch (const cubin::CubinError& error) {
    throw UserError(error.what());
  }
}

}  // namespace stc::sim
