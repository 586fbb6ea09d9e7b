// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/read_measured.h"

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

class ReadMeasured : public testing::Test {
 protected:
  MeasuredData read(const std::string& text) {
    const std::string file = folder_.write("m.csv", text);
    MeasuredData data;
    read_measured(file, context_, data);
    return data;
  }
  std::string error(const std::string& text) {
    std::string message = user_error([&] { read(text); });
    const std::string path = folder_.path("");
    if (const std::size_t place = message.find(path); place != std::string::npos) message.erase(place, path.size());
    return message;
  }

  TemporaryFolder folder_;
  GpuConfig gpu_ = read_gpu_config("configs/gpus/h200.yaml");
  Manifest manifest_ = Manifest::load("traces/kernels");
  ReaderContext context_{gpu_, manifest_, "validation/kernels", 2};
};

const std::string kGemmColumns = "kernel,m,n,k,l2,active_cycles_max,elapsed_cycles\n";
const std::string kKernel = "f16_sp24_128x128x64_w64x32_s3";

TEST_F(ReadMeasured, GemmRowBecomesALaunch) {
  const MeasuredData data = read(kGemmColumns + kKernel + ",256,384,128,warm,1000,2000\n");
  ASSERT_EQ(data.points.size(), 1U);
  const ComparePoint& point = data.points[0];
  EXPECT_EQ(point.id, kKernel + " 256x384x128 warm");
  EXPECT_EQ(point.measured.at("cycles"), 1000);
  EXPECT_EQ(point.measured.at("cycles_elapsed"), 2000);
  EXPECT_EQ(*point.field("pattern"), "2:4");
  ASSERT_EQ(point.tasks.size(), 1U);
  EXPECT_TRUE(point.tasks[0].warm_l2);
  EXPECT_EQ(point.tasks[0].n, 384);
}

TEST_F(ReadMeasured, WhatSiliconHardlyWritesIsNotCompared) {
  const MeasuredData data = read("kernel,m,n,k,l2,elapsed_cycles,dram_read_bytes,dram_write_bytes\n" + kKernel +
                                 ",256,384,128,cold,2000,256,65535\n" + kKernel + ",512,384,128,cold,2000,0,65536\n");
  ASSERT_EQ(data.points.size(), 2U);
  EXPECT_EQ(data.points[0].measured.count("dram_write_bytes"), 0U);
  EXPECT_EQ(data.points[0].measured.at("dram_read_bytes"), 256);
  EXPECT_EQ(data.points[1].measured.at("dram_write_bytes"), 65536);
}

// Best of two warpgroup kernels each; a time of a sparse one may stand alone.
TEST_F(ReadMeasured, PublishedTimesOf8BitFloats) {
  const MeasuredData data = read(
      "dtype,m,n,k,dense_us,sparse_us,note\ne4m3,512,512,512,20,10,\ne4m3,512,512,512,,10,\nf8,512,512,512,20,10,\n");
  ASSERT_EQ(data.points.size(), 2U);
  EXPECT_EQ(data.points[0].dense_tasks, 2U);
  ASSERT_EQ(data.points[0].tasks.size(), 4U);
  EXPECT_EQ(data.points[0].tasks[0].kernel.rfind("e4m3_dense_", 0), 0U);
  EXPECT_EQ(data.points[0].tasks[2].kernel.rfind("e4m3_sp24_", 0), 0U);
  EXPECT_EQ(data.points[0].measured.at("speedup"), 2);
  EXPECT_EQ(data.points[1].dense_tasks, 0U);
  EXPECT_EQ(data.points[1].measured.count("speedup"), 0U);
  ASSERT_EQ(data.notes.size(), 1U);
}

TEST_F(ReadMeasured, GemmErrorsNameFileAndLine) {
  EXPECT_EQ(error("kernel,m,n,l2,cycles\n" + kKernel + ",256,256,warm,1\n"),
            "m.csv:1: column 'k' is missing (needed by line 2); the columns are kernel, m, n, l2, cycles");
  EXPECT_EQ(error(kGemmColumns + kKernel + ",256,256,x,warm,1,1\n"),
            "m.csv:2: column 'k' must be a whole number from 1 to 1048576, but is 'x'");
  EXPECT_EQ(error(kGemmColumns + kKernel + ",256,200,64,warm,1,1\n"),
            "m.csv:2: column 'n' must be a multiple of 128, but is 200");
  EXPECT_EQ(error(kGemmColumns + kKernel + ",256,256,64,hot,1,1\n"),
            "m.csv:2: column 'l2' must be one of cold, warm, but is 'hot'");
  EXPECT_EQ(error(kGemmColumns + kKernel + ",256,256,64,warm,fast,1\n"),
            "m.csv:2: column 'active_cycles_max' must be a number, but is 'fast'");
  EXPECT_THAT(error("# c\n" + kGemmColumns + "f16_sp24_128x128x64_w64x32_s9,256,256,64,warm,1,1\n"),
              testing::AllOf(testing::StartsWith("m.csv:3: column 'kernel': unknown kernel"),
                             testing::HasSubstr("did you mean 'f16_sp24_128x128x64_w64x32_s")));
}

const std::string kMicro =
    "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,cycles_median,cta_cycles_median,operations_per_warp\n";

TEST_F(ReadMeasured, MicrobenchmarkErrorsNameFileAndLine) {
  const std::string name = "micro_mma_m16n8k8_f32_f16_f16_f32_c1";
  EXPECT_EQ(read(kMicro + "mma,micro_mma," + name + ",1,4,0,0,out 32,100,100,64\n").points.size(), 1U);
  EXPECT_THAT(error(kMicro + "mma,micro_mma," + name + "0,1,4,0,0,out 32,100,100,64\n"),
              testing::AllOf(testing::StartsWith("m.csv:2: column 'kernel': "),
                             testing::HasSubstr("has no kernel 'micro_mma_m16n8k8_f32_f16_f16_f32_c10'")));
  EXPECT_THAT(error(kMicro + "mma,micro_nothing," + name + ",1,4,0,0,out 32,100,100,64\n"),
              testing::StartsWith("m.csv:2: "));
  EXPECT_EQ(error(kMicro + "mma,micro_mma," + name + ",1,33,0,0,out 32,100,100,64\n"),
            "m.csv:2: column 'warps' must be a whole number from 1 to 32, but is '33'");
  EXPECT_EQ(error(kMicro + "mma,micro_mma," + name + ",1,4,0,0,out x,100,100,64\n"),
            "m.csv:2: column 'args' holds 'x'; allowed: out, data, whole numbers");
}

TEST_F(ReadMeasured, RowsOfOneLaunchAreOnePoint) {
  const std::string head = "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,runs,warp,clocks\n";
  const std::string launch = "issue,micro_issue,micro_issue_none,1,2,16384,1048576,out data,9,";
  const MeasuredData data = read(head + launch + "0,0 2 70\n" + launch + "1,3 5 74\n");
  ASSERT_EQ(data.points.size(), 1U);
  EXPECT_EQ(data.points[0].measured.at("last_clock"), 74);
  EXPECT_EQ(data.points[0].tasks[0].micro.samples, 3U);
}

TEST_F(ReadMeasured, ALaunchWithEmptiedCachesIsAnother) {
  const std::string head = "group,cubin,kernel,ctas,warps,shared_bytes,data_bytes,args,flushed,runs,warp,clocks\n";
  const std::string launch = "issue,micro_issue,micro_issue_none,1,2,16384,1048576,out data,";
  const MeasuredData data = read(head + launch + "0,9,0,0 2 70\n" + launch + "1,9,0,0 2 700\n");
  ASSERT_EQ(data.points.size(), 2U);
  EXPECT_NE(data.points[0].tasks[0].name(), data.points[1].tasks[0].name());
  EXPECT_EQ(data.points[1].id, data.points[0].id + ", caches emptied");
  EXPECT_EQ(data.points[1].measured.at("last_clock"), 700);
}

TEST_F(ReadMeasured, RepeatedRowsKeepTheirNamesApart) {
  const std::string row = kKernel + ",256,256,64,cold,1,1\n";
  const MeasuredData data = read(kGemmColumns + row + row);
  EXPECT_EQ(data.points[1].id, data.points[0].id + " #2");
}

TEST_F(ReadMeasured, LibraryRowIsTheBestOfSomeTiles) {
  const MeasuredData data = read("m,n,k,dense_us,sparse_us\n1024,1024,1024,20,16\n");
  ASSERT_EQ(data.points.size(), 1U);
  const ComparePoint& point = data.points[0];
  EXPECT_EQ(point.measured.at("speedup"), 1.25);
  ASSERT_EQ(point.tasks.size(), 4U);
  EXPECT_EQ(point.dense_tasks, 2U);
  EXPECT_FALSE(manifest_.find(point.tasks[1].kernel)->sparse());
  EXPECT_TRUE(manifest_.find(point.tasks[2].kernel)->sparse());
}

const std::string kEnergy = "point,repetition,cubin,kernel,fill,mark,arguments,joules,watts,us_per_launch,sm_mhz\n";

std::string energy_row(const std::string& point, int repetition, const std::string& kernel, const std::string& end) {
  return point + "," + std::to_string(repetition) + ",x.cubin," + kernel + "," + end + "\n";
}

TEST_F(ReadMeasured, RepetitionsOfAnEnergyAreOnePointWithoutTheFirst) {
  const std::string gemm = "f16,test,a e b d 256 384 128,";
  const MeasuredData data = read(kEnergy + energy_row("loop", 0, "energy_ffma", "f32,fit,data N 32 0 0,1,300,20,1980") +
                                 energy_row("gemm", 0, kKernel, gemm + "1,100,90,1980") +
                                 energy_row("gemm", 1, kKernel, gemm + "1,400,50,1900") +
                                 energy_row("gemm", 2, kKernel, gemm + "1,500,60,1700") +
                                 energy_row("alone", 0, kKernel, "zero,test,a e b d 256 384 256,1,200,80,1980"));
  ASSERT_EQ(data.points.size(), 2U);
  const ComparePoint& point = data.points[0];
  EXPECT_EQ(point.id, kKernel + " 256x384x128 f16");
  EXPECT_EQ(point.measured.at("watts"), 450);
  EXPECT_DOUBLE_EQ(point.measured.at("joules"), (400 * 50 + 500 * 60) / 2 * 1e-6);
  EXPECT_EQ(point.measured.at("limited_us"), 55);
  EXPECT_EQ(point.measured.at("limited_mhz"), 1800);
  EXPECT_EQ(point.caveat, "2 repetitions, watts within 25.0 %");
  EXPECT_TRUE(point.tasks[0].warm_l2);
  EXPECT_FALSE(point.zero_operands);
  EXPECT_TRUE(data.points[1].zero_operands);
  EXPECT_EQ(data.points[1].measured.at("watts"), 200);
  EXPECT_THAT(data.notes, testing::Contains(testing::HasSubstr("1 rows are of loops")));
}

TEST_F(ReadMeasured, EnergyErrorsNameFileAndLine) {
  const auto row = [&](const std::string& end) { return error(kEnergy + energy_row("g", 1, kKernel, end)); };
  EXPECT_EQ(row("f16,tested,a e b d 256 384 128,1,400,50,1900"),
            "m.csv:2: column 'mark' must be one of fit, zero, limit, half, test, but is 'tested'");
  EXPECT_EQ(row("f16,test,a e b d 256 384 100,1,400,50,1900"),
            "m.csv:2: column 'arguments' must end in m, n and k, multiples of the kernel's tile, but is 'a e b d 256 "
            "384 100'");
  EXPECT_THAT(row("f16,test,384 128,1,400,50,1900"),
              testing::StartsWith("m.csv:2: column 'arguments' must end in m, n"));
  EXPECT_THAT(row("f16,test,a e b d 256 384 128,1,-400,50,1900"), testing::StartsWith("m.csv:2: column 'watts'"));
  EXPECT_THAT(error(kEnergy + energy_row("g", 1, "f17", "f16,test,a e b d 256 384 128,1,400,50,1900")),
              testing::StartsWith("m.csv:2: column 'kernel': unknown kernel"));
}

const std::string kSpmm =
    "kernel,m,n,k,sparsity,parts_of_k,cycles_elapsed,cycles_active,warp_instructions,l2_sectors\n";

TEST_F(ReadMeasured, RowsOfUnstructuredProductsAreGroupedByKernel) {
  const MeasuredData data = read(kSpmm + "spmm_csr_f32_64,256,128,64,0.875,1,900,800,700,600\n" +
                                 "spmm_sgemm_f32_64x64,64,64,128,0.875,2,900,800,700,600\n");
  ASSERT_EQ(data.points.size(), 2U);
  const ComparePoint& point = data.points[0];
  EXPECT_EQ(point.id, "spmm_csr_f32_64 256x128x64, 87.5 % zeros");
  EXPECT_EQ(point.group, "spmm_csr_f32_64");
  EXPECT_EQ(*point.field("group"), "spmm");
  EXPECT_EQ(*point.field("format"), "csr");
  // Its sectors and active cycles count something else than ours.
  EXPECT_EQ(point.measured, (MetricValues{{"cycles_elapsed", 900}, {"warp_instructions", 700}}));
  EXPECT_EQ(point.tasks[0].sparsity, 0.875);
  EXPECT_EQ(data.points[1].tasks[0].parts, 2);
  EXPECT_EQ(data.points[1].id, "spmm_sgemm_f32_64x64 64x64x128, 87.5 % zeros, k in 2 parts");
}

TEST_F(ReadMeasured, ErrorsOfUnstructuredProductsNameFileAndLine) {
  const auto row = [&](const std::string& text) { return error(kSpmm + text + ",9,8,7,6\n"); };
  EXPECT_THAT(row("spmm_csr_f32_63,256,128,64,0.5,1"),
              testing::AllOf(testing::StartsWith("m.csv:2: column 'kernel': unknown kernel"),
                             testing::HasSubstr("did you mean 'spmm_csr_f32_")));
  EXPECT_EQ(row("spmm_csr_f32_64,256,128,64,1,1"),
            "m.csv:2: column 'sparsity' must be a share of zeros from 0 to below 1, but is 1");
  EXPECT_EQ(row("spmm_csr_f32_64,256,128,64,0.5,2"),
            "m.csv:2: column 'parts_of_k' must be 1: spmm_csr_f32_64 does not cut k");
  EXPECT_THAT(row("spmm_csr_f32_64,256,102,64,0.5,1"), testing::StartsWith("m.csv:2: n = 102"));
  EXPECT_EQ(row("spmm_csr_f32_64,65536,128,65536,0.5,1"),
            "m.csv:2: columns 'm', 'n' and 'k': a matrix may have 134217728 elements at most");
}

TEST_F(ReadMeasured, UnknownColumnsAreExplained) {
  EXPECT_THAT(error("a,b\n1,2\n"), testing::HasSubstr("is no measured file that is known here"));
}

}  // namespace
}  // namespace stc::sim
