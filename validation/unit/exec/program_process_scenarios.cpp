// SPDX-License-Identifier: Apache-2.0
// Programs that end badly, fork, use two threads, ask for what is not there.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "validation/unit/exec/runtime.h"

namespace stc::exec_test {
namespace {

int write_once(int first) {
  int* out = device<int>(1024);
  void* arguments[] = {&out, &first};
  return cudaLaunchKernel(kernel(kMisbehave, "write_at"), {}, {32, 1, 1}, arguments, 0, nullptr);
}

int own_code() {
  EXPECT(write_once(0) == 0);
  return wrong == 0 ? 42 : wrong;
}

int crashes() {
  EXPECT(write_once(0) == 0);
  std::fflush(stdout);
  std::signal(SIGABRT, SIG_DFL);
  ::raise(SIGABRT);
  return 0;
}

/// A host that follows a device pointer.
int follows_device_pointer() {
  std::signal(SIGSEGV, SIG_DFL);  // sanitizers take it to end with a code of their own
  volatile int* const out = device<int>(4);
  return *out;
}

int never_uses_gpu() { return 0; }
/// Nobody waits for the launch or its result.
int never_synchronises() { return write_once(0); }

/// Returns the exit code of what runs in a fork.
template <class Child>
int in_fork(const Child& child) {
  std::fflush(stdout);
  const pid_t process = ::fork();
  if (process == 0) ::_exit(child());
  int status = 0;
  EXPECT(::waitpid(process, &status, 0) == process && WIFEXITED(status));
  return WEXITSTATUS(status);
}

int forks_after() {
  EXPECT(write_once(0) == 0);
  EXPECT(in_fork([] {
           void* pointer = nullptr;
           return cudaMalloc(&pointer, 4);
         }) == 3);
  EXPECT(write_once(1) == 0);
  return wrong;
}

int forks_before() {
  EXPECT(in_fork([] { return write_once(0); }) == 0);
  EXPECT(write_once(1) == 0);
  return wrong;
}

int two_threads() {
  int errors[2] = {-1, -1};
  const auto work = [&](int index) {
    EXPECT(cudaSetDevice(index == 0 ? 0 : 7) == (index == 0 ? 0 : 101));  // its error is its own
    for (int i = 0; i < 3; ++i) EXPECT(write_once(i) == 0);
    errors[index] = cudaGetLastError();
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  EXPECT(errors[0] == 0 && errors[1] == 101);
  return wrong;
}

int calls_what_is_missing() {
  EXPECT(cudaCreateTextureObject(nullptr, nullptr, nullptr, nullptr) == 801);
  EXPECT(cudaPeekAtLastError() == 801 && cudaGetLastError() == 801 && cudaPeekAtLastError() == 0);
  return wrong;
}

int other_device() {
  int count = 0;
  EXPECT(cudaGetDeviceCount(&count) == 0 && count == 1);
  EXPECT(cudaSetDevice(1) == 101 && cudaSetDevice(-1) == 101 && cudaSetDevice(0) == 0);
  EXPECT(cudaGetDevice(nullptr) == 1 && cudaGetDeviceCount(nullptr) == 1 && cudaStreamCreate(nullptr) == 1);
  return wrong;
}

}  // namespace

const std::vector<NamedScenario> process_scenarios = {{"own_code", own_code},
                                                      {"crashes", crashes},
                                                      {"follows_device_pointer", follows_device_pointer},
                                                      {"never_uses_gpu", never_uses_gpu},
                                                      {"never_synchronises", never_synchronises},
                                                      {"forks_after", forks_after},
                                                      {"forks_before", forks_before},
                                                      {"two_threads", two_threads},
                                                      {"calls_what_is_missing", calls_what_is_missing},
                                                      {"other_device", other_device}};

}  // namespace stc::exec_test
