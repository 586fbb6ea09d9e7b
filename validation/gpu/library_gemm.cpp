// SPDX-License-Identifier: Apache-2.0
// library_gemm SHAPES OUT.csv: what NVIDIA's libraries need for the same shapes, for orientation: cuBLASLt dense
// (STC_CUBLASLT) and cuSPARSELt 2:4 (STC_CUSPARSELT), each with the fastest algorithm found. SHAPES holds lines "m n
// k". D[m,n] = A[m,k] x B[k,n], A row-major, B column-major, D row-major, warm L2. cuSPARSELt writes D in the input's
// type (s32 for s8), cuBLASLt in f32 or s32.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "validation/gpu/cuda_driver.h"
#ifdef STC_CUBLASLT
#include <cublasLt.h>
#endif
#ifdef STC_CUSPARSELT
#include <cusparseLt.h>
#endif

namespace {

using namespace stc::silicon;

struct Shape {
  std::int64_t m, n, k;
};
struct Type {
  const char* name;
  std::size_t bytes;
};
constexpr Type kTypes[] = {{"f16", 2}, {"bf16", 2}, {"tf32", 4}, {"s8", 1}};
constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;

struct Times {
  double median = 0, least = 0, greatest = 0;
};

template <typename Launch>
Times measure(Launch launch, int runs) {
  Stopwatch watch;
  std::vector<double> times;
  for (int i = 0; i < runs + 2; ++i) {
    watch.start();
    launch();
    watch.stop();
    const double us = watch.microseconds();
    if (i >= 2) times.push_back(us);
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back()};
}

/// Operand regions filled with numbers near one (any type) by repeating a pattern.
struct Operands {
  Operands(const Shape& s, const Type& type)
      : a(static_cast<std::size_t>(s.m * s.k) * type.bytes),
        b(static_cast<std::size_t>(s.n * s.k) * type.bytes),
        d(static_cast<std::size_t>(s.m * s.n) * 4),
        workspace(kWorkspaceBytes) {
    std::vector<std::uint8_t> pattern(std::size_t{1} << 20);
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < pattern.size(); i += type.bytes) {
      state = state * 1664525u + 1013904223u;
      for (std::size_t j = 0; j < type.bytes; ++j)
        pattern[i + j] = static_cast<std::uint8_t>(state >> (8 + 8 * (j & 1)));
      if (type.bytes > 1) {  // sign of the noise, exponent just below one
        const std::uint8_t high = type.name[0] == 'f' ? 0x38 : 0x3F;
        pattern[i + type.bytes - 1] = static_cast<std::uint8_t>(high | (state >> 24 & 0x80));
      }
    }
    for (DeviceBuffer* buffer : {&a, &b}) {
      for (std::size_t done = 0; done < buffer->bytes(); done += pattern.size())
        STC_CUDA(
            cuMemcpyHtoD(buffer->address() + done, pattern.data(), std::min(pattern.size(), buffer->bytes() - done)));
    }
  }
  DeviceBuffer a, b, d, workspace;
};

void* pointer(const DeviceBuffer& buffer) { return reinterpret_cast<void*>(buffer.address()); }

#ifdef STC_CUBLASLT
void check_lt(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": status " + std::to_string(status));
}
#define STC_LT(call) check_lt(call, #call)

Times time_dense(const Shape& s, const Type& type, const Operands& operands) {
  const std::string name = type.name;
  const cudaDataType_t in = name == "f16"    ? CUDA_R_16F
                            : name == "bf16" ? CUDA_R_16BF
                            : name == "s8"   ? CUDA_R_8I
                                             : CUDA_R_32F;
  const cudaDataType_t out = name == "s8" ? CUDA_R_32I : CUDA_R_32F;
  const cublasComputeType_t compute = name == "s8"     ? CUBLAS_COMPUTE_32I
                                      : name == "tf32" ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                       : CUBLAS_COMPUTE_32F;
  static cublasLtHandle_t handle = nullptr;
  if (handle == nullptr) STC_LT(cublasLtCreate(&handle));
  cublasLtMatmulDesc_t product = nullptr;
  STC_LT(cublasLtMatmulDescCreate(&product, compute, out));
  // Column-major: D^T[n][m] = (B as k x n)^T x (A^T as k x m).
  const cublasOperation_t transpose = CUBLAS_OP_T;
  STC_LT(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &transpose, sizeof transpose));
  cublasLtMatrixLayout_t first = nullptr, second = nullptr, result = nullptr;
  STC_LT(cublasLtMatrixLayoutCreate(&first, in, static_cast<std::uint64_t>(s.k), static_cast<std::uint64_t>(s.n), s.k));
  STC_LT(
      cublasLtMatrixLayoutCreate(&second, in, static_cast<std::uint64_t>(s.k), static_cast<std::uint64_t>(s.m), s.k));
  STC_LT(
      cublasLtMatrixLayoutCreate(&result, out, static_cast<std::uint64_t>(s.n), static_cast<std::uint64_t>(s.m), s.n));
  cublasLtMatmulPreference_t preference = nullptr;
  STC_LT(cublasLtMatmulPreferenceCreate(&preference));
  STC_LT(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspaceBytes,
                                              sizeof kWorkspaceBytes));
  cublasLtMatmulHeuristicResult_t found[16];
  int count = 0;
  STC_LT(cublasLtMatmulAlgoGetHeuristic(handle, product, first, second, result, result, preference, 16, found, &count));
  const float one = 1, zero = 0;
  const std::int32_t whole_one = 1, whole_zero = 0;
  const void* alpha = name == "s8" ? static_cast<const void*>(&whole_one) : &one;
  const void* beta = name == "s8" ? static_cast<const void*>(&whole_zero) : &zero;
  const auto run = [&](int which) {
    STC_LT(cublasLtMatmul(handle, product, alpha, pointer(operands.b), first, pointer(operands.a), second, beta,
                          pointer(operands.d), result, pointer(operands.d), result, &found[which].algo,
                          pointer(operands.workspace), kWorkspaceBytes, nullptr));
  };
  int best = -1;
  double least = 1e30;
  for (int i = 0; i < count; ++i) {
    const double us = measure([&] { run(i); }, 3).median;
    if (us < least) least = us, best = i;
  }
  if (best < 0) throw std::runtime_error("no algorithm");
  const Times times = measure([&] { run(best); }, 21);
  cublasLtMatmulPreferenceDestroy(preference);
  for (cublasLtMatrixLayout_t layout : {first, second, result}) cublasLtMatrixLayoutDestroy(layout);
  cublasLtMatmulDescDestroy(product);
  return times;
}
#endif

#ifdef STC_CUSPARSELT
void check_sparse(cusparseStatus_t status, const char* call) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": status " + std::to_string(status));
}
#define STC_SPARSE(call) check_sparse(call, #call)

Times time_sparse(const Shape& s, const Type& type, const Operands& operands) {
  const std::string name = type.name;
  const cudaDataType in = name == "f16"    ? CUDA_R_16F
                          : name == "bf16" ? CUDA_R_16BF
                          : name == "s8"   ? CUDA_R_8I
                                           : CUDA_R_32F;
  const cudaDataType out = name == "s8" ? CUDA_R_32I : in;
  const cusparseComputeType compute = name == "s8" ? CUSPARSE_COMPUTE_32I : CUSPARSE_COMPUTE_32F;
  static cusparseLtHandle_t handle;
  static const bool ready = (STC_SPARSE(cusparseLtInit(&handle)), true);
  (void)ready;
  constexpr std::uint32_t kAlign = 16;
  cusparseLtMatDescriptor_t a, b, d;
  STC_SPARSE(cusparseLtStructuredDescriptorInit(&handle, &a, s.m, s.k, s.k, kAlign, in, CUSPARSE_ORDER_ROW,
                                                CUSPARSELT_SPARSITY_50_PERCENT));
  STC_SPARSE(cusparseLtDenseDescriptorInit(&handle, &b, s.k, s.n, s.k, kAlign, in, CUSPARSE_ORDER_COL));
  STC_SPARSE(cusparseLtDenseDescriptorInit(&handle, &d, s.m, s.n, s.n, kAlign, out, CUSPARSE_ORDER_ROW));
  cusparseLtMatmulDescriptor_t product;
  STC_SPARSE(cusparseLtMatmulDescriptorInit(&handle, &product, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                            CUSPARSE_OPERATION_NON_TRANSPOSE, &a, &b, &d, &d, compute));
  cusparseLtMatmulAlgSelection_t selection;
  STC_SPARSE(cusparseLtMatmulAlgSelectionInit(&handle, &selection, &product, CUSPARSELT_MATMUL_ALG_DEFAULT));
  cusparseLtMatmulPlan_t plan;
  STC_SPARSE(cusparseLtMatmulPlanInit(&handle, &plan, &product, &selection));
  STC_SPARSE(cusparseLtSpMMAPrune(&handle, &product, pointer(operands.a), pointer(operands.a),
                                  CUSPARSELT_PRUNE_SPMMA_STRIP, nullptr));
  std::size_t bytes = 0, scratch_bytes = 0, workspace_bytes = 0;
  STC_SPARSE(cusparseLtSpMMACompressedSize(&handle, &plan, &bytes, &scratch_bytes));
  const DeviceBuffer compressed(bytes), scratch(std::max<std::size_t>(scratch_bytes, 16));
  STC_SPARSE(
      cusparseLtSpMMACompress(&handle, &plan, pointer(operands.a), pointer(compressed), pointer(scratch), nullptr));
  const float one = 1, zero = 0;
  STC_SPARSE(cusparseLtMatmulSearch(&handle, &plan, &one, pointer(compressed), pointer(operands.b), &zero,
                                    pointer(operands.d), pointer(operands.d), nullptr, nullptr, 0));
  STC_SPARSE(cusparseLtMatmulGetWorkspace(&handle, &plan, &workspace_bytes));
  const DeviceBuffer workspace(std::max<std::size_t>(workspace_bytes, 16));
  const Times times = measure(
      [&] {
        STC_SPARSE(cusparseLtMatmul(&handle, &plan, &one, pointer(compressed), pointer(operands.b), &zero,
                                    pointer(operands.d), pointer(operands.d), pointer(workspace), nullptr, 0));
      },
      21);
  cusparseLtMatmulPlanDestroy(&plan);
  for (cusparseLtMatDescriptor_t* descriptor : {&a, &b, &d}) cusparseLtMatDescriptorDestroy(descriptor);
  return times;
}
#endif

int run(const char* shapes, const char* path) {
  const Context context;
  std::ifstream file(shapes);
  std::ofstream out(path);
  if (!file || !out) throw std::runtime_error(std::string(file ? path : shapes) + ": cannot be opened");
  out << "library,element,m,n,k,time_us_median,time_us_min,time_us_max\n";
  int failures = 0;
  const auto one = [&](const char* library, const Shape& s, const Type& type, auto time) {
    try {
      const Operands operands(s, type);
      const Times t = time(s, type, operands);
      char text[160];
      std::snprintf(text, sizeof text, "%s,%s,%lld,%lld,%lld,%.3f,%.3f,%.3f\n", library, type.name,
                    static_cast<long long>(s.m), static_cast<long long>(s.n), static_cast<long long>(s.k), t.median,
                    t.least, t.greatest);
      out << text << std::flush;
    } catch (const std::exception& error) {
      ++failures;
      std::printf("FAILED %s %s %lld %lld %lld: %s\n", library, type.name, static_cast<long long>(s.m),
                  static_cast<long long>(s.n), static_cast<long long>(s.k), error.what());
    }
  };
  for (Shape s{}; file >> s.m >> s.n >> s.k;) {
    for (const Type& type : kTypes) {
#ifdef STC_CUBLASLT
      one("cublaslt", s, type, time_dense);
#endif
#ifdef STC_CUSPARSELT
      one("cusparselt", s, type, time_sparse);
#endif
    }
  }
  std::printf("library_gemm: done, %d failed\n", failures);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: library_gemm SHAPES OUT.csv\n");
    return 2;
  }
  try {
    return run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "library_gemm: %s\n", error.what());
    return 1;
  }
}
