// SPDX-License-Identifier: Apache-2.0
#include "models/isa/state/launch_words.h"

#include <fmt/format.h>

#include "models/isa/state/address_space.h"

namespace stc::isa {
namespace {

constexpr std::uint32_t kEnvironmentRegisters = 32;

bool within(std::uint32_t offset, std::uint32_t begin, std::uint32_t bytes) {
  return offset >= begin && offset - begin < bytes;
}

bool filled_in(const Architecture& architecture, std::uint32_t offset) {
  const ConstantLayout& at = architecture.constants;
  const bool everywhere = offset < constant0::kGridId || within(offset, constant0::kSmCount, 4) ||
                          within(offset, constant0::kReservedShared, 4);
  const bool here = within(offset, at.generic_constants, 8) || within(offset, at.generic_parameters, 8) ||
                    within(offset, at.grid_workspace, 8) || within(offset, at.reserved_end, 8) ||
                    within(offset, at.graph, 8) || within(offset, at.global_descriptor, 8);
  const bool clusters = within(offset, constant0::kAllShared, constant0::kClusterGrid + 12 - constant0::kAllShared) ||
                        within(offset, constant0::kClusterCtas, 4);
  return everywhere || here || (architecture.has_clusters && clusters);
}

}  // namespace

std::string unmodelled_launch_word(const Architecture& architecture, std::uint32_t offset) {
  if (filled_in(architecture, offset)) return "";
  if (within(offset, constant0::kGridId, 8)) return "%gridid";
  if (within(offset, architecture.constants.alias_fence, 4)) return "fence.proxy.alias";
  const std::uint32_t first = architecture.constants.environment;
  if (within(offset, first, 4 * kEnvironmentRegisters)) return fmt::format("%envreg{}", (offset - first) / 4);
  return fmt::format("word {:#x} of the launch constants", offset / 4 * 4);
}

}  // namespace stc::isa
