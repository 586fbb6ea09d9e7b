// SPDX-License-Identifier: Apache-2.0
#include "models/isa/state/launch.h"

#include <algorithm>
#include <cstring>

#include "models/core/architecture.h"
#include "models/isa/state/address_space.h"

namespace stc::isa {

void start_warp(WarpState& warp, const Kernel& kernel, CtaState& cta, int index_in_cta) {
  warp.r.assign(static_cast<std::size_t>(kernel.registers), Vector{});
  warp.ur.fill(0);
  warp.p.fill(0);
  warp.p[kPredicateTrue] = ~LaneMask{0};
  warp.up.fill(false);
  warp.up[kPredicateTrue] = true;
  warp.convergence.fill(0);
  warp.pc = 0;
  warp.waiting.clear();
  warp.diverged_branches = 0;
  warp.released = 0;
  warp.moved_barriers = 0;
  warp.local.clear();
  warp.barrier_generation.fill(0);
  warp.cta = &cta;
  warp.index_in_cta = index_in_cta;
  const std::uint64_t first = static_cast<std::uint64_t>(index_in_cta) * kWarpSize;
  const std::uint64_t threads = cta.block.count();
  const std::uint64_t lanes = threads > first ? std::min<std::uint64_t>(threads - first, kWarpSize) : 0;
  warp.live = lanes == kWarpSize ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
  warp.active = warp.live;
}

namespace {

/// Where code that takes addresses of constants finds them.
constexpr char kConstantsBuffer[] = "constant bank 3";

Allocation& place_constants(Kernel& kernel, GlobalMemory& memory) {
  Allocation* place = memory.find(kConstantsBuffer);
  if (place == nullptr) {
    place = &memory.allocate(kConstantsBuffer, std::max<std::size_t>(1, kernel.constants[kVariableBank].size()));
  }
  kernel.constants_address = place->address;
  return *place;
}

void store64(std::vector<std::uint8_t>& bytes, std::uint32_t offset, std::uint64_t value) {
  if (bytes.size() < offset + sizeof value) bytes.resize(offset + sizeof value);
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

/// The operand that the middle field of an instruction supplies as an immediate.
Operand& immediate_of(Instruction& instruction) {
  return instruction.c.kind == Operand::Kind::kImmediate ? instruction.c : instruction.b;
}

void apply(const AddressPatch& patch, std::uint64_t value, Kernel& kernel) {
  switch (patch.place) {
    case AddressPatch::Place::kConstantBank: store64(kernel.constants[patch.bank], patch.offset, value); break;
    case AddressPatch::Place::kVariable: store64(kernel.variables[patch.holder].initial, patch.offset, value); break;
    case AddressPatch::Place::kCodeLow:
      immediate_of(kernel.code[patch.offset / kInstructionBytes]).value = static_cast<std::uint32_t>(value);
      break;
    case AddressPatch::Place::kCodeHigh:
      immediate_of(kernel.code[patch.offset / kInstructionBytes]).value = static_cast<std::uint32_t>(value >> 32);
      break;
  }
}

}  // namespace

bool ModuleVariable::starts_as_zero() const {
  return std::all_of(initial.begin(), initial.end(), [](std::uint8_t byte) { return byte == 0; });
}

void set_variable(Kernel& kernel, GlobalMemory& memory, const std::string& name,
                  const std::vector<std::uint8_t>& data) {
  const auto variable = std::find_if(kernel.variables.begin(), kernel.variables.end(),
                                     [&](const ModuleVariable& v) { return v.name == name; });
  if (!variable->constant_offset) {
    memory.find(name)->data = data;
    return;
  }
  const auto put = [&](auto& bank) { std::copy(data.begin(), data.end(), bank.begin() + *variable->constant_offset); };
  put(kernel.constants[kVariableBank]);
  if (kernel.points_to_constants) put(place_constants(kernel, memory).data);
}

void place_variables(Kernel& kernel, GlobalMemory& memory) {
  if (kernel.points_to_constants) place_constants(kernel, memory);
  std::vector<std::uint64_t> address;
  std::vector<std::size_t> fresh;
  for (std::size_t i = 0; i < kernel.variables.size(); ++i) {
    if (kernel.variables[i].constant_offset) {
      address.push_back(kernel.constants_address + *kernel.variables[i].constant_offset);
      continue;
    }
    const Allocation* place = memory.find(kernel.variables[i].name);
    if (place == nullptr) {
      place = &memory.allocate(kernel.variables[i].name, kernel.variables[i].bytes);
      fresh.push_back(i);
    }
    address.push_back(place->address);
  }
  for (const AddressPatch& patch : kernel.address_patches) {
    apply(patch, address[patch.variable] + static_cast<std::uint64_t>(patch.addend), kernel);
  }
  for (const std::size_t i : fresh) {
    const ModuleVariable& variable = kernel.variables[i];
    std::copy(variable.initial.begin(), variable.initial.end(), memory.find(variable.name)->data.begin());
  }
  if (kernel.points_to_constants) {
    const std::vector<std::uint8_t>& bank = kernel.constants[kVariableBank];
    std::copy(bank.begin(), bank.end(), place_constants(kernel, memory).data.begin());
  }
}

std::uint64_t place_grid_workspace(GlobalMemory& memory) {
  constexpr std::uint32_t kContents[] = {16, 0, 1, 0};  // its size, the barrier; as an H200 shows it
  Allocation& workspace = memory.allocate("grid workspace", sizeof kContents);
  std::memcpy(workspace.data.data(), kContents, sizeof kContents);
  return workspace.address;
}

std::uint64_t copy_parameters(const Kernel& kernel, GlobalMemory& memory, const std::vector<std::uint8_t>& bytes) {
  if (!kernel.points_to_parameters) return 0;
  constexpr char kBuffer[] = "kernel parameters";
  constexpr std::size_t kMostBytes = 65536;  // of a constant bank
  Allocation* place = memory.find(kBuffer);
  if (place == nullptr) place = &memory.allocate(kBuffer, kMostBytes);
  // What the bank's addresses are multiples of, those of the copy are, too: tensor maps lie at multiples of 64.
  const std::uint32_t begin = kernel.parameter_base % 512;
  std::copy(bytes.begin(), bytes.end(), place->data.begin() + begin);
  return place->address + begin;
}

namespace {

/// A bank of constants to be filled in.
class ConstantWords {
 public:
  explicit ConstantWords(std::vector<std::uint8_t>& bank) : bank_(bank) {}
  template <class T>
  void put(std::uint32_t offset, T value) {
    std::memcpy(bank_.data() + offset, &value, sizeof value);
  }

 private:
  std::vector<std::uint8_t>& bank_;
};

void put_cluster(ConstantWords& words, Dim3 grid, const std::optional<Dim3>& cluster) {
  const Dim3 ctas = cluster.value_or(Dim3{});
  const std::uint32_t size[3] = {ctas.x, ctas.y, ctas.z}, all[3] = {grid.x, grid.y, grid.z};
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    words.put(constant0::kClusterSize + 4 * axis, size[axis]);
    words.put(constant0::kClusterReciprocal + 4 * axis, 1.0f / static_cast<float>(size[axis]));
    words.put(constant0::kClusterGrid + 4 * axis, all[axis] / size[axis]);
  }
  words.put(constant0::kClusterLaunch, std::uint32_t{cluster ? 1u : 0u});
  words.put(constant0::kClusterCtas, static_cast<std::uint32_t>(ctas.count()));
}

/// The system's part of shared memory lies before the kernel's where the architecture says so, else behind it. The
/// first 288 bytes of it are cooperative_groups' (an H200 gives 288 as their end, and that header asks for as many).
void put_shared_sizes(ConstantWords& words, const Architecture& architecture, std::uint32_t kernels,
                      std::uint32_t reserved) {
  constexpr std::uint32_t kGroupsBytes = 288;
  words.put(constant0::kReservedShared, reserved);
  const std::uint32_t begin = architecture.system_shared_bytes != 0 ? 0 : rounded_shared_bytes(kernels);
  words.put(architecture.constants.reserved_end, begin + kGroupsBytes);
  words.put(architecture.constants.reserved_end + 4, begin);
  if (architecture.has_clusters) words.put(constant0::kAllShared, kernels + reserved);
}

}  // namespace

std::vector<std::uint8_t> launch_constants(const Kernel& kernel, const LaunchFacts& facts, Dim3 grid, Dim3 block,
                                           const std::vector<std::uint8_t>& parameter_bytes,
                                           std::uint32_t dynamic_shared_bytes, const std::optional<Dim3>& cluster) {
  const Architecture& architecture = architecture_of(kernel.sm_version);
  std::vector<std::uint8_t> bank = kernel.constant0;
  const std::size_t end = kernel.parameter_base + std::max<std::size_t>(kernel.parameter_bytes, parameter_bytes.size());
  bank.resize(std::max(bank.size(), (end + 3) / 4 * 4));
  ConstantWords words(bank);
  const auto put = [&](std::uint32_t offset, auto value) { words.put(offset, value); };
  put(constant0::kBlockDim, block.x);
  put(constant0::kBlockDim + 4, block.y);
  put(constant0::kBlockDim + 8, block.z);
  put(constant0::kGridDim, grid.x);
  put(constant0::kGridDim + 4, grid.y);
  put(constant0::kGridDim + 8, grid.z);
  put(constant0::kSharedWindowBase, kSharedWindow);
  put(constant0::kLocalWindowBase, kLocalWindow);
  put(constant0::kStackPointer, local_memory_bytes(kernel.local_bytes, kernel.stack_bytes));
  put(constant0::kDynamicShared, dynamic_shared_bytes);
  if (kernel.points_to_constants) put(architecture.constants.generic_constants, kernel.constants_address);
  const std::uint32_t workspace = architecture.constants.grid_workspace;
  put(workspace, static_cast<std::uint32_t>(facts.grid_workspace >> 32));
  put(workspace + 4, static_cast<std::uint32_t>(facts.grid_workspace));
  put(constant0::kSmCount, facts.sms);
  put_shared_sizes(words, architecture, kernel.static_shared_bytes + dynamic_shared_bytes, facts.reserved_shared_bytes);
  if (facts.parameters != 0) {
    const std::uint32_t header = architecture.constants.generic_skips_header ? 0 : kernel.parameter_base;
    put(architecture.constants.generic_parameters, facts.parameters - header);
  }
  if (architecture.has_clusters) put_cluster(words, grid, cluster);
  std::copy(parameter_bytes.begin(), parameter_bytes.end(),
            bank.begin() + static_cast<std::ptrdiff_t>(kernel.parameter_base));
  return bank;
}

}  // namespace stc::isa
