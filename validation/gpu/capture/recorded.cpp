// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/capture/recorded.h"

namespace stc::capture {

using remote::Packet;

Packet packet_of(const RecordedLaunch& launch) {
  Packet packet;
  packet.put_text(kRecordMagic).put(launch.number).put(launch.process).put_text(launch.image_file);
  packet.put_text(launch.symbol).put(launch.sm_version).put(launch.shape).put(launch.arguments.size());
  for (const auto& argument : launch.arguments) packet.put_list(argument);
  packet.put(launch.memory.size());
  for (const RecordedMemory& one : launch.memory) {
    packet.put_text(one.name).put(one.of_module).put(one.constant).put(one.address).put_list(one.before);
    packet.put(one.after.has_value());
    if (one.after) packet.put_list(*one.after);
  }
  return packet.put(launch.stack_bytes).put(launch.heap_bytes).put_text(kRecordMagic), packet;
}

RecordedLaunch launch_of(Packet packet) {
  RecordedLaunch launch;
  if (packet.get_text() != kRecordMagic) throw remote::BadPacket();
  launch.number = packet.get<std::uint64_t>();
  launch.process = packet.get<std::int32_t>();
  launch.image_file = packet.get_text();
  launch.symbol = packet.get_text();
  launch.sm_version = packet.get<std::int32_t>();
  launch.shape = packet.get<remote::LaunchShape>();
  for (auto left = packet.get<std::size_t>(); left != 0; --left) {
    launch.arguments.push_back(packet.get_list<std::uint8_t>());
  }
  for (auto left = packet.get<std::size_t>(); left != 0; --left) {
    RecordedMemory one;
    one.name = packet.get_text();
    one.of_module = packet.get<bool>();
    one.constant = packet.get<bool>();
    one.address = packet.get<std::uint64_t>();
    one.before = packet.get_list<std::uint8_t>();
    if (packet.get<bool>()) one.after = packet.get_list<std::uint8_t>();
    launch.memory.push_back(std::move(one));
  }
  launch.stack_bytes = packet.get<std::uint64_t>();
  launch.heap_bytes = packet.get<std::uint64_t>();
  if (packet.get_text() != kRecordMagic) throw remote::BadPacket();
  return launch;
}

}  // namespace stc::capture
