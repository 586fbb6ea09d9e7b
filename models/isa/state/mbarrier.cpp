// SPDX-License-Identifier: Apache-2.0
#include "models/isa/state/mbarrier.h"

namespace stc::isa {

void Mbarrier::set_field(int lsb, int bits, std::uint64_t value) {
  const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << lsb;
  word_ = (word_ & ~mask) | (value << lsb & mask);
}

std::uint64_t Mbarrier::pending() const {
  const std::uint64_t missing = field(layout_.pending_lsb, layout_.count_bits);
  return missing == 0 ? 0 : (std::uint64_t{1} << layout_.count_bits) - missing;
}

std::int64_t Mbarrier::transactions() const {
  if (layout_.transaction_bits == 0) return 0;
  const std::uint64_t bits = field(layout_.transaction_lsb, layout_.transaction_bits);
  const std::uint64_t sign = std::uint64_t{1} << (layout_.transaction_bits - 1);
  return -static_cast<std::int64_t>((bits ^ sign) - sign);
}

const char* Mbarrier::apply(const MbarrierUpdate& update) {
  const std::uint64_t left = pending();
  if (update.arrivals > left) return "more arrivals than are pending";
  const std::int64_t bytes = transactions() + update.transactions;
  const std::int64_t most = (std::int64_t{1} << 20) - 1;
  if (bytes > most || bytes < -most) return "more bytes on their way than a barrier counts";
  const std::uint64_t later = expected() - (update.leaves ? update.arrivals : 0);
  const bool complete = left == update.arrivals && bytes == 0;
  const std::uint64_t next = complete ? later : left - update.arrivals;
  set_field(layout_.expected_lsb, layout_.count_bits, layout_.expected_top - later);
  set_field(layout_.pending_lsb, layout_.count_bits, (std::uint64_t{1} << layout_.count_bits) - next);
  if (layout_.transaction_bits != 0) {
    set_field(layout_.transaction_lsb, layout_.transaction_bits, static_cast<std::uint64_t>(-bytes));
  }
  if (complete) word_ ^= std::uint64_t{1} << 63;
  return nullptr;
}

}  // namespace stc::isa
