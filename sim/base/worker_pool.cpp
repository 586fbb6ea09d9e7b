// SPDX-License-Identifier: Apache-2.0
#include "sim/base/worker_pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include "sim/base/error.h"
#include "sim/base/interrupt.h"
#include "sim/base/streams.h"

namespace stc::sim {
namespace {

int processes_here = 1;  // that share this computer's processors

/// A message is its length, whether it is a failure, and its text.
struct Header {
  std::uint64_t bytes = 0;
  std::uint64_t failed = 0;
};

bool send_all(int channel, const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = ::send(channel, from, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    from += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int channel, void* data, std::size_t bytes) {
  char* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = ::recv(channel, to, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send_message(int channel, bool failed, const std::string& text) {
  const Header header{text.size(), failed ? 1U : 0U};
  return send_all(channel, &header, sizeof header) && send_all(channel, text.data(), text.size());
}

bool receive_message(int channel, bool& failed, std::string& text) {
  Header header;
  if (!receive_all(channel, &header, sizeof header)) return false;
  failed = header.failed != 0;
  text.resize(static_cast<std::size_t>(header.bytes));
  return receive_all(channel, text.data(), text.size());
}

}  // namespace

WorkerPool::WorkerPool(int workers, Work work, std::string log_file)
    : work_(std::move(work)), log_file_(std::move(log_file)) {
  workers_.resize(static_cast<std::size_t>(std::max(1, workers)));
  for (Worker& worker : workers_) start(worker);
}

WorkerPool::~WorkerPool() {
  for (Worker& worker : workers_) {
    if (worker.job) ::kill(worker.pid, SIGKILL);
    bury(worker);
  }
}

void WorkerPool::start(Worker& worker) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw UserError(fmt::format("no channel to a worker process: {}", std::strerror(errno)));
  }
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw UserError(fmt::format("no worker process could be started: {}", std::strerror(errno)));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    leave_signals_to_parent();
    if (::getppid() != parent) ::_exit(0);  // the parent died before it could be watched
    ::close(ends[0]);
    for (const Worker& other : workers_) {
      if (other.channel >= 0) ::close(other.channel);
    }
    keep_off_terminal(log_file_);
    share_processors(processes_here * size());
    serve(ends[1]);
  }
  ::close(ends[1]);
  worker = {child, ends[0], std::nullopt};
}

void WorkerPool::serve(int channel) const {
  bool unused = false;
  std::string job;
  while (receive_message(channel, unused, job)) {
    bool failed = false;
    std::string answer;
    try {
      answer = work_(job);
    } catch (const std::exception& error) {
      failed = true;
      answer = error.what();
    } catch (...) {
      failed = true;
      answer = "an exception that says nothing";
    }
    if (!send_message(channel, failed, answer)) break;
  }
  ::_exit(0);
}

bool WorkerPool::has_idle() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return !worker.job; });
}

bool WorkerPool::busy() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.job.has_value(); });
}

void WorkerPool::submit(std::size_t id, const std::string& job) {
  const auto idle = std::find_if(workers_.begin(), workers_.end(), [](const Worker& worker) { return !worker.job; });
  assert(idle != workers_.end());
  // A worker that died while it was idle has lost nothing: the job goes to its successor.
  if (!send_message(idle->channel, false, job)) {
    bury(*idle);
    start(*idle);
    send_message(idle->channel, false, job);
  }
  idle->job = id;
}

std::optional<WorkerPool::Answer> WorkerPool::poll(int milliseconds) {
  std::vector<pollfd> channels;
  std::vector<Worker*> owners;
  for (Worker& worker : workers_) {
    if (!worker.job) continue;
    channels.push_back({worker.channel, POLLIN, 0});
    owners.push_back(&worker);
  }
  if (channels.empty() || ::poll(channels.data(), channels.size(), milliseconds) <= 0) return std::nullopt;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].revents != 0) return collect(*owners[i]);
  }
  return std::nullopt;
}

WorkerPool::Answer WorkerPool::collect(Worker& worker) {
  Answer answer;
  answer.id = *worker.job;
  if (receive_message(worker.channel, answer.failed, answer.text)) {
    worker.job.reset();
    return answer;
  }
  answer.failed = answer.died = true;
  answer.text = bury(worker);
  start(worker);
  return answer;
}

std::string WorkerPool::bury(Worker& worker) {
  ::close(worker.channel);
  int status = 0;
  while (::waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
  }
  worker = {};
  if (WIFSIGNALED(status)) return fmt::format("its process was ended by signal {}", WTERMSIG(status));
  return fmt::format("its process ended with code {}", WEXITSTATUS(status));
}

std::vector<pid_t> WorkerPool::process_ids() const {
  std::vector<pid_t> ids;
  for (const Worker& worker : workers_) ids.push_back(worker.pid);
  return ids;
}

int available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

void share_processors(int processes) { processes_here = processes; }

int processor_share() { return std::max(1, available_processors() / processes_here); }

}  // namespace stc::sim
