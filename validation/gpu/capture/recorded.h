// SPDX-License-Identifier: Apache-2.0
// A launch as the library in the program records it and `stcgpu capture` reads it: one file for each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/remote/packet.h"
#include "sim/remote/requests.h"

namespace stc::capture {

// What `stcgpu capture` puts into the program's environment.
constexpr char kFolderVariable[] = "STCGPU_CAPTURE_FOLDER";      ///< where records go
constexpr char kLaunchesVariable[] = "STCGPU_CAPTURE_LAUNCHES";  ///< "3,7-9"; empty: all
constexpr char kRecordEnd[] = ".launch", kNoteEnd[] = ".note",
               kSeenEnd[] = ".seen";  ///< of file names; what is not whole has others
constexpr char kRecordMagic[] = "stcgpu capture 1";

/// An allocation or a variable. `after` is there where the launch has changed it.
struct RecordedMemory {
  std::string name;  ///< of a variable: mangled
  bool of_module = false, constant = false;
  std::uint64_t address = 0;
  std::vector<std::uint8_t> before;
  std::optional<std::vector<std::uint8_t>> after;
};

struct RecordedLaunch {
  std::uint64_t number = 0;  ///< of the process, from 1
  std::int32_t process = 0;
  std::string image_file;  ///< the container that holds the kernel's cubin
  std::string symbol;
  std::int32_t sm_version = 0;  ///< of the device
  remote::LaunchShape shape{};
  std::vector<std::vector<std::uint8_t>> arguments;
  std::vector<RecordedMemory> memory;
  std::uint64_t stack_bytes = 0, heap_bytes = 0;
};

remote::Packet packet_of(const RecordedLaunch& launch);
/// Throws remote::BadPacket when the bytes are no whole record.
RecordedLaunch launch_of(remote::Packet packet);

}  // namespace stc::capture
