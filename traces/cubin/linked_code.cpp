// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/linked_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "models/isa/state/address_space.h"
#include "traces/cubin/driver_functions.h"
#include "traces/cubin/module_variables.h"
#include "traces/cubin/relocation_kind.h"

namespace stc::cubin {
namespace {

constexpr std::uint64_t kMostCode = 0x10000000;
constexpr char kText[] = ".text.";
constexpr std::size_t kTextLength = sizeof kText - 1;

bool is_text(const Section& section) { return section.name.compare(0, kTextLength, kText) == 0; }

std::uint64_t word_at(const std::vector<std::uint8_t>& bytes, std::uint64_t offset) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

}  // namespace

int constant_bank(const std::string& section, const std::string& kernel) {
  constexpr char kPrefix[] = ".nv.constant";
  constexpr std::size_t kLength = sizeof kPrefix - 1;
  if (section.compare(0, kLength, kPrefix) != 0 || section.size() == kLength) return -1;
  std::size_t end = kLength;
  while (end < section.size() && std::isdigit(static_cast<unsigned char>(section[end]))) ++end;
  if (end == kLength || end - kLength > 2) return -1;
  const std::string rest = section.substr(end);
  if (!rest.empty() && rest != "." + kernel) return -1;
  return std::stoi(section.substr(kLength, end - kLength));
}

LinkedCode::LinkedCode(const ElfImage& elf, isa::Kernel& kernel) : elf_(elf), kernel_(kernel) {
  for (const Relocation& relocation : elf_.relocations()) {
    relocations_.emplace(Place(relocation.section, relocation.offset), &relocation);
  }
  const std::vector<Section>& sections = elf_.sections();
  for (std::uint32_t index = 0; index < sections.size(); ++index) {
    if (sections[index].name == kText + kernel_.name) add_part(index);
  }
  follow_relocations();
  const std::vector<Symbol>& symbols = elf_.symbols();
  for (std::uint32_t index = 0; index < symbols.size(); ++index) {
    if (symbols[index].is_function() && symbols[index].name == kernel_.name) require_known_callees(index);
  }
}

void LinkedCode::follow_relocations() {
  link_constants();
  std::size_t part = 0, contents = 0;
  while (part < parts_.size() || contents < kernel_.variables.size()) {
    if (part < parts_.size()) {
      link_code(CodePart(parts_[part++]));
    } else {
      link_contents(contents++);
    }
  }
}

std::vector<const Relocation*> LinkedCode::relocations_in(std::uint32_t section, std::uint64_t begin,
                                                          std::uint64_t end) const {
  std::vector<const Relocation*> found;
  const auto last = relocations_.lower_bound(Place(section, end));
  for (auto at = relocations_.lower_bound(Place(section, begin)); at != last; ++at) found.push_back(at->second);
  return found;
}

std::uint32_t LinkedCode::add_part(std::uint32_t section) {
  const auto known =
      std::find_if(parts_.begin(), parts_.end(), [&](const CodePart& part) { return part.section == section; });
  if (known != parts_.end()) return known->base;
  const Section& text = elf_.sections()[section];
  if (!text.in_file || text.size == 0 || text.size % isa::kInstructionBytes != 0 || text.size > kMostCode - bytes_) {
    elf_.fail(text.name, fmt::format("{} bytes are no whole number of instructions", text.size));
  }
  parts_.push_back({section, bytes_, text.name.substr(kTextLength)});
  bytes_ += static_cast<std::uint32_t>(text.size);
  return parts_.back().base;
}

LinkedCode::Target LinkedCode::external(const std::string& name) {
  const auto [known, is_new] = externals_.emplace(name, kernel_.externals.size());
  if (is_new) kernel_.externals.push_back({name, driver_function(name)});
  Target target;
  target.kind = Target::Kind::kCode;
  target.pc = isa::external_code(known->second);
  return target;
}

LinkedCode::Target LinkedCode::variable(const Symbol& symbol) {
  const Section& home = elf_.sections()[symbol.section];
  if (symbol.value > home.size || symbol.size > home.size - symbol.value) {
    elf_.fail("symbol " + symbol.name, fmt::format("lies outside {}", home.name));
  }
  Target target;
  target.kind = Target::Kind::kVariable;
  const auto [known, is_new] = variables_.emplace(Place(symbol.section, symbol.value), kernel_.variables.size());
  target.variable = known->second;
  if (!is_new) return target;
  isa::ModuleVariable variable;
  // Strings of two linked files may have one name.
  const bool taken = std::any_of(variable_symbols_.begin(), variable_symbols_.end(),
                                 [&](const Symbol* other) { return other->name == symbol.name; });
  variable.name = taken ? fmt::format("{}@{}+{:#x}", symbol.name, home.name, symbol.value) : symbol.name;
  variable.bytes = symbol.size;
  if (home.in_file && home.data != nullptr) {
    variable.initial.assign(home.data + symbol.value, home.data + symbol.value + symbol.size);
  }
  if (home.name == kConstantVariables) variable.constant_offset = static_cast<std::uint32_t>(symbol.value);
  kernel_.variables.push_back(std::move(variable));
  variable_symbols_.push_back(&symbol);
  return target;
}

LinkedCode::Target LinkedCode::target_of(const Relocation& relocation, std::int64_t addend) {
  const Symbol& symbol = elf_.symbols()[relocation.symbol];
  if (symbol.section == 0) return external(symbol.name);
  if (symbol.section >= elf_.sections().size()) return {};
  const Section& home = elf_.sections()[symbol.section];
  Target target;
  if (is_text(home)) {
    const std::int64_t offset = static_cast<std::int64_t>(symbol.value) + addend;
    if (offset < 0 || static_cast<std::uint64_t>(offset) >= home.size || offset % isa::kInstructionBytes != 0)
      return {};
    target.kind = Target::Kind::kCode;
    target.pc = add_part(symbol.section) + static_cast<std::uint32_t>(offset);
    return target;
  }
  constexpr std::uint8_t kObjectSymbol = 1;
  constexpr char kShared[] = ".nv.shared";
  if (symbol.type != kObjectSymbol || home.name.compare(0, sizeof kShared - 1, kShared) == 0) return {};
  target = variable(symbol);
  target.addend = addend;
  return target;
}

void LinkedCode::refuse(const Relocation& relocation) {
  unmodelled_.add(fmt::format("an address of {} in {} (relocation type {:#x})", elf_.symbols()[relocation.symbol].name,
                              elf_.sections()[relocation.section].name, relocation.type));
}

/// Eight bytes of data that hold an address; `in_place` is what they hold in the file.
void LinkedCode::link_word(const Relocation& relocation, std::uint64_t in_place, isa::AddressPatch patch) {
  const std::int64_t addend = relocation.addend_in_place ? static_cast<std::int64_t>(in_place) : relocation.addend;
  const bool known = relocation.type == kRelocation64 || relocation.type == kRelocationGeneric64;
  Target target = known ? target_of(relocation, addend) : Target{};
  // A word that cannot be linked must not stop a kernel that does not use it: one that does is stopped by its address.
  if (target.kind == Target::Kind::kUnknown) target = external(elf_.symbols()[relocation.symbol].name);
  if (target.kind == Target::Kind::kVariable) {
    patch.variable = target.variable;
    patch.addend = target.addend;
    kernel_.address_patches.push_back(patch);
    return;
  }
  const std::uint64_t address = isa::code_address(target.pc);
  std::vector<std::uint8_t>& home = patch.place == isa::AddressPatch::Place::kVariable
                                        ? kernel_.variables[patch.holder].initial
                                        : kernel_.constants[patch.bank];
  std::memcpy(home.data() + patch.offset, &address, sizeof address);
}

void LinkedCode::link_constants() {
  for (const Relocation& relocation : elf_.relocations()) {
    const Section& section = elf_.sections()[relocation.section];
    isa::AddressPatch patch;
    patch.bank = constant_bank(section.name, kernel_.name);
    if (patch.bank <= 0) continue;
    const std::vector<std::uint8_t>& bank = kernel_.constants[patch.bank];
    if (bank.size() < 8 || relocation.offset > bank.size() - 8) {
      elf_.fail(fmt::format("{} at byte {:#x}", section.name, relocation.offset),
                "a relocation lies outside its section");
    }
    patch.offset = static_cast<std::uint32_t>(relocation.offset);
    link_word(relocation, word_at(bank, relocation.offset), patch);
  }
}

void LinkedCode::link_contents(std::size_t variable) {
  const Symbol& symbol = *variable_symbols_[variable];
  if (symbol.size < 8) return;
  const std::uint64_t end = symbol.value + symbol.size - 7;
  for (const Relocation* relocation : relocations_in(symbol.section, symbol.value, end)) {
    std::vector<std::uint8_t>& contents = kernel_.variables[variable].initial;
    contents.resize(symbol.size);
    isa::AddressPatch patch;
    patch.place = isa::AddressPatch::Place::kVariable;
    patch.holder = variable;
    patch.offset = static_cast<std::uint32_t>(relocation->offset - symbol.value);
    link_word(*relocation, word_at(contents, patch.offset), patch);
  }
}

void LinkedCode::link_code(const CodePart& part) {
  const Section& text = elf_.sections()[part.section];
  for (const Relocation* each : relocations_in(part.section, 0, ~std::uint64_t{0})) {
    const Relocation& relocation = *each;
    if (relocation.offset >= text.size || relocation.offset % isa::kInstructionBytes != 0) {
      elf_.fail(fmt::format("{} at byte {:#x}", text.name, relocation.offset), "a relocation lies outside its section");
    }
    const std::uint32_t address = part.base + static_cast<std::uint32_t>(relocation.offset);
    const bool call = relocation.type == kRelocationCall47 || relocation.type == kRelocationCall55;
    const bool half = relocation.type == kRelocationLow32 || relocation.type == kRelocationHigh32;
    const Target target = call || half ? target_of(relocation, relocation.addend) : Target{};
    if (target.kind == Target::Kind::kCode) {
      patches_.push_back({address, relocation.type, target.pc});
    } else if (target.kind == Target::Kind::kVariable && half) {
      using Half = isa::AddressPatch::Place;
      const Half half_of = relocation.type == kRelocationLow32 ? Half::kCodeLow : Half::kCodeHigh;
      kernel_.address_patches.push_back({0, address, target.variable, target.addend, half_of, 0});
    } else {
      refuse(relocation);
    }
  }
}

void LinkedCode::relocate(std::vector<isa::Instruction>& code) const {
  for (const CodePatch& patch : patches_) {
    isa::Instruction& instruction = code[patch.address / isa::kInstructionBytes];
    const std::uint64_t address = isa::code_address(patch.pc);
    isa::Operand& immediate = instruction.c.kind == isa::Operand::Kind::kImmediate ? instruction.c : instruction.b;
    switch (patch.kind) {
      case kRelocationLow32: immediate.value = static_cast<std::uint32_t>(address); break;
      case kRelocationHigh32: immediate.value = static_cast<std::uint32_t>(address >> 32); break;
      default: instruction.target = patch.pc; break;
    }
  }
}

/// The call graph names what the kernel calls outside the module, through however many functions of its own.
void LinkedCode::require_known_callees(std::uint32_t kernel_symbol) {
  const Section* graph = elf_.find(".nv.callgraph");
  if (graph == nullptr || !graph->in_file) return;
  const std::vector<Symbol>& symbols = elf_.symbols();
  std::vector<std::uint32_t> reached{kernel_symbol};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    for (std::uint64_t at = 0; at + 8 <= graph->size; at += 8) {
      std::uint32_t pair[2];
      std::memcpy(pair, graph->data + at, sizeof pair);
      if (pair[0] != reached[next] || pair[1] >= symbols.size()) continue;
      const Symbol& callee = symbols[pair[1]];
      if (!callee.is_function() || std::count(reached.begin(), reached.end(), pair[1]) != 0) continue;
      reached.push_back(pair[1]);
      if (callee.section != 0 || driver_function(callee.name) != isa::DriverFunction::kUnknown) continue;
      unmodelled_.add(feature_of_function(callee.name));
    }
  }
}

}  // namespace stc::cubin
