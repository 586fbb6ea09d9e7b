// SPDX-License-Identifier: Apache-2.0
#include "traces/cubin/attribute_writer.h"

#include <algorithm>
#include <cstddef>

#include "models/isa/control_limits.h"
#include "models/isa/opcode.h"
#include "models/isa/register_use.h"
#include "traces/cubin/cuda_elf.h"

namespace stc::cubin {
namespace {

constexpr std::uint8_t kByte = 2, kHalfWord = 3, kSized = 4;  // formats of records
constexpr std::uint32_t kAnyBankAlignment = 0x1f000;  ///< of a parameter: in no bank but 0, of no alignment to speak of

void append_word(std::vector<std::uint8_t>& to, std::uint32_t word, int bytes = 4) {
  for (int i = 0; i < bytes; ++i) to.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
}

void append_sized(std::vector<std::uint8_t>& to, unsigned number, const std::vector<std::uint32_t>& words) {
  to.push_back(kSized);
  to.push_back(static_cast<std::uint8_t>(number));
  append_word(to, static_cast<std::uint32_t>(words.size() * sizeof(std::uint32_t)), 2);
  for (const std::uint32_t word : words) append_word(to, word);
}

void append_value(std::vector<std::uint8_t>& to, std::uint8_t format, unsigned number, std::uint32_t value) {
  to.push_back(format);
  to.push_back(static_cast<std::uint8_t>(number));
  append_word(to, value, 2);
}

std::vector<std::uint32_t> exits_of(const isa::Kernel& kernel) {
  std::vector<std::uint32_t> exits;
  for (const isa::Instruction& instruction : kernel.code) {
    if (instruction.opcode == isa::Opcode::kExit) exits.push_back(instruction.address);
  }
  return exits;
}

}  // namespace

int stated_registers(const isa::Kernel& kernel) {
  int used = 0;
  for (const isa::Instruction& instruction : kernel.code) {
    const isa::RegisterUse use = isa::register_use(instruction);
    for (int k = 0; k < use.source_count; ++k) {
      const isa::RegisterRange& range = use.sources[static_cast<std::size_t>(k)];
      used = std::max(used, range.first + range.count);
    }
    for (int k = 0; k < use.dest_count; ++k) {
      const isa::RegisterRange& range = use.dests[static_cast<std::size_t>(k)];
      used = std::max(used, range.first + range.count);
    }
  }
  return std::max(kernel.registers, used + isa::kHardwareRegisters);
}

void append_function_attributes(std::vector<std::uint8_t>& to, std::uint32_t symbol, const isa::Kernel& kernel) {
  append_sized(to, attribute::kRegisterCount, {symbol, static_cast<std::uint32_t>(stated_registers(kernel))});
  append_sized(to, attribute::kFrameSize, {symbol, 0});
  append_sized(to, attribute::kMinimumStack, {symbol, 0});
}

std::vector<std::uint8_t> kernel_attributes(const isa::Kernel& kernel, std::uint32_t constants) {
  std::vector<std::uint8_t> to;
  append_sized(to, attribute::kApiVersion, {kCuda13});
  append_sized(to, attribute::kParameterBank, {constants, kernel.parameter_base | kernel.parameter_bytes << 16});
  append_value(to, kHalfWord, attribute::kParameterBytes, kernel.parameter_bytes);
  for (std::size_t p = kernel.parameters.size(); p-- > 0;) {
    const isa::KernelParameter& parameter = kernel.parameters[p];
    const auto ordinal = static_cast<std::uint32_t>(p);
    append_sized(to, attribute::kParameterInfo,
                 {0, ordinal | parameter.offset << 16, kAnyBankAlignment | parameter.bytes << 18});
  }
  append_value(to, kHalfWord, attribute::kMostRegisters, 0xff);
  append_value(to, kByte, attribute::kBarriers, static_cast<std::uint32_t>(kernel.barriers));
  append_sized(to, attribute::kExits, exits_of(kernel));
  append_sized(to, attribute::kMaxThreads, {kernel.max_threads, 1, 1});
  return to;
}

}  // namespace stc::cubin
