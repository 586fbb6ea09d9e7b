// SPDX-License-Identifier: Apache-2.0
// A device memory for tests: takes a request after a while and answers when it likes, in another order than asked, in
// each of the ways that the base protocol allows.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <map>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/core/time_base.h"

namespace stc::timing {

struct WaitingMemoryOptions {
  enum class Style { kFourPhases, kTakenAtOnce, kAnsweredAtOnce, kCompletedAtOnce };
  Style style = Style::kFourPhases;
  double take = 1;        ///< cycles from BEGIN_REQ to END_REQ
  double latency = 200;   ///< cycles from then to the response
  double spread = 0;      ///< cycles by which every second request is slower, so that those behind overtake it
  bool annotate = false;  ///< calls at once and annotates the time instead
  bool silent = false;    ///< takes requests and never answers
  bool ticks = false;     ///< has a clock that never stops
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
};

class WaitingMemory : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(WaitingMemory);
  WaitingMemory(sc_core::sc_module_name name, const WaitingMemoryOptions& options)
      : sc_module(name), socket("socket"), options_(options) {
    socket.register_nb_transport_fw(this, &WaitingMemory::nb_transport_fw);
    SC_METHOD(take);
    sensitive << take_;
    dont_initialize();
    SC_METHOD(answer);
    sensitive << answer_;
    dont_initialize();
    if (options.ticks) {
      SC_METHOD(tick);
    }
  }
  tlm_utils::simple_target_socket<WaitingMemory> socket;

  struct Seen {
    std::uint64_t address;
    unsigned bytes;
    bool write;
    double begin;  ///< cycle of BEGIN_REQ
  };
  std::vector<Seen> requests;                    ///< in the order in which they came
  std::map<std::uint64_t, std::uint8_t> stored;  ///< bytes written, by address
  int overtaken = 0;                             ///< responses before that of an earlier request

 private:
  using Style = WaitingMemoryOptions::Style;
  static sc_core::sc_time cycles(double n) { return to_time(cycles_to_ticks(n)); }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      answering_ = nullptr;
      payload.release();
      answer_.notify(sc_core::SC_ZERO_TIME);
      return tlm::TLM_COMPLETED;
    }
    requests.push_back({payload.get_address(), payload.get_data_length(), payload.is_write(),
                        sc_core::sc_time_stamp().to_double() / kTicksPerCycle});
    access(payload);
    const double slow = requests.size() % 2 != 0 ? options_.spread : 0;
    if (options_.style == Style::kCompletedAtOnce || options_.style == Style::kAnsweredAtOnce) {
      payload.set_response_status(options_.status);
      delay += cycles(options_.take + options_.latency + slow);
      if (options_.style == Style::kCompletedAtOnce) return tlm::TLM_COMPLETED;
      payload.acquire();
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    }
    payload.acquire();
    const auto due = sc_core::sc_time_stamp() + cycles(options_.take + options_.latency + slow);
    if (!options_.silent) due_.emplace(due, std::make_pair(requests.size(), &payload));
    answer_.notify(due - sc_core::sc_time_stamp());
    if (options_.style == Style::kTakenAtOnce) {
      phase = tlm::END_REQ;
      delay += cycles(options_.take);
      return tlm::TLM_UPDATED;
    }
    asking_ = &payload;
    take_.notify(options_.annotate ? sc_core::SC_ZERO_TIME : cycles(options_.take));
    return tlm::TLM_ACCEPTED;
  }

  void access(tlm::tlm_generic_payload& payload) {
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (payload.is_write()) stored[payload.get_address() + i] = payload.get_data_ptr()[i];
      if (payload.is_read()) payload.get_data_ptr()[i] = 0xa5;
    }
  }

  void take() {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = options_.annotate ? cycles(options_.take) : sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(*asking_, phase, delay);
  }

  void answer() {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    if (answering_ != nullptr || due_.empty()) return;
    const auto first = due_.begin();
    const sc_core::sc_time early = options_.annotate ? cycles(options_.latency / 2) : sc_core::SC_ZERO_TIME;
    if (first->first > now + early) return answer_.notify(first->first - now - early);
    const auto [number, payload] = first->second;
    sc_core::sc_time delay = first->first > now ? first->first - now : sc_core::SC_ZERO_TIME;
    due_.erase(first);
    if (number < newest_answer_) ++overtaken;
    newest_answer_ = std::max(newest_answer_, number);
    payload->set_response_status(options_.status);
    answering_ = payload;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    socket->nb_transport_bw(*payload, phase, delay);
  }

  void tick() { next_trigger(cycles(100)); }

  const WaitingMemoryOptions options_;
  std::multimap<sc_core::sc_time, std::pair<std::size_t, tlm::tlm_generic_payload*>> due_;
  tlm::tlm_generic_payload* asking_ = nullptr;
  tlm::tlm_generic_payload* answering_ = nullptr;
  std::size_t newest_answer_ = 0;
  sc_core::sc_event take_, answer_;
};

}  // namespace stc::timing
