// SPDX-License-Identifier: Apache-2.0
// Whatever is thrown wherever, the program ends with a code of its own and a message: memory that ends at any
// allocation, exceptions that are none of the standard library's, and termination.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/program.h"
#include "validation/unit/sim/failing_allocator.h"

namespace stc::sim {
namespace {

struct Ending {
  int code = -1;  ///< 128 + signal
  std::string message;
};

template <class Action>
Ending ending_of(Action action) {
  std::array<int, 2> channel{};
  EXPECT_EQ(::pipe(channel.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::dup2(channel[1], STDERR_FILENO);
    ::_exit(action());
  }
  ::close(channel[1]);
  Ending ending;
  std::array<char, 4096> chunk{};
  for (ssize_t count; (count = ::read(channel[0], chunk.data(), chunk.size())) > 0;) {
    ending.message.append(chunk.data(), static_cast<std::size_t>(count));
  }
  ::close(channel[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  ending.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ending;
}

Ending run(std::vector<std::string> words, long allocations) {
  return ending_of([&] {
    words.insert(words.begin(), "stcsim");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    allocations_left = allocations;
    const int code = run_program(static_cast<int>(words.size()), argv.data());
    allocations_left = -1;
    return code;
  });
}

const std::vector<std::string> kRun = {"run",   "configs/workloads/gemm_512_integers.yaml",
                                       "--set", "gpu.sms=1",
                                       "--set", "workload.gemm.m=64",
                                       "--set", "workload.gemm.n=64",
                                       "--set", "workload.gemm.k=64"};

class Exceptions : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Exceptions, testing::Bool());

TEST_P(Exceptions, AtAnyAllocation) {
  throw_a_number = GetParam();
  int failures = 0;
  // Ever further apart: the run makes some hundred thousand.
  for (long allocation = 1; allocation < 2'000'000; allocation += 1 + allocation / 9) {
    const Ending ending = run(kRun, allocation);
    ASSERT_LE(ending.code, 3) << "allocation " << allocation << ": " << ending.message;
    if (ending.code == 0) continue;
    ++failures;
    ASSERT_THAT(ending.message, testing::StartsWith("stcsim: ")) << "allocation " << allocation;
  }
  EXPECT_GT(failures, 50);
}

void fail() { throw std::runtime_error("out of a destructor"); }

TEST(Terminate, SaysWhy) {
  const auto provoke = [](void (*action)()) {
    return ending_of([action]() -> int {
      std::vector<char> name = {'s', '\0'};
      std::vector<char> option = {'-', '-', 'v', 'e', 'r', 's', 'i', 'o', 'n', '\0'};
      std::array<char*, 3> argv = {name.data(), option.data(), nullptr};
      run_program(2, argv.data());  // from now on termination is the program's
      action();
      return 0;
    });
  };
  const Ending thrown = provoke([] { []() noexcept { fail(); }(); });
  EXPECT_EQ(thrown.code, 3);
  EXPECT_EQ(thrown.message, "stcsim: internal error, a bug of stcsim: out of a destructor\n");
  const Ending asked = provoke([] { std::terminate(); });
  EXPECT_EQ(asked.code, 3);
  EXPECT_THAT(asked.message, testing::HasSubstr("it was asked to terminate"));
}

}  // namespace
}  // namespace stc::sim
