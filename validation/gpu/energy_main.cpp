// SPDX-License-Identifier: Apache-2.0
// energy_main POINTS CUBIN_DIR OUT_DIR [REPETITIONS]: how many joules loops and GEMMs take, from the board's own energy
// counter. Runs all points REPETITIONS times over (interleaved) and writes energy.csv, a row a point and repetition,
// and samples.csv, what the board said of itself meanwhile. REPETITIONS 0: launches each point once, for ncu.
//
// POINTS holds a point a line, fields separated by spaces:
//   name  cubin  kernel  ctas  threads  shared_bytes  buffer_mib  fill  seconds  mark  arguments...
// An argument is a whole number or a name: `data` the buffer, `N` a number of passes that makes a launch take 20 ms,
// `a`, `e`, `b`, `d` the operands of a GEMM (their places in the buffer are fixed). kernel `-`: nothing runs.
// `mark`: any word, copied to the results.
//
// Only the time from kSettle seconds after the first launch counts, between two moments at which the counter moved.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "validation/gpu/cuda_driver.h"
#include "validation/gpu/nvml.h"

namespace {

using namespace stc::silicon;
using Clock = std::chrono::steady_clock;

constexpr double kSettle = 0.3;
constexpr double kLaunchSeconds = 0.02;
constexpr int kPassesOnce = 256;
constexpr std::size_t kMib = std::size_t{1} << 20;
/// Places of a GEMM's operands in the buffer, MiB: a, e, b, d.
const std::map<std::string, std::size_t> kPlaces = {{"data", 0}, {"a", 0}, {"e", 256}, {"b", 512}, {"d", 1024}};
const std::map<std::string, int> kFills = {{"zero", 0}, {"bits", 1}, {"f16", 2},
                                           {"bf16", 3}, {"f32", 4},  {"f16_half", 6}};

struct Point {
  std::string name, cubin, kernel, fill, mark;
  unsigned ctas = 1, threads = 32, shared = 0;
  std::size_t mib = 0;
  double seconds = 0;
  std::vector<std::string> arguments;
};

std::vector<Point> read_points(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Point> points;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Point p;
    if (!(fields >> p.name >> p.cubin >> p.kernel >> p.ctas >> p.threads >> p.shared >> p.mib >> p.fill >> p.seconds >>
          p.mark) ||
        kFills.count(p.fill) == 0)
      throw std::runtime_error(path + ": not a point: " + line);
    for (std::string word; fields >> word;) p.arguments.push_back(word);
    points.push_back(p);
  }
  return points;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The counter's value at a moment at which it moved.
struct Reading {
  double at = 0;  ///< seconds since the program began
  double joules = 0;
};

class Bench {
 public:
  Bench(std::string cubins, const std::string& out)
      : cubins_(std::move(cubins)),
        fill_(cubins_ + "/energy.cubin"),
        buffer_(kBufferMib * kMib),
        energy_(out + "/energy.csv"),
        samples_(out + "/samples.csv") {
    energy_.precision(10), samples_.precision(10);
    energy_ << "# driver " << nvml_.driver() << ", power limit " << nvml_.limit_watts() << " W\n"
            << "point,repetition,cubin,kernel,ctas,threads,shared_bytes,buffer_mib,fill,mark,arguments,seconds,joules,"
               "watts,"
               "launches,us_per_launch,passes,sm_mhz,sm_mhz_least,memory_mhz,celsius,clock_limits\n";
    samples_ << "point,repetition,seconds,joules,watts,sm_mhz,celsius,clock_limits\n";
  }

  /// One launch, for ncu to count its events.
  void run_once(const Point& point) {
    prepare(point);
    if (function_ == nullptr) return;
    launch_once(point, kPassesOnce, 1);
    synchronize();
    std::printf("%s %d\n", point.name.c_str(), kPassesOnce);
  }

  void run(const Point& point, int repetition) {
    prepare(point);
    const int passes = point.kernel == "-" ? 0 : passes_for(point);
    events_.clear();
    readings_.clear(), states_.clear(), launched_.clear();
    done_ = 0;
    const double begin = seconds_since(start_);
    double last_state = 0;
    while (seconds_since(start_) < begin + point.seconds) {
      if (function_ != nullptr) keep_busy(point, passes);
      read_counter();
      if (seconds_since(start_) > last_state + 0.02) {
        last_state = seconds_since(start_);
        states_.push_back({last_state, nvml_.state()});
      }
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    if (function_ != nullptr) synchronize();
    report(point, repetition, begin + kSettle, passes);
  }

 private:
  static constexpr std::size_t kBufferMib = 8192 + 64;

  void launch_once(const Point& point, int passes, int times) {
    Arguments arguments;
    for (const std::string& word : point.arguments) {
      const auto place = kPlaces.find(word);
      if (place != kPlaces.end())
        arguments.add_pointer(buffer_.address() + place->second * kMib);
      else
        arguments.add_i32(word == "N" ? passes : std::stoi(word));
    }
    LaunchShape shape;
    shape.grid[0] = point.ctas, shape.block[0] = point.threads, shape.dynamic_shared_bytes = point.shared;
    for (int i = 0; i < times; ++i) launch(function_, shape, arguments);
  }

  void fill(std::size_t from_mib, std::size_t mib, int kind, std::uint32_t seed) {
    Arguments arguments;
    arguments.add_pointer(buffer_.address() + from_mib * kMib);
    arguments.add_word(mib * kMib / 4), arguments.add_i32(kind), arguments.add_i32(static_cast<std::int32_t>(seed));
    LaunchShape shape;
    shape.grid[0] = 1056, shape.block[0] = 256;
    launch(fill_.function("energy_fill"), shape, arguments);
  }

  void prepare(const Point& point) {
    function_ = nullptr;
    const bool gemm = point.arguments.size() > 1 && point.arguments[0] == "a";
    if (gemm && point.mib < 2048) throw std::runtime_error(point.name + ": a GEMM needs 2048 MiB");
    if (point.mib + 64 > kBufferMib) throw std::runtime_error(point.name + ": too large");
    fill(0, point.mib + 64, kFills.at(point.fill), 1);
    if (gemm) fill(kPlaces.at("e"), 256, 5, 2);
    synchronize();
    if (point.kernel == "-") return;
    auto& module = modules_[point.cubin];
    if (!module) module = std::make_unique<Module>(cubins_ + "/" + point.cubin);
    function_ = module->function(point.kernel);
  }

  /// Passes for a launch of kLaunchSeconds; also warms up.
  int passes_for(const Point& point) {
    group_ = 1;
    const bool loops = std::find(point.arguments.begin(), point.arguments.end(), "N") != point.arguments.end();
    int passes = 64;
    launch_once(point, passes, 1);
    synchronize();
    for (;;) {
      watch_.start();
      launch_once(point, passes, 1);
      watch_.stop();
      const double took = watch_.microseconds() * 1e-6;
      if (!loops) {
        group_ = std::max(1, static_cast<int>(kLaunchSeconds / 2 / took));
        return 0;
      }
      if (took > kLaunchSeconds / 8 || passes > 100000000)
        return std::max(1, static_cast<int>(passes * kLaunchSeconds / took));
      passes *= took > 1e-3 ? 4 : 16;
    }
  }

  /// Keeps two batches of launches queued; notes when batches end.
  void keep_busy(const Point& point, int passes) {
    while (!events_.empty() && cuEventQuery(events_.front()) == CUDA_SUCCESS) {
      STC_CUDA(cuEventDestroy(events_.front()));
      events_.erase(events_.begin());
      done_ += group_;
      launched_.push_back({seconds_since(start_), static_cast<double>(done_)});
    }
    while (events_.size() < 3) {
      launch_once(point, passes, group_);
      CUevent event = nullptr;
      STC_CUDA(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
      STC_CUDA(cuEventRecord(event, nullptr));
      events_.push_back(event);
    }
  }

  void read_counter() {
    const double joules = static_cast<double>(nvml_.millijoules()) * 1e-3;
    if (readings_.empty() || readings_.back().joules != joules) readings_.push_back({seconds_since(start_), joules});
  }

  /// Launches done by `at`, between two batches in proportion.
  double launches_by(double at) const {
    for (std::size_t i = 1; i < launched_.size(); ++i) {
      const Reading &left = launched_[i - 1], &right = launched_[i];
      if (at <= right.at) return left.joules + (right.joules - left.joules) * (at - left.at) / (right.at - left.at);
    }
    return launched_.empty() ? 0 : launched_.back().joules;
  }

  void report(const Point& point, int repetition, double from, int passes) {
    std::vector<Reading> window;
    for (std::size_t i = 1; i < readings_.size(); ++i)  // when the first one moved is not known
      if (readings_[i].at >= from) window.push_back(readings_[i]);
    if (window.size() < 2) {
      std::fprintf(stderr, "%s: the counter moved %zu times\n", point.name.c_str(), window.size());
      return;
    }
    const double seconds = window.back().at - window.front().at, joules = window.back().joules - window.front().joules;
    const double launches = launches_by(window.back().at) - launches_by(window.front().at);
    double mhz = 0, memory = 0, celsius = 0;
    int least = 1 << 30, counted = 0;
    std::uint64_t limits = 0;
    for (const auto& [at, state] : states_) {
      samples_ << point.name << "," << repetition << "," << at << ",," << state.watts << "," << state.sm_mhz << ","
               << state.celsius << "," << state.clock_limits << "\n";
      if (at < from) continue;
      mhz += state.sm_mhz, memory += state.memory_mhz, celsius += state.celsius, ++counted;
      least = std::min(least, state.sm_mhz), limits |= state.clock_limits;
    }
    for (const Reading& r : readings_)
      samples_ << point.name << "," << repetition << "," << r.at << "," << std::fixed << r.joules << std::defaultfloat
               << ",,,,\n";
    std::string arguments;
    for (const std::string& word : point.arguments) arguments += (arguments.empty() ? "" : " ") + word;
    energy_ << point.name << "," << repetition << "," << point.cubin << "," << point.kernel << "," << point.ctas << ","
            << point.threads << "," << point.shared << "," << point.mib << "," << point.fill << "," << point.mark << ","
            << arguments << "," << seconds << "," << joules << "," << joules / seconds << "," << launches << ","
            << (launches > 0 ? seconds / launches * 1e6 : 0) << "," << passes << "," << mhz / counted << "," << least
            << "," << memory / counted << "," << celsius / counted << "," << limits << "\n";
    energy_.flush(), samples_.flush();
  }

  Context context_;
  Nvml nvml_;
  std::string cubins_;
  Module fill_;
  DeviceBuffer buffer_;
  std::ofstream energy_, samples_;
  Clock::time_point start_ = Clock::now();
  Stopwatch watch_;
  std::map<std::string, std::unique_ptr<Module>> modules_;
  CUfunction function_ = nullptr;
  int group_ = 1;
  long done_ = 0;
  std::vector<CUevent> events_;
  std::vector<Reading> readings_, launched_;
  std::vector<std::pair<double, BoardState>> states_;
};

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    std::fprintf(stderr, "usage: energy_main POINTS CUBIN_DIR OUT_DIR [REPETITIONS]\n");
    return 2;
  }
  try {
    const std::vector<Point> points = read_points(words[1]);
    Bench bench(words[2], words[3]);
    if (count > 4 && std::stoi(words[4]) == 0) {
      for (const Point& point : points) bench.run_once(point);
      return 0;
    }
    for (int repetition = 0; repetition < (count > 4 ? std::stoi(words[4]) : 1); ++repetition)
      for (const Point& point : points) bench.run(point, repetition);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "energy_main: %s\n", error.what());
    return 1;
  }
  return 0;
}
