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

TEST(ConfigNode, KeyGivenTwiceIsAnErrorWhereAnyKeyIsAllowed) {
  EXPECT_THAT(user_error([] { parse("m: {A: 1, A: 2}\n").at("m").items(); }), "run.yaml:1:11: key 'A' is given twice");
  EXPECT_THAT(user_error([] { parse("'m ': 1\n").allow_keys({"m"}); }), HasSubstr("did you mean 'm'?"));
}

TEST(ConfigNode, NumbersAreWrittenInOneWay) {
  const ConfigNode root = parse("a: 010\nb: 1.0\nc: 1e3\nd: 99999999999999999999\ne: 0x10\nf: 0o10\ng: '5 '\n");
  const auto refused = [&](const char* key) { return user_error([&] { root.at(key).integer(0, 2000); }); };
  EXPECT_EQ(refused("a"),
            "run.yaml:1:1: a must be a whole number, but is '010'; zeros in front make it octal elsewhere, "
            "leave them out");
  EXPECT_EQ(refused("b"), "run.yaml:2:1: b must be a whole number, but is '1.0'; write 1");
  EXPECT_EQ(refused("c"), "run.yaml:3:1: c must be a whole number, but is '1e3'; write 1000");
  EXPECT_EQ(refused("d"),
            "run.yaml:4:1: d must be a whole number, but is '99999999999999999999'; it must fit into 64 bits");
  EXPECT_EQ(root.at("e").integer(0, 2000), 16);
  EXPECT_EQ(refused("f"), "run.yaml:6:1: f must be a whole number, but is '0o10'");
  EXPECT_EQ(refused("g"), "run.yaml:7:1: g must be a whole number, but is '5 '");
  EXPECT_THAT(user_error([&] { root.at("a").number(); }),
              HasSubstr("a must be a number, but is '010'; zeros in front"));
  EXPECT_EQ(root.at("c").number(), 1000.0);
}

TEST(ConfigNode, NumbersAreFinite) {
  const ConfigNode root = parse("a: 1e999\nb: inf\nc: nan\nd: .inf\ne: -inf\n");
  const auto refused = [&](const char* key) { return user_error([&] { root.at(key).number(); }); };
  EXPECT_EQ(refused("a"),
            "run.yaml:1:1: a must be a number, but is '1e999'; it may be out of the range of 64-bit numbers");
  EXPECT_EQ(refused("b"), "run.yaml:2:1: b must be a finite number, but is 'inf'");
  EXPECT_EQ(refused("c"), "run.yaml:3:1: c must be a finite number, but is 'nan'");
  EXPECT_EQ(refused("d"), "run.yaml:4:1: d must be a number, but is '.inf'");
  EXPECT_LT(root.at("e").number_or_special(), -1e308);
}

TEST(ConfigNode, OnlyTrueAndFalseAreFlags) {
  for (const char* word : {"yes", "no", "on", "off", "True", "FALSE", "1", "0", "~", "''"}) {
    const ConfigNode root = parse(std::string("f: ") + word + "\n");
    EXPECT_THAT(user_error([&] { root.at("f").flag(); }), HasSubstr("run.yaml:1:1: f must be true or false, but is "))
        << word;
  }
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

TEST(Override, OneKeyIsSetOnce) {
  EXPECT_EQ(parse_overrides({"a.b=1", "a.c=2"}).size(), 2u);
  EXPECT_EQ(user_error([] { parse_overrides({"a.b=1", "c=1", "a.b=2"}); }), "--set a.b=2: 'a.b' is set twice");
  EXPECT_EQ(user_error([] { parse_overrides({"gpu.sms=1", "sms=2"}, "gpu."); }), "--set sms=2: 'sms' is set twice");
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
