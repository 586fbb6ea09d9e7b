// SPDX-License-Identifier: Apache-2.0
// What memory sees of known volumes that are read and stored, against an H200 (measured/h200/traffic.csv,
// stored_volumes.csv). Volumes and capacities are a sixteenth here.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "models/gpu/sm_layout.h"
#include "sim/base/csv_table.h"
#include "sim/config/gpu_config.h"
#include "validation/timing/memory_rig.h"

namespace stc::timing {
namespace {

constexpr int kScale = 16;
constexpr std::uint64_t kChunkLines = 128;  // 1024 threads, 16 bytes each
constexpr double kMib = 1024 * 1024;
// Lines stored in a cycle: 4.3 MiB a microsecond, as measured; a quarter of that in parts of 32 bytes. As many whole
// ones memory reads.
constexpr std::uint64_t kWholeLines = 18, kLinesInParts = 4;

/// The arguments of micro_l2_volume (validation/kernels/micro_traffic.cu).
struct Volume {
  int first_kib = 0, stores = 0, read_kib = 0, reads = 0, shift = 0, alone = 0, last_kib = 0;
};

class Traffic {
 public:
  /// `others`: have left lines in L2, as where a profiler counts in several passes.
  explicit Traffic(bool others) {
    const gpu::GpuParams h200 = sim::read_gpu_config("configs/gpus/h200.yaml").params;
    for (const int partition : gpu::partition_of_sms(h200)) partition_.push_back(static_cast<std::uint64_t>(partition));
    params_ = h200.memory;
    params_.l2.capacity_mib /= kScale;
    params_.l2.dirty_mib /= kScale;
    params_.l2.dirty_at_launch_mib /= kScale;
    params_.l2.lines_at_launch_mib /= kScale;
    params_.l2.eager_mib /= kScale;
    two_stand_for_all(params_.crossbar);
    if (!others) params_.l2.dirty_at_launch_mib = params_.l2.lines_at_launch_mib = 0;
    rig_ = std::make_unique<MemoryRig>(params_);
  }

  void run(const Volume& v) {
    reset();
    const std::uint64_t middle = lines_of(v.first_kib), last = middle + lines_of(v.read_kib);
    for (int i = 0; i < v.stores; ++i) sweep(0, v.first_kib, 0, true);
    for (int i = 0; i < v.reads; ++i) {
      read(middle, v.read_kib, v.alone == 0, i * v.shift);
    }
    sweep(last, v.last_kib, 0, true);
  }
  /// `first_mib` MiB read, `stored_mib` stored, so many lines in a cycle, `last_mib` read.
  void store_between(int first_mib, bool first_by_all, int stored_mib, std::uint64_t lines_of_cycle, int last_mib,
                     bool last_by_all) {
    reset();
    lines_of_cycle_ = lines_of_cycle;
    const std::uint64_t apart = lines_of(128 * 1024);
    read(0, first_mib * 1024, first_by_all, 0);
    sweep(apart, stored_mib * 1024, 0, true);
    read(2 * apart, last_mib * 1024, last_by_all, 0);
  }
  double read_mib() const { return static_cast<double>(rig_->hbm.statistics().dram_read_sectors) * 32 * kScale / kMib; }
  double written_mib() const {
    return static_cast<double>(rig_->hbm.statistics().dram_write_sectors) * 32 * kScale / kMib;
  }

 private:
  /// The rig's two SMs, each with a GPC of its own, do what all of them do.
  void two_stand_for_all(memory::CrossbarParams& crossbar) const {
    const double each = static_cast<double>(partition_.size()) / 2;
    crossbar.request_interval /= each;
    crossbar.sm_read_bytes_per_cycle *= each;
    crossbar.sm_write_bytes_per_cycle *= each;
    crossbar.gpc_read_bytes_per_cycle = crossbar.read_bytes_per_cycle;
  }
  static std::uint64_t lines_of(int kib) { return static_cast<std::uint64_t>(kib) * 8 / kScale; }

  void reset() {
    rig_->crossbar.reset(0, rig_->params);
    rig_->l2_0.reset(false, rig_->params);
    rig_->l2_1.reset(false, rig_->params);
    rig_->hbm.reset(0, nullptr, rig_->params.hbm);
  }
  void read(std::uint64_t from, int kib, bool by_all, int shift) {
    if (!by_all) return sweep(from, kib, shift, false);
    for (std::uint64_t line = from; line < from + lines_of(kib); ++line) {
      for (const std::uint64_t partition : {0, 1}) {
        ask(partition, line, false);
        MemoryRig::advance(1);
      }
    }
  }
  void sweep(std::uint64_t from, int kib, int shift, bool store) {
    const auto sms = static_cast<std::uint64_t>(partition_.size());
    for (std::uint64_t line = 0; line < lines_of(kib); ++line) {
      const std::uint64_t sm = (line / kChunkLines + sms - static_cast<std::uint64_t>(shift) % sms) % sms;
      ask(partition_[sm], from + line, store);
      if (++asked_ % (store ? lines_of_cycle_ : kWholeLines) == 0) MemoryRig::advance(1);
    }
  }
  void ask(std::uint64_t partition, std::uint64_t line, bool store) {
    rig_->sm[partition]->request(line, memory::kAllSectors, store, 0);
  }

  std::vector<std::uint64_t> partition_;  // of an SM
  memory::MemoryParams params_;
  std::uint64_t asked_ = 0, lines_of_cycle_ = kWholeLines;
  std::unique_ptr<MemoryRig> rig_;
};

TEST(TrafficOfAnH200, MemorySeesWhatItSeesOnSilicon) {
  Traffic traffic(true);
  double read_error = 0, write_error = 0;
  int points = 0;
  const sim::CsvTable table("validation/measured/h200/traffic.csv");
  for (const sim::CsvRow& row : table.rows()) {
    if (row.text("kernel") != "micro_l2_volume") continue;
    std::istringstream args(row.text("args"));
    std::string out, data;
    Volume v;
    args >> out >> data >> v.first_kib >> v.stores >> v.read_kib >> v.reads >> v.shift >> v.alone >> v.last_kib;
    traffic.run(v);
    const double read = row.number("dram_read_bytes") / kMib, written = row.number("dram_write_bytes") / kMib;
    SCOPED_TRACE(row.text("args"));
    EXPECT_NEAR(traffic.read_mib(), read, 2 + 0.3 * read);
    EXPECT_NEAR(traffic.written_mib(), written, 4 + 0.4 * written);
    read_error += std::abs(traffic.read_mib() - read);
    write_error += std::abs(traffic.written_mib() - written);
    ++points;
  }
  ASSERT_EQ(points, 78);
  std::printf("mean errors: %.2f MiB read, %.2f MiB written\n", read_error / points, write_error / points);
  EXPECT_LT(read_error / points, 1.0) << "MiB of 8 to 320";
  EXPECT_LT(write_error / points, 0.4) << "MiB of 0 to 102";
}

TEST(TrafficOfAnH200, WhatIsStoredBetweenReadsIsWrittenWhenItIsOnSilicon) {
  Traffic traffic(false);
  double error = 0;
  int points = 0;
  const sim::CsvTable table("validation/measured/h200/stored_volumes.csv");
  for (const sim::CsvRow& row : table.rows()) {
    const auto mib = [&row](const char* column) { return static_cast<int>(row.number(column)); };
    traffic.store_between(mib("first_mib"), mib("first_by_all") != 0, mib("stored_mib"),
                          row.text("pattern") == "lines" ? kWholeLines : kLinesInParts, mib("last_mib"),
                          mib("last_by_all") != 0);
    const double written = row.number("dram_write_bytes") / kMib;
    error += std::abs(traffic.written_mib() - written);
    ++points;
  }
  ASSERT_EQ(points, 112);
  std::printf("mean error: %.2f MiB written\n", error / points);
  EXPECT_LT(error / points, 0.4) << "MiB of 0 to 19";
}

}  // namespace
}  // namespace stc::timing
