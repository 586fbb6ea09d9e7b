// SPDX-License-Identifier: Apache-2.0
#include "validation/fuzz/trial.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/program.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif

namespace stc::fuzz {
namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
constexpr rlim_t kMostSeconds = kSanitized ? 60 : 15;  ///< of processor time, each process
constexpr rlim_t kMostMemory = rlim_t{1} << 30;
constexpr rlim_t kMostFile = rlim_t{64} << 20;
constexpr unsigned kMostWaiting = kSanitized ? 300 : 90;  ///< seconds that pass
constexpr unsigned kMostOfEndless = kSanitized ? 60 : 15;

constexpr std::size_t kLongestMessage = 2000;

constexpr const char* kOutput = "standard_output";
constexpr const char* kError = "standard_error";

std::string contents_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void limit(__rlimit_resource resource, rlim_t most) {
  const rlimit both{most, most};
  ::setrlimit(resource, &both);
}

[[noreturn]] void become_program(const Trial& trial, const std::string& folder) {
  ::setpgid(0, 0);  // its workers end with it
  if (::chdir(folder.c_str()) != 0) ::_exit(98);
  for (const auto& [name, stream] : {std::pair{kOutput, STDOUT_FILENO}, {kError, STDERR_FILENO}}) {
    ::dup2(::open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600), stream);
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, kMostSeconds);
  limit(RLIMIT_FSIZE, kMostFile);
  if (!kSanitized) limit(RLIMIT_AS, kMostMemory);  // sanitizers reserve address space that they do not use
  ::setenv("STC_CACHE", "cache", 1);  // nothing is remembered from one input to the next, nor among a user's results
  ::alarm(trial.endless ? kMostOfEndless : kMostWaiting);
  std::vector<std::string> words = {"stcsim"};
  words.insert(words.end(), trial.arguments.begin(), trial.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::exit(sim::run_program(static_cast<int>(words.size()), argv.data()));
}

/// A worker's death costs a point, not the program; but only limits may end one.
std::string crashed_worker(const std::string& text) {
  const std::string words = "ended by signal ";
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    const int signal = std::atoi(text.c_str() + at + words.size());
    if (signal != SIGXCPU && signal != SIGKILL && signal != SIGXFSZ)
      return fmt::format("a worker ended by signal {}", signal);
  }
  return "";
}

/// What the files that the program left say against it.
std::string problem_in_files(const Corpus& corpus, const std::string& folder, int exit_code) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (!entry.is_regular_file() || corpus.files.count(name) != 0 || name == kOutput || name == kError) continue;
    const std::string extension = entry.path().extension().string();
    if (extension == ".tmp") return "left the temporary file " + name;
    const bool journal = extension == ".jsonl" || extension == ".log";
    if (exit_code > 1 && !journal && name.rfind("swept", 0) != 0) return "failed, but left " + name;
    const std::string text = contents_of(entry.path());
    if (extension == ".json" && !nlohmann::json::accept(text)) return name + " is no JSON";
    if (const std::string crash = crashed_worker(text); !crash.empty()) return crash;
  }
  return "";
}

std::string problem_of(int status, bool endless, const Corpus& corpus, const std::string& folder) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM && endless) return "";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return fmt::format("did not end in {} s", kMostWaiting);
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  const std::string error = contents_of(folder + "/" + kError), output = contents_of(folder + "/" + kOutput);
  // Where sanitizers end a process that asks for too much memory, the program itself says so with code 1.
  if (kSanitized && error.find("AddressSanitizer: out-of-memory") != std::string::npos) return "";
  if (code > 3) return fmt::format("ended with code {}", code);
  if (error.find("internal error") != std::string::npos) return "internal error";
  if (code == 2 && error.find("stcsim: ") == std::string::npos) return "ended with code 2 without a message";
  if (const std::string crash = crashed_worker(output + error); !crash.empty()) return crash;
  return problem_in_files(corpus, folder, code);
}

/// Removes what the program made; the files of the corpus stay, as they were.
void tidy(const Trial& trial, const Corpus& corpus, const std::string& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (corpus.files.count(entry.path().filename().string()) == 0) fs::remove_all(entry.path());
  }
  if (!trial.file.empty()) std::ofstream(folder + "/" + trial.file, std::ios::binary) << corpus.files.at(trial.file);
}

}  // namespace

Trial make_trial(const Corpus& corpus, std::uint64_t seed, std::uint64_t index) {
  const Scenario& scenario = corpus.scenarios[index % corpus.scenarios.size()];
  Mutator mutator(seed * 1000003 + index);
  Trial trial{scenario.name, scenario.arguments, "", "", scenario.endless};
  if (!scenario.damaged.empty()) {
    trial.file = scenario.damaged[mutator.below(scenario.damaged.size())];
    trial.contents = mutator.mutate(corpus.files.at(trial.file), format_of(trial.file));
  }
  if (!scenario.damaged_arguments.empty()) {
    std::string& word = trial.arguments[scenario.damaged_arguments[mutator.below(scenario.damaged_arguments.size())]];
    word = mutator.mutate(word, Format::kText);
    word.resize(std::min(word.size(), word.find('\0')));
  }
  return trial;
}

Verdict run_trial(const Trial& trial, const Corpus& corpus, const std::string& folder) {
  if (!trial.file.empty()) std::ofstream(folder + "/" + trial.file, std::ios::binary) << trial.contents;
  const pid_t child = ::fork();
  if (child == 0) become_program(trial, folder);
  int status = 0;
  ::waitpid(child, &status, 0);
  ::kill(-child, SIGKILL);
  Verdict verdict;
  if (WIFEXITED(status)) verdict.exit_code = WEXITSTATUS(status);
  verdict.problem = problem_of(status, trial.endless, corpus, folder);
  verdict.message = contents_of(folder + "/" + kError).substr(0, kLongestMessage);
  tidy(trial, corpus, folder);
  return verdict;
}

std::string command_of(const Trial& trial) {
  std::string text = "stcsim";
  for (const std::string& argument : trial.arguments) {
    text += " '";
    for (const char c : argument) {
      const bool plain = c != '\'' && std::isprint(static_cast<unsigned char>(c)) != 0;
      text += plain ? std::string(1, c) : fmt::format("'$'\\x{:02x}''", static_cast<unsigned char>(c));
    }
    text += "'";
  }
  return text;
}

}  // namespace stc::fuzz
