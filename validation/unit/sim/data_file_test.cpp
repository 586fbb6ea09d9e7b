// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/data_file.h"

#include <lz4frame.h>

#include <filesystem>

#include "sim/launch/expectation.h"
#include "sim/launch/launch_writer.h"
#include "sim/launch/npy_file.h"
#include "sim/launch/save.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;
using Data = std::vector<std::uint8_t>;

Data pattern(std::size_t count) {
  Data bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(i * i >> 3);
  return bytes;
}
std::string text_of(const Data& bytes) { return {bytes.begin(), bytes.end()}; }

Data packed_lz4(const Data& bytes) {
  Data packed(LZ4F_compressFrameBound(bytes.size(), nullptr));
  packed.resize(LZ4F_compressFrame(packed.data(), packed.size(), bytes.data(), bytes.size(), nullptr));
  return packed;
}

TEST(DataFile, CompressedFilesAreInflated) {
  const TemporaryFolder folder;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{5000000}}) {
    const Data bytes = pattern(count);
    EXPECT_EQ(read_data(folder.write("a.bin.zst", text_of(compressed(bytes)))), bytes) << count;
    EXPECT_EQ(read_data(folder.write("a.bin.lz4", text_of(packed_lz4(bytes)))), bytes) << count;
    EXPECT_EQ(read_data(folder.write("a.bin", text_of(bytes))), bytes) << count;
  }
  EXPECT_LT(compressed(Data(100000, 7)).size(), 1000U);
}

TEST(DataFile, CutOffAndDamagedFilesAreNamed) {
  const TemporaryFolder folder;
  const Data bytes = pattern(100000);
  for (const auto& [name, packed] : {std::pair{"a.zst", compressed(bytes)}, std::pair{"a.lz4", packed_lz4(bytes)}}) {
    for (const std::size_t kept : {std::size_t{0}, std::size_t{3}, packed.size() / 2, packed.size() - 1}) {
      const std::string file = folder.write(name, text_of(packed).substr(0, kept));
      EXPECT_EQ(user_error([&] { read_data(file); }).find(file + ": is cut off or damaged; it must be one whole "), 0U)
          << name << kept;
    }
    const std::string file = folder.write(name, text_of(packed) + "x");
    EXPECT_THAT(user_error([&] { read_data(file); }), HasSubstr("is cut off or damaged")) << name;
  }
  for (const char* text : {"", "\x93NUMPY", "not an array at all", "\x93NUMPY\x01\x00\xff\xff{'descr'"}) {
    const std::string file = folder.write("a.npy", text);
    EXPECT_THAT(user_error([&] { read_data(file); }), HasSubstr("must be one whole .npy file")) << text;
  }
}

TEST(DataFile, ArraysThatDoNotFillTheirShapeOrHoldNoNumbersAreRefused) {
  const TemporaryFolder folder;
  const auto array = [&](const std::string& type, const std::string& shape, std::size_t bytes) {
    const std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
    const std::string file = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
    return folder.write("a.npy", file + std::string(bytes, 'x'));
  };
  const auto error = [&](const std::string& type, const std::string& shape, std::size_t bytes) {
    const std::string path = array(type, shape, bytes);
    return user_error([&] { read_data(path); });
  };
  EXPECT_EQ(read_data(array("<f4", "2, 3", 24)).size(), 24U);
  EXPECT_EQ(read_data(array("|u1", "24,", 24)).size(), 24U);
  EXPECT_EQ(read_data(array("<f8", "", 8)).size(), 8U);
  for (const char* shape : {"2, 4", "5,", "-6,", "x", "4294967296, 4294967296", ""}) {
    EXPECT_THAT(error("<f4", shape, 24), HasSubstr("is cut off or damaged")) << shape;
  }
  EXPECT_THAT(error("|O", "24,", 24), HasSubstr("holds elements of type '|O'"));
  EXPECT_THAT(error(">f4", "6,", 24), HasSubstr("big-endian"));
}

TEST(DataFile, ArraysOfNumPyMayBeCompressed) {
  const TemporaryFolder folder;
  const Data bytes = pattern(96);
  const Data file = numpy_file(ElementType::f32, {24}, bytes);
  EXPECT_EQ(read_data(folder.write("a.npy.zst", text_of(compressed(file)))), bytes);
  EXPECT_EQ(read_data(folder.write("a.npy.lz4", text_of(packed_lz4(file)))), bytes);
}

TEST(LaunchWriter, EqualContentsAreStoredOnce) {
  const TemporaryFolder folder;
  const Data bytes = pattern(100000);
  LaunchWriter writer(folder.path("kept"), 1);
  LaunchWriter::Shape shape;
  shape.grid = {1, 1, 1};
  shape.block = {32, 1, 1};
  writer.set_kernel("gpu.yaml", pattern(64), "kernel", shape);
  writer.add_buffer("A", 0x1000, bytes);
  writer.add_buffer("B", 0x100000, bytes);
  writer.expect("B", bytes);
  writer.commit();
  const auto in_folder = std::filesystem::directory_iterator(folder.path("kept/data"));
  EXPECT_EQ(std::distance(begin(in_folder), end(in_folder)), 2);  // and the cubin
}

TEST(DataFile, ArraysOfNumPyAreReadBack) {
  const TemporaryFolder folder;
  const Data bytes = pattern(96);
  const Data file = numpy_file(ElementType::f32, {4, 6}, bytes);
  EXPECT_EQ((file.size() - bytes.size()) % 64, 0U);
  EXPECT_THAT(text_of(file), HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 6), }"));
  EXPECT_THAT(text_of(numpy_file(ElementType::i8, {96}, bytes)),
              HasSubstr("'|i1', 'fortran_order': False, 'shape': (96, )"));
  EXPECT_EQ(read_data(folder.write("a.npy", text_of(file))), bytes);
  std::string other = text_of(file);
  const std::string columns = folder.write("b.npy", other.replace(other.find("False"), 5, "True "));
  EXPECT_THAT(user_error([&] { read_data(columns); }), HasSubstr("is stored column by column"));
  other = text_of(file);
  const std::string big = folder.write("c.npy", other.replace(other.find('<'), 1, ">"));
  EXPECT_THAT(user_error([&] { read_data(big); }), HasSubstr("is big-endian"));
  EXPECT_FALSE(numpy_has(ElementType::bf16) || numpy_has(ElementType::e4m3) || numpy_has(ElementType::tf32));
}

Data floats(const std::vector<float>& values) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(values.data());
  return {first, first + 4 * values.size()};
}

TEST(Expectations, ToleranceIsOfTheExpectedMagnitude) {
  Expectation expected;
  expected.buffer = "D";
  expected.type = ElementType::f32;
  expected.bytes = floats({1000, 0.5F, NAN, 0});
  const auto check = [&](const std::vector<float>& values, double tolerance) {
    expected.tolerance = tolerance;
    return check_expectation(expected, floats(values));
  };
  EXPECT_TRUE(check({1000, 0.5F, NAN, 0}, 0).passed);
  EXPECT_TRUE(check({1001, 0.501F, NAN, -0.001F}, 1.001e-3).passed);
  const ExpectationResult wrong = check({1001, 0.502F, 3, 0}, 1.5e-3);
  EXPECT_FALSE(wrong.passed);
  EXPECT_EQ(wrong.wrong, 2U);
  EXPECT_EQ(wrong.first_mismatch, "element 1 is 0.501999974, must be 0.5");
  EXPECT_FALSE(check({1000, 0.5F, NAN, -0.0F}, 0).passed);  // bit for bit
  EXPECT_TRUE(check({1000, 0.5F, NAN, -0.0F}, 1e-12).passed);
}

TEST(Saves, ShapesMustFit) {
  Save save;
  save.buffer = "D";
  save.file = "d.npy";
  save.type = ElementType::f16;
  save.place = "run.yaml:3:1: launch.save.D";
  require_savable(save, 12);
  save.shape = {2, 3};
  require_savable(save, 12);
  EXPECT_EQ(user_error([&] { require_savable(save, 14); }),
            "run.yaml:3:1: launch.save.D: a shape of [2, 3] and type f16 is 12 bytes, but buffer 'D' has 14");
}

}  // namespace
}  // namespace stc::sim
