// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/image_bytes.h"

#include <elf.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "sim/cudart/abi.h"

namespace stc::cuda {
namespace {

constexpr std::uint32_t kContainerMagic = 0xba55ed50, kWrapperMagic = 0x466243b1;
constexpr std::size_t kContainerHeader = 16;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;

/// Copies memory that may not be there: a damaged image may state any size.
bool read_safely(const void* from, void* to, std::size_t bytes) {
  iovec there{const_cast<void*>(from), bytes}, here{to, bytes};
  return ::process_vm_readv(::getpid(), &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

std::vector<std::uint8_t> read_all(const void* from, std::uint64_t bytes) {
  std::vector<std::uint8_t> all;
  if (bytes > kMostBytes) return all;
  all.resize(bytes);
  if (!read_safely(from, all.data(), all.size())) all.clear();
  return all;
}

/// A cubin ends with its last section, or with one of its tables.
std::uint64_t elf_bytes(const std::uint8_t* image) {
  Elf64_Ehdr head;
  if (!read_safely(image, &head, sizeof head)) return 0;
  std::uint64_t end = head.e_shoff + std::uint64_t{head.e_shnum} * head.e_shentsize;
  end = std::max(end, head.e_phoff + std::uint64_t{head.e_phnum} * head.e_phentsize);
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read_safely(image + head.e_shoff + i * sizeof section, &section, sizeof section)) return 0;
    if (section.sh_type != SHT_NOBITS) end = std::max(end, section.sh_offset + section.sh_size);
  }
  return end;
}

}  // namespace

std::vector<std::uint8_t> image_bytes(const void* image) {
  std::uint32_t magic = 0;
  if (image == nullptr || !read_safely(image, &magic, sizeof magic)) return {};
  if (magic == kWrapperMagic) {
    FatBinaryWrapper wrapper;
    return read_safely(image, &wrapper, sizeof wrapper) ? image_bytes(wrapper.container) : std::vector<std::uint8_t>();
  }
  const auto* const bytes = static_cast<const std::uint8_t*>(image);
  if (magic == kContainerMagic) {
    std::uint64_t follow = 0;
    if (!read_safely(bytes + 8, &follow, sizeof follow) || follow > kMostBytes) return {};
    return read_all(image, kContainerHeader + follow);
  }
  if (std::memcmp(&magic, ELFMAG, SELFMAG) == 0) return read_all(image, elf_bytes(bytes));
  return {};
}

}  // namespace stc::cuda
