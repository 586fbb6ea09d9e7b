// SPDX-License-Identifier: Apache-2.0
// A study of seconds that the tests change line by line.
#pragma once

#include <string>

namespace stc::sim {

/// One shape, two densities, kernels of every format, on a GPU of four SMs. Paths are those of the source tree, in
/// which tests run.
inline std::string small_study(const std::string& source_folder) {
  return "title: small\n"
         "gpus:\n"
         "  four: {file: " +
         source_folder +
         "/configs/gpus/a100.yaml, set: {sms: 4}}\n"
         "shapes:\n"
         "  square: {m: 128, n: 128, k: 128}\n"
         "density: [0.5, 0.1]\n"
         "kernels: [dense_f32, csr_f32, ell_f32, coo_f32, csc_f32, csr_csr_f32, dense_f16, sp24_f16, csr_f16, ell_f16, "
         "bitmap_f16]\n"
         "gemm_tiles: [64x64x64_w32x32_s4]\n"
         "options: {values: full, l2: cold}\n";
}

}  // namespace stc::sim
