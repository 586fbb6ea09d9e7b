// SPDX-License-Identifier: Apache-2.0
// Processes that work on jobs side by side. A job and its answer are texts; what the work is was given before the
// processes were forked. A worker that dies costs its job only: the answer says how it ended, and another takes its
// place. Workers die with their parent.
//
//   WorkerPool pool(4, [](const std::string& job) { return compute(job); });
//   while (...) {
//     while (pool.has_idle() && more) pool.submit(id, text);
//     if (const auto answer = pool.poll(100)) ...
//   }
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stc::sim {

class WorkerPool {
 public:
  using Work = std::function<std::string(const std::string& job)>;

  struct Answer {
    std::size_t id = 0;
    bool failed = false;  ///< the work threw, or its process died
    bool died = false;    ///< its process did
    std::string text;     ///< the answer, or why there is none
  };

  /// Forks at once; to be called while this process has one thread. What workers say on standard error goes to the end
  /// of `log_file`. Without one, or where it cannot be written, it stays where it is unless that is a terminal, on
  /// which this process draws its progress.
  WorkerPool(int workers, Work work, std::string log_file = "");
  /// Ends the workers, whatever they are doing.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()); }
  bool has_idle() const;
  bool busy() const;  ///< an answer is still to come
  /// Needs has_idle().
  void submit(std::size_t id, const std::string& job);
  /// The next answer; nothing when none came within `milliseconds` (-1: waits).
  std::optional<Answer> poll(int milliseconds);
  std::vector<pid_t> process_ids() const;

 private:
  struct Worker {
    pid_t pid = -1;
    int channel = -1;
    std::optional<std::size_t> job;
  };
  void start(Worker& worker);
  [[noreturn]] void serve(int channel) const;
  Answer collect(Worker& worker);
  static std::string bury(Worker& worker);  ///< how the process ended

  Work work_;
  std::string log_file_;
  std::vector<Worker> workers_;
};

/// Processors that this process may use.
int available_processors();
/// From now on this process shares them with others, `processes` in all. A pool's workers do so among each other.
void share_processors(int processes);
/// Those for this process alone: all, or its share, at least one.
int processor_share();

}  // namespace stc::sim
