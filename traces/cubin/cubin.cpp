// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "traces/cubin/cubin_error.h"
#include "traces/cubin/decoder.h"
#include "traces/cubin/kernel_attributes.h"
#include "traces/cubin/module_variables.h"

namespace stc::cubin {
namespace {

constexpr std::uint8_t kEntryPoint = 0x10;  ///< flag in a symbol's `other`
constexpr std::uint8_t kFunctionSymbol = 2;
constexpr std::uint32_t kRelocation64 = 2;            ///< R_CUDA_64: the address of a symbol
constexpr std::uint32_t kReservedSharedBytes = 1024;  ///< part of .nv.shared.NAME from sm_90 on
constexpr std::uint32_t kDefaultStackBytes = 1024;    ///< what the driver gives when the depth of calls is unknown
constexpr std::uint64_t kMaxConstantBank = 65536;
constexpr std::uint64_t kMaxSharedBytes = std::uint64_t{256} * 1024;
constexpr std::uint32_t kMaxLocalBytes = 512 * 1024;  ///< per thread, CUDA's limit

std::uint32_t default_parameter_base(int sm) { return sm >= 90 ? 0x210 : 0x160; }

/// The N of ".nv.constantN" or ".nv.constantN.NAME", -1 for any other name.
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

bool touches_local_memory(const Section& text) {
  for (std::uint64_t at = 0; at < text.size; at += isa::kInstructionBytes) {
    const unsigned opcode = (text.data[at] | text.data[at + 1] << 8) & 0x1ff;
    if (opcode == 0x183 || opcode == 0x187) return true;  // LDL, STL
  }
  return false;
}

/// Whether the last instruction before the padding always goes elsewhere: what follows the code is no code.
bool ends_for_good(const std::vector<isa::Instruction>& code) {
  const auto always = [](const isa::PredicateOperand& p) { return p.index == isa::kPredicateTrue && !p.negate; };
  const auto last =
      std::find_if(code.rbegin(), code.rend(), [](const isa::Instruction& i) { return i.opcode != isa::Opcode::kNop; });
  if (last == code.rend()) return false;
  switch (last->opcode) {
    case isa::Opcode::kBra:
    case isa::Opcode::kBrx:
    case isa::Opcode::kJmp:
    case isa::Opcode::kCall:
    case isa::Opcode::kRet:
    case isa::Opcode::kExit:
    case isa::Opcode::kKill:
    case isa::Opcode::kBpt: return always(last->guard) && always(last->source_predicate0);
    default: return false;
  }
}

}  // namespace

Cubin::Cubin(std::vector<std::uint8_t> bytes, std::string file) : elf_(std::move(bytes), std::move(file)) {
  for (std::uint32_t index = 0; index < elf_.symbols().size(); ++index) {
    const Symbol& symbol = elf_.symbols()[index];
    if (symbol.type == kFunctionSymbol && (symbol.other & kEntryPoint) != 0) add_kernel(index);
  }
  std::sort(kernels_.begin(), kernels_.end(),
            [&](const isa::Kernel& a, const isa::Kernel& b) { return text_of(a.name).data < text_of(b.name).data; });
  if (kernels_.empty()) elf_.fail("symbol table", "holds no kernel (no __global__ function)");
}

void Cubin::add_kernel(std::uint32_t symbol_index) {
  const Symbol& symbol = elf_.symbols()[symbol_index];
  isa::Kernel k;
  k.name = symbol.name;
  k.sm_version = elf_.sm_version();
  const Section& text = text_of(k.name);

  const Section* info = elf_.find(".nv.info." + k.name);
  if (info == nullptr) elf_.fail(".nv.info." + k.name, "is missing");
  const KernelAttributes attributes = read_kernel_attributes(elf_, *info);
  k.parameters = attributes.parameters;
  k.parameter_bytes = attributes.parameter_bytes;
  k.parameter_base = attributes.parameter_base != 0 ? attributes.parameter_base : default_parameter_base(k.sm_version);
  if (attributes.max_threads != 0) k.max_threads = attributes.max_threads;
  k.barriers = static_cast<int>(attributes.has_barriers ? attributes.barriers : (text.flags >> 20) & 0x7f);

  const auto functions = read_function_attributes(elf_);
  const auto own = functions.find(symbol_index);
  const std::uint32_t registers =
      own != functions.end() && own->second.registers != 0 ? own->second.registers : text.info >> 24;
  if (registers == 0 || registers > 255) elf_.fail(text.name, fmt::format("{} registers", registers));
  k.registers = static_cast<int>(registers);
  if (own != functions.end()) {
    k.local_bytes = std::max(own->second.frame_bytes, own->second.minimum_stack_bytes);
    if (k.local_bytes > kMaxLocalBytes) {
      elf_.fail(text.name,
                fmt::format("{} bytes of local memory per thread, more than {}", k.local_bytes, kMaxLocalBytes));
    }
  }
  // Called functions push frames that the kernel's own size leaves out.
  if (calls_functions(symbol_index) && touches_local_memory(text))
    k.local_bytes = std::max(k.local_bytes, kDefaultStackBytes);
  if (const Section* shared = elf_.find(".nv.shared." + k.name)) {
    const std::uint64_t reserved = k.sm_version >= 90 ? kReservedSharedBytes : 0;
    if (shared->size > kMaxSharedBytes) elf_.fail(shared->name, fmt::format("{} bytes of shared memory", shared->size));
    k.static_shared_bytes = static_cast<std::uint32_t>(shared->size > reserved ? shared->size - reserved : 0);
  }
  read_constants(k);
  kernels_.push_back(std::move(k));
}

bool Cubin::calls_functions(std::uint32_t kernel_symbol) const {
  const auto& symbols = elf_.symbols();
  for (std::uint32_t index = 0; index < symbols.size(); ++index) {
    const bool here = symbols[index].section == symbols[kernel_symbol].section;
    if (index != kernel_symbol && here && symbols[index].type == kFunctionSymbol) return true;
  }
  return false;
}

void Cubin::read_constants(isa::Kernel& kernel) const {
  for (const Section& section : elf_.sections()) {
    const int bank = constant_bank(section.name, kernel.name);
    if (bank < 0) continue;
    if (section.size > kMaxConstantBank)
      elf_.fail(section.name, fmt::format("{} bytes in a constant bank", section.size));
    std::vector<std::uint8_t> bytes(section.size);
    if (section.in_file && section.size != 0) std::memcpy(bytes.data(), section.data, section.size);
    if (bank == 0)
      kernel.constant0 = std::move(bytes);
    else
      kernel.constants[bank] = std::move(bytes);
  }
  const std::uint64_t end = std::uint64_t{kernel.parameter_base} + kernel.parameter_bytes;
  if (end > kMaxConstantBank) elf_.fail(".nv.constant0." + kernel.name, "the parameters do not fit");
  if (kernel.constant0.size() < end) kernel.constant0.resize(end);
}

void Cubin::read_module_variables(isa::Kernel& kernel) const {
  for (const Relocation& r : elf_.relocations()) {
    const Section& target = elf_.sections()[r.section];
    const int bank = constant_bank(target.name, kernel.name);
    if (bank <= 0) continue;
    const Symbol& symbol = elf_.symbols()[r.symbol];
    const std::string place = fmt::format("{} at byte {:#x}", target.name, r.offset);
    if (r.type != kRelocation64) elf_.fail(place, fmt::format("relocation type {} is not supported", r.type));
    if (symbol.section == 0 || symbol.section >= elf_.sections().size()) {
      elf_.fail(place, fmt::format("the symbol {} is not in this module", symbol.name));
    }
    if (target.size < 8 || r.offset > target.size - 8) elf_.fail(place, "a relocation lies outside its section");
    const Section& home = elf_.sections()[symbol.section];
    isa::ModuleVariable variable;
    variable.name = symbol.name;
    variable.bytes = symbol.size;
    if (symbol.value > home.size || symbol.size > home.size - symbol.value) {
      elf_.fail(place, fmt::format("the variable {} lies outside {}", symbol.name, home.name));
    }
    if (home.in_file && home.data != nullptr) {
      variable.initial.assign(home.data + symbol.value, home.data + symbol.value + symbol.size);
    }
    if (home.name == kConstantVariables) variable.constant_offset = static_cast<std::uint32_t>(symbol.value);
    isa::AddressPatch patch;
    patch.bank = bank;
    patch.offset = static_cast<std::uint32_t>(r.offset);
    patch.addend = r.addend;
    const auto known = std::find_if(kernel.variables.begin(), kernel.variables.end(),
                                    [&](const isa::ModuleVariable& v) { return v.name == variable.name; });
    patch.variable = static_cast<std::size_t>(known - kernel.variables.begin());
    if (known == kernel.variables.end()) kernel.variables.push_back(std::move(variable));
    kernel.address_patches.push_back(patch);
  }
}

void Cubin::add_unreferenced_variables(isa::Kernel& kernel) const {
  for (isa::ModuleVariable& variable : variables()) {
    const auto same = [&](const isa::ModuleVariable& known) { return known.name == variable.name; };
    if (std::none_of(kernel.variables.begin(), kernel.variables.end(), same)) {
      kernel.variables.push_back(std::move(variable));
    }
  }
}

std::vector<isa::ModuleVariable> Cubin::variables() const { return module_variables(elf_); }

void Cubin::check_text_relocations(const isa::Kernel& kernel) const {
  for (const Relocation& r : elf_.relocations()) {
    if (elf_.sections()[r.section].name != ".text." + kernel.name) continue;
    elf_.fail(
        fmt::format("kernel {} at {:#x}", kernel.name, r.offset),
        fmt::format("refers to {} (relocation type {}), which is outside the module; printf, malloc and separately "
                    "compiled functions are not supported",
                    elf_.symbols()[r.symbol].name, r.type));
  }
}

const Section& Cubin::text_of(const std::string& kernel) const {
  const Section* text = elf_.find(".text." + kernel);
  if (text == nullptr || !text->in_file) elf_.fail(".text." + kernel, "is missing");
  if (text->size == 0 || text->size % isa::kInstructionBytes != 0 || text->size > 0x10000000) {
    elf_.fail(text->name, fmt::format("{} bytes are no whole number of instructions", text->size));
  }
  return *text;
}

const isa::Kernel& Cubin::find(const std::string& kernel) const {
  for (const isa::Kernel& k : kernels_) {
    if (k.name == kernel) return k;
  }
  std::string names;
  for (const isa::Kernel& k : kernels_) names += (names.empty() ? "" : ", ") + k.name;
  elf_.fail("kernel " + kernel, "is not in the module; it holds " + names);
}

std::size_t Cubin::instruction_count(const std::string& kernel) const {
  return text_of(find(kernel).name).size / isa::kInstructionBytes;
}

std::vector<std::uint64_t> Cubin::words(const std::string& kernel) const {
  const Section& text = text_of(find(kernel).name);
  std::vector<std::uint64_t> words(text.size / 8);
  std::memcpy(words.data(), text.data, words.size() * 8);
  return words;
}

isa::Kernel Cubin::decode(const std::string& kernel) const {
  isa::Kernel k = find(kernel);
  check_text_relocations(k);
  read_module_variables(k);
  add_unreferenced_variables(k);
  const std::vector<std::uint64_t> raw = words(kernel);
  InstructionPlace place;
  place.sm = k.sm_version;
  place.kernel = k.name;
  k.code.reserve(raw.size() / 2);
  for (std::size_t index = 0; index < raw.size(); index += 2) {
    place.address = static_cast<std::uint32_t>(index * 8);
    try {
      k.code.push_back(decode_instruction(raw[index], raw[index + 1], place));
    } catch (const CubinError& error) {
      throw CubinError(elf_.file() + ": " + error.what());
    }
  }
  k.points_to_constants = points_to_constants(k);
  if (!ends_for_good(k.code)) elf_.fail(fmt::format("kernel {}", k.name), "does not end with a jump or EXIT");
  return k;
}

Cubin open_cubin(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw CubinError(path + ": file: is a folder");
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    throw CubinError(path + ": file: is a device, pipe or socket");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw CubinError(path + ": file: cannot be opened");
  try {
    std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    return Cubin(std::move(bytes), path);
  } catch (const std::ios_base::failure&) {  // the buffer's own, whatever the stream is told to throw
    throw CubinError(path + ": file: cannot be read");
  }
}

std::vector<isa::Kernel> list_kernels(const std::string& path) { return open_cubin(path).kernels(); }

namespace {
std::vector<isa::Kernel> decode_all(const Cubin& cubin) {
  std::vector<isa::Kernel> all;
  for (const isa::Kernel& k : cubin.kernels()) all.push_back(cubin.decode(k.name));
  return all;
}
}  // namespace

std::vector<isa::Kernel> read_cubin(const std::string& path) { return decode_all(open_cubin(path)); }

std::vector<isa::Kernel> read_cubin(std::vector<std::uint8_t> bytes, const std::string& name) {
  return decode_all(Cubin(std::move(bytes), name));
}

}  // namespace stc::cubin
