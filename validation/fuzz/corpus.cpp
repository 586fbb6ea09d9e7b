// SPDX-License-Identifier: Apache-2.0
#include "validation/fuzz/corpus.h"

#include "sim/base/files.h"

namespace stc::fuzz {
namespace {

constexpr const char* kTinyGpu = R"(base: BASE.yaml
name: tiny
sms: {value: 2, unit: SMs, evidence: "fuzz"}
gpcs: {value: 1, unit: GPCs, evidence: "fuzz"}
memory:
  l2:
    capacity_mib: {value: 0.0625, unit: MiB, evidence: "fuzz"}
    slices_per_partition: {value: 2, unit: slices, evidence: "fuzz"}
  hbm:
    channels: {value: 2, unit: channels, evidence: "fuzz"}
)";

constexpr const char* kStudy = R"(title: small
gpus:
  tiny: {file: tiny_80.yaml, set: {sms: 2}}
shapes:
  drawn: {m: 64, n: 64, k: 128}
  graph: {matrix: matrix.mtx, n: 64}
density: [0.5, 0.1]
kernels: [csr_f32, ell_f16, csr_csr_f32]
options: {values: full, l2: warm, pad: true, seed: 3}
)";

constexpr const char* kSweep = R"(title: small
gpus:
  tiny: {file: tiny_80.yaml, set: {sm.tensor_core.scaled_activation_feed: true}}
  plain: {file: tiny_80.yaml}
shapes:
  square: {m: 64, n: 64, k: 128}
tiles:
  - {tile: [64, 64, 64], warp: [32, 32], stages: 2}
  - {tile: [32, 32, 32], warp: [16, 16], stages: 3}
grid:
  pattern: [2:4, 1:4]
  gpu: [plain]
points:
  - {pattern: "2:8", gpu: tiny, shape: square, type: s8, tile: best}
weights: {distribution: laplace, seed: 3}
options: {l2: warm, pad: true}
)";

constexpr const char* kLayers = R"(title: small
gpus: {tiny: tiny_80.yaml}
type: f16
n: 1
layers:
  one: {h: 8, w: 8, c: 16, k: 64, r: 1, s: 1, stride: 1, pad: 0}
  two: {h: 8, w: 8, c: 8, k: 64, r: 3, s: 3, stride: 2, pad: 1, count: 2, note: "a note"}
options: {l2: warm}
)";

constexpr const char* kTraining = R"(gpu: tiny_80.yaml
workload:
  train_linear: {layers: [[256, 256]], tokens: [64, 128], sparse: weights, masks: exact, weights: normal, seed: 1}
options: {values: addresses}
)";

constexpr const char* kNetwork = R"(title: small
gpus: {tiny: tiny_80.yaml}
batch: [1, 2]
sequence: 16
phase: prefill
layers:
  - {name: embedding, gather: {columns: 64, vocabulary: 100}}
  - repeat: 2
    layers:
      - {name: norm, layer_norm: {columns: 64, residual: true}}
      - {name: rotary, rotary: {heads: 1, head: 64}}
      - {name: attention, attention: {heads: 1, head: 64, causal: true}}
      - {name: out, linear: {inputs: 64, outputs: 64, sparse: false}}
      - {name: gelu, gelu: {columns: 64}}
  - {name: filter, convolution: {h: 4, w: 4, c: 8, k: 64, r: 1, s: 1, stride: 1, pad: 0}}
  - {name: pool, average_pool: {h: 4, w: 4, c: 64}}
  - {name: classes, linear: {inputs: 64, outputs: 10, rows: sequences}}
options: {l2: cold, tiles: 1}
)";

constexpr const char* kGemms = R"(# a comment
kernel,m,n,k,l2,cycles,cycles_elapsed,time_us_median,warp_instructions,tensor_instructions,shared_wavefronts,dram_read_bytes
f16_dense_64x64x64_w32x32_s4,64,64,64,cold,5000,8000,5.2,1200,64,800,16384
f16_sp24_64x64x64_w32x32_s4,64,64,128,warm,5100,8100,5.3,1300,64,900,24576
)";
constexpr const char* kMicro =
    R"(group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,cycles_median,cta_cycles_median,operations_per_warp
mma,micro_mma,micro_mma_m16n8k8_f32_f16_f16_f32_c1,1,2,0,0,out 4,300,300,64
bandwidth,micro_global,micro_ldg_128_cg,2,1,0,4096,out data 16 1,900,800,16
)";
constexpr const char* kLatency = R"(group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,sm,cycles
launch,micro_launch,micro_empty,4,1,0,0,,0,1 2 3
launch,micro_launch,micro_empty,4,1,0,0,,1,4 5 6
)";
constexpr const char* kPublished = R"(metric,op,warps,chains,value,source,table
mma_latency,mma.m16n8k16.f32.f16.f16.f32,1,1,24.7,"a paper, 2022",3
issue_interval,HMMA.16816.F32,,,16,other,1
)";
constexpr const char* kLibrary = R"(m,n,k,gpu,dtype,dense_us,sparse_us,note
128,128,128,A100,f16,10,8,launch bound
64,128,64,A100,f16,10,9,
)";

std::string tiny_gpu(const std::string& base) {
  std::string text = kTinyGpu;
  return text.replace(text.find("BASE"), 4, base);
}

std::string launch(const std::string& sm, const std::string& module, const std::string& kernel,
                   const std::string& buffers, const std::string& args, const std::string& options) {
  return "gpu: tiny_" + sm + ".yaml\nlaunch:\n  module: " + module + "\n  kernel: " + kernel +
         "\n  grid: [2, 1]\n  block: [64]\n  dynamic_shared_bytes: 1024\n  buffers:\n" + buffers + "  args: " + args +
         "\n  save: {out: out.bin}\noptions: " + options + "\n";
}

void add_cubins(Corpus& corpus, const std::string& root) {
  const auto add = [&](const std::string& name, const std::string& file) {
    corpus.files[name] = sim::read_text(root + "/" + file);
  };
  add("misbehave.cubin", "validation/unit/sim/data/misbehave.cubin");
  for (const std::string sm : {"80", "90"}) {
    add("ordinary_" + sm + ".cubin", "validation/unit/sim/data/ordinary_sm_" + sm + ".cubin");
    add("dense_" + sm + ".cubin", "traces/kernels/sm_" + sm + "/f16_dense_64x64x64_w32x32_s4.cubin");
    add("sparse_" + sm + ".cubin", "traces/kernels/sm_" + sm + "/f16_sp24_64x64x64_w32x32_s4.cubin");
  }
}

void add_runs(Corpus& corpus) {
  const std::string in = "    in: {bytes: 4096, fill: {random_f32: {seed: 1, low: -1, high: 1}}}\n";
  const std::string out = "    out: {bytes: 4096, role: output, fill: zero}\n";
  auto& files = corpus.files;
  for (const std::string sm : {"80", "90"}) {
    const std::string ordinary = "ordinary_" + sm + ".cubin";
    files["reduce_" + sm + ".yaml"] = launch(sm, ordinary, "reduce", in + out, "[in, out, {i32: 300}]", "{l2: cold}");
    files["softmax_" + sm + ".yaml"] =
        launch(sm, ordinary, "softmax", in + out, "[in, out, {i32: 16}]", "{values: full}");
    files["histogram_" + sm + ".yaml"] =
        launch(sm, ordinary, "histogram", "    in: {bytes: 512, fill: {random_bits: {seed: 3}}}\n" + out,
               "[in, out, {i32: 128}]", "{check_dependences: true}");
    files["transpose_" + sm + ".yaml"] =
        launch(sm, ordinary, "transpose", in + out, "[in, out, {i32: 32}, {i32: 32}]", "{l2: warm}");
    for (const std::string kind : {"dense", "sparse"}) {
      const bool sparse = kind == "sparse";
      files[kind + "_" + sm + ".yaml"] = launch(
          sm, kind + "_" + sm + ".cubin", sparse ? "f16_sp24_64x64x64_w32x32_s4" : "f16_dense_64x64x64_w32x32_s4",
          "    A: {bytes: 8192, role: weight, fill: {random_f16: {seed: 2}}}\n"
          "    E: {bytes: 2048, role: metadata, fill: {constant: {type: u32, value: 0x44444444}}}\n"
          "    B: {bytes: 8192, role: activation, fill: {integers: {type: f16, low: -2, high: 2}}}\n"
          "    out: {bytes: 16384, role: output}\n",
          sparse ? "[A, E, B, out, {i32: 64}, {i32: 64}, {i32: 64}]" : "[A, B, out, {i32: 64}, {i32: 64}, {i32: 64}]",
          "{tensor_core: steps}");
    }
  }
  files["write_80.yaml"] = launch("80", "misbehave.cubin", "write_at", out, "[out, {i32: 5}]", "{l2: cold}");
  files["barrier_80.yaml"] = launch("80", "misbehave.cubin", "deadlock", out, "[out]", "{l2: cold}");
  files["gemm.yaml"] =
      "gpu: tiny_80.yaml\nworkload:\n"
      "  gemm: {kernel: f16_sp24_64x64x64, m: 64, n: 64, k: 64, seed: 7, input: integers, low: -2, high: 2}\n"
      "  save: {D: d.bin}\noptions: {check: true, compare_dense: true, values: full}\n";
  files["built.yaml"] =
      "gpu: tiny_80.yaml\nworkload:\n"
      "  gemm: {pattern: \"2:8\", type: f16, tile: [32, 32, 64], warp: [16, 16], stages: 2, m: 32, n: 32, k: 128}\n"
      "options: {values: addresses, l2: warm}\n";
}

void add_run_scenarios(Corpus& corpus) {
  for (const auto& [file, contents] : std::map<std::string, std::string>(corpus.files)) {
    if (contents.rfind("gpu: ", 0) != 0) continue;
    const bool library = file == "gemm.yaml" || file == "built.yaml";
    const std::string sm = file.find("90") == std::string::npos ? "80" : "90";
    const std::vector<std::string> arguments = {"run", file, "--set", "options.max_cycles=20000", "--out", "result"};
    corpus.scenarios.push_back({"run file " + file, arguments, {file}, {}});
    corpus.scenarios.push_back({"GPU of " + file, arguments, {"tiny_" + sm + ".yaml"}, {}});
    std::vector<std::string> with_set = arguments;
    with_set.insert(with_set.end(), {"--set", "gpu.sm.tensor_core.dot_product_units=16", "--json", "r.json"});
    corpus.scenarios.push_back({"--set with " + file, with_set, {}, {with_set.size() - 3}});
    if (library) continue;
    const std::size_t begin = contents.find("module: ") + 8;
    const std::string module =
        contents.substr(begin, contents.find('\n') == begin ? 0 : contents.find('\n', begin) - begin);
    for (int weight = 0; weight < 3; ++weight)
      corpus.scenarios.push_back({"cubin of " + file, arguments, {module}, {}});
    corpus.scenarios.push_back({"inspect " + module, {"inspect", module, "--listing", "--json"}, {module}, {}});
  }
  corpus.scenarios.push_back(
      {"GPU base", {"run", "softmax_80.yaml", "--set", "options.max_cycles=20000"}, {"a100.yaml"}, {}});
  corpus.scenarios.push_back({"GPU listed", {"gpu", "tiny_90.yaml"}, {"tiny_90.yaml", "h200.yaml"}, {}});
}

void add_other_scenarios(Corpus& corpus) {
  auto& files = corpus.files;
  files["sweep.yaml"] = kSweep;
  files["baseline.json"] =
      "{\"schema\": \"stcsim.compare/1\", \"provenance\": {\"git\": \"x\"}, \"points\": [{\"id\": \"a\", \"metrics\": "
      "{\"cycles\": {\"error\": 0.1}}}], \"summaries\": [{\"group\": \"mma\", \"metric\": \"cycles\", \"points\": 1, "
      "\"mape\": 0.1}]}\n";
  corpus.scenarios.push_back({"sweep listed", {"explore", "sweep.yaml", "--dry-run"}, {"sweep.yaml"}, {}});
  corpus.scenarios.push_back({"sweep", {"explore", "sweep.yaml", "--jobs", "1", "--out", "swept"}, {"sweep.yaml"}, {}});
  files["study.yaml"] = kStudy;
  files["matrix.mtx"] = "%%MatrixMarket matrix coordinate real general\n4 64 3\n1 2 0.5\n4 64 -1\n2 7 3\n";
  corpus.scenarios.push_back(
      {"study listed", {"crossover", "study.yaml", "--dry-run"}, {"study.yaml", "matrix.mtx"}, {}});
  const std::pair<const char*, const char*> tables[] = {{"gemms.csv", kGemms},
                                                        {"micro.csv", kMicro},
                                                        {"latency.csv", kLatency},
                                                        {"published.csv", kPublished},
                                                        {"library.csv", kLibrary}};
  for (const auto& [name, text] : tables) {
    files[name] = text;
    const std::vector<std::string> arguments = {"compare", name,    "--gpu", "tiny_80.yaml", "--jobs",
                                                "1",       "--out", "table", "--filter",     "group~.*"};
    corpus.scenarios.push_back({std::string("table ") + name, arguments, {name}, {}});
    corpus.scenarios.push_back({std::string("filter of ") + name, arguments, {}, {arguments.size() - 1}});
  }
  corpus.scenarios.push_back({"baseline",
                              {"compare", "micro.csv", "--gpu", "tiny_80.yaml", "--jobs", "1", "--out", "table",
                               "--baseline", "baseline.json"},
                              {"baseline.json"},
                              {}});
  // Four registers of A, four of B, four of C and one of metadata for 32 lanes.
  files["cases.bin"] = std::string(std::size_t{2} * 32 * 13 * 4, '\x3c');
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (8, 16), }\n";
  files["weights.npy"] = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header +
                         std::string(std::size_t{8} * 16 * 4, '\x3d');
  const std::string op = "mma.sp.m16n8k32.f32.f16.f16.f32";
  const std::vector<std::string> batch = {"mma",  "--gpu",     "tiny_80.yaml", "--op", op,
                                          "--in", "cases.bin", "--out",        "d.bin"};
  corpus.scenarios.push_back({"mma batch", batch, {"cases.bin"}, {}});
  corpus.scenarios.push_back({"mma operation", batch, {}, {4}});
  corpus.scenarios.push_back({"mma shown",
                              {"mma", "--gpu", "tiny_80.yaml", "--op", op, "--random", "1", "--selector", "0", "--row",
                               "3", "--col", "2", "--vcd", "wave.vcd"},
                              {},
                              {4, 6, 8, 10, 12}});
  corpus.scenarios.push_back({"mma map", {"mma", "--op", op, "--lane-map", "--json", "-"}, {}, {2}});
  corpus.scenarios.push_back({"mma list", {"mma", "--gpu", "tiny_80.yaml", "--list"}, {"tiny_80.yaml"}, {}});
  corpus.scenarios.push_back({"weights",
                              {"formats", "--weights", "weights.npy", "--json", "f.json", "--patterns", "2:4,1:2"},
                              {"weights.npy"},
                              {}});
  corpus.scenarios.push_back({"formats",
                              {"formats", "--rows", "32", "--columns", "64", "--patterns", "2:4,4:8/2,2:16j", "--type",
                               "s8", "--distribution", "student", "--index-bits", "16", "--csv", "f.csv"},
                              {},
                              {2, 4, 6, 8, 10, 12}});
}

/// What simulates launches of its own choice, and a profiler's report, from which run files are made to be filled in.
void add_studies(Corpus& corpus, const std::string& root) {
  const std::pair<const char*, const char*> studies[] = {
      {"conv", kLayers}, {"train", kTraining}, {"network", kNetwork}};
  for (const auto& [command, text] : studies) {
    const std::string name = command, file = name + ".yaml";
    corpus.files[file] = text;
    const std::vector<std::string> arguments = {name, file, "--jobs", "1", "--json", "r.json", "--html", "r.html"};
    corpus.scenarios.push_back({name, arguments, {file}, {}, false, true});
    std::vector<std::string> with_set = arguments;
    with_set.insert(with_set.end(), {"--set", name == "train" ? "options.values=full" : "options.l2=warm"});
    corpus.scenarios.push_back({"--set with " + name, with_set, {}, {with_set.size() - 1}, false, true});
  }
  corpus.files["profile.ncu-rep"] = sim::read_text(root + "/validation/unit/compare/data/h200_two_kernels.ncu-rep");
  corpus.scenarios.push_back(
      {"report", {"compare", "profile.ncu-rep", "--out", "swept"}, {"profile.ncu-rep"}, {}, true, false});
}

}  // namespace

Corpus make_corpus(const std::string& root) {
  Corpus corpus;
  for (const char* gpu : {"a100", "h200"}) {
    corpus.files[std::string(gpu) + ".yaml"] = sim::read_text(root + "/configs/gpus/" + gpu + ".yaml");
  }
  corpus.files["tiny_80.yaml"] = tiny_gpu("a100");
  corpus.files["tiny_90.yaml"] = tiny_gpu("h200");
  add_cubins(corpus, root);
  add_runs(corpus);
  add_run_scenarios(corpus);
  add_other_scenarios(corpus);
  add_studies(corpus, root);
  return corpus;
}

Format format_of(const std::string& file) {
  const auto ends = [&](const std::string& suffix) {
    return file.size() >= suffix.size() && file.compare(file.size() - suffix.size(), suffix.size(), suffix) == 0;
  };
  return ends(".cubin") || ends(".bin") || ends(".ncu-rep") || ends(".npy") ? Format::kBinary : Format::kText;
}

}  // namespace stc::fuzz
