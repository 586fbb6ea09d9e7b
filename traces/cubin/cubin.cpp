// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/core/architecture.h"
#include "models/isa/opcode_traits.h"
#include "models/isa/text/kernel_name.h"
#include "models/isa/text/listing.h"
#include "traces/cubin/cubin_error.h"
#include "traces/cubin/cuda_elf.h"
#include "traces/cubin/decoder.h"
#include "traces/cubin/kernel_attributes.h"
#include "traces/cubin/line_table.h"
#include "traces/cubin/module_variables.h"
#include "traces/cubin/unmodelled_state.h"

namespace stc::cubin {
namespace {

constexpr std::uint64_t kMaxConstantBank = 65536;
constexpr std::uint32_t kUnknownStack = 0xffffffff;  ///< of recursive functions that were compiled with -G
constexpr std::uint64_t kMaxSharedBytes = std::uint64_t{256} * 1024;

bool touches_local_memory(const Section& text) {
  for (std::uint64_t at = 0; at < text.size; at += isa::kInstructionBytes) {
    const unsigned opcode = (text.data[at] | text.data[at + 1] << 8) & 0x1ff;
    if (opcode == 0x183 || opcode == 0x187) return true;  // LDL, STL
  }
  return false;
}

/// Whether the last instruction before the padding always goes elsewhere: what follows the code is no code.
bool ends_for_good(const isa::Instruction* begin, const isa::Instruction* end) {
  const auto always = [](const isa::PredicateOperand& p) { return p.index == isa::kPredicateTrue && !p.negate; };
  const isa::Instruction* last = end;
  while (last != begin && last[-1].opcode == isa::Opcode::kNop) --last;
  if (last-- == begin) return false;
  const bool leaves =
      isa::traits_of(last->opcode).latency == isa::LatencyClass::kBranch || last->opcode == isa::Opcode::kBpt;
  return leaves && always(last->guard) && always(last->source_predicate0);
}

}  // namespace

Cubin::Cubin(std::vector<std::uint8_t> bytes, std::string file)
    : elf_(std::move(bytes), std::move(file)), addresses_(elf_) {
  for (std::uint32_t index = 0; index < elf_.symbols().size(); ++index) {
    const Symbol& symbol = elf_.symbols()[index];
    if (symbol.is_function() && (symbol.other & kEntryPoint) != 0) add_kernel(index);
  }
  for (const auto& [symbol, attributes] : read_function_attributes(elf_)) {
    if (symbol >= elf_.symbols().size()) continue;
    std::uint32_t& most = stated_registers_[elf_.symbols()[symbol].section];
    most = std::max(most, attributes.registers);
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
  const Architecture& architecture = architecture_of(k.sm_version);
  const Section& text = text_of(k.name);

  const Section* info = elf_.find(".nv.info." + k.name);
  if (info == nullptr) elf_.fail(".nv.info." + k.name, "is missing");
  const KernelAttributes attributes = read_kernel_attributes(elf_, *info);
  k.parameters = attributes.parameters;
  k.parameter_bytes = attributes.parameter_bytes;
  k.parameter_base = attributes.parameter_base != 0 ? attributes.parameter_base : architecture.constants.parameters;
  if (attributes.max_threads != 0) k.max_threads = attributes.max_threads;
  k.cluster = attributes.cluster;
  k.max_cluster_ctas = attributes.max_cluster_ctas;
  k.barriers = static_cast<int>(attributes.has_barriers ? attributes.barriers : (text.flags >> 20) & 0x7f);

  const auto functions = read_function_attributes(elf_);
  const auto own = functions.find(symbol_index);
  const std::uint32_t registers =
      own != functions.end() && own->second.registers != 0 ? own->second.registers : text.info >> 24;
  if (registers == 0 || registers > 255) elf_.fail(text.name, fmt::format("{} registers", registers));
  k.registers = static_cast<int>(registers);
  if (own != functions.end()) {
    const bool unknown_depth = own->second.minimum_stack_bytes == kUnknownStack;
    k.local_bytes =
        std::max(own->second.frame_bytes, unknown_depth ? isa::kDefaultStackBytes : own->second.minimum_stack_bytes);
    if (k.local_bytes > isa::kMostLocalBytes) {
      elf_.fail(text.name,
                fmt::format("{} bytes of local memory per thread, more than {}", k.local_bytes, isa::kMostLocalBytes));
    }
  }
  // Called functions push frames that the kernel's own size leaves out.
  if (calls_functions(symbol_index) && touches_local_memory(text))
    k.local_bytes = std::max(k.local_bytes, isa::kDefaultStackBytes);
  if (const Section* shared = elf_.find(".nv.shared." + k.name)) {
    const std::uint64_t reserved = architecture.system_shared_bytes;  // part of the section
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
    if (index != kernel_symbol && here && symbols[index].is_function()) return true;
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

void Cubin::add_other_names(isa::Kernel& kernel) const {
  for (isa::ModuleVariable& variable : variables()) {
    const auto same = [&](const isa::ModuleVariable& known) { return known.name == variable.name; };
    if (std::none_of(kernel.variables.begin(), kernel.variables.end(), same)) {
      kernel.variables.push_back(std::move(variable));
    }
  }
}

std::vector<isa::ModuleVariable> Cubin::variables() const {
  std::vector<isa::ModuleVariable> variables;
  for (ListedVariable& listed : module_variables(elf_)) variables.push_back(std::move(listed.variable));
  return variables;
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

int Cubin::registers_of(const CodePart& part) const {
  const Section& text = elf_.sections()[part.section];
  const auto stated = stated_registers_.find(part.section);
  const bool states = stated != stated_registers_.end() && stated->second != 0;
  const std::uint32_t registers = states ? stated->second : text.info >> 24;
  if (registers > 255) elf_.fail(text.name, fmt::format("{} registers", registers));
  return static_cast<int>(registers);
}

void Cubin::add_demands(const std::vector<CodePart>& parts, isa::Kernel& kernel) const {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (!parts[i].pointed) kernel.registers = std::max(kernel.registers, registers_of(parts[i]));
    if (touches_local_memory(elf_.sections()[parts[i].section]))
      kernel.local_bytes = std::max(kernel.local_bytes, isa::kDefaultStackBytes);
  }
}

void Cubin::require_registers(const CodePart& part, const isa::Kernel& kernel, Unmodelled& unmodelled) const {
  const int registers = registers_of(part);
  if (registers <= kernel.registers) return;
  unmodelled.add(fmt::format("{} registers, where the kernel has {}", registers, kernel.registers));
}

KernelContents Cubin::read_lines(const LinkedCode& code, isa::Kernel kernel) const {
  KernelContents contents;
  contents.parts = code.parts();
  contents.unmodelled = code.unmodelled();
  contents.left_out = code.unmodelled_pointed();
  InstructionPlace place;
  place.sm = kernel.sm_version;
  place.kernel = kernel.name;
  for (const CodePart& part : contents.parts) {
    const Section& text = elf_.sections()[part.section];
    Unmodelled& unmodelled = part.pointed ? contents.left_out[part.section] : contents.unmodelled;
    if (part.pointed) require_registers(part, kernel, unmodelled);
    for (std::uint64_t at = 0; at < text.size; at += isa::kInstructionBytes) {
      CodeLine line;
      line.address = place.address = part.base + static_cast<std::uint32_t>(at);
      std::memcpy(&line.low, text.data + at, 8);
      std::memcpy(&line.high, text.data + at + 8, 8);
      try {
        line.instruction = decode_instruction(line.low, line.high, place);
        const std::string state = unmodelled_state(*line.instruction, kernel);
        if (!state.empty()) unmodelled.add_instruction(state, line.address, listing_text(*line.instruction));
      } catch (const UndecodableInstruction& error) {
        line.error = error.reason;
        unmodelled.add_instruction(error.feature, line.address, error.reason);
      }
      contents.lines.push_back(std::move(line));
    }
  }
  contents.kernel = std::move(kernel);
  return contents;
}

struct Cubin::Linked {
  KernelContents contents;
  std::vector<CodePatch> patches;
};

Cubin::Linked Cubin::link(const isa::Kernel& kernel) const {
  LeftOut left_out;
  for (;;) {
    isa::Kernel linked = kernel;
    const LinkedCode code(elf_, addresses_, left_out, linked);
    add_demands(code.parts(), linked);
    KernelContents contents = read_lines(code, std::move(linked));
    const std::size_t known = left_out.size();
    for (const auto& [section, needs] : contents.left_out) {
      if (!needs.empty()) left_out.emplace(section, needs);
    }
    if (left_out.size() == known) {
      contents.left_out = std::move(left_out);
      return {std::move(contents), code.patches()};
    }
  }
}

KernelContents Cubin::look_into(const std::string& name) const { return link(find(name)).contents; }

isa::Kernel Cubin::decode(const std::string& name) const {
  isa::Kernel kernel = find(name);
  if (elf_.relocatable()) {
    elf_.fail("ELF header", "the module is relocatable (compiled with -rdc=true); link it first (nvcc -dlink -cubin)");
  }
  auto [contents, patches] = link(kernel);
  const std::string title = fmt::format("kernel {}", isa::readable_name(name));
  if (!contents.unmodelled.empty()) {
    throw CubinError(fmt::format("{}: {} {}", elf_.file(), title, contents.unmodelled.sentence()));
  }
  kernel = std::move(contents.kernel);
  kernel.code.reserve(contents.lines.size());
  for (CodeLine& line : contents.lines) kernel.code.push_back(*line.instruction);
  for (const CodePart& part : contents.parts) {
    const isa::Instruction* const begin = kernel.code.data() + part.base / isa::kInstructionBytes;
    if (!ends_for_good(begin, begin + elf_.sections()[part.section].size / isa::kInstructionBytes)) {
      elf_.fail(title, part.base == 0 ? "does not end with a jump or EXIT"
                                      : fmt::format("reaches {}, which does not end with a jump or EXIT",
                                                    isa::readable_name(part.function)));
    }
  }
  relocate(patches, kernel.code);
  add_other_names(kernel);
  kernel.points_to_constants = points_to_constants(kernel);
  kernel.points_to_parameters = points_to_parameters(kernel);
  return kernel;
}

SourceLines Cubin::source_lines(const std::string& name) const {
  const LineRows rows = read_line_tables(elf_);
  std::map<std::uint32_t, SourceLine> all;
  if (rows.empty()) return SourceLines();
  for (const CodePart& part : look_into(name).parts) {
    all[part.base] = {};  // those of the part before end here
    const auto of_part = rows.find(part.section);
    if (of_part == rows.end()) continue;
    for (const auto& [address, line] : of_part->second) {
      if (address < elf_.sections()[part.section].size) all[part.base + address] = line;
    }
  }
  return SourceLines(std::move(all));
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
