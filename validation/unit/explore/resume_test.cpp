// SPDX-License-Identifier: Apache-2.0
// A sweep that is killed and continued, or spread over MPI ranks, ends with the same bytes as an undisturbed one.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "validation/unit/explore/sweep_text.h"
#include "validation/unit/sim/program.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::HasSubstr;

std::size_t lines(const std::string& file) {
  const std::string text = contents(file);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Starts a program with its output thrown away.
pid_t start(std::vector<std::string> arguments) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int nothing = ::open("/dev/null", O_WRONLY);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

int exit_code_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class Resume : public ::testing::Test {
 protected:
  void SetUp() override {
    sweep_ = folder_.write("sweep.yaml", small_sweep(std::filesystem::current_path().string()));
    const ProgramResult result = explore("undisturbed");
    ASSERT_EQ(result.exit_code, 0) << result.error;
    ASSERT_EQ(lines(folder_.path("undisturbed/points.jsonl")), 8U);
  }
  ProgramResult explore(const std::string& out) {
    return run_stcsim({"explore", sweep_, "--jobs", "2", "--out", folder_.path(out)});
  }
  void expect_same(const std::string& out) {
    for (const char* name : {"cases.csv", "points.csv", "result.json", "report.html"}) {
      const std::string file = folder_.path(out + "/" + name);
      ASSERT_FALSE(contents(file).empty()) << file;
      EXPECT_EQ(contents(file), contents(folder_.path(std::string("undisturbed/") + name))) << file;
    }
  }
  /// Waits until the journal has that many results.
  void wait_for(const std::string& out, std::size_t results) {
    const std::string journal = folder_.path(out + "/points.jsonl");
    for (int i = 0; i < 6000 && lines(journal) < results; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_GE(lines(journal), results);
  }
  TemporaryFolder folder_;
  std::string sweep_;
};

TEST_F(Resume, KilledInMidSweep) {
  const pid_t child = start({STCSIM_PROGRAM, "explore", sweep_, "--jobs", "1", "--out", folder_.path("killed")});
  wait_for("killed", 2);
  ::kill(child, SIGKILL);
  exit_code_of(child);
  const std::size_t finished = lines(folder_.path("killed/points.jsonl"));
  ASSERT_LT(finished, 8U) << "the sweep was over before it could be killed";
  const ProgramResult result = explore("killed");
  EXPECT_EQ(result.exit_code, 0) << result.error;
  EXPECT_THAT(result.output, HasSubstr("8 points, " + std::to_string(finished) + " known from before"));
  expect_same("killed");
}

TEST_F(Resume, LineThatWasCutShortIsRunAgain) {
  const std::string journal = contents(folder_.path("undisturbed/points.jsonl"));
  folder_.write("cut/points.jsonl", journal.substr(0, journal.size() - 20));
  const ProgramResult result = explore("cut");
  EXPECT_THAT(result.output, HasSubstr("8 points, 7 known from before"));
  expect_same("cut");
  EXPECT_EQ(lines(folder_.path("cut/points.jsonl")), 8U);
}

TEST_F(Resume, NothingIsRunTwice) {
  EXPECT_THAT(explore("undisturbed").output, HasSubstr("8 points, 8 known from before"));
}

TEST_F(Resume, ChangedQuestionsAreRunAgain) {
  folder_.write("sweep.yaml", replaced(small_sweep(std::filesystem::current_path().string()), "sms: 4", "sms: 2"));
  EXPECT_THAT(explore("undisturbed").output, HasSubstr("8 points, 0 known from before"));
}

TEST_F(Resume, FreshForgets) {
  const ProgramResult result =
      run_stcsim({"explore", sweep_, "--jobs", "2", "--fresh", "--out", folder_.path("undisturbed")});
  EXPECT_THAT(result.output, HasSubstr("8 points, 0 known from before"));
}

#ifdef STC_MPIRUN
class ResumeMpi : public Resume {
 protected:
  void SetUp() override {
    // Continuous integration may run as root on fewer cores than ranks.
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    Resume::SetUp();
  }
  pid_t start_ranks(const char* ranks, const std::string& out) {
    return start({STC_MPIRUN, "-n", ranks, STCSIM_PROGRAM, "explore", sweep_, "--out", folder_.path(out)});
  }
};

TEST_F(ResumeMpi, FourRanksGiveTheSameBytes) {
  ASSERT_EQ(exit_code_of(start_ranks("4", "ranks")), 0);
  expect_same("ranks");
}

TEST_F(ResumeMpi, KilledJobIsContinued) {
  const pid_t job = start_ranks("2", "killed");
  wait_for("killed", 2);
  ::kill(job, SIGTERM);
  exit_code_of(job);
  EXPECT_EQ(exit_code_of(start_ranks("4", "killed")), 0);
  expect_same("killed");
}

/// The process of an MPI rank that `job` started; 0 when there is none.
pid_t process_of_rank(pid_t job, int rank) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process == 0) continue;
    const std::string variable = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0';
    const bool is_child =
        contents(entry.path() / "status").find("\nPPid:\t" + std::to_string(job) + "\n") != std::string::npos;
    if (is_child && contents(entry.path() / "environ").find(variable) != std::string::npos) return process;
  }
  return 0;
}

TEST_F(ResumeMpi, KilledRankCostsItsPointsOnly) {
  const pid_t job = start({STC_MPIRUN, "--enable-recovery", "-n", "4", STCSIM_PROGRAM, "explore", sweep_, "--out",
                           folder_.path("survived")});
  wait_for("survived", 1);
  const pid_t victim = process_of_rank(job, 2);
  ASSERT_NE(victim, 0);
  ASSERT_LT(lines(folder_.path("survived/points.jsonl")), 8U) << "the sweep was over before a rank could be killed";
  ::kill(victim, SIGKILL);
  EXPECT_EQ(exit_code_of(job), 0);
  expect_same("survived");
}

TEST_F(ResumeMpi, RanksThatReadOtherSweepsAreRefused) {
  const std::string other = folder_.write("other.yaml", replaced(small_sweep(std::filesystem::current_path().string()),
                                                                 "[2:4, 2:8, 2:6]", "[2:8, 2:4, 2:6]"));
  const std::string out = folder_.path("mixed");
  EXPECT_EQ(exit_code_of(start({STC_MPIRUN, "-n", "1", STCSIM_PROGRAM, "explore", sweep_, "--out", out, ":", "-n", "1",
                                STCSIM_PROGRAM, "explore", other, "--out", out})),
            2);
  EXPECT_FALSE(std::filesystem::exists(out + "/points.jsonl"));
}

TEST_F(ResumeMpi, BadSweepEndsAllRanks) {
  folder_.write("sweep.yaml", replaced(small_sweep(std::filesystem::current_path().string()), "2:8", "9:8"));
  EXPECT_EQ(exit_code_of(start_ranks("3", "bad")), 2);
}
#endif

}  // namespace
}  // namespace stc::sim
