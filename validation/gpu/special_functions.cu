// SPDX-License-Identifier: Apache-2.0
// What MUFU gives for all operands: the rows of measured/*/special_functions.csv, a hash for each 2^23 operands of a
// function of f32 (a sign and an exponent) or of upper words of f64, and for all of a function of 16 bits.
//   nvcc -std=c++17 -O3 -arch=sm_90 -cudart shared -I. validation/gpu/special_functions.cu -o special_functions
//   ./special_functions > rows;  ./special_functions FUNCTION FIRST FILE writes the results for 2^23 operands from
//   FIRST (hexadecimal) on, which special_functions.py reads
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "validation/gpu/check.h"
#include "validation/gpu/mixed.h"

namespace {

constexpr std::uint32_t kBlock = 1u << 23;

struct Results {
  unsigned long long* hash;  // null: none
  std::uint32_t* words;      // null: none
  __device__ void take(std::uint32_t i, std::uint32_t operand, std::uint32_t result) const {
    if (hash != nullptr) atomicAdd(hash, mixed(operand, result));
    if (words != nullptr) words[i] = result;
  }
};

#define STC_FUNCTION(name, type, constraint, ptx, in, out)                              \
  __global__ void name(std::uint32_t first, Results results) {                          \
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, operand = first + i; \
    const type x = in;                                                                  \
    type y;                                                                             \
    asm volatile(ptx " %0, %1;" : "=" constraint(y) : constraint(x));                   \
    results.take(i, operand, out);                                                      \
  }
#define STC_SINGLE(name, ptx) STC_FUNCTION(name, float, "f", ptx, __uint_as_float(operand), __float_as_uint(y))
#define STC_HALF(name, ptx) STC_FUNCTION(name, std::uint16_t, "h", ptx, static_cast<std::uint16_t>(operand), y)
#define STC_UPPER(name, ptx)                                                           \
  STC_FUNCTION(name, double, "d", ptx, __hiloint2double(static_cast<int>(operand), 0), \
               static_cast<unsigned>(__double2hiint(y)))
STC_SINGLE(rcp, "rcp.approx.ftz.f32")
STC_SINGLE(rsqrt, "rsqrt.approx.ftz.f32")
STC_SINGLE(sqrt, "sqrt.approx.ftz.f32")
STC_SINGLE(ex2, "ex2.approx.ftz.f32")
STC_SINGLE(lg2, "lg2.approx.ftz.f32")
STC_SINGLE(sin, "sin.approx.ftz.f32")
STC_SINGLE(cos, "cos.approx.ftz.f32")
STC_SINGLE(tanh, "tanh.approx.f32")
STC_HALF(ex2_f16, "ex2.approx.f16")
STC_HALF(tanh_f16, "tanh.approx.f16")
STC_HALF(ex2_bf16, "ex2.approx.ftz.bf16")
STC_HALF(tanh_bf16, "tanh.approx.bf16")
STC_UPPER(rcp_f64, "rcp.approx.ftz.f64")
STC_UPPER(rsqrt_f64, "rsqrt.approx.ftz.f64")

struct Function {
  const char* name;
  void (*kernel)(std::uint32_t, Results);
  bool halves;
};
#define STC_ENTRY(name, halves) \
  Function { #name, name, halves }
const Function kFunctions[] = {STC_ENTRY(rcp, false),       STC_ENTRY(rsqrt, false),   STC_ENTRY(sqrt, false),
                               STC_ENTRY(ex2, false),       STC_ENTRY(lg2, false),     STC_ENTRY(sin, false),
                               STC_ENTRY(cos, false),       STC_ENTRY(tanh, false),    STC_ENTRY(rcp_f64, false),
                               STC_ENTRY(rsqrt_f64, false), STC_ENTRY(ex2_f16, true),  STC_ENTRY(tanh_f16, true),
                               STC_ENTRY(ex2_bf16, true),   STC_ENTRY(tanh_bf16, true)};

void print_hashes(const Function& function) {
  const std::uint32_t count = function.halves ? 1u << 16 : kBlock, blocks = function.halves ? 1 : 512;
  unsigned long long* hashes = nullptr;
  CHECK(cudaMalloc(&hashes, blocks * sizeof *hashes));
  CHECK(cudaMemset(hashes, 0, blocks * sizeof *hashes));
  for (std::uint32_t b = 0; b < blocks; ++b) function.kernel<<<count / 256, 256>>>(b * kBlock, {hashes + b, nullptr});
  std::vector<unsigned long long> host(blocks);
  CHECK(cudaMemcpy(host.data(), hashes, blocks * sizeof *hashes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(hashes));
  for (std::uint32_t b = 0; b < blocks; ++b)
    std::printf("%s,%08x,%u,%016llx\n", function.name, b * kBlock, count, host[b]);
}

void write_results(const Function& function, std::uint32_t first, const char* path) {
  std::uint32_t* words = nullptr;
  CHECK(cudaMalloc(&words, kBlock * sizeof *words));
  function.kernel<<<kBlock / 256, 256>>>(first, {nullptr, words});
  std::vector<std::uint32_t> host(kBlock);
  CHECK(cudaMemcpy(host.data(), words, kBlock * sizeof *words, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(words));
  std::FILE* const file = std::fopen(path, "wb");
  if (file == nullptr || std::fwrite(host.data(), sizeof host[0], kBlock, file) != kBlock || std::fclose(file) != 0) {
    std::fprintf(stderr, "%s cannot be written\n", path);
    std::exit(1);
  }
}

}  // namespace

int main(int count, char** words) {
  if (count == 1) {
    std::printf("function,first,operands,hash\n");
    for (const Function& function : kFunctions) print_hashes(function);
    return 0;
  }
  for (const Function& function : kFunctions) {
    if (count != 4 || std::strcmp(words[1], function.name) != 0) continue;
    write_results(function, static_cast<std::uint32_t>(std::strtoul(words[2], nullptr, 16)), words[3]);
    return 0;
  }
  std::fprintf(stderr, "special_functions, or special_functions FUNCTION FIRST FILE\n");
  return 2;
}
