// SPDX-License-Identifier: Apache-2.0
#include "models/isa/values/driver_call.h"

#include <fmt/format.h>

#include "models/isa/driver/device_format.h"
#include "models/isa/driver/device_output.h"
#include "models/isa/state/address_space.h"
#include "models/isa/state/code_place.h"
#include "models/isa/values/generic_pointer.h"

namespace stc::isa {
namespace {

constexpr int kFirstArgument = 4;  ///< R4, also the result
constexpr int kReturnAddress = 20;

std::uint32_t word(const Execution& x, int index, int lane) {
  return source_register(x, index)[static_cast<std::size_t>(lane)];
}
std::uint64_t pair(const Execution& x, int index, int lane) {
  return std::uint64_t{word(x, index + 1, lane)} << 32 | word(x, index, lane);
}

std::string text_or_fault(const Execution& x, int lane, std::uint64_t address, const char* what) {
  if (auto text = generic_text(x, lane, address)) return *text;
  throw_fault(x.instruction, x.warp, x.context, lane, fmt::format("{} at 0x{:x}, where nothing is", what, address));
}

/// vprintf(format, arguments): the count of arguments, -1 without a format.
int print(Execution& x, int lane) {
  const std::uint64_t format = pair(x, kFirstArgument, lane);
  if (format == 0) return -1;
  const std::string text = text_or_fault(x, lane, format, "printf reads its format");
  x.result.driver_characters = static_cast<std::uint32_t>(text.size());
  std::uint64_t place = pair(x, kFirstArgument + 2, lane);
  const auto argument = [&](unsigned bytes) {
    place = (place + bytes - 1) / bytes * bytes;
    const std::uint8_t* const at = generic_pointer(x, lane, place, bytes);
    if (at == nullptr) {
      throw_fault(x.instruction, x.warp, x.context, lane,
                  fmt::format("printf takes an argument from 0x{:x}, where nothing is", place));
    }
    std::uint64_t value = 0;
    std::memcpy(&value, at, bytes);
    place += bytes;
    return value;
  };
  const auto text_at = [&](std::uint64_t address) {
    return text_or_fault(x, lane, address, "printf reads the text of %s");
  };
  const FormattedText line = format_arguments(text, argument, text_at);
  if (!line.unknown.empty()) {
    throw_fault(x.instruction, x.warp, x.context, lane,
                fmt::format("printf's conversion '{}' is not modelled", line.unknown));
  }
  if (x.context.output != nullptr) x.context.output->print(x.context.cycle, x.context.sm_id, line.text);
  return line.arguments;
}

/// __assertfail(expression, file, line, function, size of a character).
[[noreturn]] void fail_assertion(const Execution& x, LaneMask lanes) {
  const int lane = __builtin_ctz(lanes);
  const std::string expression = text_or_fault(x, lane, pair(x, 4, lane), "an assertion's text");
  const std::string file = text_or_fault(x, lane, pair(x, 6, lane), "an assertion's file");
  const std::string function = text_or_fault(x, lane, pair(x, 10, lane), "an assertion's function");
  const Dim3& block = x.warp.cta->block;
  const std::uint32_t thread = static_cast<std::uint32_t>(x.warp.index_in_cta * kWarpSize + lane);
  const int others = __builtin_popcount(lanes) - 1;
  throw_fault(x.instruction, x.warp, x.context, lane,
              fmt::format("assertion `{}` failed: {}:{}: {}, thread ({}, {}, {}){}", expression, file, word(x, 8, lane),
                          function, thread % block.x, thread / block.x % block.y, thread / block.x / block.y,
                          others == 0 ? "" : fmt::format(" and {} more of its warp", others)));
}

std::uint32_t return_pc(const Execution& x, int lane) {
  const std::uint64_t address = pair(x, kReturnAddress, lane);
  if (const auto pc = pc_of(*x.context.kernel, address)) return *pc;
  throw_fault(x.instruction, x.warp, x.context, lane, "a return to " + describe_code(*x.context.kernel, address));
}

void write_result(Execution& x, LaneMask lanes, int index, const Vector& value) {
  x.lanes = lanes;
  write(x, static_cast<std::uint8_t>(index), value);
}

void allocate(Execution& x, LaneMask lanes) {
  Vector low{}, high{};
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const std::uint64_t bytes = pair(x, kFirstArgument, lane);
    const std::uint64_t address = x.context.heap != nullptr ? x.context.heap->allocate(bytes) : 0;
    low[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(address);
    high[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(address >> 32);
  }
  write_result(x, lanes, kFirstArgument, low);
  write_result(x, lanes, kFirstArgument + 1, high);
}

void release(Execution& x, LaneMask lanes) {
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const std::uint64_t address = pair(x, kFirstArgument, lane);
    if (address == 0 || (x.context.heap != nullptr && x.context.heap->release(address))) continue;
    throw_fault(x.instruction, x.warp, x.context, lane,
                fmt::format("free of 0x{:x}, which malloc has not given or free has taken back", address));
  }
}

void call(Execution& x, LaneMask lanes, const ExternalFunction& function) {
  x.result.driver_lanes = lanes;
  x.result.driver_function = function.function;
  switch (function.function) {
    case DriverFunction::kPrintf: {
      Vector result{};
      for (LaneMask m = lanes; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        result[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(print(x, lane));
      }
      write_result(x, lanes, kFirstArgument, result);
      return;
    }
    case DriverFunction::kMalloc: allocate(x, lanes); return;
    case DriverFunction::kFree: release(x, lanes); return;
    case DriverFunction::kAssertFail: fail_assertion(x, lanes);
    case DriverFunction::kUnknown: break;
  }
  throw_fault(x.instruction, x.warp, x.context, __builtin_ctz(lanes),
              fmt::format("a call of {}, which the module does not hold", function.name));
}

}  // namespace

DriverReturn call_driver(Execution& x, LaneMask taken, const Vector& target) {
  DriverReturn back;
  std::uint32_t callee = 0;
  for (LaneMask m = taken; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const std::uint32_t called = target[static_cast<std::size_t>(lane)];
    const std::uint32_t pc = return_pc(x, lane);
    if (back.lanes == 0) callee = called, back.pc = pc;
    if (called == callee && pc == back.pc) back.lanes |= 1u << lane;
  }
  const std::size_t index = (callee - kExternalCode) / kInstructionBytes;
  const std::vector<ExternalFunction>& externals = x.context.kernel->externals;
  if (index >= externals.size()) {
    throw_fault(x.instruction, x.warp, x.context, __builtin_ctz(back.lanes),
                fmt::format("a call to 0x{:x}, where no function is", kCodeWindow | callee));
  }
  call(x, back.lanes, externals[index]);
  return back;
}

}  // namespace stc::isa
