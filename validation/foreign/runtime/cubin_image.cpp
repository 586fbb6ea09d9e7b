// SPDX-License-Identifier: Apache-2.0
#include "validation/foreign/runtime/cubin_image.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace stc::foreign {
namespace {

// Attributes of .nv.info sections: {format, attribute, size or value, payload of `size` bytes if the format is 4}.
constexpr int kSizedFormat = 4;
constexpr int kMaxThreads = 0x05;
constexpr int kFrameSize = 0x11;
constexpr int kParameterInfo = 0x17;
constexpr int kRegisterCount = 0x2f;

template <typename T>
T load(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

class Reader {
 public:
  explicit Reader(std::vector<std::uint8_t> bytes) { image_.bytes = std::move(bytes); }

  CubinImage read() {
    require(image_.bytes.size() > sizeof(Elf64_Ehdr) && std::memcmp(image_.bytes.data(), ELFMAG, SELFMAG) == 0);
    read_sections();
    read_symbols();
    for (const Section& section : sections_) {
      if (section.name == ".nv.info") {
        read_attributes(section, "");
      } else if (section.name.rfind(".nv.info.", 0) == 0) {
        read_attributes(section, section.name.substr(9));
      } else if (section.header.sh_type == SHT_REL || section.header.sh_type == SHT_RELA) {
        read_pointers(section);
      } else if (section.name.rfind(".nv.shared.", 0) == 0) {
        if (KernelImage* kernel = find(section.name.substr(11))) kernel->shared_bytes = section.header.sh_size;
      }
    }
    return std::move(image_);
  }

 private:
  struct Section {
    std::string name;
    Elf64_Shdr header;
  };

  static void require(bool fine) {
    if (!fine) throw std::runtime_error("the image is no whole cubin");
  }
  const std::uint8_t* at(std::uint64_t offset, std::uint64_t bytes) const {
    require(offset <= image_.bytes.size() && bytes <= image_.bytes.size() - offset);
    return image_.bytes.data() + offset;
  }
  KernelImage* find(const std::string& name) {
    const auto found = image_.kernels.find(name);
    return found == image_.kernels.end() ? nullptr : &found->second;
  }

  void read_sections() {
    const auto file = load<Elf64_Ehdr>(at(0, sizeof(Elf64_Ehdr)));
    for (int i = 0; i < file.e_shnum; ++i) {
      sections_.push_back({"", load<Elf64_Shdr>(at(file.e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr)))});
    }
    require(file.e_shstrndx < sections_.size());
    const std::uint64_t names = sections_[file.e_shstrndx].header.sh_offset;
    for (Section& section : sections_) {
      section.name = reinterpret_cast<const char*>(at(names + section.header.sh_name, 1));
      if (section.name.rfind(".text.", 0) == 0) image_.kernels[section.name.substr(6)];
    }
  }

  void read_symbols() {
    for (const Section& table : sections_) {
      if (table.header.sh_type != SHT_SYMTAB) continue;
      const std::uint64_t names = sections_.at(table.header.sh_link).header.sh_offset;
      for (std::uint64_t i = 0; i < table.header.sh_size / sizeof(Elf64_Sym); ++i) {
        const auto symbol = load<Elf64_Sym>(at(table.header.sh_offset + i * sizeof(Elf64_Sym), sizeof(Elf64_Sym)));
        symbols_.emplace_back(reinterpret_cast<const char*>(at(names + symbol.st_name, 1)));
        symbol_values_.push_back(symbol);
        if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx < sections_.size()) {
          add_variable(symbols_.back(), symbol, sections_[symbol.st_shndx]);
        }
      }
    }
  }

  void add_variable(const std::string& name, const Elf64_Sym& symbol, const Section& section) {
    VariableImage& variable = image_.variables[name];
    variable.constant = section.name.rfind(".nv.constant", 0) == 0;
    variable.initial.resize(symbol.st_size);
    if (section.header.sh_type != SHT_NOBITS) {
      const std::uint8_t* first = at(section.header.sh_offset + symbol.st_value, symbol.st_size);
      std::copy(first, first + symbol.st_size, variable.initial.begin());
    }
  }

  /// What of the variables' first contents is the address of something.
  void read_pointers(const Section& table) {
    const bool with_addend = table.header.sh_type == SHT_RELA;
    const std::uint64_t record = with_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    for (std::uint64_t place = 0; place + record <= table.header.sh_size; place += record) {
      const std::uint8_t* entry = at(table.header.sh_offset + place, record);
      const auto relocation = load<Elf64_Rel>(entry);
      const std::int64_t addend = with_addend ? load<Elf64_Rela>(entry).r_addend : 0;
      require(ELF64_R_SYM(relocation.r_info) < symbols_.size());
      for (std::size_t i = 0; i < symbols_.size(); ++i) {
        const Elf64_Sym& holder = symbol_values_[i];
        const bool holds = ELF64_ST_TYPE(holder.st_info) == STT_OBJECT && holder.st_shndx == table.header.sh_info &&
                           relocation.r_offset - holder.st_value < holder.st_size;
        if (!holds) continue;
        image_.variables[symbols_[i]].pointers.push_back(
            {relocation.r_offset - holder.st_value, symbols_[ELF64_R_SYM(relocation.r_info)], addend});
      }
    }
  }

  void read_attributes(const Section& section, const std::string& kernel) {
    const std::uint64_t end = section.header.sh_offset + section.header.sh_size;
    for (std::uint64_t place = section.header.sh_offset; place + 4 <= end;) {
      const std::uint8_t* record = at(place, 4);
      const std::uint64_t payload = record[0] == kSizedFormat ? load<std::uint16_t>(record + 2) : 0;
      if (payload != 0) apply(record[1], at(place + 4, payload), kernel);
      place += 4 + payload;
    }
  }

  void apply(int attribute, const std::uint8_t* data, const std::string& kernel) {
    if (attribute == kRegisterCount || attribute == kFrameSize) {  // symbol, value
      const auto symbol = load<std::uint32_t>(data);
      require(symbol < symbols_.size());
      if (KernelImage* of = find(symbols_[symbol])) {
        if (attribute == kRegisterCount) of->registers = load<std::int32_t>(data + 4);
        if (attribute == kFrameSize) of->local_bytes = load<std::uint32_t>(data + 4);
      }
    }
    KernelImage* of = find(kernel);
    if (of == nullptr) return;
    if (attribute == kMaxThreads) of->max_threads = load<std::int32_t>(data);
    if (attribute == kParameterInfo) {  // index, ordinal, offset, size in the upper 14 bits
      const auto ordinal = load<std::uint16_t>(data + 4);
      if (of->parameters.size() <= ordinal) of->parameters.resize(ordinal + 1U);
      of->parameters[ordinal] = {load<std::uint16_t>(data + 6), load<std::uint32_t>(data + 8) >> 18U};
    }
  }

  CubinImage image_;
  std::vector<Section> sections_;
  std::vector<std::string> symbols_;
  std::vector<Elf64_Sym> symbol_values_;
};

// The container: a header of 16 bytes, then entries.
constexpr std::uint32_t kContainerMagic = 0xba55ed50;
constexpr std::uint16_t kCubinEntry = 2;

struct Entry {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t payload_bytes;
  std::uint32_t compressed_bytes, options_offset;
  std::uint16_t minor, major;
  std::uint32_t sm_version;
};

}  // namespace

CubinImage read_cubin(std::vector<std::uint8_t> bytes) { return Reader(std::move(bytes)).read(); }

std::vector<std::uint8_t> choose_cubin(const void* container, int sm_version) {
  const auto* start = static_cast<const std::uint8_t*>(container);
  if (load<std::uint32_t>(start) != kContainerMagic) throw std::runtime_error("the program's images are in no fatbin");
  const std::uint8_t* const end = start + 16 + load<std::uint64_t>(start + 8);
  const std::uint8_t* best = nullptr;
  std::uint32_t best_version = 0;
  const auto wanted = static_cast<std::uint32_t>(sm_version);
  for (const std::uint8_t* at = start + 16; at < end;) {
    const auto entry = load<Entry>(at);
    const bool runs = entry.sm_version / 10 == wanted / 10 && entry.sm_version <= wanted;
    if (entry.kind == kCubinEntry && runs && entry.sm_version > best_version) {
      best = at;
      best_version = entry.sm_version;
    }
    at += entry.header_bytes + entry.payload_bytes;
  }
  if (best == nullptr) throw std::runtime_error("no kernel image for sm_" + std::to_string(sm_version));
  const auto entry = load<Entry>(best);
  if (entry.compressed_bytes != 0) throw std::runtime_error("the images are compressed: build with -no-compress");
  return {best + entry.header_bytes, best + entry.header_bytes + entry.payload_bytes};
}

}  // namespace stc::foreign
