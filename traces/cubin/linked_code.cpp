// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/linked_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "models/isa/state/address_space.h"
#include "models/isa/text/kernel_name.h"
#include "traces/cubin/cuda_elf.h"
#include "traces/cubin/driver_functions.h"
#include "traces/cubin/relocation_kind.h"

namespace stc::cubin {
namespace {

constexpr std::uint64_t kMostCode = 0x10000000;
constexpr std::size_t kTextLength = sizeof kText - 1;

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

void relocate(const std::vector<CodePatch>& patches, std::vector<isa::Instruction>& code) {
  for (const CodePatch& patch : patches) {
    isa::Instruction& instruction = code[patch.pc / isa::kInstructionBytes];
    isa::Operand& immediate = instruction.c.kind == isa::Operand::Kind::kImmediate ? instruction.c : instruction.b;
    switch (patch.kind) {
      case kRelocationLow32: immediate.value = static_cast<std::uint32_t>(patch.address); break;
      case kRelocationHigh32: immediate.value = static_cast<std::uint32_t>(patch.address >> 32); break;
      default: instruction.target = patch.callee; break;
    }
  }
}

LinkedCode::LinkedCode(const ElfImage& elf, const CodeAddresses& addresses, const LeftOut& left_out,
                       isa::Kernel& kernel)
    : elf_(elf), addresses_(addresses), left_out_(left_out), kernel_(kernel), listed_variables_(module_variables(elf)) {
  for (const ListedVariable& listed : listed_variables_) listed_[listed.symbol] = &listed.variable;
  for (const Relocation& relocation : elf_.relocations()) {
    relocations_.emplace(Place(relocation.section, relocation.offset), &relocation);
  }
  const std::vector<Section>& sections = elf_.sections();
  for (std::uint32_t index = 0; index < sections.size(); ++index) {
    if (sections[index].name == kText + kernel_.name) add_part(index);
  }
  link_constants();
  follow_relocations();
  const auto has_pointers = [&](const CodePart& part) { return calls_through_pointers(part.section); };
  if (std::any_of(parts_.begin(), parts_.end(), has_pointers)) add_pointed_functions();
  add_other_variables();
  add_places();
  const std::vector<Symbol>& symbols = elf_.symbols();
  for (std::uint32_t index = 0; index < symbols.size(); ++index) {
    if (symbols[index].is_function() && symbols[index].name == kernel_.name) require_known_callees(index);
  }
}

void LinkedCode::follow_relocations() {
  while (linked_parts_ < parts_.size() || linked_contents_ < kernel_.variables.size()) {
    if (linked_parts_ < parts_.size()) {
      link_code(CodePart(parts_[linked_parts_++]));
    } else {
      link_contents(linked_contents_++);
    }
  }
}

/// CALL.ABS through a register.
bool LinkedCode::calls_through_pointers(std::uint32_t section) const {
  constexpr unsigned kCallAbsolute = 0x343;
  const Section& text = elf_.sections()[section];
  for (std::uint64_t at = 0; at < text.size; at += isa::kInstructionBytes) {
    if (((text.data[at] | text.data[at + 1] << 8) & 0xfff) == kCallAbsolute) return true;
  }
  return false;
}

void LinkedCode::add_pointed_functions() {
  adds_pointed_ = true;
  const PointedFunctions pointed = pointed_functions(elf_);
  for (const std::uint32_t section : pointed.sections) {
    if (left_out_.count(section) == 0) add_part(section);
  }
  for (const std::uint32_t symbol : pointed.symbols) external(symbol);
  follow_relocations();
}

/// What the kernel does not use another one may, or the host: all must find the same contents.
void LinkedCode::add_other_variables() {
  adds_unused_ = true;
  for (const ListedVariable& listed : listed_variables_) variable(listed.symbol);
  follow_relocations();
}

void LinkedCode::add_places() {
  std::vector<isa::CodePlace>& places = kernel_.code_places;
  const std::vector<Section>& sections = elf_.sections();
  for (const CodePart& part : parts_) {
    const auto bytes = static_cast<std::uint32_t>(sections[part.section].size);
    places.push_back({addresses_.of_section(part.section), bytes, part.base, ""});
  }
  for (const auto& [section, needs] : left_out_) {
    const std::string function = isa::readable_name(sections[section].name.substr(kTextLength));
    places.push_back(
        {addresses_.of_section(section), static_cast<std::uint32_t>(sections[section].size), 0,
         fmt::format("the function {}, which the kernel cannot call: it uses {}", function, needs.list())});
  }
  for (const auto& [symbol, index] : externals_) {
    places.push_back({addresses_.of_symbol(symbol), isa::kInstructionBytes, isa::external_code(index), ""});
  }
  std::sort(places.begin(), places.end(),
            [](const isa::CodePlace& a, const isa::CodePlace& b) { return a.address < b.address; });
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
  parts_.push_back({section, bytes_, text.name.substr(kTextLength), adds_pointed_});
  bytes_ += static_cast<std::uint32_t>(text.size);
  return parts_.back().base;
}

/// Its program counter.
std::uint32_t LinkedCode::external(std::uint32_t symbol) {
  const auto [known, is_new] = externals_.emplace(symbol, kernel_.externals.size());
  const std::string& name = elf_.symbols()[symbol].name;
  if (is_new) kernel_.externals.push_back({name, driver_function(name)});
  return isa::external_code(known->second);
}

LinkedCode::Target LinkedCode::variable(std::uint32_t symbol_index) {
  const Symbol& symbol = elf_.symbols()[symbol_index];
  const Section& home = elf_.sections()[symbol.section];
  if (symbol.value > home.size || symbol.size > home.size - symbol.value) {
    elf_.fail("symbol " + symbol.name, fmt::format("lies outside {}", home.name));
  }
  Target target;
  target.kind = Target::Kind::kVariable;
  const auto [known, is_new] = variables_.emplace(Place(symbol.section, symbol.value), kernel_.variables.size());
  target.variable = known->second;
  if (!is_new) return target;
  variable_symbols_.push_back(&symbol);
  const auto listed = listed_.find(symbol_index);
  if (listed != listed_.end()) {
    kernel_.variables.push_back(*listed->second);
    return target;
  }
  isa::ModuleVariable variable;
  const bool taken = std::any_of(kernel_.variables.begin(), kernel_.variables.end(),
                                 [&](const isa::ModuleVariable& other) { return other.name == symbol.name; });
  variable.name = taken ? name_with_place(symbol, home) : symbol.name;
  variable.bytes = symbol.size;
  if (home.in_file && home.data != nullptr) {
    variable.initial.assign(home.data + symbol.value, home.data + symbol.value + symbol.size);
  }
  kernel_.variables.push_back(std::move(variable));
  return target;
}

LinkedCode::Target LinkedCode::target_of(const Relocation& relocation, std::int64_t addend) {
  const Symbol& symbol = elf_.symbols()[relocation.symbol];
  Target target;
  if (symbol.section == 0) {
    target.kind = Target::Kind::kDriver;
    target.holder = relocation.symbol;
    return target;
  }
  if (symbol.section >= elf_.sections().size()) return {};
  const Section& home = elf_.sections()[symbol.section];
  if (is_text(home)) {
    const std::int64_t offset = static_cast<std::int64_t>(symbol.value) + addend;
    if (offset < 0 || static_cast<std::uint64_t>(offset) >= home.size || offset % isa::kInstructionBytes != 0)
      return {};
    target.kind = Target::Kind::kCode;
    target.holder = symbol.section;
    target.offset = static_cast<std::uint32_t>(offset);
    return target;
  }
  constexpr std::uint8_t kObjectSymbol = 1;
  constexpr char kShared[] = ".nv.shared";
  if (symbol.type != kObjectSymbol || home.name.compare(0, sizeof kShared - 1, kShared) == 0) return {};
  target = variable(relocation.symbol);
  target.addend = addend;
  return target;
}

/// What a pointer to it holds. A function of the driver can be called then.
std::uint64_t LinkedCode::address_of(const Target& target) {
  if (target.kind == Target::Kind::kCode) return addresses_.of_section(target.holder) + target.offset;
  if (!adds_unused_) external(target.holder);
  return addresses_.of_symbol(target.holder);
}

Unmodelled& LinkedCode::unmodelled_of(const CodePart& part) {
  return part.pointed ? unmodelled_pointed_[part.section] : unmodelled_;
}

void LinkedCode::refuse(const CodePart& part, const Relocation& relocation) {
  unmodelled_of(part).add(fmt::format("an address of {} in {} (relocation type {:#x})",
                                      elf_.symbols()[relocation.symbol].name, elf_.sections()[relocation.section].name,
                                      relocation.type));
}

/// Eight bytes of data that hold an address; `in_place` is what they hold in the file.
void LinkedCode::link_word(const Relocation& relocation, std::uint64_t in_place, isa::AddressPatch patch) {
  const std::int64_t addend = relocation.addend_in_place ? static_cast<std::int64_t>(in_place) : relocation.addend;
  const bool known = relocation.type == kRelocation64 || relocation.type == kRelocationGeneric64;
  Target target = known ? target_of(relocation, addend) : Target{};
  if (target.kind == Target::Kind::kVariable) {
    patch.variable = target.variable;
    patch.addend = target.addend;
    kernel_.address_patches.push_back(patch);
    return;
  }
  // A word that cannot be linked must not stop a kernel that does not use it: one that does is stopped by its address.
  if (target.kind == Target::Kind::kUnknown) target = {Target::Kind::kDriver, relocation.symbol};
  const std::uint64_t address = address_of(target);
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
    const bool call = relocation.type == kRelocationCall47 || relocation.type == kRelocationCall55;
    const bool half = relocation.type == kRelocationLow32 || relocation.type == kRelocationHigh32;
    const Target target = call || half ? target_of(relocation, relocation.addend) : Target{};
    const std::uint32_t pc = part.base + static_cast<std::uint32_t>(relocation.offset);
    if (call && target.is_code()) {
      link_call(part, relocation, target);
    } else if (target.is_code()) {
      patches_.push_back({pc, relocation.type, 0, address_of(target)});
    } else if (target.kind == Target::Kind::kVariable && half) {
      using Half = isa::AddressPatch::Place;
      const Half half_of = relocation.type == kRelocationLow32 ? Half::kCodeLow : Half::kCodeHigh;
      kernel_.address_patches.push_back({0, pc, target.variable, target.addend, half_of, 0});
    } else {
      refuse(part, relocation);
    }
  }
}

void LinkedCode::link_call(const CodePart& part, const Relocation& relocation, const Target& target) {
  const std::uint32_t pc = part.base + static_cast<std::uint32_t>(relocation.offset);
  if (target.kind == Target::Kind::kDriver) {
    patches_.push_back({pc, relocation.type, external(target.holder), 0});
    return;
  }
  const auto cannot_run = left_out_.find(target.holder);
  if (cannot_run != left_out_.end()) {
    for (const UnmodelledFeature& feature : cannot_run->second.features()) unmodelled_of(part).add(feature.name);
    return;
  }
  patches_.push_back({pc, relocation.type, add_part(target.holder) + target.offset, 0});
}

/// The call graph names what the kernel calls outside the module, through however many functions of its own. Its first
/// list is that of calls: others have pointers and types of functions in the place of callees.
std::vector<std::pair<std::uint32_t, std::uint32_t>> LinkedCode::calls() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> calls;
  const Section* graph = elf_.find(".nv.callgraph");
  if (graph == nullptr || !graph->in_file) return calls;
  constexpr std::uint32_t kCalls = ~std::uint32_t{0};
  bool of_calls = true;
  for (std::uint64_t at = 0; at + 8 <= graph->size; at += 8) {
    std::uint32_t pair[2];
    std::memcpy(pair, graph->data + at, sizeof pair);
    if (pair[0] == 0) {
      of_calls = pair[1] == kCalls;
    } else if (of_calls && pair[1] < elf_.symbols().size()) {
      calls.emplace_back(pair[0], pair[1]);
    }
  }
  return calls;
}

void LinkedCode::require_known_callees(std::uint32_t kernel_symbol) {
  const auto all = calls();
  std::vector<std::uint32_t> reached{kernel_symbol};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    for (const auto& [caller, callee_symbol] : all) {
      if (caller != reached[next]) continue;
      const Symbol& callee = elf_.symbols()[callee_symbol];
      if (!callee.is_function() || std::count(reached.begin(), reached.end(), callee_symbol) != 0) continue;
      reached.push_back(callee_symbol);
      if (callee.section != 0 || driver_function(callee.name) != isa::DriverFunction::kUnknown) continue;
      unmodelled_.add(feature_of_function(callee.name));
    }
  }
}

}  // namespace stc::cubin
