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
#include "models/isa/state/address_space.h"

namespace stc::isa {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

constexpr std::uint32_t kPortableClusterCtas = 8;  ///< CTAs of a cluster; more need a kernel attribute that allows them
constexpr std::uint32_t kMostClusterCtas = 16;

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

/// A place that must hold the device address of a variable.
struct AddressPatch {
  enum class Place : std::uint8_t {
    kConstantBank,  ///< 8 bytes of a bank other than c[0]
    kVariable,      ///< 8 bytes of a variable's first contents
    kCodeLow,       ///< the immediate operand of an instruction: lower half of the address
    kCodeHigh       ///< upper half
  };
  int bank = 4;
  std::uint32_t offset = 0;  ///< bytes into the bank, the contents or the code
  std::size_t variable = 0;  ///< whose address: index into Kernel::variables
  std::int64_t addend = 0;
  Place place = Place::kConstantBank;
  std::size_t holder = 0;  ///< kVariable: index of the variable whose contents hold the address
};

/// A function that the driver supplies; calling it leaves the kernel's code.
enum class DriverFunction : std::uint8_t { kUnknown, kPrintf, kAssertFail, kMalloc, kFree };
struct ExternalFunction {
  std::string name;  ///< symbol
  DriverFunction function = DriverFunction::kUnknown;
};

/// A function of the module where pointers and return addresses name it, the same in all kernels of the module, and
/// where this kernel has it (code_place.h).
struct CodePlace {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::uint32_t pc = 0;
  std::string missing;  ///< not empty: why this kernel has no such code
};

struct Kernel {
  std::string name;               ///< mangled symbol
  int sm_version = 0;             ///< one of models/core/architecture.h
  std::vector<Instruction> code;  ///< code[i].address == 16 * i; functions that it calls follow
  int registers = 0;              ///< per thread, as the compiler states it
  int barriers = 0;
  std::uint32_t static_shared_bytes = 0;           ///< without the 1 KiB that sm_80+ reserves per CTA
  std::uint32_t local_bytes = 0;                   ///< stack frame per thread
  std::uint32_t stack_bytes = kDefaultStackBytes;  ///< per thread, as the host asks for (cudaLimitStackSize)
  std::uint32_t max_threads = 1024;
  std::optional<Dim3> cluster;         ///< CTAs per cluster that the source fixes (__cluster_dims__)
  std::uint32_t max_cluster_ctas = 0;  ///< most of them that it allows (__launch_bounds__); 0: not stated
  std::uint32_t parameter_base = 0;    ///< offset of the parameter block in c[0]
  std::uint32_t parameter_bytes = 0;
  std::vector<KernelParameter> parameters;
  std::vector<std::uint8_t> constant0;                 ///< initial image of c[0] (zero where the driver fills in)
  std::map<int, std::vector<std::uint8_t>> constants;  ///< other banks: 2, 3, 4
  std::vector<ModuleVariable> variables;               ///< to be placed before a launch
  std::vector<AddressPatch> address_patches;           ///< to be applied then
  bool points_to_constants = false;                    ///< reads the generic address of bank kVariableBank
  bool points_to_parameters = false;                   ///< reads the generic address of its parameters
  std::uint64_t constants_address = 0;                 ///< that address, once the variables are placed
  std::vector<ExternalFunction> externals;             ///< entry n is called at external_code(n), address_space.h
  std::vector<CodePlace> code_places;                  ///< ascending; empty: all code, at kCodeWindow
};

}  // namespace stc::isa
