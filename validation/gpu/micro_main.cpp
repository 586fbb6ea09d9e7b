// SPDX-License-Identifier: Apache-2.0
// micro_main LIST CUBIN_DIR OUT_DIR [RUNS]: runs the measurement points of LIST and writes one CSV per kind of result:
// intervals.csv, clocks.csv, latency.csv, ctas.csv, launch.csv (validation/measured/README.md says what the columns
// are).
//
// LIST holds one point a line, fields separated by tabs, written from micro.yaml by scripts/measure:
//   group  cubin  kernel  ctas  warps  shared  data  kind  samples  args (separated by spaces)  flush (0 or 1)
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "validation/gpu/cuda_driver.h"
#include "validation/gpu/l2_flush.h"

namespace {

using namespace stc::silicon;

struct Point {
  std::string group, cubin, kernel, kind;
  unsigned ctas = 1, warps = 1, shared = 0, samples = 0;
  std::size_t data = 0;
  bool flush = false;
  std::vector<std::string> args;
  std::string args_text;
};

std::vector<Point> read_points(const std::string& path, int sms) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Point> points;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
    fields.resize(11);
    Point p;
    p.group = fields[0], p.cubin = fields[1], p.kernel = fields[2], p.kind = fields[7], p.args_text = fields[9];
    p.ctas = fields[3] == "all" ? static_cast<unsigned>(sms) : static_cast<unsigned>(std::stoul(fields[3]));
    p.warps = static_cast<unsigned>(std::stoul(fields[4]));
    p.shared = static_cast<unsigned>(std::stoul(fields[5]));
    p.data = std::stoull(fields[6]);
    p.samples = static_cast<unsigned>(std::stoul(fields[8]));
    p.flush = fields[10] == "1";
    std::istringstream args(p.args_text);
    for (std::string arg; args >> arg;) p.args.push_back(arg);
    points.push_back(p);
  }
  return points;
}

template <typename Value>
Value median(std::vector<Value> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Interval {
  std::uint64_t start, stop, operations, sm;
};

class Bench {
 public:
  Bench(const Context& context, std::string cubins, const std::string& out, int runs)
      : facts_(context.facts()), sms_(facts_.sms), cubins_(std::move(cubins)), runs_(runs) {
    open(intervals_, out + "/intervals.csv",
         "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,flushed,runs,cycles_median,cycles_min,cycles_max,"
         "cta_cycles_median,warp_cycles_median,operations_per_warp,cycles_per_operation,operations_per_cycle_per_sm,"
         "time_us_median,sm_of_cta0");
    open(clocks_, out + "/clocks.csv",
         "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,flushed,runs,warp,clocks");
    open(latency_, out + "/latency.csv",
         "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,flushed,runs,sm,cycles");
    open(ctas_, out + "/ctas.csv",
         "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,flushed,cta,sm,start_clock,stop_clock,globaltimer_"
         "ns");
    open(launch_, out + "/launch.csv",
         "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,flushed,runs,single_us_median,single_us_min,"
         "back_to_back_us");
  }

  void run(const Point& p) {
    point_ = &p;
    function_ = module(p.cubin).function(p.kernel);
    shape_ = LaunchShape{};
    shape_.grid[0] = p.ctas;
    shape_.block[0] = 32 * p.warps;
    shape_.dynamic_shared_bytes = p.shared;
    if (p.data > 0 && (!data_ || data_->bytes() < p.data)) {
      data_.reset();
      data_ = std::make_unique<DeviceBuffer>(p.data);
      data_->clear();
    }
    std::size_t words = 0;
    if (p.kind == "interval") words = std::size_t{8} * p.ctas * p.warps;
    if (p.kind == "clocks") words = std::size_t{p.samples} * p.ctas * p.warps;
    if (p.kind == "latency") words = std::size_t{p.samples + 1} * p.ctas;
    if (p.kind == "ctas") words = std::size_t{8} * p.ctas;
    if (words > 0) {
      out_ = std::make_unique<DeviceBuffer>(4 * words);
      out_->clear();
    }
    result_.assign(words, 0);
    if (p.kind == "interval") return run_intervals();
    if (p.kind == "clocks") return run_samples(clocks_, p.ctas * p.warps, p.samples, false);
    if (p.kind == "latency") return run_samples(latency_, p.ctas, p.samples + 1, true);
    if (p.kind == "ctas") return run_ctas();
    if (p.kind == "launch") return run_launch();
    throw std::runtime_error("unknown kind '" + p.kind + "'");
  }

  /// SM clock in MHz while a kernel spins.
  double clock_mhz() {
    Point p;
    p.cubin = "micro_launch", p.args = {"out", "40000000"};
    point_ = &p;
    function_ = module(p.cubin).function("micro_ctas");
    shape_ = LaunchShape{};
    shape_.grid[0] = static_cast<unsigned>(sms_);
    out_ = std::make_unique<DeviceBuffer>(32 * static_cast<std::size_t>(sms_));
    result_.clear();
    launch_once();
    const double us = launch_once();
    return 40000000.0 / us;
  }

 private:
  static void open(std::ofstream& file, const std::string& path, const char* header) {
    file.open(path);
    if (!file) throw std::runtime_error("cannot write " + path);
    file << header << '\n';
  }

  const Module& module(const std::string& name) {
    std::unique_ptr<Module>& slot = modules_[name];
    if (!slot) slot = std::make_unique<Module>(cubins_ + "/" + name + ".cubin");
    return *slot;
  }

  Arguments arguments() const {
    Arguments arguments;
    for (const std::string& arg : point_->args) {
      if (arg == "out")
        arguments.add_pointer(out_->address());
      else if (arg == "data")
        arguments.add_pointer(data_->address());
      else
        arguments.add_i32(std::stoi(arg));
    }
    return arguments;
  }

  /// Launches, waits, fetches the result; returns the time between events in microseconds.
  double launch_once() {
    if (point_->flush) {
      if (!flush_) flush_ = std::make_unique<L2Flush>(facts_, cubins_ + "/..");
      (*flush_)();
    }
    Arguments args = arguments();
    stopwatch_.start();
    launch(function_, shape_, args);
    stopwatch_.stop();
    const double us = stopwatch_.microseconds();
    if (!result_.empty()) out_->read(result_.data(), 4 * result_.size());
    return us;
  }

  void write_point(std::ofstream& file) const {
    const Point& p = *point_;
    file << p.group << ',' << p.cubin << ',' << p.kernel << ',' << p.ctas << ',' << p.warps << ',' << p.shared << ','
         << p.data << ',' << p.args_text << ',' << p.flush << ',';
  }

  void run_intervals() {
    std::vector<double> cycles, cta_cycles, warp_cycles, times;
    const unsigned ctas = point_->ctas, warps = point_->warps;
    Interval first{};
    std::uint64_t operations = 0;
    for (int run = -1; run < runs_; ++run) {  // the first is a warm-up
      const double us = launch_once();
      const auto* intervals = reinterpret_cast<const Interval*>(result_.data());
      std::vector<double> spans, own;
      for (unsigned cta = 0; cta < ctas; ++cta) {
        std::uint64_t begin = ~0ull, end = 0;
        for (unsigned w = 0; w < warps; ++w) {
          const Interval& i = intervals[cta * warps + w];
          if (i.stop == 0) continue;  // a warp that does not take part
          begin = std::min(begin, i.start), end = std::max(end, i.stop);
          own.push_back(static_cast<double>(i.stop - i.start));
        }
        if (end == 0) continue;  // a CTA that does not take part
        if (spans.empty()) first = intervals[cta * warps];
        spans.push_back(static_cast<double>(end - begin));
      }
      if (spans.empty()) throw std::runtime_error("the kernel wrote no result");
      operations = first.operations;
      if (run < 0) continue;
      cycles.push_back(*std::max_element(spans.begin(), spans.end()));
      cta_cycles.push_back(median(spans));
      warp_cycles.push_back(median(own));
      times.push_back(us);
    }
    write_point(intervals_);
    const double middle = median(cycles), cta = median(cta_cycles);
    const bool one_warp = point_->kernel.find("chase") != std::string::npos && point_->kernel.find("micro_chase") == 0;
    const double count = static_cast<double>(operations);
    char text[256];
    std::snprintf(text, sizeof text, "%d,%.0f,%.0f,%.0f,%.0f,%.0f,%llu,%.4f,%.4f,%.3f,%llu\n", runs_, middle,
                  *std::min_element(cycles.begin(), cycles.end()), *std::max_element(cycles.begin(), cycles.end()), cta,
                  median(warp_cycles), static_cast<unsigned long long>(operations), middle / count,
                  count * (one_warp ? 1 : warps) / cta, median(times), static_cast<unsigned long long>(first.sm));
    intervals_ << text;
  }

  /// Element-wise median over runs of `rows` rows of `width` words; clocks are taken relative to the row set's first.
  void run_samples(std::ofstream& file, unsigned rows, unsigned width, bool latency) {
    std::vector<std::vector<std::uint32_t>> values(result_.size());
    for (int run = -1; run < runs_; ++run) {
      launch_once();
      if (run < 0) continue;
      std::uint32_t origin = 0;
      if (!latency) {
        origin = result_[0];
        for (unsigned row = 0; row < rows; ++row)
          if (static_cast<std::int32_t>(result_[row * width] - origin) < 0) origin = result_[row * width];
      }
      for (std::size_t i = 0; i < result_.size(); ++i) values[i].push_back(result_[i] - origin);
    }
    for (unsigned row = 0; row < rows; ++row) {
      write_point(file);
      file << runs_ << ',';
      if (latency)
        file << result_[row * width + width - 1];
      else
        file << row;
      for (unsigned i = 0; i + (latency ? 1 : 0) < width; ++i)
        file << (i == 0 ? ',' : ' ') << median(values[row * width + i]);
      file << '\n';
    }
  }

  void run_ctas() {
    for (int run = 0; run < 3; ++run) launch_once();
    for (unsigned cta = 0; cta < point_->ctas; ++cta) {
      const std::uint32_t* w = result_.data() + std::size_t{8} * cta;
      const auto wide = [w](int i) { return static_cast<unsigned long long>(w[i + 1]) << 32 | w[i]; };
      write_point(ctas_);
      ctas_ << cta << ',' << w[4] << ',' << wide(0) << ',' << wide(2) << ',' << wide(5) << '\n';
    }
  }

  void run_launch() {
    std::vector<double> single;
    for (int run = 0; run < 20; ++run) single.push_back(launch_once());
    Arguments args = arguments();
    constexpr int kBatch = 200;
    stopwatch_.start();
    for (int i = 0; i < kBatch; ++i) launch(function_, shape_, args);
    stopwatch_.stop();
    const double batch = stopwatch_.microseconds();
    write_point(launch_);
    char text[128];
    std::snprintf(text, sizeof text, "20,%.3f,%.3f,%.3f\n", median(single),
                  *std::min_element(single.begin(), single.end()), batch / kBatch);
    launch_ << text;
  }

  const DeviceFacts facts_;
  int sms_;
  std::string cubins_;
  int runs_;
  std::map<std::string, std::unique_ptr<Module>> modules_;
  std::unique_ptr<DeviceBuffer> data_, out_;
  std::unique_ptr<L2Flush> flush_;
  Stopwatch stopwatch_;
  std::ofstream intervals_, clocks_, latency_, ctas_, launch_;
  const Point* point_ = nullptr;
  CUfunction function_ = nullptr;
  LaunchShape shape_;
  std::vector<std::uint32_t> result_;
};

int run(const std::string& list, const std::string& cubins, const std::string& out, int runs) {
  const Context context;
  const std::vector<Point> points = read_points(list, context.facts().sms);
  Bench bench(context, cubins, out, runs);
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [begin] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::printf("%s, %d SMs, %d MB L2, clock under load %.1f MHz\n", context.facts().name.c_str(), context.facts().sms,
              context.facts().l2_bytes >> 20, bench.clock_mhz());
  std::ofstream clocks(out + "/clock_mhz.csv");
  clocks << "before_group,seconds,sm_mhz\n";
  std::string group;
  std::size_t failures = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    try {
      if (points[i].group != group) {
        group = points[i].group;
        const double mhz = bench.clock_mhz();
        clocks << group << ',' << seconds() << ',' << mhz << '\n';
        std::printf("%7.1f s  %5zu/%zu  %-22s %.1f MHz\n", seconds(), i, points.size(), group.c_str(), mhz);
        std::fflush(stdout);
      }
      bench.run(points[i]);
    } catch (const std::exception& error) {
      ++failures;
      std::printf("FAILED %s [%s]: %s\n", points[i].kernel.c_str(), points[i].args_text.c_str(), error.what());
    }
  }
  std::printf("micro: %zu points, %zu failed, %.1f s\n", points.size(), failures, seconds());
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) {
    std::fprintf(stderr, "usage: micro_main LIST CUBIN_DIR OUT_DIR [RUNS]\n");
    return 2;
  }
  try {
    return run(argv[1], argv[2], argv[3], argc > 4 ? std::stoi(argv[4]) : 9);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "micro_main: %s\n", error.what());
    return 1;
  }
}
