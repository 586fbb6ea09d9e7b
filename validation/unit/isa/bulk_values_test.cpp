// SPDX-License-Identifier: Apache-2.0
// What an H200's tensor copies by columns, conversions, reductions, asynchronous stores and products of single bits
// left behind (tensor_values.csv, bulk_reductions.csv).
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>

#include "validation/unit/isa/bulk_machine.h"
#include "validation/unit/isa/tensor_cases.h"

namespace stc::isa {
namespace {

using testing::HasSubstr;

/// The operands of all cases are made of these words.
std::uint32_t word(std::uint32_t seed, std::uint32_t i) {
  std::uint32_t x = i * 0x9E3779B1u + seed * 0x85EBCA77u + 0x165667B1u;
  x = (x ^ x >> 15) * 0x2C1B3C6Du;
  x = (x ^ x >> 12) * 0x297A2D39u;
  return x ^ x >> 15;
}

void count_up(BufferBytes& memory) {
  for (std::size_t i = 0; i < memory.size() / 2; ++i) {
    const auto value = static_cast<std::uint16_t>(i + 1);
    std::memcpy(memory.data() + 2 * i, &value, 2);
  }
}

/// Ties, subnormals, infinities and NaNs of f32 first, then numbers around 1, then subnormals, then any.
void place_floats(BufferBytes& memory) {
  const std::uint32_t special[] = {0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x807fffff, 0x800000,
                                   0x00001000, 0x00000fff, 0x00001001, 0x3f800000, 0x3f801000, 0x3f800fff, 0x3f801001,
                                   0x3f803000, 0x3f802fff, 0x3f803001, 0x3f802000, 0x7f7fffff, 0x7f7ff000, 0x7f7fefff,
                                   0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0x7f801000, 0x7fc00000, 0x7fffffff,
                                   0xffc12345, 0xbf801000, 0xbf803000, 0x007ff000, 0x007fefff, 0x00400000, 0x00003000};
  for (std::uint32_t i = 0; i < 1024; ++i) {
    std::uint32_t value = i < std::size(special) ? special[i] : word(7, i);
    if (i >= 64 && i < 256) value = 0x3f800000u + (word(8, i) & 0x80ffffffu);
    if (i >= 256 && i < 384) value &= 0x807fffffu;
    std::memcpy(memory.data() + 4 * i, &value, 4);
  }
}

void expect_load(TileCase& one) {
  BulkMachine m;
  count_up(m.data->data);
  if (one.what == "convert") place_floats(m.data->data);
  one.map.address = m.data->address;
  Instruction in = m.tensor(Opcode::kUtmaldg, one.map, one.at, kBox + one.offset);
  m.set_uniform(20, one.column_offsets);
  in.c = uniform(20);
  if (one.status == "illegal") {
    EXPECT_THAT(fault_of(m, in), HasSubstr("illegal instruction")) << one.row;
    return;
  }
  EXPECT_EQ(one.map.box_bytes(), one.bytes) << one.row;
  m.begin_phase(one.bytes);
  m.run(in);
  EXPECT_EQ(fnv1a(m.cta.shared.data() + kBox, one.shown), one.hash) << one.row;
  EXPECT_TRUE(m.phase()) << one.row;
}

void expect_store(TileCase& one) {
  constexpr std::uint32_t kBefore = 4096;
  BulkMachine m;
  for (std::size_t i = 0; i < 16384; ++i) {
    const auto value = static_cast<std::uint16_t>(0x8000 + i);
    std::memcpy(m.cta.shared.data() + kBox + 2 * i, &value, 2);
  }
  one.map.address = m.data->address + kBefore;
  const Instruction in = m.tensor(Opcode::kUtmastg, one.map, one.at, kBox + one.offset);
  if (one.status == "illegal") {
    EXPECT_THAT(fault_of(m, in), HasSubstr("illegal instruction")) << one.row;
    return;
  }
  m.run(in);
  EXPECT_EQ(fnv1a(m.data->data.data(), one.shown), one.hash) << one.row;
}

TEST(TensorValues, AreAnH200s) {
  std::map<std::string, int> seen;
  for (TileCase& one : measured_tensor_values()) {
    if (!unmodelled_feature(one.map).empty()) continue;
    one.loads ? expect_load(one) : expect_store(one);
    ++seen[(one.map.by_columns ? "columns " : "") + one.what + " " + one.status];
  }
  EXPECT_EQ(seen["columns load ok"], 42);
  EXPECT_EQ(seen["columns load illegal"], 4);
  EXPECT_EQ(seen["load ok"], 7);
  EXPECT_EQ(seen["convert ok"], 8);
  EXPECT_EQ(seen["store ok"] + seen["columns store ok"], 17);
  EXPECT_EQ(seen["store illegal"] + seen["columns store illegal"], 52);
}

TEST(TensorValues, MapsByColumnsAreTheDriversInBothDirections) {
  TensorMap map;
  map.type = TensorType::kF16, map.rank = 4, map.by_columns = true, map.swizzle = 3, map.address = 0x7f1234567000;
  map.size = {64, 32, 16, 8, 1}, map.stride = {0, 128, 4096, 65536, 0};
  map.box[0] = 64, map.pixels = 128, map.lower = {-3, -1, 0}, map.upper = {-1, 2, 0};
  ASSERT_EQ(encoding_problem(map), "");
  const TensorMapBytes bytes = encode_tensor_map(map);
  EXPECT_EQ(bytes[0x38], 0xfd);
  EXPECT_EQ(bytes[0x39], 0xff);
  EXPECT_EQ(bytes[0x3a], 0xff);
  EXPECT_EQ(bytes[0x3b], 0x02);
  EXPECT_EQ(bytes[0x3c], 127);
  EXPECT_EQ(bytes[0x41], 0x40) << "16384 bytes";
  std::string problem;
  const TensorMap back = decode_tensor_map(bytes, problem);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(back.lower, map.lower);
  EXPECT_EQ(back.upper, map.upper);
  EXPECT_EQ(back.rows(), 128u);
  EXPECT_EQ(encode_tensor_map(back), bytes);
  map.lower[1] = -129;
  EXPECT_EQ(encoding_problem(map), "corner -129 of dimension 2 is not within -128 and 127");
  map.lower[1] = 0, map.pixels = 1025;
  EXPECT_EQ(encoding_problem(map), "1025 pixels are not within 1 and 1024");
}

struct Format {
  int exponent_bits, fraction_bits;
};

/// 1024 bytes of numbers of the driver's type: any, around 1 twice, tiny; whole numbers are any.
std::vector<std::uint8_t> numbers(std::uint32_t seed, int type) {
  TensorType kind{};
  EXPECT_TRUE(driver_type(type, kind));
  const auto size = static_cast<std::size_t>(bytes_of(kind));
  Format format{0, 0};
  if (kind == TensorType::kF16) format = {5, 10};
  if (kind == TensorType::kBf16) format = {8, 7};
  if (kind == TensorType::kF32 || kind >= TensorType::kTf32 || kind == TensorType::kF32Flushed) format = {8, 23};
  if (kind == TensorType::kF64) format = {11, 52};
  std::vector<std::uint8_t> out(1024);
  for (std::uint32_t i = 0; i < 1024 / size; ++i) {
    std::uint64_t r = word(seed, 2 * i) | std::uint64_t{word(seed, 2 * i + 1)} << 32;
    if (format.exponent_bits != 0) {
      const std::uint64_t bias = (1u << (format.exponent_bits - 1)) - 1, sign = r >> 63;
      const std::uint64_t fraction = r & ((std::uint64_t{1} << format.fraction_bits) - 1);
      std::uint64_t exponent = r >> 54 & ((1u << format.exponent_bits) - 1);
      if (i % 4 == 1 || i % 4 == 2) exponent = bias + (r >> 56 & 15) - 8;
      if (i % 4 == 3) exponent = r >> 57 & 1;
      r = sign << (format.exponent_bits + format.fraction_bits) | exponent << format.fraction_bits | fraction;
    }
    std::memcpy(out.data() + i * size, &r, size);
  }
  return out;
}

struct Operands {
  std::vector<std::uint8_t> in, old;
};

/// Of counting operations both are often the same or neighbours, or what is there is zero.
Operands operands_of(int type, bool counts) {
  const auto seed = static_cast<std::uint32_t>(type);
  Operands o{numbers(31 + seed, type), numbers(61 + seed, type)};
  for (std::uint32_t i = 0; counts && i < 256; ++i) {
    std::uint32_t old;
    std::memcpy(&old, &o.old[4 * i], 4);
    const std::uint32_t in = i % 4 == 0 ? old : i % 4 == 1 ? old + 1 : i % 4 == 2 ? old - 1 : word(5, i);
    if (i % 8 > 5) std::fill_n(&o.old[4 * i], 4, std::uint8_t{0});
    std::memcpy(&o.in[4 * i], &in, 4);
  }
  return o;
}

const std::map<std::string, AtomicOp> kOperations = {
    {"add", AtomicOp::kAdd}, {"min", AtomicOp::kMin}, {"max", AtomicOp::kMax}, {"inc", AtomicOp::kInc},
    {"dec", AtomicOp::kDec}, {"and", AtomicOp::kAnd}, {"or", AtomicOp::kOr},   {"xor", AtomicOp::kXor}};
/// The driver's type and the instruction's.
const std::map<std::string, std::pair<int, ScalarType>> kTypes = {
    {"u32", {2, ScalarType::kU32}},   {"b32", {2, ScalarType::kU32}},   {"s32", {3, ScalarType::kS32}},
    {"u64", {4, ScalarType::kU64}},   {"b64", {4, ScalarType::kU64}},   {"s64", {5, ScalarType::kS64}},
    {"f16", {6, ScalarType::kF16}},   {"f32", {7, ScalarType::kF32}},   {"f64", {8, ScalarType::kF64}},
    {"bf16", {9, ScalarType::kBf16}}, {"v2b32", {2, ScalarType::kU64}}, {"v4b32", {2, ScalarType::kU32}},
    {"v2b64", {2, ScalarType::kU64}}};

bool counts(const ReductionCase& one) { return one.operation == "inc" || one.operation == "dec"; }

/// To global memory: of a block, or of a box of a tensor.
void expect_reduction(const ReductionCase& one) {
  const bool box = one.what == "tred";
  BulkMachine m;
  const int type = box ? std::stoi(one.type) : kTypes.at(one.type).first;
  TensorMap map;
  ASSERT_TRUE(driver_type(type, map.type));
  const auto size = static_cast<std::uint32_t>(bytes_of(map.type));
  const Operands o = operands_of(type, counts(one) && size == 4);
  std::copy(o.in.begin(), o.in.end(), m.cta.shared.begin() + kBox);
  std::copy(o.old.begin(), o.old.end(), m.data->data.begin());
  map.address = m.data->address, map.rank = 1;
  map.size[0] = 1024 / size, map.box[0] = std::min(256u, 1024 / size);
  Instruction in = box ? m.tensor(Opcode::kUtmaredg, map, {}, kBox) : m.block(false, map.address, kBox, 1024);
  if (!box) in.opcode = Opcode::kUblkred, in.mod.source_type = kTypes.at(one.type).second;
  in.mem.atomic = kOperations.at(one.operation);
  if (one.status == "illegal") {
    EXPECT_THAT(fault_of(m, in), HasSubstr("illegal instruction")) << one.row;
    return;
  }
  m.run(in);
  EXPECT_EQ(fnv1a(m.data->data.data(), 1024), one.hash) << one.row;
}

/// Shared memory of a CTA of a cluster of two.
struct ClusterMachine : BulkMachine {
  static constexpr std::uint32_t kTarget = 0x2000;
  ClusterMachine(const Operands& operands, std::uint32_t to) : target(to == 0 ? cta : other) {
    other.shared.assign(0x10000, 0);
    other.cluster_rank = 1;
    cta.cluster = &cluster;
    std::copy(operands.old.begin(), operands.old.end(), target.shared.begin() + kTarget);
    begin_phase(0);
    std::copy_n(cta.shared.begin() + kBarrier, 8, other.shared.begin() + kBarrier);
    for (CtaState* const one : {&cta, &other}) {  // of one arrival, whose phase does not end
      const std::uint64_t fresh = std::uint64_t{(1u << 20) - 1} << 43 | std::uint64_t{(1u << 20) - 1} << 1;
      std::memcpy(one->shared.data() + kBarrier, &fresh, sizeof fresh);
    }
  }
  std::int64_t counted() const {
    std::uint64_t value;
    std::memcpy(&value, target.shared.data() + kBarrier, sizeof value);
    return -Mbarrier(90, value).transactions();
  }
  CtaState other;
  CtaCluster cluster{&cta, &other};
  CtaState& target;
};

void expect_in_cluster(const ReductionCase& one) {
  const Operands o = operands_of(kTypes.at(one.type).first, counts(one));
  ClusterMachine m(o, one.to);
  std::copy(o.in.begin(), o.in.end(), m.cta.shared.begin() + kBox);
  Instruction in;
  BulkForm form;
  form.to_shared = form.from_shared = true;
  in.opcode = one.operation == "copy" ? Opcode::kUblkcp : Opcode::kUblkred;
  in.mod.variant = form.bits();
  in.mod.source_type = kTypes.at(one.type).second;
  if (one.operation != "copy") in.mem.atomic = kOperations.at(one.operation);
  m.set_uniform(4, kBox);
  m.set_uniform(8, one.to << 24 | ClusterMachine::kTarget);
  m.set_uniform(9, one.to << 24 | kBarrier);
  m.set_uniform(12, 1024 / 16);
  in.a = uniform(4), in.b = uniform(8), in.c = uniform(12);
  m.run(in);
  EXPECT_EQ(fnv1a(m.target.shared.data() + ClusterMachine::kTarget, 1024), one.hash) << one.row;
  EXPECT_EQ(m.counted(), one.bytes) << one.row;
}

void expect_lanes(const ReductionCase& one) {
  const bool stores = one.operation == "store";
  const Operands o = operands_of(stores ? 2 : kTypes.at(one.type).first, counts(one));
  ClusterMachine m(o, one.to);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    m.warp.r[2][lane] = one.to << 24 | (ClusterMachine::kTarget + lane * one.step);
    m.warp.r[3][lane] = one.to << 24 | kBarrier;
    for (std::size_t w = 0; w < 4; ++w) std::memcpy(&m.warp.r[4 + w][lane], &o.in[16 * lane + 4 * w], 4);
  }
  m.warp.p[0] = one.lanes;
  Instruction in;
  in.opcode = stores ? Opcode::kStas : Opcode::kRedas;
  in.guard.index = 0;
  in.mem.address_register = 2, in.mem.data_register = 4;
  const std::map<std::string, std::uint8_t> bytes = {
      {"b64", 8}, {"u64", 8}, {"v2b32", 8}, {"v4b32", 16}, {"v2b64", 16}};
  in.mem.bytes = bytes.count(one.type) != 0 ? bytes.at(one.type) : std::uint8_t{4};
  in.mod.source_type = kTypes.at(one.type).second;
  if (!stores) in.mem.atomic = kOperations.at(one.operation);
  m.run(in);
  EXPECT_EQ(fnv1a(m.target.shared.data() + ClusterMachine::kTarget, 1024), one.hash) << one.row;
  EXPECT_EQ(m.counted(), one.bytes) << one.row;
}

/// 64 x 8 products of 256 bits: A of rows of eight words, B of columns of eight words, C.
void expect_bits(const ReductionCase& one) {
  const std::uint32_t seed = static_cast<std::uint32_t>(one.type[2] - '0');
  std::array<std::uint32_t, 512 + 64 + 512> h;
  for (std::uint32_t i = 0; i < h.size(); ++i) h[i] = word(100 + seed, i) | (seed == 1 && i < 512 ? word(300, i) : 0);
  std::array<std::uint32_t, 512> d{};
  constexpr std::uint32_t kA = 0x2000, kB = 0x4000;
  for (std::uint32_t warp = 0; warp < 4; ++warp) {
    BulkMachine m;
    m.warp.index_in_cta = static_cast<int>(warp);
    for (std::uint32_t i = 0; i < 512; ++i)  // tiles of 8 rows and 16 bytes
      std::memcpy(&m.cta.shared[kA + i / 64 * 256 + i % 8 / 4 * 128 + i / 8 % 8 * 16 + i % 4 * 4], &h[i], 4);
    for (std::uint32_t i = 0; i < 64; ++i)
      std::memcpy(&m.cta.shared[kB + i % 8 / 4 * 128 + i / 8 * 16 + i % 4 * 4], &h[512 + i], 4);
    const auto row = [&](std::uint32_t lane, std::uint32_t r) { return 16 * warp + lane / 4 + 8 * r; };
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      for (std::uint32_t r = 0; r < 4; ++r) {
        m.warp.r[8 + r][lane] = h[row(lane, r & 1) * 8 + lane % 4 + 4 * (r >> 1)];
        m.warp.r[12 + r][lane] = h[576 + row(lane, r >> 1) * 8 + 2 * (lane % 4) + (r & 1)];
      }
    }
    m.set_long(4, kA >> 4 | std::uint64_t{8} << 16 | std::uint64_t{16} << 32);
    m.set_long(6, kB >> 4 | std::uint64_t{8} << 16 | std::uint64_t{16} << 32);
    Instruction in;
    in.opcode = Opcode::kBgmma;
    in.mma.m = 64, in.mma.n = 8, in.mma.k = 256, in.mma.warpgroup = true;
    in.mma.a = in.mma.b = NumberFormat::b1, in.mma.c = NumberFormat::s32;
    if (one.operation == "rs") in.a = reg(8);
    in.b = uniform(4), in.dest = 12, in.c = reg(12);
    in.source_predicate0.uniform = true;
    in.source_predicate0.negate = one.type[0] == '0';
    arith::Numerics numerics;
    m.context.numerics = &numerics;
    m.run(in);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      for (std::uint32_t r = 0; r < 4; ++r)
        d[row(lane, r >> 1) * 8 + 2 * (lane % 4) + (r & 1)] = m.warp.r[12 + r][lane];
    }
  }
  EXPECT_EQ(fnv1a(reinterpret_cast<const std::uint8_t*>(d.data()), sizeof d), one.hash) << one.row;
}

TEST(BulkReductions, AreAnH200s) {
  std::map<std::string, int> seen;
  for (const ReductionCase& one : measured_reductions()) {
    ++seen[one.what];
    if (one.what == "bits") {
      expect_bits(one);
    } else if (one.what == "shared") {
      expect_in_cluster(one);
    } else if (one.what == "lanes") {
      expect_lanes(one);
    } else {
      expect_reduction(one);
    }
  }
  EXPECT_EQ(seen["gred"], 27);
  EXPECT_EQ(seen["tred"], 42);
  EXPECT_EQ(seen["shared"], 15);
  EXPECT_EQ(seen["lanes"], 56);
  EXPECT_EQ(seen["bits"], 8);
}

}  // namespace
}  // namespace stc::isa
