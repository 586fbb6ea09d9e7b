// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "sim/formats/weight_matrix.h"
#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A version 1 file as numpy.save writes it: header padded so that the data begin at a multiple of 64 bytes.
std::string npy(const std::string& descr, const std::string& order, const std::string& shape, const std::string& data) {
  std::string header = "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file = "\x93NUMPY";
  file += {'\x01', '\x00', static_cast<char>(header.size() & 0xffU), static_cast<char>(header.size() >> 8U)};
  return file + header + data;
}

template <class T>
std::string raw(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

class Npy : public ::testing::Test {
 protected:
  WeightMatrix read(const std::string& bytes) { return read_npy(folder_.write("w.npy", bytes)); }
  std::string refused(const std::string& bytes) {
    return user_error([&] { read(bytes); });
  }
  const std::string six_ = raw<float>({1, -2, 3, 4, 5, 0.5F});
  TemporaryFolder folder_;
};

TEST_F(Npy, F32InRows) {
  const WeightMatrix weights = read(npy("'<f4'", "False", "(2, 3)", six_));
  EXPECT_EQ(weights.rows, 2);
  EXPECT_EQ(weights.columns, 3);
  EXPECT_THAT(weights.values, ElementsAre(1, -2, 3, 4, 5, 0.5F));
}

TEST_F(Npy, FortranOrderHoldsColumnAfterColumn) {
  const WeightMatrix weights = read(npy("'<f4'", "True", "(2, 3)", six_));
  EXPECT_THAT(weights.values, ElementsAre(1, 3, 5, -2, 4, 0.5F));
}

TEST_F(Npy, F16) {
  const WeightMatrix weights =
      read(npy("'<f2'", "False", "(1, 4)", raw<std::uint16_t>({0x3c00, 0xc000, 0x0001, 0x7bff})));
  EXPECT_THAT(weights.values, ElementsAre(1.0F, -2.0F, 0x1p-24F, 65504.0F));
}

TEST_F(Npy, SecondVersionHasALongerLength) {
  std::string file = npy("'<f4'", "False", "(2, 3)", six_);
  file[6] = '\x02';
  file.insert(10, 2, '\0');
  EXPECT_THAT(read(file).values, ElementsAre(1, -2, 3, 4, 5, 0.5F));
}

TEST_F(Npy, RefusesWhatIsNoMatrixOfFloats) {
  EXPECT_THAT(refused("PK\x03\x04 zip, not npy"), HasSubstr("is no .npy file"));
  EXPECT_THAT(refused(npy("'<f8'", "False", "(2, 3)", six_ + six_)), HasSubstr("'<f8'"));
  EXPECT_THAT(refused(npy("'>f4'", "False", "(2, 3)", six_)), HasSubstr("'>f4'"));
  EXPECT_THAT(refused(npy("[('a', '<f4')]", "False", "(6,)", six_)), HasSubstr("no plain type"));
  EXPECT_THAT(refused(npy("'<f4'", "False", "(6,)", six_)), HasSubstr("1 dimensions"));
  EXPECT_THAT(refused(npy("'<f4'", "False", "(1, 2, 3)", six_)), HasSubstr("3 dimensions"));
  EXPECT_THAT(refused(npy("'<f4'", "False", "(0, 3)", "")), HasSubstr("empty"));
  EXPECT_THAT(refused(npy("'<f4'", "Maybe", "(2, 3)", six_)), HasSubstr("fortran_order"));
  EXPECT_THAT(refused(npy("'<f4'", "False", "(2, -3)", six_)), HasSubstr("'-3'"));
}

TEST_F(Npy, RefusesAFileOfAnotherLength) {
  const std::string file = npy("'<f4'", "False", "(2, 3)", six_);
  EXPECT_THAT(refused(file.substr(0, file.size() - 1)), HasSubstr("holds 23 bytes of data"));
  EXPECT_THAT(refused(file + "x"), HasSubstr("holds 25 bytes of data"));
  EXPECT_THAT(refused(file.substr(0, 40)), HasSubstr("ends inside the header"));
}

TEST_F(Npy, NamesThePlaceOfAnInfinity) {
  const std::string data = raw<float>({1, 2, 3, 4, std::numeric_limits<float>::infinity(), 6});
  EXPECT_THAT(refused(npy("'<f4'", "False", "(2, 3)", data)), HasSubstr("row 1, column 1 is inf"));
  EXPECT_THAT(refused(npy("'<f4'", "True", "(2, 3)", data)), HasSubstr("row 0, column 2 is inf"));
}

}  // namespace
}  // namespace stc::sim
