// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/fat_binary.h"

#include <elf.h>
#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "sim/base/text.h"
#include "sim/remote/requests.h"

namespace stc::sim {
namespace {

constexpr std::uint32_t kMagic = 0xba55ed50;
constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kLeastEntryHeader = 64;
constexpr std::uint64_t kLz4Flag = 0x2000, kZstdFlag = 0x8000, kThisArchitectureFlag = 0x100000;
constexpr std::uint64_t kMostInflated = std::uint64_t{1} << 32;

// Offsets in the header of an entry.
constexpr std::size_t kKindAt = 0, kHeaderBytesAt = 4, kPayloadBytesAt = 8, kCompressedBytesAt = 16, kSmAt = 28;
constexpr std::size_t kFlagsAt = 40, kInflatedBytesAt = 56;

template <class T>
T load(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

[[noreturn]] void damaged(const std::string& what) {
  throw ImageError(remote::kInvalidImage, "a damaged fat binary: " + what);
}

FatBinaryEntry read_entry(const std::uint8_t* at, std::size_t offset, std::size_t left) {
  if (left < kLeastEntryHeader) damaged("it ends within the header of an image");
  FatBinaryEntry entry;
  const auto kind = load<std::uint16_t>(at + kKindAt);
  entry.kind = kind == 1   ? FatBinaryEntry::Kind::kPtx
               : kind == 2 ? FatBinaryEntry::Kind::kCubin
                           : FatBinaryEntry::Kind::kOther;
  const auto header = load<std::uint32_t>(at + kHeaderBytesAt);
  const auto payload = load<std::uint64_t>(at + kPayloadBytesAt);
  if (header < kLeastEntryHeader || header > left) damaged(fmt::format("an image with a header of {} bytes", header));
  if (payload > left - header) damaged("it ends within an image");
  const auto flags = load<std::uint64_t>(at + kFlagsAt);
  const auto compressed = load<std::uint32_t>(at + kCompressedBytesAt);
  if (compressed > payload) damaged("a compressed image that is larger than its place");
  entry.sm_version = load<std::int32_t>(at + kSmAt);
  entry.this_architecture_only = (flags & kThisArchitectureFlag) != 0;
  entry.offset = offset + header;
  entry.bytes = compressed != 0 ? compressed : payload;
  if (compressed != 0) {
    entry.packing = (flags & kZstdFlag) != 0 ? FatBinaryEntry::Packing::kZstd : FatBinaryEntry::Packing::kLz4;
    if ((flags & (kZstdFlag | kLz4Flag)) == 0) damaged(fmt::format("an unknown compression, flags {:#x}", flags));
    entry.inflated_bytes = load<std::uint64_t>(at + kInflatedBytesAt);
  }
  return entry;
}

bool runs_on(const FatBinaryEntry& entry, int sm_version) {
  if (entry.this_architecture_only) return entry.sm_version == sm_version;
  return entry.sm_version / 10 == sm_version / 10 && entry.sm_version <= sm_version;
}

std::string names_of(const std::vector<FatBinaryEntry>& entries) {
  std::vector<std::string> names;
  for (const FatBinaryEntry& entry : entries) {
    if (entry.kind != FatBinaryEntry::Kind::kOther) names.push_back(entry.name());
  }
  return names.empty() ? "nothing" : join(names, ", ");
}

}  // namespace

std::string FatBinaryEntry::name() const {
  return fmt::format("{}_{}{}", kind == Kind::kPtx ? "compute" : "sm", sm_version, this_architecture_only ? "a" : "");
}

std::size_t fat_binary_bytes(const std::vector<std::uint8_t>& start) {
  if (start.size() < kHeaderBytes || load<std::uint32_t>(start.data()) != kMagic) {
    damaged("it does not begin as one");
  }
  const auto follow = load<std::uint64_t>(start.data() + 8);
  if (follow > kMostInflated) damaged(fmt::format("it states a size of {} bytes", follow));
  return kHeaderBytes + follow;
}

std::vector<FatBinaryEntry> read_fat_binary(const std::vector<std::uint8_t>& container) {
  const std::size_t end = fat_binary_bytes(container);
  if (end > container.size()) damaged("it is cut off");
  std::vector<FatBinaryEntry> entries;
  for (std::size_t at = kHeaderBytes; at < end;) {
    entries.push_back(read_entry(container.data() + at, at, end - at));
    at = entries.back().offset + static_cast<std::size_t>(load<std::uint64_t>(container.data() + at + kPayloadBytesAt));
  }
  return entries;
}

std::vector<std::uint8_t> inflate(const std::vector<std::uint8_t>& container, const FatBinaryEntry& entry) {
  const std::uint8_t* const from = container.data() + entry.offset;
  if (entry.packing == FatBinaryEntry::Packing::kNone) return {from, from + entry.bytes};
  if (entry.inflated_bytes == 0 || entry.inflated_bytes > kMostInflated >> 1) {
    damaged(fmt::format("image {} states {} bytes when inflated", entry.name(), entry.inflated_bytes));
  }
  std::vector<std::uint8_t> image(entry.inflated_bytes);
  bool whole = false;
  if (entry.packing == FatBinaryEntry::Packing::kZstd) {
    const std::size_t made = ZSTD_decompress(image.data(), image.size(), from, entry.bytes);
    whole = ZSTD_isError(made) == 0 && made == image.size();
  } else {
    const int made = LZ4_decompress_safe(reinterpret_cast<const char*>(from), reinterpret_cast<char*>(image.data()),
                                         static_cast<int>(entry.bytes), static_cast<int>(image.size()));
    whole = made >= 0 && static_cast<std::size_t>(made) == image.size();
  }
  if (!whole) damaged(fmt::format("image {} does not inflate to its {} bytes", entry.name(), image.size()));
  return image;
}

ChosenImage choose_image(const std::vector<std::uint8_t>& bytes, int sm_version) {
  if (bytes.size() >= SELFMAG && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0) return {bytes, sm_version};
  const std::vector<FatBinaryEntry> entries = read_fat_binary(bytes);
  const FatBinaryEntry* best = nullptr;
  for (const FatBinaryEntry& entry : entries) {
    if (entry.kind != FatBinaryEntry::Kind::kCubin || !runs_on(entry, sm_version)) continue;
    const auto rank = [](const FatBinaryEntry& e) { return e.sm_version * 2 + (e.this_architecture_only ? 1 : 0); };
    if (best == nullptr || rank(entry) > rank(*best)) best = &entry;
  }
  if (best != nullptr) return {inflate(bytes, *best), best->sm_version};
  throw ImageError(remote::kNoImageForDevice,
                   fmt::format("the program holds no machine code for sm_{0}, only {1}; compile it with -arch=sm_{0}",
                               sm_version, names_of(entries)));
}

}  // namespace stc::sim
