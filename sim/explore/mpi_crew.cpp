// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/mpi_crew.h"

#include <boost/mpi.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <deque>
#include <vector>

namespace stc::sim {
namespace {

namespace mpi = boost::mpi;

enum Tag : int { kPoint, kAnswer };
constexpr int kDismissed = -1;
constexpr int kPollMs = 20;

/// An answer as it travels.
struct Message {
  int point = 0;
  bool failed = false;
  std::string text;
  template <class Archive>
  void serialize(Archive& archive, unsigned /*version*/) {
    archive& point& failed& text;
  }
};

class MpiCrew : public Crew {
 public:
  MpiCrew(mpi::communicator& world, LocalCrew& own, const std::vector<int>& workers) : world_(world), own_(own) {
    for (std::size_t rank = 1; rank < workers.size(); ++rank) remote_.push_back({workers[rank], 0});
  }
  ~MpiCrew() override {
    for (std::size_t i = 0; i < remote_.size(); ++i) world_.send(static_cast<int>(i) + 1, kPoint, kDismissed);
  }

  int size() const override {
    int all = own_.size();
    for (const Remote& rank : remote_) all += rank.workers;
    return all;
  }
  bool has_idle() const override { return own_.has_idle() || idle_rank() != 0; }
  bool busy() const override {
    bool any = own_.busy();
    for (const Remote& rank : remote_) any = any || rank.points > 0;
    return any;
  }
  void submit(std::size_t point) override {
    const int rank = idle_rank();
    if (rank == 0) return own_.submit(point);
    ++remote_[static_cast<std::size_t>(rank) - 1].points;
    world_.send(rank, kPoint, static_cast<int>(point));
  }
  std::optional<WorkerPool::Answer> poll(int milliseconds) override {
    for (int waited = 0;; waited += kPollMs) {
      if (const auto probed = world_.iprobe(mpi::any_source, kAnswer)) {
        Message message;
        world_.recv(probed->source(), kAnswer, message);
        --remote_[static_cast<std::size_t>(probed->source()) - 1].points;
        return WorkerPool::Answer{static_cast<std::size_t>(message.point), message.failed, message.text};
      }
      if (auto answer = own_.poll(own_.busy() ? kPollMs : 0)) return answer;
      if (waited >= milliseconds) return std::nullopt;
      if (!own_.busy()) ::usleep(kPollMs * 1000);
    }
  }

 private:
  struct Remote {
    int workers = 0;
    int points = 0;
  };
  /// The rank with most idle workers; 0 when only this one, or none, has any.
  int idle_rank() const {
    int best = 0, most = 0;
    for (std::size_t i = 0; i < remote_.size(); ++i) {
      const int idle = remote_[i].workers - remote_[i].points;
      if (idle > most) {
        most = idle;
        best = static_cast<int>(i) + 1;
      }
    }
    return best;
  }

  mpi::communicator& world_;
  LocalCrew& own_;
  std::vector<Remote> remote_;
};

}  // namespace

struct MpiJob::Connection {
  mpi::environment environment;
  mpi::communicator world;
};

MpiJob::MpiJob(LocalCrew* own, const std::string& failure) : connection_(new Connection), own_(own) {
  std::vector<std::string> failures;
  mpi::all_gather(connection_->world, failure, failures);
  for (const std::string& one : failures) {
    if (failure_.empty()) failure_ = one;
  }
}

MpiJob::~MpiJob() = default;

int MpiJob::rank() const { return connection_->world.rank(); }

void MpiJob::serve() {
  mpi::communicator& world = connection_->world;
  mpi::gather(world, own_->size(), 0);
  std::deque<int> waiting;
  for (;;) {
    while (world.iprobe(0, kPoint)) {
      int point = 0;
      world.recv(0, kPoint, point);
      if (point == kDismissed) return;
      waiting.push_back(point);
    }
    while (!waiting.empty() && own_->has_idle()) {
      own_->submit(static_cast<std::size_t>(waiting.front()));
      waiting.pop_front();
    }
    if (!own_->busy()) ::usleep(kPollMs * 1000);
    if (auto answer = own_->poll(kPollMs)) {
      world.send(0, kAnswer, Message{static_cast<int>(answer->id), answer->failed, answer->text});
    }
  }
}

std::unique_ptr<Crew> MpiJob::crew() {
  std::vector<int> workers;
  mpi::gather(connection_->world, own_->size(), workers, 0);
  return std::make_unique<MpiCrew>(connection_->world, *own_, workers);
}

bool built_with_mpi() { return true; }

}  // namespace stc::sim
