// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/kernel_attributes.h"

#include <fmt/format.h>

#include <cstring>
#include <functional>

#include "traces/cubin/cuda_elf.h"

namespace stc::cubin {
namespace {

struct Record {
  unsigned attribute;
  std::uint32_t value;          ///< of records that hold one byte or half word
  const std::uint8_t* payload;  ///< of sized records
  std::uint32_t size;
  std::uint32_t word(std::uint32_t index) const {
    std::uint32_t w = 0;
    const std::size_t at = std::size_t{4} * index;
    if (at + 4 <= size) std::memcpy(&w, payload + at, 4);
    return w;
  }
};

/// Walks the records: a format byte (1 none, 2 byte, 3 half word, 4 sized), an attribute byte, a value or a size.
void for_each_record(const ElfImage& elf, const Section& info, const std::function<void(const Record&)>& visit) {
  std::uint64_t at = 0;
  while (at + 4 <= info.size) {
    const unsigned format = info.data[at];
    std::uint16_t half;
    std::memcpy(&half, info.data + at + 2, 2);
    Record r{info.data[at + 1], format == 2 ? half & 0xffu : half, nullptr, 0};
    at += 4;
    if (format < 1 || format > 4) elf.fail(info.name, fmt::format("record format {} at byte {}", format, at - 4));
    if (format == 4) {
      r.payload = info.data + at;
      r.size = half;
      at += half;
      if (at > info.size) elf.fail(info.name, "a record reaches past the end of the section");
    }
    visit(r);
  }
}

}  // namespace

std::map<std::uint32_t, FunctionAttributes> read_function_attributes(const ElfImage& elf) {
  std::map<std::uint32_t, FunctionAttributes> functions;
  const Section* info = elf.find(".nv.info");
  if (info == nullptr || !info->in_file) return functions;
  for_each_record(elf, *info, [&](const Record& r) {
    if (r.payload == nullptr || r.size < 8) return;
    FunctionAttributes& f = functions[r.word(0)];
    if (r.attribute == attribute::kRegisterCount) f.registers = r.word(1);
    if (r.attribute == attribute::kFrameSize) f.frame_bytes = r.word(1);
    if (r.attribute == attribute::kMinimumStack) f.minimum_stack_bytes = r.word(1);
  });
  return functions;
}

KernelAttributes read_kernel_attributes(const ElfImage& elf, const Section& info) {
  KernelAttributes k;
  if (!info.in_file) elf.fail(info.name, "has no contents");
  for_each_record(elf, info, [&](const Record& r) {
    switch (r.attribute) {
      case attribute::kMaxThreads:
      case attribute::kRequiredThreads: {
        const std::uint64_t threads = std::uint64_t{r.word(0)} * r.word(1) * r.word(2);
        if (threads == 0 || threads > 1024) elf.fail(info.name, fmt::format("maximum of {} threads", threads));
        k.max_threads = static_cast<std::uint32_t>(threads);
        break;
      }
      case attribute::kParameterBank:
        k.parameter_base = r.word(1) & 0xffff;
        k.parameter_bytes = r.word(1) >> 16;
        break;
      case attribute::kParameterInfo:
      case attribute::kWideParameterInfo: {
        const std::uint32_t ordinal = r.word(1) & 0xffff;
        if (ordinal >= 4096) elf.fail(info.name, fmt::format("parameter number {}", ordinal));
        if (k.parameters.size() <= ordinal) k.parameters.resize(ordinal + 1);
        k.parameters[ordinal] = {r.word(1) >> 16,
                                 r.attribute == attribute::kParameterInfo ? r.word(2) >> 18 : r.word(2)};
        break;
      }
      case attribute::kParameterBytes: k.parameter_bytes = r.value; break;
      case attribute::kBarriers:
        k.barriers = r.value;
        k.has_barriers = true;
        break;
      case attribute::kCtaPerCluster:
        k.cluster = isa::Dim3{r.word(0), r.word(1), r.word(2)};
        for (const std::uint32_t size : {k.cluster->x, k.cluster->y, k.cluster->z}) {
          if (size == 0 || size > isa::kMostClusterCtas) elf.fail(info.name, fmt::format("a cluster size of {}", size));
        }
        break;
      case attribute::kMaxClusterRank: k.max_cluster_ctas = r.word(0); break;
      default: break;  // hints for the driver, debuggers and profilers
    }
  });
  for (const isa::KernelParameter& p : k.parameters) {
    if (p.offset + p.bytes > k.parameter_bytes) {
      elf.fail(info.name, fmt::format("a parameter at offset {} of {} bytes lies outside the {} parameter bytes",
                                      p.offset, p.bytes, k.parameter_bytes));
    }
  }
  return k;
}

}  // namespace stc::cubin
