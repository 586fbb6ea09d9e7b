// SPDX-License-Identifier: Apache-2.0
// stc_fuzz: damaged inputs through the program; README.md says how and what counts as a failure.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "sim/base/command_line.h"
#include "validation/fuzz/trial.h"

/// Under sanitizers memory that nobody can have is refused as elsewhere, and a finding is an exit code of its own.
extern "C" const char* __asan_default_options();   // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __asan_default_options() {  // NOLINT(bugprone-reserved-identifier)
  return "allocator_may_return_null=1:max_allocation_size_mb=1024:detect_leaks=0:exitcode=99";
}

namespace stc::fuzz {
namespace {

struct Options {
  std::uint64_t inputs = 1000, first = 0, seed = 1;
  unsigned jobs = 1;
  double seconds = 0;  ///< 0: no limit
  std::string root = STC_SOURCE_FOLDER, keep;
};

/// Makes a folder with the files of the corpus; removes it at the end.
class WorkingFolder {
 public:
  explicit WorkingFolder(const Corpus& corpus)
      : path_((std::filesystem::temp_directory_path() / fmt::format("stc_fuzz_{}", ::getpid())).string()) {
    std::filesystem::create_directories(path_);
    for (const auto& [name, text] : corpus.files) std::ofstream(path_ + "/" + name, std::ios::binary) << text;
  }
  ~WorkingFolder() { std::filesystem::remove_all(path_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void report(const Options& options, std::uint64_t index, const Trial& trial, const Verdict& verdict) {
  fmt::print("input {} of seed {}: {}: {}\n  {}\n{}", index, options.seed, trial.scenario, verdict.problem,
             command_of(trial), verdict.message);
  std::fflush(stdout);
  if (options.keep.empty() || trial.file.empty()) return;
  std::filesystem::create_directories(options.keep);
  std::ofstream(fmt::format("{}/{}_{}", options.keep, index, trial.file), std::ios::binary) << trial.contents;
}

/// What is damaged must be right before: otherwise every input would be refused at the same place.
std::uint64_t run_undamaged(const Corpus& corpus) {
  const WorkingFolder folder(corpus);
  std::uint64_t refused = 0;
  for (const Scenario& scenario : corpus.scenarios) {
    const Verdict verdict = run_trial({scenario.name, scenario.arguments, "", "", false}, corpus, folder.path());
    if (verdict.problem.empty() && (verdict.exit_code == 2) == scenario.refused) continue;
    ++refused;
    fmt::print("undamaged: {}: code {} {}\n{}", scenario.name, verdict.exit_code, verdict.problem, verdict.message);
  }
  return refused;
}

/// Every `jobs`-th input from `job` on; the number of findings.
std::uint64_t run_share(const Options& options, const Corpus& corpus, unsigned job) {
  const WorkingFolder folder(corpus);
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t findings = 0, done = 0;
  std::map<int, std::uint64_t> codes;
  for (std::uint64_t index = options.first + job; index < options.first + options.inputs; index += options.jobs) {
    const double gone = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (options.seconds > 0 && gone > options.seconds) break;
    const Trial trial = make_trial(corpus, options.seed, index);
    const Verdict verdict = run_trial(trial, corpus, folder.path());
    ++codes[verdict.exit_code];
    ++done;
    if (verdict.problem.empty()) continue;
    ++findings;
    report(options, index, trial, verdict);
  }
  std::string text;
  for (const auto& [code, count] : codes) {
    text += fmt::format(", {} {}", count, code < 0 ? "ended by a signal" : fmt::format("with code {}", code));
  }
  fmt::print("{} inputs{}; {} findings\n", done, text, findings);
  std::fflush(stdout);
  return findings;
}

bool run_all(const Options& options) {
  const Corpus corpus = make_corpus(options.root);
  if (run_undamaged(corpus) != 0) return false;
  if (options.jobs == 1) return run_share(options, corpus, 0) == 0;
  for (unsigned job = 0; job < options.jobs; ++job) {
    if (::fork() == 0) std::exit(run_share(options, corpus, job) == 0 ? 0 : 1);
  }
  bool passed = true;
  for (int status = 0; ::wait(&status) > 0;) passed = passed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return passed;
}

}  // namespace
}  // namespace stc::fuzz

int main(int argc, char** argv) {
  stc::fuzz::Options options;
  stc::sim::CommandLine line("stc_fuzz", "Damaged inputs through stcsim; exit code 1 when it misbehaved");
  stc::sim::Command app = line.whole();
  app.option("--inputs", options.inputs, "How many").shows_default();
  app.option("--first", options.first, "Number of the first one: with --inputs 1 a finding is repeated");
  app.option("--seed", options.seed, "Another seed, other damage").shows_default();
  app.option("--jobs", options.jobs, "Processes").shows_default().whole_number(1, 256);
  app.option("--seconds", options.seconds, "Stop after this time, whatever is left");
  app.option("--root", options.root, "Source tree").shows_default();
  app.option("--keep", options.keep, "Folder for the damaged files of findings");
  if (const auto exit_code = line.parse(argc, argv)) return *exit_code;
  return stc::fuzz::run_all(options) ? 0 : 1;
}
