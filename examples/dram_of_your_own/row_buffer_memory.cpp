// SPDX-License-Identifier: Apache-2.0
#include "row_buffer_memory.h"

#include <algorithm>

namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::sc_time_stamp;

constexpr std::uint64_t kRowBytes = 2048;
const sc_time kTransfer(2, SC_NS);  // of up to 128 bytes
const sc_time kRowHit(160, SC_NS), kRowMiss(220, SC_NS);

tlm::tlm_phase_enum internal_answer() { return tlm::UNINITIALIZED_PHASE; }  // an answer may be due

}  // namespace

RowBufferMemory::RowBufferMemory(sc_core::sc_module_name name)
    : sc_module(name), socket("socket"), phases_(this, &RowBufferMemory::on_phase) {
  socket.register_nb_transport_fw(this, &RowBufferMemory::nb_transport_fw);
}

tlm::tlm_sync_enum RowBufferMemory::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) payload.acquire();
  phases_.notify(payload, phase, delay);  // phases take effect at their annotated time
  return tlm::TLM_ACCEPTED;
}

void RowBufferMemory::on_phase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) {
    const sc_time ready = served(payload);
    answers_.emplace(ready, &payload);
    phases_.notify(payload, internal_answer(), ready - sc_time_stamp());
    tlm::tlm_phase taken = tlm::END_REQ;
    sc_time delay = kTransfer;  // the next request may come when this one has crossed the channel
    socket->nb_transport_bw(payload, taken, delay);
  } else if (phase == tlm::END_RESP) {
    answering_ = false;
    payload.release();
    answer_next();
  } else {
    answer_next();
  }
}

sc_time RowBufferMemory::served(const tlm::tlm_generic_payload& payload) {
  const std::uint64_t row = payload.get_address() / kRowBytes;
  Bank& bank = banks_[row % banks_.size()];
  const bool hit = bank.open_row == row;
  ++(hit ? row_hits_ : row_misses_);
  bank.open_row = row;
  const sc_time start = std::max(bank.free, sc_time_stamp());
  bank.free = start + (hit ? kTransfer : kRowMiss - kRowHit);
  return start + (hit ? kRowHit : kRowMiss);
}

void RowBufferMemory::answer_next() {
  if (answering_ || answers_.empty() || answers_.begin()->first > sc_time_stamp()) return;
  tlm::tlm_generic_payload& payload = *answers_.begin()->second;
  answers_.erase(answers_.begin());
  answering_ = true;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(payload, phase, delay);  // L2 sends END_RESP by itself
}
