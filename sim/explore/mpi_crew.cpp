// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/mpi_crew.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/mpi.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <chrono>
#include <deque>
#include <vector>

#include "sim/base/streams.h"
#include "sim/explore/mpi_ranks.h"

namespace stc::sim {
namespace {

namespace mpi = boost::mpi;

using Clock = std::chrono::steady_clock;

enum Tag : int { kPoint, kAnswer, kAlive };
constexpr int kDismissed = -1;
constexpr int kAbandoned = -2;  // dismissed from a job that has lost a rank, which MPI cannot end in its own way
constexpr int kPollMs = 20;
constexpr std::chrono::seconds kHeartbeat{1};
constexpr std::chrono::seconds kSilence{15};  // of a rank that is taken for dead

/// An answer as it travels.
struct Message {
  int point = 0;
  bool failed = false, died = false;
  std::string text;
  template <class Archive>
  void serialize(Archive& archive, unsigned /*version*/) {
    archive& point& failed& died& text;
  }
};

/// Says now and then to `ranks` that this one lives.
class Heartbeat {
 public:
  void beat(mpi::communicator& world, const std::vector<int>& ranks) {
    if (Clock::now() - last_ < kHeartbeat) return;
    last_ = Clock::now();
    for (const int rank : ranks) world.send(rank, kAlive, 0);
  }

 private:
  Clock::time_point last_;
};

/// Whether a heartbeat of `rank` has come since the last call.
bool heard(mpi::communicator& world, int rank) {
  bool any = false;
  for (int nothing = 0; world.iprobe(rank, kAlive); any = true) world.recv(rank, kAlive, nothing);
  return any;
}

class MpiCrew : public Crew {
 public:
  MpiCrew(mpi::communicator& world, LocalCrew& own, const std::vector<int>& workers, bool& abandoned)
      : world_(world), own_(own), abandoned_(abandoned) {
    for (std::size_t rank = 1; rank < workers.size(); ++rank) {
      remote_.push_back({static_cast<int>(rank), workers[rank], {}, Clock::now()});
    }
  }
  ~MpiCrew() override {
    for (const Remote& rank : remote_) world_.send(rank.number, kPoint, abandoned_ ? kAbandoned : kDismissed);
  }

  int size() const override {
    int all = own_.size();
    for (const Remote& rank : remote_) all += rank.workers;
    return all;
  }
  bool has_idle() const override { return own_.has_idle() || idle_rank() != nullptr; }
  bool busy() const override {
    return own_.busy() || !lost_.empty() ||
           std::any_of(remote_.begin(), remote_.end(), [](const Remote& rank) { return !rank.points.empty(); });
  }
  void submit(std::size_t point) override {
    const Remote* idle = idle_rank();
    if (idle == nullptr) return own_.submit(point);
    remote_[static_cast<std::size_t>(idle - remote_.data())].points.push_back(static_cast<int>(point));
    world_.send(idle->number, kPoint, static_cast<int>(point));
  }
  std::optional<WorkerPool::Answer> poll(int milliseconds) override {
    for (int waited = 0;; waited += kPollMs) {
      if (auto answer = remote_answer()) return answer;
      watch();
      if (!lost_.empty()) {
        const auto point = static_cast<std::size_t>(lost_.front());
        lost_.pop_front();
        return WorkerPool::Answer{point, true, true, "the MPI rank that ran it died"};
      }
      if (auto answer = own_.poll(own_.busy() ? kPollMs : 0)) return answer;
      if (waited >= milliseconds) return std::nullopt;
      if (!own_.busy()) ::usleep(kPollMs * 1000);
    }
  }

 private:
  struct Remote {
    int number = 0;  ///< rank
    int workers = 0;
    std::vector<int> points;  ///< that it runs
    Clock::time_point heard;
  };

  std::optional<WorkerPool::Answer> remote_answer() {
    const auto probed = world_.iprobe(mpi::any_source, kAnswer);
    if (!probed) return std::nullopt;
    Message message;
    world_.recv(probed->source(), kAnswer, message);
    const auto from = std::find_if(remote_.begin(), remote_.end(),
                                   [&](const Remote& rank) { return rank.number == probed->source(); });
    if (from == remote_.end()) return std::nullopt;  // taken for dead meanwhile: its points are with others
    from->heard = Clock::now();
    from->points.erase(std::find(from->points.begin(), from->points.end(), message.point));
    return WorkerPool::Answer{static_cast<std::size_t>(message.point), message.failed, message.died, message.text};
  }

  /// Shows that this rank lives, and gives up ranks that have been silent for too long.
  void watch() {
    std::vector<int> living;
    for (auto rank = remote_.begin(); rank != remote_.end();) {
      if (heard(world_, rank->number)) rank->heard = Clock::now();
      if (Clock::now() - rank->heard <= kSilence) {
        living.push_back(rank->number);
        ++rank;
        continue;
      }
      say(fmt::format("MPI rank {} is silent and taken for dead; {} of its points run elsewhere\n", rank->number,
                      rank->points.size()));
      lost_.insert(lost_.end(), rank->points.begin(), rank->points.end());
      abandoned_ = true;
      rank = remote_.erase(rank);
    }
    heartbeat_.beat(world_, living);
  }

  /// The rank with most idle workers; nullptr when only this one, or none, has any.
  const Remote* idle_rank() const {
    const Remote* best = nullptr;
    std::size_t most = 0;
    for (const Remote& rank : remote_) {
      const auto idle = static_cast<std::size_t>(rank.workers) - rank.points.size();
      if (idle <= most) continue;
      most = idle;
      best = &rank;
    }
    return best;
  }

  mpi::communicator& world_;
  LocalCrew& own_;
  bool& abandoned_;
  Heartbeat heartbeat_;
  std::vector<Remote> remote_;  ///< ranks that live
  std::deque<int> lost_;        ///< points of ranks that died
};

}  // namespace

struct MpiJob::Connection {
  mpi::environment environment;
  mpi::communicator world;
};

MpiJob::MpiJob(LocalCrew* own, const std::string& failure, const std::string& work)
    : connection_(new Connection), own_(own) {
  std::vector<std::string> failures, works;
  mpi::all_gather(connection_->world, failure, failures);
  mpi::all_gather(connection_->world, work, works);
  failure_ = first_failure(failures, works);
}

MpiJob::~MpiJob() {
  // MPI's own end would wait for the rank that is gone.
  if (abandoned_) static_cast<void>(connection_.release());
}

int MpiJob::rank() const { return connection_->world.rank(); }

void MpiJob::serve() {
  mpi::communicator& world = connection_->world;
  mpi::gather(world, own_->size(), 0);
  std::deque<int> waiting;
  Heartbeat heartbeat;
  for (Clock::time_point last_heard = Clock::now();;) {
    while (world.iprobe(0, kPoint)) {
      int point = 0;
      world.recv(0, kPoint, point);
      abandoned_ = point == kAbandoned;
      if (point == kDismissed || point == kAbandoned) return;
      waiting.push_back(point);
    }
    heartbeat.beat(world, {0});
    if (heard(world, 0)) last_heard = Clock::now();
    if (Clock::now() - last_heard > 3 * kSilence) {  // it may be busy writing
      abandoned_ = true;
      return;
    }
    while (!waiting.empty() && own_->has_idle()) {
      own_->submit(static_cast<std::size_t>(waiting.front()));
      waiting.pop_front();
    }
    if (!own_->busy()) ::usleep(kPollMs * 1000);
    if (auto answer = own_->poll(kPollMs)) {
      world.send(0, kAnswer, Message{static_cast<int>(answer->id), answer->failed, answer->died, answer->text});
    }
  }
}

std::unique_ptr<Crew> MpiJob::crew() {
  std::vector<int> workers;
  mpi::gather(connection_->world, own_->size(), workers, 0);
  return std::make_unique<MpiCrew>(connection_->world, *own_, workers, abandoned_);
}

bool built_with_mpi() { return true; }

}  // namespace stc::sim
