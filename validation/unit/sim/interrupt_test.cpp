// SPDX-License-Identifier: Apache-2.0
// On a terminal a run shows how far it is, and Ctrl-C ends it with what was reached and no file half-written.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "sim/base/files.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Clock = std::chrono::steady_clock;

constexpr char kCtrlC = 3;
constexpr std::chrono::seconds kPatience{120};

/// stcsim with a terminal for all of its streams.
class OnTerminal {
 public:
  explicit OnTerminal(std::vector<std::string> arguments) {
    winsize size{24, 100, 0, 0};
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    arguments.insert(arguments.begin(), STCSIM_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ~OnTerminal() {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
    wait();
    ::close(terminal_);
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  /// Reads until the text has `pattern`, or the program has ended.
  bool shows(const std::string& pattern) {
    const std::regex wanted(pattern);
    const Clock::time_point end = Clock::now() + kPatience;
    while (!std::regex_search(text_, wanted)) {
      if (!read_some() || Clock::now() > end) return std::regex_search(text_, wanted);
    }
    return true;
  }
  void press(char key) { ASSERT_EQ(::write(terminal_, &key, 1), 1); }
  void send(int signal) const { ::kill(pid_, signal); }
  /// Whether the program catches SIGINT by now.
  bool catches() const {
    const std::string status = [this] {
      std::ifstream file("/proc/" + std::to_string(pid_) + "/status");
      return std::string(std::istreambuf_iterator<char>(file), {});
    }();
    const std::size_t at = status.find("SigCgt:");
    return at != std::string::npos && (std::stoull(status.substr(at + 7), nullptr, 16) & (1U << (SIGINT - 1))) != 0;
  }
  /// Waits for the end; the status of wait().
  int wait() {
    while (pid_ > 0 && read_some()) {
    }
    if (pid_ > 0) ::waitpid(pid_, &status_, 0);
    pid_ = -1;
    return status_;
  }
  const std::string& text() const { return text_; }

 private:
  bool read_some() {
    char chunk[4096];
    const ssize_t count = ::read(terminal_, chunk, sizeof chunk);
    if (count > 0) text_.append(chunk, static_cast<std::size_t>(count));
    return count > 0;
  }
  pid_t pid_ = -1;
  int terminal_ = -1;
  int status_ = 0;
  std::string text_;
};

class Interrupt : public testing::Test {
 protected:
  /// Minutes of work.
  std::vector<std::string> long_run(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"run",   "configs/workloads/demo_1024_sparse.yaml",
                                          "--set", "workload.gemm.k=65536",
                                          "--set", "options={values: addresses, compare_dense: true}"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  static constexpr const char* kBar =
      R"(launch 1/2 \[[#.]{10}\] [0-9]+ of 64 CTAs, [0-9,]+ cycles, [0-9,]+/s, \S+ (s |min )?to go)";
  static void expect_exit(OnTerminal& program, int code) {
    const int status = program.wait();
    ASSERT_TRUE(WIFEXITED(status)) << program.text();
    EXPECT_EQ(WEXITSTATUS(status), code) << program.text();
  }
  TemporaryFolder folder_;
};

TEST_F(Interrupt, CtrlCSaysWhatWasReachedAndWritesNothing) {
  OnTerminal program(long_run({"--out", folder_.path("out"), "--json", "-"}));
  ASSERT_TRUE(program.shows(kBar)) << program.text();
  program.press(kCtrlC);
  expect_exit(program, 130);
  EXPECT_THAT(program.text(),
              AllOf(HasSubstr("stopped by SIGINT (Ctrl-C): launch 1/2, f16_sp24_128x128x64_w64x32_s3 has run for "),
                    HasSubstr(" cycles; 0 of 64 CTAs have ended"),
                    HasSubstr("not written: " + folder_.path("out/result.json")), Not(HasSubstr("\"cycles\""))));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out")));
}

TEST_F(Interrupt, SigtermEndsWith143) {
  OnTerminal program(long_run({}));
  ASSERT_TRUE(program.shows(kBar)) << program.text();
  program.send(SIGTERM);
  expect_exit(program, 143);
  EXPECT_THAT(program.text(), AllOf(HasSubstr("stopped by SIGTERM: launch 1/2"), Not(HasSubstr("not written"))));
}

TEST_F(Interrupt, ASecondOneEndsAtOnce) {
  // Values are made before the first launch begins, which takes seconds in which nobody looks at signals.
  OnTerminal program({"run", "configs/workloads/demo_1024_sparse.yaml", "--set", "workload.gemm.k=32768", "--set",
                      "options={values: full}"});
  for (const auto end = Clock::now() + kPatience; !program.catches() && Clock::now() < end;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  program.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_TRUE(!program.catches()) << "the first one takes the handler away";
  program.send(SIGINT);
  const int status = program.wait();
  ASSERT_TRUE(WIFSIGNALED(status)) << program.text();
  EXPECT_EQ(WTERMSIG(status), SIGINT);
}

TEST_F(Interrupt, SweepsSayThatTheSameCommandGoesOn) {
  OnTerminal program({"explore", "configs/sweeps/feed.yaml", "--jobs", "1", "--out", folder_.path("sweep")});
  ASSERT_TRUE(program.shows(R"(\[[#.]{10}\] [1-9][0-9]* of [0-9]+ points, )")) << program.text();
  program.press(kCtrlC);  // workers get it, too
  expect_exit(program, 130);
  EXPECT_THAT(program.text(), AllOf(HasSubstr("points have been run"), HasSubstr(folder_.path("sweep/points.jsonl")),
                                    HasSubstr("the same command goes on from there")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("sweep/result.json")));
  EXPECT_THAT(read_text(folder_.path("sweep/workers.log")), IsEmpty());
}

TEST_F(Interrupt, WithoutATerminalNothingIsShown) {
  const ProgramResult result =
      run_stcsim({"run", "configs/workloads/demo_1024_sparse.yaml", "--set", "options={values: addresses}", "--set",
                  "workload.gemm.k=4096", "--json", "-"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.error, IsEmpty());
  EXPECT_TRUE(nlohmann::json::accept(result.output));
  EXPECT_GT(nlohmann::json::parse(result.output)["simulator"]["wall_s"].get<double>(), 0.5) << "too short to show it";
}

}  // namespace
}  // namespace stc::sim
