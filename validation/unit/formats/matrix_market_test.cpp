// SPDX-License-Identifier: Apache-2.0
#include "sim/formats/matrix_market.h"

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class MatrixMarket : public ::testing::Test {
 protected:
  SparseMatrix read(const std::string& text) { return read_matrix_market(folder_.write("m.mtx", text)); }
  /// The message after the file's name: ":3: ..."
  std::string refused(const std::string& text) {
    const std::string message = user_error([&] { read(text); });
    const std::string file = folder_.path("m.mtx");
    EXPECT_EQ(message.rfind(file + ":", 0), 0U) << message;
    return message.substr(std::min(message.size(), file.size()));
  }
  const std::string real_ = "%%MatrixMarket matrix coordinate real general\n";
  TemporaryFolder folder_;
};

TEST_F(MatrixMarket, EntriesInAnyOrderWithEmptyRowsAndColumns) {
  const SparseMatrix matrix = read(real_ + "% a comment\n\n4 5 3\n4 1 -2.5\n1 4 1e1\n1 2 3\n");
  EXPECT_EQ(matrix.rows, 4);
  EXPECT_EQ(matrix.columns, 5);
  EXPECT_THAT(matrix.offsets, ElementsAre(0, 2, 2, 2, 3));
  EXPECT_THAT(matrix.indices, ElementsAre(1U, 3U, 0U));
  EXPECT_THAT(matrix.values, ElementsAre(3.0F, 10.0F, -2.5F));
  EXPECT_DOUBLE_EQ(matrix.density(), 3.0 / 20);
}

TEST_F(MatrixMarket, PatternHasOnes) {
  const SparseMatrix matrix = read("%%MatrixMarket MATRIX Coordinate pattern general\n2 2 1\n2 1\n");
  EXPECT_THAT(matrix.values, ElementsAre(1.0F));
}

TEST_F(MatrixMarket, SymmetricHalvesAreCompleted) {
  const SparseMatrix symmetric = read("%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n1 1 7\n3 1 4\n");
  EXPECT_THAT(dense_of(symmetric), ElementsAre(7, 0, 4, 0, 0, 0, 4, 0, 0));
  const SparseMatrix skew = read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n");
  EXPECT_THAT(dense_of(skew), ElementsAre(0, -3, 3, 0));
}

TEST_F(MatrixMarket, NoEntriesAtAll) { EXPECT_THAT(read(real_ + "2 2 0\n").offsets, ElementsAre(0, 0, 0)); }

TEST_F(MatrixMarket, RepeatedEntryNamesBothLines) {
  EXPECT_EQ(refused(real_ + "2 2 3\n2 1 1\n1 1 1\n2 1 5\n"), ":5: entry (2, 1) was given before, in line 3");
}

TEST_F(MatrixMarket, TruncatedFileSaysWhatIsMissing) {
  EXPECT_THAT(refused(real_ + "2 2 3\n2 1 1\n1 1 1\n"),
              EndsWith(":4: the file ends after 2 of the 3 entries that its size line announces"));
  EXPECT_THAT(refused(real_ + "2 2 1\n2 1\n"), HasSubstr(":3: the entry has 2 words, but 'ROW COLUMN VALUE'"));
  EXPECT_THAT(refused(real_), HasSubstr("ends before its size line"));
  EXPECT_THAT(refused(""), HasSubstr(":1: is no Matrix Market file"));
}

TEST_F(MatrixMarket, RefusesWhatItDoesNotRead) {
  EXPECT_THAT(refused("%%MatrixMarket matrix array real general\n"), HasSubstr("unknown format 'array'"));
  EXPECT_THAT(refused("%%MatrixMarket matrix coordinate complex general\n"), HasSubstr("unknown field 'complex'"));
  EXPECT_THAT(refused("%%MatrixMarket matrix coordinate real hermitian\n"), HasSubstr("unknown symmetry 'hermitian'"));
}

TEST_F(MatrixMarket, RefusesPlacesAndValuesThatCannotBe) {
  EXPECT_THAT(refused(real_ + "2 2 1\n3 1 1\n"),
              HasSubstr(":3: the row is '3', but must be a whole number from 1 to 2"));
  EXPECT_THAT(refused(real_ + "2 2 1\n1 0 1\n"), HasSubstr("the column is '0'"));
  EXPECT_THAT(refused(real_ + "2 2 1\n1 1 nan\n"), HasSubstr("the value is 'nan', but must be a finite number"));
  EXPECT_THAT(refused(real_ + "2 2 1\n1 1 1e99\n"), HasSubstr("within f32"));
  EXPECT_THAT(refused(real_ + "2 2 5\n"),
              HasSubstr("the number of entries is '5', but must be a whole number from 0 to 4"));
  EXPECT_THAT(refused(real_ + "2 2 1\n1 1 1\n2 2 1\n"), HasSubstr(":4: holds more than the 1 entries"));
  EXPECT_THAT(refused("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n"),
              HasSubstr("lies above the diagonal"));
  EXPECT_THAT(refused("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n"), HasSubstr("is square"));
}

}  // namespace
}  // namespace stc::sim
