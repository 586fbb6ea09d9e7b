// SPDX-License-Identifier: Apache-2.0
// Checks the compiled kernels of a training step on a GPU against training_reference.h, or launches them once at the
// sizes that are measured.
//
//   nvcc -std=c++17 -O2 -arch=native -I. validation/kernels/training_check.cu -o training_check
//   ./training_check traces/kernels          exit code 1 when any result is wrong
//   ./training_check traces/kernels time     a line for each launch; a profiler counts
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "sim/training/cut_tiles.h"
#include "validation/kernels/gemm_operands.h"
#include "validation/kernels/training_reference.h"
#include "validation/kernels/training_tile.h"

namespace {

using namespace stc::kernels;

void check(cudaError_t error, const std::string& what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "training_check: %s: %s\n", what.c_str(), cudaGetErrorString(error));
  std::exit(2);
}

/// Device memory; filled with 0xff, so that what a kernel leaves out shows as NaN.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : bytes_(bytes) {
    check(cudaMalloc(&data_, bytes), "cudaMalloc");
    check(cudaMemset(data_, 0xff, bytes), "cudaMemset");
  }
  template <class T>
  explicit Buffer(const std::vector<T>& from) : Buffer(from.size() * sizeof(T)) {
    check(cudaMemcpy(data_, from.data(), bytes_, cudaMemcpyDefault), "cudaMemcpy");
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  template <class T>
  std::vector<T> read() const {
    std::vector<T> out(bytes_ / sizeof(T));
    check(cudaMemcpy(out.data(), data_, bytes_, cudaMemcpyDefault), "reading back");
    return out;
  }
  void* data_ = nullptr;

 private:
  std::size_t bytes_;
};

class CompiledKernel {
 public:
  CompiledKernel(const std::string& folder, const std::string& name) : name_(name) {
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0), "device");
    const std::string file = folder + (device.major == 8 ? "/sm_80/" : "/sm_90/") + name + ".cubin";
    check(cudaLibraryLoadFromFile(&library_, file.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), file);
    check(cudaLibraryGetKernel(&kernel_, library_, name.c_str()), name);
  }
  ~CompiledKernel() { cudaLibraryUnload(library_); }
  CompiledKernel(const CompiledKernel&) = delete;
  CompiledKernel& operator=(const CompiledKernel&) = delete;

  void launch(unsigned ctas, unsigned threads, int shared, std::vector<void*> arguments) const {
    if (shared > 0) {
      check(cudaKernelSetAttributeForDevice(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, shared, 0), name_);
    }
    check(cudaLaunchKernel(kernel_, dim3(ctas), dim3(threads), arguments.data(), shared, nullptr), name_);
    check(cudaDeviceSynchronize(), name_);
  }

 private:
  std::string name_;
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
};

std::vector<__half> halves(const Matrix& from) {
  std::vector<__half> out;
  for (const float v : from.values) out.push_back(__float2half(v));
  return out;
}
float rounded(float v) { return __half2float(__float2half(v)); }

Matrix small_integers(int rows, int columns, unsigned seed) {
  std::mt19937 random(seed);
  Matrix out(rows, columns);
  for (float& v : out.values) v = static_cast<float>(static_cast<int>(random() % 7) - 3);
  return out;
}
Matrix normal(int rows, int columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> draw;
  Matrix out(rows, columns);
  for (float& v : out.values) v = rounded(draw(random));
  return out;
}

/// Pruned by rows, beside what the kernels expect of it.
struct Compressed {
  Matrix values;  ///< [m][k / 2]
  std::vector<std::uint32_t> metadata;
};
Compressed compressed(const Matrix& a, const std::vector<BlockMask>& masks) {
  Compressed out{Matrix(a.rows, a.columns / 2), std::vector<std::uint32_t>(a.values.size() / 32)};
  for (int row = 0; row < a.rows; ++row) {
    for (int group = 0; group < a.columns / 4; ++group) {
      const BlockMask kept = masks[static_cast<std::size_t>(row / 4 * (a.columns / 4) + group)] >> row % 4 * 4 & 15U;
      unsigned position[2] = {}, count = 0;
      for (unsigned i = 0; i < 4; ++i) {
        if ((kept >> i & 1U) != 0) position[count++] = i;
      }
      const bool first_is_zero = count == 1 && position[0] == 3;
      if (count == 1) position[first_is_zero ? 0 : 1] = first_is_zero ? 0 : 3, position[1] = 3;
      for (int i = 0; i < 2; ++i) {
        const bool filler = count == 1 && i == (first_is_zero ? 0 : 1);
        out.values.at(row, group * 2 + i) =
            filler ? 0.0F : a.at(row, group * 4 + static_cast<int>(position[static_cast<std::size_t>(i)]));
      }
      const int k = group * 4, lane = row % 8 * 4 + k % 64 / 16;
      const auto word = static_cast<std::size_t>((k / 64 * (a.rows / 16) + row / 16) * 32 + lane);
      out.metadata[word] |= metadata_nibble(Element::f16, position[0], position[1]) << (row % 16 / 8 * 16 + k % 16);
    }
  }
  return out;
}

using Chooser = BlockMask (*)(const float (&)[16]);
std::vector<BlockMask> masks_of(const Matrix& w, Chooser choose) {
  std::vector<BlockMask> masks;
  for (int top = 0; top < w.rows; top += 4) {
    for (int left = 0; left < w.columns; left += 4) {
      float block[16];
      for (int i = 0; i < 16; ++i) block[i] = w.at(top + i / 4, left + i % 4);
      masks.push_back(choose(block));
    }
  }
  return masks;
}
std::vector<BlockMask> turned(const std::vector<BlockMask>& masks, int columns) {
  const int across = columns / 4, down = static_cast<int>(masks.size()) / across;
  std::vector<BlockMask> out;
  for (int b = 0; b < across * down; ++b) {
    const BlockMask mask = masks[static_cast<std::size_t>(b % down * across + b / down)];
    BlockMask turned = 0;
    for (int i = 0; i < 16; ++i) turned |= (mask >> i & 1U) << (i % 4 * 4 + i / 4);
    out.push_back(turned);
  }
  return out;
}

bool same_halves(const std::vector<__half>& got, const Matrix& want) {
  if (got.size() != want.values.size()) return false;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(__half2float(got[i]) == want.values[i])) return false;
  }
  return true;
}

int verdict(const std::string& name, bool right, const char* what) {
  std::printf("%s,%s,%s\n", name.c_str(), what, right ? "right" : "WRONG");
  return right ? 0 : 1;
}

// ---- GEMMs ----

struct GemmRow {
  std::string name, a, b, d, epilogue;
  bool sparse;
  int tile_m, tile_n, tile_k, threads, shared_bytes, ctas_per_sm;
  int tiles(int m, int n) const { return (m + tile_m - 1) / tile_m * ((n + tile_n - 1) / tile_n); }
};

template <class Tile>
GemmRow gemm_row(const char* kept, const char* a, const char* b, const char* d, const std::string& epilogue,
                 const char* tile, int ctas_per_sm) {
  const std::string name = std::string("train_") + kept + "_" + a + "_" + b + "_" + d;
  return {name + (epilogue == "none" ? "" : "_" + epilogue) + "_" + tile,
          a,
          b,
          d,
          epilogue,
          Tile::kSparse,
          Tile::kTileM,
          Tile::kTileN,
          Tile::kTileK,
          Tile::kThreads,
          Tile::kSharedBytes,
          ctas_per_sm};
}

const GemmRow kGemms[] = {
#define STC_TRAINING_GEMM(KEPT, A, B, D, EPILOGUE, M, N, K, WARP_M, WARP_N, STAGES, CTAS)                     \
  gemm_row<GemmTile<Element::f16, Kept::KEPT, M, N, K, WARP_M, WARP_N, STAGES>>(#KEPT, #A, #B, #D, #EPILOGUE, \
                                                                                #M "x" #N "x" #K "_s" #STAGES, CTAS),
#define STC_TRAINING_PRUNE(CHOICE, FORM)
#include "validation/kernels/training_table.h"
#undef STC_TRAINING_GEMM
#undef STC_TRAINING_PRUNE
};

struct Sizes {
  int m, n, k;
};

/// `tokens` where this kernel has them and takes any number, else a multiple of its tile.
Sizes sizes_of(const GemmRow& row, int tokens, Sizes features) {
  Sizes s = features;
  if (!row.sparse) (row.a == "mk" ? s.m : s.k) = tokens;
  if (row.sparse && row.b == "nk" && row.d == "nm") s.n = tokens;
  return s;
}

using stc::sim::CutTiles;

/// What the CTAs that share a tile need beside the operands.
struct PartBuffers {
  Buffer sums, arrived;
  PartBuffers(const GemmRow& row, CutTiles cut, int tiles)
      : sums(std::size_t(tiles - cut.whole) * cut.parts * row.tile_m * row.tile_n * 4 + 16),
        arrived(std::vector<std::uint32_t>(tiles - cut.whole + 1, 0)) {}
};

void launch_parts(const CompiledKernel& kernel, const GemmRow& row, Sizes s, void* a, void* b, void* d, CutTiles cut,
                  PartBuffers& parts) {
  std::vector<void*> arguments{&a,   &b,   &d,   &parts.sums.data_, &parts.arrived.data_,
                               &s.m, &s.n, &s.k, &cut.whole,        &cut.parts};
  kernel.launch(static_cast<unsigned>(cut.ctas(row.tiles(s.m, s.n))), static_cast<unsigned>(row.threads),
                row.shared_bytes, arguments);
}

void launch_gemm(const CompiledKernel& kernel, const GemmRow& row, Sizes s, void* a, void* e, void* b, void* d,
                 void* p) {
  std::vector<void*> arguments{&a};
  if (row.sparse) arguments.push_back(&e);
  arguments.insert(arguments.end(), {&b, &d});
  if (row.epilogue != "none") arguments.push_back(&p);
  arguments.insert(arguments.end(), {&s.m, &s.n, &s.k});
  kernel.launch(static_cast<unsigned>(row.tiles(s.m, s.n)), static_cast<unsigned>(row.threads), row.shared_bytes,
                arguments);
}

int check_gemm(const std::string& folder, const GemmRow& row, Sizes s) {
  Matrix a = small_integers(s.m, s.k, 1);
  const Matrix b = small_integers(s.n, s.k, 2);
  const std::vector<BlockMask> masks = row.sparse ? masks_of(a, row_reference) : std::vector<BlockMask>();
  for (std::size_t i = 0; row.sparse && i < a.values.size(); ++i) {
    const auto r = static_cast<int>(i) / s.k, c = static_cast<int>(i) % s.k;
    const BlockMask mask = masks[static_cast<std::size_t>(r / 4 * (s.k / 4) + c / 4)];
    if ((mask >> (r % 4 * 4 + c % 4) & 1U) == 0) a.values[i] = 0;
  }
  const bool turned_d = row.d == "nm";
  Matrix want = turned_d ? product(a, b).transposed() : product(a, b), other = normal(want.rows, want.columns, 3);
  for (float& v : want.values) v = rounded(v);
  Matrix want_p = other;
  for (std::size_t i = 0; i < want.values.size(); ++i) {
    const float h = row.epilogue == "relu2" ? want.values[i] : other.values[i], r = std::max(h, 0.0F);
    if (row.epilogue == "relu2") want_p.values[i] = rounded(r * r);
    if (row.epilogue == "relu2_gradient") want.values[i] = rounded(want.values[i] * (2 * r));
  }
  const Compressed stored = row.sparse ? compressed(a, masks) : Compressed{Matrix(1, 1), {0}};
  const Buffer a_buffer(halves(row.sparse ? stored.values : row.a == "km" ? a.transposed() : a)), e(stored.metadata);
  const Buffer b_buffer(halves(row.b == "kn" ? b.transposed() : b)), d(want.values.size() * 2), p(halves(other));
  const CompiledKernel kernel(folder, row.name);
  if (row.epilogue == "parts") {
    const CutTiles cut{row.tiles(s.m, s.n) / 2, 3};
    PartBuffers parts(row, cut, row.tiles(s.m, s.n));
    launch_parts(kernel, row, s, a_buffer.data_, b_buffer.data_, d.data_, cut, parts);
    for (const std::uint32_t left : parts.arrived.read<std::uint32_t>()) {
      if (left != 0) return verdict(row.name, false, "counters");
    }
  } else {
    launch_gemm(kernel, row, s, a_buffer.data_, e.data_, b_buffer.data_, d.data_, p.data_);
  }
  const std::string what = std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k);
  const bool right = same_halves(d.read<__half>(), want) && same_halves(p.read<__half>(), want_p);
  return verdict(row.name, right, what.c_str());
}

// ---- pruning ----

struct PruneOutputs {
  Buffer a, e, at, et, masks;
  PruneOutputs(std::size_t elements)
      : a(elements), e(elements / 8), at(elements), et(elements / 8), masks(elements / 8) {}
};

void launch_prune(const std::string& folder, const std::string& choice, const Buffer& w, PruneOutputs& out, int rows,
                  int columns) {
  void *pw = w.data_, *a = out.a.data_, *e = out.e.data_, *at = out.at.data_, *et = out.et.data_, *m = out.masks.data_;
  std::vector<void*> arguments{&pw, &a, &e, &at, &et, &m};
  if (choice == "row") arguments = {&pw, &a, &e};
  if (choice == "like") arguments = {&pw, &m, &a, &at};
  arguments.insert(arguments.end(), {&rows, &columns});
  const CompiledKernel kernel(folder, "train_prune_" + choice);
  kernel.launch(static_cast<unsigned>(rows / kPruneRows * (columns / kPruneColumns)), kPruneThreads, 0, arguments);
}

bool same_compressed(const Buffer& a, const Buffer& e, const Compressed& want) {
  return same_halves(a.read<__half>(), want.values) && e.read<std::uint32_t>() == want.metadata;
}

/// The masks as the kernels leave them: 64 bits for 8x8 elements.
std::vector<BlockMask> read_masks(const Buffer& buffer, int rows, int columns) {
  const std::vector<std::uint16_t> words = buffer.read<std::uint16_t>();
  std::vector<BlockMask> masks;
  for (int r = 0; r < rows / 4; ++r) {
    for (int c = 0; c < columns / 4; ++c) {
      masks.push_back(words[static_cast<std::size_t>((r / 2 * (columns / 8) + c / 2) * 4 + r % 2 * 2 + c % 2)]);
    }
  }
  return masks;
}

int check_prune(const std::string& folder, const std::string& choice, const Matrix& w) {
  PruneOutputs out(w.values.size());
  launch_prune(folder, choice, Buffer(halves(w)), out, w.rows, w.columns);
  if (choice == "row") {
    return verdict("train_prune_row", same_compressed(out.a, out.e, compressed(w, masks_of(w, row_reference))), "rows");
  }
  const std::vector<BlockMask> masks = read_masks(out.masks, w.rows, w.columns);
  bool right = true;
  double kept = 0, best = 0;
  for (std::size_t b = 0; b < masks.size(); ++b) {
    const int top = static_cast<int>(b) / (w.columns / 4) * 4, left = static_cast<int>(b) % (w.columns / 4) * 4;
    float block[16];
    for (int i = 0; i < 16; ++i) block[i] = w.at(top + i / 4, left + i % 4);
    const double here = kept_magnitude(block, masks[b]), most = best_magnitude(block);
    kept += here;
    best += most;
    if (choice == "greedy") right &= masks[b] == greedy_reference(block);
    // The kernel adds in f32, so masks that differ by less than its rounding count as equal.
    if (choice == "exact") right &= is_transposable(masks[b]) && here >= most * (1 - 1e-6);
  }
  int wrong = verdict("train_prune_" + choice, right, "masks");
  std::printf("train_prune_%s,share of the best magnitude,%.5f\n", choice.c_str(), kept / best);
  const std::vector<BlockMask> turned_masks = turned(masks, w.columns);
  wrong += verdict("train_prune_" + choice, same_compressed(out.a, out.e, compressed(w, masks)), "rows");
  wrong += verdict("train_prune_" + choice, same_compressed(out.at, out.et, compressed(w.transposed(), turned_masks)),
                   "columns");
  // The same masks for another matrix.
  const Matrix other = normal(w.rows, w.columns, 17);
  launch_prune(folder, "like", Buffer(halves(other)), out, w.rows, w.columns);
  wrong += verdict("train_prune_like", same_compressed(out.a, out.e, compressed(other, masks)), "rows");
  wrong += verdict("train_prune_like", same_compressed(out.at, out.et, compressed(other.transposed(), turned_masks)),
                   "columns");
  return wrong;
}

// ---- launches to be measured ----

/// Launches kernels at given sizes and prints a line for each. What the matrices hold does not matter.
class Timing {
 public:
  explicit Timing(const std::string& folder) : folder_(folder) {
    const std::vector<__half> some = halves(normal(1024, 1024, 5));
    for (const Buffer* buffer : {&a_, &b_, &p_}) {
      for (std::size_t i = 0; i < kElements; i += some.size()) {
        char* to = static_cast<char*>(buffer->data_) + i * 2;
        check(cudaMemcpy(to, some.data(), some.size() * 2, cudaMemcpyDefault), "filling");
      }
    }
    check(cudaMemset(e_.data_, 0x44, kElements / 8), "metadata");
    std::printf("step,kernel,m,n,k\n");
  }

  void gemm(const char* step, const std::string& name, Sizes s) {
    for (const GemmRow& row : kGemms) {
      if (row.name != name) continue;
      launch(CompiledKernel(folder_, name), row, s);
      std::printf("%s,%s,%d,%d,%d\n", step, name.c_str(), s.m, s.n, s.k);
      return;
    }
    std::fprintf(stderr, "training_check: no kernel %s\n", name.c_str());
    std::exit(2);
  }
  void prune(const char* step, const char* choice, int rows, int columns) {
    launch_prune(folder_, choice, a_, outputs_, rows, columns);
    std::printf("%s,train_prune_%s,%d,%d,0\n", step, choice, rows, columns);
  }

 private:
  /// Those with parts cut what does not fill this GPU.
  void launch(const CompiledKernel& kernel, const GemmRow& row, Sizes s) {
    if (row.epilogue != "parts") {
      return launch_gemm(kernel, row, s, a_.data_, e_.data_, b_.data_, d_.data_, p_.data_);
    }
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0), "device");
    const int tiles = row.tiles(s.m, s.n), steps = (s.k + row.tile_k - 1) / row.tile_k;
    const CutTiles cut = stc::sim::cut_tiles(tiles, steps, device.multiProcessorCount, row.ctas_per_sm);
    PartBuffers parts(row, cut, tiles);
    launch_parts(kernel, row, s, a_.data_, b_.data_, d_.data_, cut, parts);
  }

  static constexpr std::size_t kElements = std::size_t{8192} * 24576;
  std::string folder_;
  Buffer a_{kElements * 2}, b_{kElements * 2}, p_{kElements * 2}, d_{kElements * 2}, e_{kElements / 8};
  PruneOutputs outputs_{kElements};
};

const char *const kLarge = "_128x256x64_s3", *const kSmall = "_128x128x64_s3";

/// The launches of a linear layer's step, dense and with 2:4 weights. A tile of the dense ones is given.
void time_linear(Timing& timing, int tokens, int inputs, int outputs, const std::string& tile) {
  timing.gemm("linear dense forward", "train_dense_mk_nk_mn" + tile, {tokens, outputs, inputs});
  timing.gemm("linear dense dX", "train_dense_mk_kn_mn" + tile, {tokens, inputs, outputs});
  timing.gemm("linear dW", std::string("train_dense_km_kn_mn") + kSmall, {outputs, inputs, tokens});
  timing.gemm("linear dW parts", std::string("train_dense_km_kn_mn_parts") + kSmall, {outputs, inputs, tokens});
  timing.gemm("linear 2:4 forward", std::string("train_sp24_mk_nk_nm") + kSmall, {outputs, tokens, inputs});
  timing.gemm("linear 2:4 dX", std::string("train_sp24_mk_nk_nm") + kSmall, {inputs, tokens, outputs});
  for (const char* choice : {"exact", "greedy", "row", "like"}) timing.prune("linear prune", choice, outputs, inputs);
}

/// Those of an MLP, dense, with 2:4 weights and with 2:4 activations.
void time_mlp(Timing& timing, int tokens, int inputs, int hidden) {
  const std::string dense = "train_dense_", sparse = "train_sp24_", large = kLarge, small = kSmall;
  timing.gemm("mlp dense H", dense + "mk_nk_mn_relu2" + large, {tokens, hidden, inputs});
  timing.gemm("mlp dense Y", dense + "mk_nk_mn" + large, {tokens, inputs, hidden});
  timing.gemm("mlp dW2", dense + "km_kn_mn" + small, {inputs, hidden, tokens});
  timing.gemm("mlp dense dH", dense + "mk_kn_mn_relu2_gradient" + large, {tokens, hidden, inputs});
  timing.gemm("mlp dW1", dense + "km_kn_mn" + small, {hidden, inputs, tokens});
  timing.gemm("mlp dense dX", dense + "mk_kn_mn" + large, {tokens, inputs, hidden});
  timing.prune("mlp weights prune W1", "exact", hidden, inputs);
  timing.prune("mlp weights prune W2", "exact", inputs, hidden);
  timing.gemm("mlp weights H", sparse + "mk_nk_nm_relu2" + small, {hidden, tokens, inputs});
  timing.gemm("mlp weights Y", sparse + "mk_nk_nm" + small, {inputs, tokens, hidden});
  timing.gemm("mlp weights dH", sparse + "mk_nk_nm_relu2_gradient" + small, {hidden, tokens, inputs});
  timing.gemm("mlp weights dX", sparse + "mk_nk_nm" + small, {inputs, tokens, hidden});
  timing.prune("mlp activations prune A", "exact", tokens, hidden);
  timing.gemm("mlp activations Y", sparse + "mk_nk_mn" + small, {tokens, inputs, hidden});
  timing.gemm("mlp activations dW2", sparse + "mk_kn_nm" + small, {hidden, inputs, tokens});
  timing.prune("mlp activations prune dH", "like", tokens, hidden);
  timing.gemm("mlp activations dW1", sparse + "mk_kn_mn" + small, {hidden, inputs, tokens});
  timing.gemm("mlp activations dX", sparse + "mk_kn_mn" + small, {tokens, inputs, hidden});
}

void time_all(const std::string& folder) {
  Timing timing(folder);
  time_linear(timing, 13008, 1024, 4096, kLarge);
  timing.gemm("parts", std::string("train_dense_km_kn_mn") + kSmall, {1024, 5120, 13008});
  timing.gemm("parts", std::string("train_dense_km_kn_mn_parts") + kSmall, {1024, 5120, 13008});
  time_linear(timing, 13008, 4096, 1024, kLarge);
  time_linear(timing, 2048, 1024, 2048, kSmall);
  time_linear(timing, 512, 1024, 1024, kSmall);
  // Those of which others have published times on an A100.
  time_mlp(timing, 44160, 1024, 4096);
  time_mlp(timing, 16384, 2048, 6144);
  time_mlp(timing, 2048, 5120, 15360);
  for (const int tokens : {1024, 2048, 4096}) time_mlp(timing, tokens, 8192, 24576);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || (argc == 3 && std::string(argv[2]) != "time")) {
    std::fprintf(stderr, "usage: training_check traces/kernels [time]\n");
    return 2;
  }
  if (argc == 3) {
    time_all(argv[1]);
    return 0;
  }
  int wrong = 0;
  std::printf("kernel,what,verdict\n");
  for (const GemmRow& row : kGemms) {
    wrong += check_gemm(argv[1], row, sizes_of(row, 256, {256, 512, 256}));
    wrong += check_gemm(argv[1], row, sizes_of(row, 333, {512, 256, 192}));
    wrong += check_gemm(argv[1], row, sizes_of(row, 1, {256, 256, 64}));
  }
  for (const char* choice : {"exact", "greedy", "row"}) {
    wrong += check_prune(argv[1], choice, normal(320, 384, 11));
    wrong += check_prune(argv[1], choice, small_integers(128, 256, 12));
  }
  std::fprintf(stderr, "training_check: %d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
