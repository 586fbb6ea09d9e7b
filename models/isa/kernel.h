// SPDX-License-Identifier: Apache-2.0
// A kernel ready to run: instructions and the resources that it needs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/instruction.h"

namespace stc::isa {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// One formal parameter of a kernel, as the compiler laid it out in constant bank 0.
struct KernelParameter {
  std::uint32_t offset = 0;  ///< bytes from the start of the parameter block
  std::uint32_t bytes = 0;
};

constexpr int kVariableBank = 3;  ///< constant bank of a module's __constant__ variables

/// A __device__ or __constant__ variable of the kernel's module.
struct ModuleVariable {
  std::string name;  ///< mangled symbol
  std::uint64_t bytes = 0;
  std::vector<std::uint8_t> initial;             ///< empty: zero
  std::optional<std::uint32_t> constant_offset;  ///< in bank kVariableBank; none: in global memory

  bool starts_as_zero() const;
};

/// A place in a constant bank (not c[0]) that must hold the device address of a variable, 8 bytes.
struct AddressPatch {
  int bank = 4;
  std::uint32_t offset = 0;
  std::size_t variable = 0;  ///< index into Kernel::variables
  std::int64_t addend = 0;
};

struct Kernel {
  std::string name;               ///< mangled symbol
  int sm_version = 80;            ///< 80 or 90
  std::vector<Instruction> code;  ///< code[i].address == 16 * i; calls and returns stay inside
  int registers = 0;              ///< per thread, as the compiler states it
  int barriers = 0;
  std::uint32_t static_shared_bytes = 0;  ///< without the 1 KiB that sm_80+ reserves per CTA
  std::uint32_t local_bytes = 0;          ///< stack frame per thread
  std::uint32_t max_threads = 1024;
  std::uint32_t parameter_base = 0x160;  ///< offset of the parameter block in c[0] (0x160, 0x210)
  std::uint32_t parameter_bytes = 0;
  std::vector<KernelParameter> parameters;
  std::vector<std::uint8_t> constant0;                 ///< initial image of c[0] (zero where the driver fills in)
  std::map<int, std::vector<std::uint8_t>> constants;  ///< other banks: 2, 3, 4
  std::vector<ModuleVariable> variables;               ///< to be placed before a launch
  std::vector<AddressPatch> address_patches;           ///< to be applied to `constants` then
  bool points_to_constants = false;                    ///< reads the generic address of bank kVariableBank
  std::uint64_t constants_address = 0;                 ///< that address, once the variables are placed
};

}  // namespace stc::isa
