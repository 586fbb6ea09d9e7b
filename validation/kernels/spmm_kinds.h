// SPDX-License-Identifier: Apache-2.0
// Kinds of kernels of the family spmm as numbers, which the preprocessor can compare.
#pragma once

#define STC_SPMM_csr 1
#define STC_SPMM_ell 2
#define STC_SPMM_coo 3
#define STC_SPMM_csr_csr 4
#define STC_SPMM_csc 5
#define STC_SPMM_sgemm 6
#define STC_SPMM_bitmap 7

#define STC_SPMM_JOIN(a, b) a##b
#define STC_SPMM_OF(kind) STC_SPMM_JOIN(STC_SPMM_, kind)
