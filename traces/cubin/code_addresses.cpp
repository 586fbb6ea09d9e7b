// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/code_addresses.h"

#include <cstring>

#include "models/isa/instruction.h"
#include "models/isa/state/address_space.h"
#include "traces/cubin/cuda_elf.h"
#include "traces/cubin/relocation_kind.h"

namespace stc::cubin {
namespace {

constexpr std::uint64_t kPlaceUnit = 0x10000;  ///< of bytes between places that modules' contents choose from

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

std::uint64_t hash_of(const ElfImage& elf) {
  std::uint64_t hash = 0;
  for (const Section& section : elf.sections()) {
    if (section.data == nullptr) continue;
    hash = mixed(hash, section.size);
    std::uint64_t word = 0;
    for (std::uint64_t at = 0; at + sizeof word <= section.size; at += sizeof word) {
      std::memcpy(&word, section.data + at, sizeof word);
      hash = mixed(hash, word);
    }
  }
  return hash;
}

bool holds_address(std::uint32_t relocation_type) {
  switch (relocation_type) {
    case kRelocation64:
    case kRelocationGeneric64:
    case kRelocationLow32:
    case kRelocationHigh32: return true;
    default: return false;
  }
}

}  // namespace

bool is_text(const Section& section) { return section.name.rfind(kText, 0) == 0; }

CodeAddresses::CodeAddresses(const ElfImage& elf) {
  const std::vector<Section>& sections = elf.sections();
  for (std::uint32_t i = 0; i < sections.size(); ++i) {
    if (!is_text(sections[i])) continue;
    offsets_[i] = code_bytes_;
    code_bytes_ += (sections[i].size + isa::kInstructionBytes - 1) / isa::kInstructionBytes * isa::kInstructionBytes;
  }
  bytes_ = code_bytes_ + elf.symbols().size() * isa::kInstructionBytes;
  const std::uint64_t room = isa::kCodeEnd - isa::kCodeWindow;
  if (bytes_ >= room) elf.fail("ELF header", "the module has more code than there are addresses");
  begin_ = isa::kCodeWindow + hash_of(elf) % ((room - bytes_) / kPlaceUnit + 1) * kPlaceUnit;
}

void CodeAddresses::move_behind(const CodeAddresses& other) {
  begin_ = (other.end() + kPlaceUnit - 1) / kPlaceUnit * kPlaceUnit;
  if (end() > isa::kCodeEnd) begin_ = isa::kCodeWindow;
}

std::uint64_t CodeAddresses::of_symbol(std::uint32_t symbol) const {
  return begin_ + code_bytes_ + std::uint64_t{symbol} * isa::kInstructionBytes;
}

PointedFunctions pointed_functions(const ElfImage& elf) {
  std::set<std::uint32_t> kernels;
  for (const Symbol& symbol : elf.symbols()) {
    if (symbol.is_function() && (symbol.other & kEntryPoint) != 0) kernels.insert(symbol.section);
  }
  PointedFunctions found;
  for (const Relocation& relocation : elf.relocations()) {
    if (!holds_address(relocation.type)) continue;
    const Symbol& symbol = elf.symbols()[relocation.symbol];
    if (symbol.section == 0) found.symbols.insert(relocation.symbol);
    if (symbol.section >= elf.sections().size() || !is_text(elf.sections()[symbol.section])) continue;
    const bool returns_here = relocation.section == symbol.section && relocation.addend != 0;
    if (!returns_here && kernels.count(symbol.section) == 0) found.sections.insert(symbol.section);
  }
  return found;
}

}  // namespace stc::cubin
