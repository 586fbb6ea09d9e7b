// SPDX-License-Identifier: Apache-2.0
// One request for up to four 32-byte sectors of a 128-byte line, as it travels between SM, crossbar and L2.
//
// The sockets between these are TLM-2.0's, but what they speak is the machine's own: the extension below, which
// everyone on the way reads and fills in, and phases that the crossbar's header explains. No module from elsewhere fits
// there. The boundary at which one does is device memory (external_memory.h): base protocol, no extension.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

#include "models/core/time_base.h"
#include "models/isa/state/global_memory.h"

namespace stc::memory {

constexpr std::uint32_t kLineBytes = 128;
constexpr std::uint32_t kSectorBytes = 32;
constexpr std::uint8_t kAllSectors = 0xf;

/// What a generic payload does not say. The payload's address is the line's; its data pointer is unused, because
/// values live in isa::GlobalMemory.
struct LineRequest : tlm::tlm_extension<LineRequest> {
  std::uint8_t sectors = 0;  ///< bit i: bytes [32 i, 32 i + 32)
  bool atomic = false;       ///< read-modify-write at L2
  bool whole_line = false;   ///< on a miss fetch the whole line (.LTC128B)
  DataRole role = DataRole::kOther;
  int sm = 0;
  int gpc = 0;              ///< the SM's
  int partition = 0;        ///< the partition that the SM is attached to
  std::uint32_t token = 0;  ///< the requester's own
  std::uint64_t sent = 0;   ///< cycle in which it left the SM
  Tick now = 0;             ///< when the crossbar serves it
  Tick waited = 0;          ///< ticks of the longest queue on the way, see Server
  bool entered = false;     ///< it has passed the crossbar's ports, see Crossbar::enter()
  Tick to_home = 0;         ///< ticks from the own partition to the line's home, if it was asked
  bool fetched = false;     ///< it asked device memory
  Tick after_fill = 0;      ///< of a read that waits for device memory: from its data's coming until they leave L2
  // Of an atomic:
  std::uint8_t packets = 1;    ///< packets of lanes at different addresses
  std::uint8_t passes = 1;     ///< sectors of all of them, as often as the slice works on each
  bool waits_for_sum = false;  ///< a floating-point addition
  int leaves_in = 0;           ///< cycles until its last packet has left the SM

  tlm_extension_base* clone() const override { return new LineRequest(*this); }
  void copy_from(const tlm_extension_base& other) override { *this = static_cast<const LineRequest&>(other); }
  void free() override {}  // it lies in its payload, which takes it away
};

/// A payload and its extension, side by side in memory.
struct LinePayload : tlm::tlm_generic_payload {
  explicit LinePayload(tlm::tlm_mm_interface* pool) : tlm_generic_payload(pool) { set_extension(&request); }
  ~LinePayload() override { clear_extension(&request); }
  LinePayload(const LinePayload&) = delete;
  LinePayload& operator=(const LinePayload&) = delete;
  LineRequest request;
};
/// The extension of a payload of this machine's own sockets; get_extension() finds it by two more steps through memory.
inline LineRequest& request_of(tlm::tlm_generic_payload& payload) { return static_cast<LinePayload&>(payload).request; }

/// Reserves `server` for the request and notes the queue found there.
inline void queue_at(LineRequest& request, Server& server, double units) {
  request.waited = std::max(request.waited, server.reserve(request.now, units));
}

/// Of a mask of four; a table in a word, since not every x86-64 counts bits.
constexpr int sector_count(std::uint8_t sectors) {
  return static_cast<int>(0x4332322132212110ULL >> (4 * (sectors & kAllSectors)) & 0xf);
}

/// Payloads with their LineRequest, reused without allocation.
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  tlm::tlm_generic_payload& acquire() {
    if (free_.empty()) grow();
    tlm::tlm_generic_payload* payload = free_.back();
    free_.pop_back();
    payload->acquire();
    return *payload;
  }
  void free(tlm::tlm_generic_payload* payload) override { free_.push_back(payload); }

 private:
  void grow() {
    owned_.push_back(std::make_unique<LinePayload>(this));
    owned_.back()->set_data_length(kLineBytes);
    free_.push_back(owned_.back().get());
  }
  std::vector<std::unique_ptr<LinePayload>> owned_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

}  // namespace stc::memory
