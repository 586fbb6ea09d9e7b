// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/elf_image.h"

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <cstring>
#include <memory>

#include "models/core/architecture.h"
#include "traces/cubin/cubin_error.h"
#include "traces/cubin/cuda_elf.h"

namespace stc::cubin {
namespace {

constexpr char kExpected[] = "expected a cubin, as written by nvcc -cubin";

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};

template <typename T>
T read_as(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

ElfImage::ElfImage(std::vector<std::uint8_t> bytes, std::string file)
    : bytes_(std::move(bytes)), file_(std::move(file)) {
  read_headers();
  read_symbols();
  for (std::size_t index = 0; index < sections_.size(); ++index) {
    if (sections_[index].type == SHT_REL) read_relocations(index, false);
    if (sections_[index].type == SHT_RELA) read_relocations(index, true);
  }
}

void ElfImage::fail(const std::string& place, const std::string& reason) const {
  throw CubinError(fmt::format("{}: {}: {}", file_, place, reason));
}

const Section* ElfImage::find(const std::string& name) const {
  for (const Section& section : sections_) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

void ElfImage::read_headers() {
  if (bytes_.empty()) fail("file", fmt::format("is empty; {}", kExpected));
  if (elf_version(EV_CURRENT) == EV_NONE) fail("file", "the ELF library is too old");
  const std::unique_ptr<Elf, ElfCloser> elf(elf_memory(reinterpret_cast<char*>(bytes_.data()), bytes_.size()));
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF) fail("ELF header", fmt::format("is missing; {}", kExpected));
  GElf_Ehdr header;
  if (gelf_getclass(elf.get()) != ELFCLASS64 || gelf_getehdr(elf.get(), &header) == nullptr) {
    fail("ELF header", fmt::format("cannot be read ({}); {}", elf_errmsg(-1), kExpected));
  }
  if (header.e_machine != kMachineCuda) {
    fail("ELF header", fmt::format("machine type is {}, not {} (CUDA); {}, not a host program or a fatbin",
                                   header.e_machine, kMachineCuda, kExpected));
  }
  relocatable_ = header.e_type == ET_REL;
  // ABI 8 (CUDA 13) keeps the SM version in bits 15:8 of the flags, ABI 7 in bits 7:0.
  const unsigned abi = header.e_ident[EI_ABIVERSION];
  sm_version_ = static_cast<int>(abi >= 8 ? (header.e_flags >> 8) & 0xff : header.e_flags & 0xff);
  if (find_architecture(sm_version_) == nullptr) {
    fail("ELF header", fmt::format("compiled for sm_{}, but must be for sm_{}", sm_version_, known_architectures()));
  }
  const std::uint64_t programs = std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  if (header.e_phoff > bytes_.size() || programs > bytes_.size() - header.e_phoff) {
    fail("program headers", fmt::format("reach past the end of the file ({} bytes), it is truncated", bytes_.size()));
  }
  read_sections(elf.get());
}

void ElfImage::read_sections(void* opaque) {
  Elf* elf = static_cast<Elf*>(opaque);
  std::size_t count = 0;
  std::size_t names = 0;
  if (elf_getshdrnum(elf, &count) != 0 || elf_getshdrstrndx(elf, &names) != 0 || count == 0) {
    fail("section headers", fmt::format("cannot be read, the file may be truncated ({} bytes)", bytes_.size()));
  }
  std::vector<std::uint64_t> name_offsets;
  for (std::size_t index = 0; index < count; ++index) {
    const std::string place = fmt::format("section {}", index);
    Elf_Scn* scn = elf_getscn(elf, index);
    GElf_Shdr header;
    if (scn == nullptr || gelf_getshdr(scn, &header) == nullptr) {
      fail(place, fmt::format("its header cannot be read, the file may be truncated ({} bytes)", bytes_.size()));
    }
    Section s;
    s.type = header.sh_type;
    s.flags = header.sh_flags;
    s.link = header.sh_link;
    s.info = header.sh_info;
    s.size = header.sh_size;
    s.in_file = header.sh_type != SHT_NOBITS && header.sh_type != SHT_NULL;
    if (s.in_file) {
      if (header.sh_offset > bytes_.size() || header.sh_size > bytes_.size() - header.sh_offset) {
        fail(place, fmt::format("reaches from byte {} over {} bytes, past the end of the file ({} bytes)",
                                header.sh_offset, header.sh_size, bytes_.size()));
      }
      s.data = bytes_.data() + header.sh_offset;
    }
    name_offsets.push_back(header.sh_name);
    sections_.push_back(s);
  }
  if (names >= sections_.size() || !sections_[names].in_file) fail("section names", "are missing");
  for (std::size_t index = 0; index < sections_.size(); ++index) {
    sections_[index].name = text_at(sections_[names], name_offsets[index], fmt::format("section {}", index));
  }
}

std::string ElfImage::text_at(const Section& strings, std::uint64_t offset, const std::string& place) const {
  if (offset >= strings.size) fail(place, "its name lies outside the string table");
  const auto* begin = reinterpret_cast<const char*>(strings.data) + offset;
  const void* end = std::memchr(begin, 0, strings.size - offset);
  if (end == nullptr) fail(place, "its name is not terminated");
  return std::string(begin, static_cast<const char*>(end));
}

void ElfImage::read_symbols() {
  for (const Section& table : sections_) {
    if (table.type != SHT_SYMTAB) continue;
    if (table.link >= sections_.size() || !sections_[table.link].in_file) fail(table.name, "has no string table");
    const Section& strings = sections_[table.link];
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.size; at += sizeof(Elf64_Sym)) {
      const auto raw = read_as<Elf64_Sym>(table.data + at);
      Symbol s;
      s.name = text_at(strings, raw.st_name, fmt::format("symbol {}", symbols_.size()));
      s.value = raw.st_value;
      s.size = raw.st_size;
      s.type = raw.st_info & 15;
      s.other = raw.st_other;
      s.section = raw.st_shndx;
      symbols_.push_back(s);
    }
  }
}

void ElfImage::read_relocations(std::size_t index, bool with_addend) {
  const Section& table = sections_[index];
  const std::size_t entry = with_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
  for (std::uint64_t at = 0; at + entry <= table.size; at += entry) {
    const auto raw = read_as<Elf64_Rel>(table.data + at);
    Relocation r;
    r.section = table.info;
    r.offset = raw.r_offset;
    r.type = static_cast<std::uint32_t>(raw.r_info & 0xffffffff);
    r.symbol = static_cast<std::uint32_t>(raw.r_info >> 32);
    if (with_addend) r.addend = read_as<Elf64_Rela>(table.data + at).r_addend;
    r.addend_in_place = !with_addend;
    if (r.section >= sections_.size()) fail(table.name, "relocates a section that does not exist");
    if (r.symbol >= symbols_.size()) fail(table.name, "names a symbol that does not exist");
    relocations_.push_back(r);
  }
}

}  // namespace stc::cubin
