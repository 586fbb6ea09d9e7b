// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/cubin_writer.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "models/core/architecture.h"
#include "models/isa/control_limits.h"
#include "models/isa/opcode_traits.h"
#include "traces/cubin/attribute_writer.h"
#include "traces/cubin/cubin_error.h"
#include "traces/cubin/cuda_elf.h"
#include "traces/cubin/encoder.h"

namespace stc::cubin {
namespace {

using FileBytes = std::vector<std::uint8_t>;

constexpr std::uint8_t kOsAbiCuda = 0x41, kAbiVersion = 8;
constexpr std::uint32_t kCudaInfo = 0x70000000;  // section type of .nv.info
constexpr std::uint32_t kNoteOfCuda = 1000;
constexpr std::uint32_t kCudaCompatibility = 0x70000086;  // section type of .nv.compat
constexpr std::uint64_t kNoteFlags = 0x1000000;
constexpr std::uint16_t kNoteVersion = 2;
constexpr std::uint32_t kNoteOfTool = 2000, kToolNoteVersion = 2;
constexpr std::uint64_t kToolNoteFlags = 0x2000000;
constexpr std::uint32_t kMostParameterBytes = 4096;
constexpr std::uint64_t kTextAlignment = 128, kSharedAlignment = 256;
/// ABI 8: the SM version in bits 15:8; the others as CUDA 13's compiler sets them.
constexpr std::uint32_t kFlags = 0x6000004, kFlagsShift = 8;

template <typename T>
void append(FileBytes& to, const T& value) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(&value);
  to.insert(to.end(), first, first + sizeof value);
}

/// Names, each once behind the empty one.
class StringTable {
 public:
  std::uint32_t add(const std::string& name) {
    const auto at = static_cast<std::uint32_t>(bytes_.size());
    bytes_.insert(bytes_.end(), name.begin(), name.end());
    bytes_.push_back(0);
    return at;
  }
  const FileBytes& bytes() const { return bytes_; }

 private:
  FileBytes bytes_ = {0};
};

struct OutSection {
  std::string name;
  Elf64_Shdr header{};
  FileBytes contents;
};

class ElfWriter {
 public:
  ElfWriter() { add("", SHT_NULL, 0, 0, {}); }
  std::uint32_t add(const std::string& name, std::uint32_t type, std::uint64_t flags, std::uint64_t alignment,
                    FileBytes contents) {
    OutSection section;
    section.name = name;
    section.header.sh_type = type;
    section.header.sh_flags = flags;
    section.header.sh_addralign = alignment;
    section.header.sh_size = contents.size();
    section.contents = std::move(contents);
    sections_.push_back(std::move(section));
    return static_cast<std::uint32_t>(sections_.size() - 1);
  }
  Elf64_Shdr& header(std::uint32_t index) { return sections_[index].header; }
  /// Sections, their headers, then one loadable segment for each section that is allocated.
  FileBytes file(std::uint32_t flags);

 private:
  std::vector<Elf64_Phdr> segments() const;

  std::vector<OutSection> sections_;
};

FileBytes ElfWriter::file(std::uint32_t flags) {
  StringTable names;
  const std::uint32_t name_section = add(".shstrtab", SHT_STRTAB, 0, 1, {});
  for (OutSection& section : sections_) section.header.sh_name = section.name.empty() ? 0 : names.add(section.name);
  sections_[name_section].contents = names.bytes();
  sections_[name_section].header.sh_size = names.bytes().size();
  FileBytes out(sizeof(Elf64_Ehdr));
  const auto align = [&out](std::uint64_t to) { out.resize((out.size() + to - 1) / to * to); };
  for (OutSection& section : sections_) {
    if (section.header.sh_type == SHT_NULL) continue;
    align(std::max<std::uint64_t>(section.header.sh_addralign, 1));
    section.header.sh_offset = out.size();
    out.insert(out.end(), section.contents.begin(), section.contents.end());
  }
  align(sizeof(std::uint64_t));
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_ident[EI_OSABI] = kOsAbiCuda;
  header.e_ident[EI_ABIVERSION] = kAbiVersion;
  header.e_type = ET_EXEC;
  header.e_machine = kMachineCuda;
  header.e_version = EV_CURRENT;
  header.e_flags = flags;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shoff = out.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<std::uint16_t>(sections_.size());
  header.e_shstrndx = static_cast<std::uint16_t>(name_section);
  for (const OutSection& section : sections_) append(out, section.header);
  header.e_phoff = out.size();
  header.e_phentsize = sizeof(Elf64_Phdr);
  const std::vector<Elf64_Phdr> loaded = segments();
  header.e_phnum = static_cast<std::uint16_t>(loaded.size());
  for (const Elf64_Phdr& segment : loaded) append(out, segment);
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

std::vector<Elf64_Phdr> ElfWriter::segments() const {
  std::vector<Elf64_Phdr> all;
  for (const OutSection& section : sections_) {
    if ((section.header.sh_flags & SHF_ALLOC) == 0) continue;
    Elf64_Phdr segment{};
    segment.p_type = PT_LOAD;
    segment.p_flags = PF_R;
    if ((section.header.sh_flags & SHF_EXECINSTR) != 0) segment.p_flags |= PF_X;
    if ((section.header.sh_flags & SHF_WRITE) != 0) segment.p_flags |= PF_W;
    segment.p_offset = section.header.sh_offset;
    segment.p_filesz = section.contents.size();
    segment.p_memsz = section.header.sh_size;
    segment.p_align = sizeof(std::uint64_t);
    all.push_back(segment);
  }
  return all;
}

void require_writable(const isa::Kernel& kernel) {
  const auto refuse = [&](const std::string& what) {
    throw CubinError(fmt::format("kernel {}: {} cannot be written to a cubin", kernel.name, what));
  };
  if (kernel.name.empty()) refuse("one without a name");
  if (kernel.code.empty()) refuse("one without code");
  if (!kernel.variables.empty() || !kernel.address_patches.empty()) refuse("variables of its module");
  if (!kernel.externals.empty()) refuse("calls of the driver's functions");
  if (!kernel.constants.empty()) refuse("a constant bank but that of its parameters");
  if (stated_registers(kernel) > isa::kMostStatedRegisters)
    refuse("code with registers beyond R252, which hardware keeps,");
  if (kernel.local_bytes != 0) refuse("local memory");
  if (kernel.cluster || kernel.max_cluster_ctas != 0) refuse("a size of clusters");
  if (kernel.parameter_bytes > kMostParameterBytes) refuse("more than 4 KiB of parameters");
  const auto of_warpgroup = [](const isa::Instruction& i) {
    const isa::DecoderTable table = isa::traits_of(i.opcode).decoder;
    return table == isa::DecoderTable::warpgroup || table == isa::DecoderTable::bulk;
  };
  if (std::any_of(kernel.code.begin(), kernel.code.end(), of_warpgroup)) refuse("code of warpgroups and bulk copies");
  const auto zero = [](std::uint8_t byte) { return byte == 0; };
  if (!std::all_of(kernel.constant0.begin(), kernel.constant0.end(), zero)) refuse("constants beside its parameters");
}

FileBytes machine_code(const isa::Kernel& kernel) {
  FileBytes text;
  for (const isa::Instruction& instruction : kernel.code) {
    isa::Instruction placed = instruction;
    placed.sm = static_cast<std::uint8_t>(kernel.sm_version);
    const InstructionWords words = encode_instruction(placed, kernel.name);
    append(text, words.low);
    append(text, words.high);
  }
  return text;
}

/// Which compiler's rules the code keeps to: disassemblers and drivers ask for it.
FileBytes compiler_note(int sm_version) {
  static constexpr char kOwner[] = "NVIDIA Corp";
  FileBytes note;
  append(note, static_cast<std::uint32_t>(sizeof kOwner));
  append(note, std::uint32_t{8});  // bytes that follow the owner
  append(note, kNoteOfCuda);
  note.insert(note.end(), kOwner, kOwner + sizeof kOwner);
  append(note, kNoteVersion);
  append(note, static_cast<std::uint16_t>(sm_version));
  append(note, kCuda13);
  return note;
}

/// Who wrote the file: a driver takes no file of this ABI without. Offsets of four texts, then these.
FileBytes tool_note() {
  static constexpr char kOwner[] = "NVIDIA Corp";
  const std::string texts[] = {"stcsim", "Cuda compilation tools, release 13.0, V13.0.88", "stcsim", ""};
  FileBytes description;
  append(description, std::uint32_t{kToolNoteVersion});
  append(description, std::uint32_t{0});
  std::string all(1, '\0');
  for (const std::string& text : texts) {
    append(description, static_cast<std::uint32_t>(all.size()));
    all += text + '\0';
  }
  all.resize((all.size() + 3) / 4 * 4);
  description.insert(description.end(), all.begin(), all.end());
  FileBytes note;
  append(note, static_cast<std::uint32_t>(sizeof kOwner));
  append(note, static_cast<std::uint32_t>(description.size()));
  append(note, kNoteOfTool);
  note.insert(note.end(), kOwner, kOwner + sizeof kOwner);
  note.insert(note.end(), description.begin(), description.end());
  return note;
}

/// Records of .nv.compat as CUDA 13's compiler writes them for code without warpgroups and bulk copies.
constexpr std::uint8_t kCompatible[] = {2, 9, 0, 0, 2, 2, 1, 0,  2, 5, 5, 0, 3, 7, 1, 1, 2, 3,
                                        0, 0, 2, 6, 1, 0, 4, 11, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0};

struct KernelSections {
  std::uint32_t text = 0, constants = 0, shared = 0, info = 0;
};

class CubinWriter {
 public:
  explicit CubinWriter(const std::vector<isa::Kernel>& kernels) : kernels_(kernels) {
    for (const isa::Kernel& kernel : kernels_) add_kernel(kernel);
  }
  FileBytes file();

 private:
  void add_kernel(const isa::Kernel& kernel);
  std::uint32_t add_symbol(const std::string& name, unsigned char info, std::uint8_t other, std::uint32_t section,
                           std::uint64_t size);

  const std::vector<isa::Kernel>& kernels_;
  ElfWriter elf_;
  StringTable names_;
  std::vector<Elf64_Sym> symbols_ = std::vector<Elf64_Sym>(1);
  std::vector<KernelSections> sections_;
};

void CubinWriter::add_kernel(const isa::Kernel& kernel) {
  require_writable(kernel);
  const Architecture& architecture = architecture_of(kernel.sm_version);
  KernelSections of;
  of.text =
      elf_.add(".text." + kernel.name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, kTextAlignment, machine_code(kernel));
  of.constants = elf_.add(".nv.constant0." + kernel.name, SHT_PROGBITS, SHF_ALLOC | SHF_INFO_LINK,
                          sizeof(std::uint32_t), kernel.constant0);
  elf_.header(of.constants).sh_info = of.text;
  if (kernel.static_shared_bytes != 0) {
    of.shared =
        elf_.add(".nv.shared." + kernel.name, SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_INFO_LINK, kSharedAlignment, {});
    elf_.header(of.shared).sh_size = kernel.static_shared_bytes + architecture.system_shared_bytes;
    elf_.header(of.shared).sh_info = of.text;
  }
  sections_.push_back(of);
}

std::uint32_t CubinWriter::add_symbol(const std::string& name, unsigned char info, std::uint8_t other,
                                      std::uint32_t section, std::uint64_t size) {
  Elf64_Sym symbol{};
  symbol.st_name = names_.add(name);
  symbol.st_info = info;
  symbol.st_other = other;
  symbol.st_shndx = static_cast<std::uint16_t>(section);
  symbol.st_size = size;
  symbols_.push_back(symbol);
  return static_cast<std::uint32_t>(symbols_.size() - 1);
}

FileBytes CubinWriter::file() {
  std::vector<std::uint32_t> constants;  // symbols of the banks: local ones come first
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    constants.push_back(add_symbol(".nv.constant0." + kernels_[k].name, ELF64_ST_INFO(STB_LOCAL, STT_SECTION), 0,
                                   sections_[k].constants, 0));
  }
  const auto locals = static_cast<std::uint32_t>(symbols_.size());
  FileBytes module;
  std::vector<std::uint32_t> information;
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    const isa::Kernel& kernel = kernels_[k];
    const std::uint32_t symbol = add_symbol(kernel.name, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), kEntryPoint,
                                            sections_[k].text, kernel.code.size() * isa::kInstructionBytes);
    append_function_attributes(module, symbol, kernel);
    const std::uint32_t info = elf_.add(".nv.info." + kernel.name, kCudaInfo, SHF_INFO_LINK, sizeof(std::uint32_t),
                                        kernel_attributes(kernel, constants[k]));
    elf_.header(info).sh_info = sections_[k].text;
    information.push_back(info);
    elf_.header(sections_[k].text).sh_info = symbol;
  }
  const int sm_version = kernels_.front().sm_version;
  elf_.add(".note.nv.tkinfo", SHT_NOTE, kToolNoteFlags, sizeof(std::uint32_t), tool_note());
  elf_.add(".note.nv.cuinfo", SHT_NOTE, kNoteFlags, sizeof(std::uint32_t), compiler_note(sm_version));
  if (architecture_of(sm_version).family == CodeFamily::kHopper) {
    elf_.add(".nv.compat", kCudaCompatibility, 0, sizeof(std::uint32_t),
             FileBytes(std::begin(kCompatible), std::end(kCompatible)));
  }
  information.push_back(elf_.add(".nv.info", kCudaInfo, 0, sizeof(std::uint32_t), module));
  const std::uint32_t strings = elf_.add(".strtab", SHT_STRTAB, 0, 1, names_.bytes());
  FileBytes table;
  for (const Elf64_Sym& symbol : symbols_) append(table, symbol);
  const std::uint32_t symbols = elf_.add(".symtab", SHT_SYMTAB, 0, sizeof(std::uint64_t), table);
  elf_.header(symbols).sh_link = strings;
  elf_.header(symbols).sh_info = locals;
  elf_.header(symbols).sh_entsize = sizeof(Elf64_Sym);
  for (const std::uint32_t info : information) elf_.header(info).sh_link = symbols;
  for (const KernelSections& of : sections_) elf_.header(of.text).sh_link = symbols;
  return elf_.file(kFlags | static_cast<std::uint32_t>(sm_version) << kFlagsShift);
}

}  // namespace

std::vector<std::uint8_t> write_cubin(const std::vector<isa::Kernel>& kernels) {
  if (kernels.empty()) throw CubinError("a cubin without kernels cannot be written");
  for (const isa::Kernel& kernel : kernels) {
    if (kernel.sm_version != kernels.front().sm_version) {
      throw CubinError(fmt::format("kernel {}: is for sm_{}, but {} for sm_{}: one cubin has one architecture",
                                   kernel.name, kernel.sm_version, kernels.front().name, kernels.front().sm_version));
    }
  }
  return CubinWriter(kernels).file();
}

}  // namespace stc::cubin
