// SPDX-License-Identifier: Apache-2.0
#include "sim/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>

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

TEST(OutputFiles, WritesNothingWhenADeviceIsFull) {
  const TemporaryFolder folder;
  OutputFiles outputs;
  outputs.add_text(folder.path("one.txt"), "1");
  outputs.add_text("/dev/full", "2");
  EXPECT_THAT(user_error([&] { outputs.commit(); }), HasSubstr("/dev/full: cannot be written"));
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(OutputFiles, FollowsLinksAndLeavesDevicesWhatTheyAre) {
  const TemporaryFolder folder;
  const std::string target = folder.write("real/target.txt", "old");
  std::filesystem::create_symlink(target, folder.path("link.txt"));
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  const int reader = ::open(folder.path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  require_outputs({folder.path("link.txt"), folder.path("pipe"), folder.path("pipe")});
  OutputFiles outputs;
  outputs.add_text(folder.path("link.txt"), "new");
  outputs.add_text(folder.path("pipe"), "into the pipe");
  outputs.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.txt")));
  EXPECT_EQ(read_text(target), "new");
  EXPECT_TRUE(std::filesystem::is_fifo(folder.path("pipe")));
  char text[32] = {};
  EXPECT_EQ(::read(reader, text, sizeof text), 13);
  EXPECT_STREQ(text, "into the pipe");
  ::close(reader);
}

TEST(RequireOutputs, EveryOutputHasAFileOfItsOwn) {
  const TemporaryFolder folder;
  const std::string file = folder.write("in.yaml", "x");
  std::filesystem::create_symlink(file, folder.path("link"));
  EXPECT_NO_THROW(require_outputs({folder.path("a"), "", folder.path("b"), ""}, {file, ""}));
  EXPECT_THAT(user_error([&] {
                require_outputs({folder.path("new/../a"), folder.path("a")});
              }),
              HasSubstr("this run writes another output to it"));
  EXPECT_THAT(user_error([&] { require_outputs({folder.path("link")}, {file}); }), HasSubstr("it is read by this run"));
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
