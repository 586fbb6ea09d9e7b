// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files.h"

#include "validation/unit/sim/sim_test_support.h"

namespace stc::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(OutputFiles, WritesAllAndMakesFolders) {
  const TemporaryFolder folder;
  OutputFiles outputs;
  outputs.add_text(folder.path("a/b/one.txt"), "1");
  outputs.add(folder.path("two.bin"), {0, 255});
  EXPECT_THAT(folder.files(), IsEmpty());
  outputs.commit();
  EXPECT_THAT(folder.files(), ElementsAre("a/b/one.txt", "two.bin"));
  EXPECT_THAT(read_bytes(folder.path("two.bin")), ElementsAre(0, 255));
}

TEST(OutputFiles, WritesNothingWhenOneCannotBeWritten) {
  const TemporaryFolder folder;
  folder.write("file", "x");
  OutputFiles outputs;
  outputs.add_text(folder.path("one.txt"), "1");
  outputs.add_text(folder.path("file/two.txt"), "2");
  EXPECT_THAT(user_error([&] { outputs.commit(); }), HasSubstr("two.txt: cannot be written"));
  EXPECT_THAT(folder.files(), ElementsAre("file"));
}

TEST(RequireWritable, RefusesFoldersAndPathsBelowFiles) {
  const TemporaryFolder folder;
  folder.write("file", "x");
  EXPECT_NO_THROW(require_writable(folder.path("new/deep/result.json")));
  EXPECT_THAT(user_error([&] { require_writable(folder.path("")); }), HasSubstr("is a folder"));
  EXPECT_THAT(user_error([&] { require_writable(folder.path("file/x")); }), HasSubstr("is not a folder"));
}

TEST(ReadBytes, NamesTheMissingFile) {
  EXPECT_EQ(user_error([] { read_bytes("/nowhere/a.bin"); }), "/nowhere/a.bin: no such file");
}

}  // namespace
}  // namespace stc::sim
