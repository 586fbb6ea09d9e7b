// SPDX-License-Identifier: Apache-2.0
// Every option of every command changes what the command does, or is refused: none is taken and forgotten.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/files.h"
#include "sim/base/text.h"
#include "sim/launch/run_options.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;
using Line = std::vector<std::string>;

constexpr const char* kA100 = "configs/gpus/a100.yaml";
constexpr const char* kCubin = "validation/unit/sim/data/misbehave.cubin";
constexpr const char* kSparse = "mma.sp.m16n8k32.f32.f16.f16.f32";

Line operator+(Line first, const Line& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class Options : public testing::Test {
 protected:
  Options() {
    const std::string root = std::filesystem::current_path().string();
    folder_.write("sweep.yaml", "gpus:\n  one: {file: " + root + "/" + kA100 +
                                    ", set: {sms: 1}}\nshapes:\n  small: {m: 32, n: 32, k: 64}\ntiles:\n"
                                    "  - {tile: [32, 32, 64], warp: [16, 16], stages: 2}\ngrid: {pattern: [2:4]}\n");
    folder_.write("study.yaml", "gpus:\n  one: {file: " + root + "/" + kA100 +
                                    ", set: {sms: 1}}\nshapes:\n  small: {m: 32, n: 64, k: 64}\n"
                                    "density: [0.2, 0.4]\nkernels: [csr_f32]\n");
    folder_.write("dense.yaml", "gpu: " + root + "/" + kA100 +
                                    "\nworkload:\n  gemm: {kernel: f16_dense_64x64x64, m: 64, n: 64, k: 64}\n");
    folder_.write("micro.csv",
                  "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,cycles_median,cta_cycles_median,"
                  "operations_per_warp\n"
                  "mma,micro_mma,micro_mma_m16n8k8_f32_f16_f16_f32_c1,1,1,0,0,out 4,300,300,64\n"
                  "mma,micro_mma,micro_mma_m16n8k8_f32_f16_f16_f32_c2,1,2,0,0,out 4,300,300,64\n");
    folder_.write("library.csv", "m,n,k,dense_us,sparse_us\n128,128,128,10,8\n");
    folder_.write("cases.bin", std::string(std::size_t{32} * 13 * 4, '\x3c'));
    const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 64), }\n";
    folder_.write("w.npy", std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) +
                               std::string(1, '\0') + header + std::string(std::size_t{4} * 64 * 4, '\x3d'));
  }
  /// Everything that can be seen of a run but how long it took: code, both streams, and the files it left.
  std::string trace(const Line& words) {
    std::map<std::string, std::string> before;
    for (const std::string& name : folder_.files()) before[name] = read_text(folder_.path(name));
    const ProgramResult result = run_stcsim(words);
    std::string all = std::to_string(result.exit_code) + "\n";
    for (const std::string& line : split(result.output + result.error, '\n')) {
      const std::size_t threads = line.find(" with "), figures = line.find(": ");
      all += line.find("simulated in") == std::string::npos ? line : line.substr(threads, figures - threads);
      all += "\n";
    }
    for (const std::string& name : folder_.files()) {
      if (before.count(name) == 0) all += name + "\n";
      if (before.count(name) == 0) std::filesystem::remove(folder_.path(name));
    }
    EXPECT_NE(result.exit_code, 2) << join(words, " ") << "\n" << result.error;
    return all;
  }
  std::string refused(const Line& words) {
    const ProgramResult result = run_stcsim(words);
    EXPECT_EQ(result.exit_code, 2) << join(words, " ");
    return result.error;
  }
  std::string at(const std::string& name) { return folder_.path(name); }
  TemporaryFolder folder_;
};

/// The options that --help lists, without --help itself.
std::set<std::string> listed_options(const std::string& command) {
  std::set<std::string> options;
  for (const std::string& line : split(run_stcsim({command, "--help"}).output, '\n')) {
    const std::size_t begin = line.find("--");
    if (begin == std::string::npos || line.find_first_not_of(' ') != begin || begin > 8) continue;
    options.insert(line.substr(begin, line.find_first_of(" =,", begin) - begin));
  }
  options.erase("--help");
  return options;
}

struct Example {
  Line command, with;    ///< with: the option and its value, added to the command
  bool instead = false;  ///< `with` is the whole command line after the command's name
};

TEST_F(Options, ChangeWhatTheCommandDoes) {  // NOLINT(readability-function-size): a table, one row an option
  const Line run = {"run",   "configs/workloads/gemm_512_integers.yaml",
                    "--set", "gpu.sms=1",
                    "--set", "workload.gemm={kernel: f16_sp24_64x64x64, m: 64, n: 64, k: 64, input: integers}"};
  const auto on_two_sms = [&](const std::string& threads) {
    return Line{"run", run[1], "--set", "gpu.sms=2", "--set", run.back(), "--threads", threads};
  };
  const Line mma = {"mma", "--gpu", kA100, "--op", kSparse};
  const Line formats = {"formats", "--rows", "8", "--columns", "64", "--patterns", "2:4"};
  const Line explore = {"explore", at("sweep.yaml"), "--jobs", "1", "--out", at("swept")};
  const Line crossover = {"crossover", at("study.yaml"), "--jobs", "1", "--out", at("studied")};
  const Line compare = {"compare", at("micro.csv"), "--gpu", kA100,   "--set",
                        "sms=1",   "--jobs",        "1",     "--out", at("cmp")};
  const Line library = {"compare", at("library.csv"), "--gpu", kA100,   "--set",
                        "sms=1",   "--jobs",          "1",     "--out", at("lib")};
  const std::vector<Example> examples = {
      {run, {"--set", "options.l2=warm"}},
      {run, {"--out", at("run")}},
      {run, {"--json", "-"}},
      {on_two_sms("1"), on_two_sms("2"), true},
      {run, {"--schema"}},
      {run, {"--profile", at("p.json")}},
      {run, {"--html", at("r.html")}},
      {{"run", run[1], "--set", run.back()}, {"--keep", at("kept")}},
      {run, {"--dense", at("dense.yaml")}},
      {run, {"--why"}},
      {run, {"--timeline", at("t.json")}},
      {run + Line{"--timeline", "/dev/stdout"}, {"--timeline-window", "0-9"}},
      {on_two_sms("1") + Line{"--timeline", "/dev/stdout"}, {"--timeline-sms", "0-1"}},
      {{"inspect", kCubin}, {"--kernel", "deadlock"}},
      {{"inspect", kCubin}, {"--listing"}},
      {{"inspect", kCubin}, {"--json"}},
      {{"inspect", kCubin}, {"--profile-schema"}},
      {{"gpu", kA100}, {"--set", "sms=3"}},
      {{"gpu", kA100}, {"--json", "-"}},
      {mma, {"--set", "name=another"}},
      {mma, {"--random", "2"}},
      {mma, {"--selector", "1"}},
      {mma, {"--row", "3"}},
      {mma, {"--col", "3"}},
      {mma, {"--lane-map"}},
      {mma, {"--json", "-"}},
      {mma, {"--vcd", at("w.vcd")}},
      {mma, {"--in", at("cases.bin"), "--out", at("d.bin")}},
      {{"mma", "--gpu", kA100, "--list"}, {"mma", "--gpu", "configs/gpus/h200.yaml", "--list"}, true},
      {mma, {"mma", "--gpu", kA100, "--op", "mma.m16n8k16.f32.f16.f16.f32"}, true},
      {formats, {"formats", "--weights", at("w.npy"), "--patterns", "2:4"}, true},
      {formats, {"--distribution", "laplace"}},
      {formats, {"--seed", "2"}},
      {formats, {"formats", "--rows", "16", "--columns", "64", "--patterns", "2:4"}, true},
      {formats, {"formats", "--rows", "8", "--columns", "32", "--patterns", "2:4"}, true},
      {formats, {"formats", "--rows", "8", "--columns", "64", "--patterns", "1:4"}, true},
      {formats, {"--type", "s8"}},
      {formats, {"--index-bits", "16"}},
      {formats, {"--json", "-"}},
      {formats, {"--csv", "-"}},
      {explore, {"--set", "options.l2=warm"}},
      {explore, {"explore", at("sweep.yaml"), "--jobs", "2", "--out", at("swept")}, true},
      {explore, {"explore", at("sweep.yaml"), "--jobs", "1", "--out", at("elsewhere")}, true},
      {explore, {"explore", at("sweep.yaml"), "--dry-run"}, true},
      {crossover, {"--set", "options.l2=warm"}},
      {crossover, {"crossover", at("study.yaml"), "--jobs", "2", "--out", at("studied")}, true},
      {crossover, {"crossover", at("study.yaml"), "--jobs", "1", "--out", at("elsewhere")}, true},
      {crossover, {"crossover", at("study.yaml"), "--dry-run"}, true},
      {compare, {"--set", "sm.tensor_core.cycles_per_step=2"}},
      {compare, {"--filter", "warps=2"}},
      {compare, {"compare", at("micro.csv"), "--gpu", "configs/gpus/h200.yaml", "--out", at("cmp")}, true},
      {compare, {"compare", at("micro.csv"), "--gpu", kA100, "--set", "sms=1", "--out", at("other")}, true},
      {library, {"--tiles", "1"}},
  };
  std::map<std::string, std::set<std::string>> tried;
  for (const Example& example : examples) {
    const Line changed = example.instead ? example.with : example.command + example.with;
    EXPECT_NE(trace(example.command), trace(changed)) << join(changed, " ");
    for (const std::string& word : example.command + changed) {
      if (word.rfind("--", 0) == 0) tried[changed[0]].insert(word);
    }
  }
  tried["inspect"].insert("--profile");   // ProfileProgram.InspectShowsAListing
  tried["explore"].insert("--fresh");     // Resume.FreshForgets
  tried["crossover"].insert("--fresh");   // CrossoverRun.KnownPointsAreNotRunAgain
  tried["compare"].insert("--baseline");  // CompareProgram.BaselineIsReadBeforeAnythingRuns
  for (const char* command : {"run", "inspect", "gpu", "mma", "formats", "explore", "crossover", "compare"}) {
    EXPECT_EQ(tried[command], listed_options(command)) << command;
  }
}

TEST_F(Options, OfRunFilesChangeWhatTheRunDoes) {
  const std::string gemm = "workload.gemm={kernel: f16_sp24_64x64x64, m: 64, n: 64, k: 64, input: integers}";
  const auto run = [&](const std::string& options, const std::string& more = "gpu.sms=1") {
    return trace({"run", "configs/workloads/gemm_512_integers.yaml", "--set", gemm, "--set", more, "--set",
                  "options={" + options + "}", "--out", at("o")});
  };
  const auto hash_of_d = [&](const std::string& values) {
    const ProgramResult result = run_stcsim({"run", "configs/workloads/gemm_512_integers.yaml", "--set", gemm, "--set",
                                             "gpu.sms=1", "--set", "options={values: " + values + "}", "--json", "-"});
    return nlohmann::json::parse(result.output).at("buffers").at("D").at("hash");
  };
  const std::string usual = run("");
  std::set<std::string> tried;
  for (const auto& [key, value] : std::map<std::string, std::string>{
           {"l2", "warm"}, {"check", "true"}, {"compare_dense", "true"}, {"poison", "true"}, {"ideal", "[dram]"}}) {
    std::string text = key;
    text += ": " + value;
    EXPECT_NE(run(text), usual) << text;
    tried.insert(key);
  }
  EXPECT_TRUE(hash_of_d("full").is_string());
  EXPECT_TRUE(hash_of_d("addresses").is_null());
  EXPECT_THAT(run("max_cycles: 100"), HasSubstr("100"));
  tried.insert({"values", "max_cycles"});
  tried.insert("tensor_core");                         // Machine.StepsAndScheduleAgree: equal results
  tried.insert({"check_dependences", "idle_cycles"});  // BadInput
  tried.insert("sampling");                            // Sampled.IsAsLongAsTheWholeRunWithinItsEstimate
  tried.insert({"malloc_heap_bytes", "stack_bytes"});  // DriverFunctions
  std::set<std::string> known;
  for (const RunOption& option : run_options()) known.insert(option.key);
  EXPECT_EQ(tried, known);
}

TEST_F(Options, WithoutEffectAreRefused) {
  const auto set = [](const std::string& option) {
    return Line{"run", "configs/workloads/gemm_512_integers.yaml", "--set", option};
  };
  EXPECT_THAT(refused({"mma", "--op", kSparse, "--lane-map", "--set", "sms=1"}),
              HasSubstr("--set: replaces parameters"));
  EXPECT_THAT(refused({"explore", at("sweep.yaml"), "--dry-run", "--out", at("o")}),
              HasSubstr("--out: has no meaning together with --dry-run"));
  EXPECT_THAT(refused({"explore", at("sweep.yaml"), "--dry-run", "--fresh"}), HasSubstr("--fresh: has no meaning"));
  EXPECT_THAT(refused({"compare", at("micro.csv"), "--gpu", kA100, "--tiles", "3", "--out", at("o")}),
              HasSubstr("--tiles: is for timings of libraries"));
  EXPECT_THAT(refused(set("options={values: addresses, tensor_core: steps}")),
              HasSubstr("options.tensor_core needs 'values: full', but the values are 'addresses'"));
  EXPECT_THAT(refused(set("options={values: addresses}") + Line{"--set", "workload.save={D: d.bin}"}),
              HasSubstr("options.values is 'addresses', which computes no matrix results"));
}

}  // namespace
}  // namespace stc::sim
