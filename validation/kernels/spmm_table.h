// SPDX-License-Identifier: Apache-2.0
// The kernels of the family spmm: STC_SPMM(format, element, suffix of the name, tile_m, tile_n, threads, dynamic shared
// bytes, CTAs per SM, arguments). tile_m: rows of D that a CTA computes (coo: entries that it takes); tile_n: columns.
// CTAs per SM bounds the registers. csr_csr needs 4 n bytes of shared memory, which stand here as 0.
STC_SPMM(csr, f32, 64, 4, 64, 32, 0, 20, "order/offsets/indices/values/B/D/m/n")
STC_SPMM(csr, f32, 32, 8, 32, 32, 0, 16, "order/offsets/indices/values/B/D/m/n")
STC_SPMM(csr, f16, 64, 4, 64, 32, 0, 24, "order/offsets/indices/values/B/D/m/n")
STC_SPMM(csr, f16, 32, 8, 32, 32, 0, 20, "order/offsets/indices/values/B/D/m/n")
STC_SPMM(csr, f16, 16, 16, 16, 32, 0, 16, "order/offsets/indices/values/B/D/m/n")
STC_SPMM(ell, f32, 64, 4, 64, 32, 0, 20, "indices/values/B/D/m/n/width")
STC_SPMM(ell, f16, 64, 4, 64, 32, 0, 24, "indices/values/B/D/m/n/width")
STC_SPMM(coo, f32, 128, 1024, 128, 128, 0, 4, "rows/indices/values/B/D/entries/n")
STC_SPMM(coo, f32, 64, 1024, 64, 128, 0, 4, "rows/indices/values/B/D/entries/n")
STC_SPMM(csr_csr, f32, row, 1, 0, 32, 0, 16, "order/offsetsA/indicesA/valuesA/offsetsB/indicesB/valuesB/D/n")
STC_SPMM(csc, f32, 128x64, 128, 64, 256, 35840, 2, "A/offsets/indices/values/D/m/n/k")
STC_SPMM(sgemm, f32, 128x128, 128, 128, 256, 55296, 2, "A/B/D/n/k")
STC_SPMM(sgemm, f32, 128x64, 128, 64, 128, 43008, 3, "A/B/D/n/k")
STC_SPMM(sgemm, f32, 64x64, 64, 64, 64, 27648, 5, "A/B/D/n/k")
STC_SPMM(bitmap, f16, 128x16, 128, 16, 128, 58368, 2, "offsets/bitmaps/values/B/D/m/n/k")
STC_SPMM(bitmap, f16, 128x64, 128, 64, 128, 76800, 2, "offsets/bitmaps/values/B/D/m/n/k")
STC_SPMM(bitmap, f16, 128x128, 128, 128, 256, 67584, 2, "offsets/bitmaps/values/B/D/m/n/k")
