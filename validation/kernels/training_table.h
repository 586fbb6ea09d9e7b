// SPDX-License-Identifier: Apache-2.0
// The kernels of a training step, one row each: the only list.
//
// STC_TRAINING_GEMM(kept, storage of A, of B, of D, epilogue, tile_m, tile_n, tile_k, warp_m, warp_n, stages,
//                   ctas_per_sm)
//   Storage is named by slow and fast index: A mk or km, B nk or kn, D mn or nm.
// STC_TRAINING_PRUNE(choice of the masks, directions that masks are chosen for: 0 takes those of another matrix)

// Forward, Y = X W^T, and backward, dX = dY W and dW = dY^T X.
STC_TRAINING_GEMM(dense, mk, nk, mn, none, 128, 256, 64, 64, 64, 3, 1)
STC_TRAINING_GEMM(dense, mk, nk, mn, relu2, 128, 256, 64, 64, 64, 3, 1)
STC_TRAINING_GEMM(dense, mk, kn, mn, none, 128, 256, 64, 64, 64, 3, 1)
STC_TRAINING_GEMM(dense, mk, kn, mn, relu2_gradient, 128, 256, 64, 64, 64, 3, 1)
STC_TRAINING_GEMM(dense, km, kn, mn, none, 128, 128, 64, 64, 64, 3, 2)
STC_TRAINING_GEMM(dense, km, kn, mn, parts, 128, 128, 64, 64, 64, 3, 2)
// The same in the tile of the sparse kernels, for few tokens: more CTAs.
STC_TRAINING_GEMM(dense, mk, nk, mn, none, 128, 128, 64, 64, 64, 3, 2)
STC_TRAINING_GEMM(dense, mk, nk, mn, relu2, 128, 128, 64, 64, 64, 3, 2)
STC_TRAINING_GEMM(dense, mk, kn, mn, none, 128, 128, 64, 64, 64, 3, 2)
STC_TRAINING_GEMM(dense, mk, kn, mn, relu2_gradient, 128, 128, 64, 64, 64, 3, 2)
// The same with 2:4 weights: Y^T = W X^T and dX^T = W^T dY^T, D stored transposed.
STC_TRAINING_GEMM(sp24, mk, nk, nm, none, 128, 128, 64, 64, 64, 3, 2)
STC_TRAINING_GEMM(sp24, mk, nk, nm, relu2, 128, 128, 64, 64, 64, 3, 2)
STC_TRAINING_GEMM(sp24, mk, nk, nm, relu2_gradient, 128, 128, 64, 64, 64, 3, 2)
// With 2:4 activations: Y = A W^T, dX = dH W and dW1 = dH^T X, dW2 = dY^T A as (A^T dY)^T.
STC_TRAINING_GEMM(sp24, mk, nk, mn, none, 128, 128, 64, 64, 64, 3, 2)
STC_TRAINING_GEMM(sp24, mk, kn, mn, none, 128, 128, 64, 64, 64, 3, 2)
STC_TRAINING_GEMM(sp24, mk, kn, nm, none, 128, 128, 64, 64, 64, 3, 2)

STC_TRAINING_PRUNE(exact, 2)
STC_TRAINING_PRUNE(greedy, 2)
STC_TRAINING_PRUNE(row, 1)
STC_TRAINING_PRUNE(like, 0)
