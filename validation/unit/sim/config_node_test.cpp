// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config_node.h"

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

ConfigNode parse(const std::string& text, const std::vector<Override>& sets = {}) {
  return ConfigNode::parse(text, "run.yaml", sets);
}

TEST(ConfigNode, UnknownKeyNamesPlaceNearestAndAllowed) {
  const std::string error = user_error([] { parse("gpu: a\n\nlanch: {}\n").allow_keys({"gpu", "launch"}); });
  EXPECT_EQ(error, "run.yaml:3:1: unknown key 'lanch'; did you mean 'launch'? Allowed: gpu, launch");
}

TEST(ConfigNode, UnknownKeyInAGroupNamesTheGroup) {
  const std::string error = user_error([] { parse("a:\n  b:\n    xyz: 1\n").at("a").at("b").allow_keys({"k"}); });
  EXPECT_EQ(error, "run.yaml:3:5: unknown key of a.b: 'xyz'. Allowed: k");
}

TEST(ConfigNode, KeyGivenTwiceIsAnError) {
  EXPECT_THAT(user_error([] { parse("m: 1\nm: 2\n").allow_keys({"m"}); }), "run.yaml:2:1: key 'm' is given twice");
}

TEST(ConfigNode, WrongTypesNamePlaceAndValue) {
  const ConfigNode root = parse("m: many\nlist: [1, 2]\nflag: yes\nreal: 1.5\n");
  EXPECT_EQ(user_error([&] { root.at("m").integer(1, 9); }), "run.yaml:1:1: m must be a whole number, but is 'many'");
  EXPECT_EQ(user_error([&] { root.at("list").integer(1, 9); }),
            "run.yaml:2:1: list must be a whole number, but is a list");
  EXPECT_EQ(user_error([&] { root.at("flag").flag(); }), "run.yaml:3:1: flag must be true or false, but is 'yes'");
  EXPECT_EQ(user_error([&] { root.at("real").integer(1, 9); }),
            "run.yaml:4:1: real must be a whole number, but is '1.5'");
}

TEST(ConfigNode, RangeIsInclusive) {
  const ConfigNode root = parse("m: 9\n");
  EXPECT_EQ(root.at("m").integer(9, 9), 9);
  EXPECT_EQ(user_error([&] { root.at("m").integer(1, 8); }), "run.yaml:1:1: m is 9, but must lie in 1 .. 8");
  EXPECT_EQ(user_error([&] { root.at("m").integer(10, 12); }), "run.yaml:1:1: m is 9, but must lie in 10 .. 12");
}

TEST(ConfigNode, MissingKeyIsNamed) {
  EXPECT_EQ(user_error([] { parse("a: {b: 1}\n").at("c"); }), "run.yaml: key 'c' is missing");
  EXPECT_EQ(user_error([] { parse("x: 1\na: {b: 1}\n").at("a").at("c"); }), "run.yaml:2:1: key 'c' of a is missing");
}

TEST(ConfigNode, BrokenYamlNamesThePlace) {
  EXPECT_THAT(user_error([] { parse("a: [1, 2\nb: 3\n"); }), StartsWith("run.yaml:2:"));
  EXPECT_THAT(user_error([] { parse(""); }), HasSubstr("must hold keys"));
}

TEST(Override, ReplacesDeepKeysAndListElements) {
  const ConfigNode root = parse("a: {b: 1, c: 2}\nl: [5, 6]\n", {{"a.b", "7"}, {"l.1", "8"}, {"new", "[1, 2]"}});
  EXPECT_EQ(root.at("a").at("b").integer(0, 9), 7);
  EXPECT_EQ(root.at("a").at("c").integer(0, 9), 2);
  EXPECT_EQ(root.at("l").elements()[1].integer(0, 9), 8);
  EXPECT_EQ(root.at("new").elements().size(), 2u);
}

TEST(Override, IsThePlaceOfErrors) {
  const ConfigNode root = parse("a: {b: 1}\n", {{"a.b", "x"}, {"a.z", "1"}});
  EXPECT_EQ(user_error([&] { root.at("a").at("b").integer(0, 9); }),
            "--set a.b=x: a.b must be a whole number, but is 'x'");
  EXPECT_THAT(user_error([&] { root.at("a").allow_keys({"b"}); }), StartsWith("--set a.z=1: unknown key of a: 'z'"));
}

TEST(Override, RefusesWhatHasNoPlace) {
  EXPECT_THAT(user_error([] {
                parse("a: 1\n", {{"a.b", "2"}});
              }),
              StartsWith("--set a.b=2: there is no place for 'b'"));
  EXPECT_THAT(user_error([] { parse("l: [1]\n", {{"l.1", "2"}}); }), HasSubstr("no index of a list of 1"));
  EXPECT_THAT(user_error([] { parse_override("novalue"); }), HasSubstr("key.key=value"));
  EXPECT_THAT(user_error([] { parse_override("a..b=1"); }), HasSubstr("empty key"));
}

TEST(FilePath, IsRelativeToTheFileOrToTheWorkingFolder) {
  const ConfigNode node = ConfigNode::parse("gpu: ../g.yaml\n", "dir/sub/run.yaml", {});
  EXPECT_EQ(node.at("gpu").file_path(), "dir/g.yaml");
  const ConfigNode overridden = ConfigNode::parse("gpu: ../g.yaml\n", "dir/sub/run.yaml", {{"gpu", "h.yaml"}});
  EXPECT_EQ(overridden.at("gpu").file_path(), "h.yaml");
}

}  // namespace
}  // namespace stc::sim
