// SPDX-License-Identifier: Apache-2.0
// Which variable of a module a run file means, and what it gets.
#include "sim/launch/symbols.h"

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kShift[] = "_ZN39_INTERNAL_00000000_4_k_cu_use_variables5image5shiftE";

isa::ModuleVariable variable(const std::string& name, std::uint64_t bytes) {
  isa::ModuleVariable v;
  v.name = name;
  v.bytes = bytes;
  return v;
}

const std::vector<isa::ModuleVariable> kVariables = {variable("table", 16), variable("_ZN5image5tableE", 4),
                                                     variable("_ZN5image7offsetsE", 4),
                                                     variable("_ZN5audio7offsetsE", 4), variable(kShift, 8)};

SymbolPlan plan(const std::string& name) {
  SymbolPlan p;
  p.name = name;
  p.place = "run.yaml:5:3: launch.symbols." + name;
  return p;
}

std::string found(const std::string& name) { return resolve_symbols({plan(name)}, kVariables, "k.cubin").at(0).name; }
std::string refused(const std::vector<SymbolPlan>& plans) {
  return user_error([&] { resolve_symbols(plans, kVariables, "k.cubin"); });
}

TEST(Symbols, NamesOfTheSource) {
  EXPECT_EQ(source_name("table"), "table");
  EXPECT_EQ(source_name("_ZN5image7offsetsE"), "image::offsets");
  EXPECT_EQ(source_name(kShift), "image::shift");
  EXPECT_EQ(source_name("_ZN27_INTERNAL_1e529fae_4_a_cu_k29_GLOBAL__N__1e529fae_4_a_cu_k4anonE"), "anon");
}

TEST(Symbols, MangledQualifiedOrLastNameWhenUnique) {
  EXPECT_EQ(found("table"), "table");  // the symbol itself before all others
  EXPECT_EQ(found("image::table"), "_ZN5image5tableE");
  EXPECT_EQ(found("_ZN5audio7offsetsE"), "_ZN5audio7offsetsE");
  EXPECT_EQ(found("shift"), kShift);
}

TEST(Symbols, UnknownAndAmbiguousNamesAreRefused) {
  EXPECT_THAT(refused({plan("tabel")}), AllOf(HasSubstr("run.yaml:5:3"), HasSubstr("did you mean 'table'")));
  EXPECT_THAT(refused({plan("offsets")}), AllOf(HasSubstr("2 variables"), HasSubstr("_ZN5audio7offsetsE")));
  EXPECT_THAT(refused({plan("shift"), plan("image::shift")}), HasSubstr("set already"));
}

TEST(Symbols, ContentsHaveTheSizeOfTheVariable) {
  SymbolPlan words = plan("table");
  words.fill.kind = Fill::Kind::kSequence;
  words.fill.type = ElementType::i32;
  words.fill.low = 7;
  words.fill.high = 1;
  EXPECT_THAT(resolve_symbols({words}, kVariables, "k.cubin").at(0).data,
              ElementsAre(7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 10, 0, 0, 0));
  SymbolPlan wide = plan("image::table");
  wide.fill.kind = Fill::Kind::kConstant;
  wide.fill.type = ElementType::i64;
  EXPECT_THAT(refused({wide}), AllOf(HasSubstr("has 4 bytes"), HasSubstr("no multiple of the 8")));
  const TemporaryFolder folder;
  SymbolPlan file = plan("image::table");
  file.fill.kind = Fill::Kind::kFile;
  file.fill.file = folder.write("five.bin", "12345");
  EXPECT_THAT(refused({file}), AllOf(HasSubstr("five.bin has 5 bytes"), HasSubstr("the variable has 4")));
}

}  // namespace
}  // namespace stc::sim
