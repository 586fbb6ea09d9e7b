// SPDX-License-Identifier: Apache-2.0
#include "models/isa/driver/device_output.h"

#include <algorithm>

namespace stc::isa {

void DeviceOutput::print(std::uint64_t cycle, int sm, const std::string& text) {
  const bool continues = !pieces_.empty() && pieces_.back().cycle == cycle && pieces_.back().sm == sm;
  if (continues) {
    pieces_.back().text += text;
  } else {
    pieces_.push_back({cycle, sm, text});
  }
}

std::string DeviceOutput::text() const {
  std::vector<const Piece*> order;
  order.reserve(pieces_.size());
  for (const Piece& piece : pieces_) order.push_back(&piece);
  std::stable_sort(order.begin(), order.end(), [](const Piece* a, const Piece* b) {
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->sm < b->sm;
  });
  std::string all;
  for (const Piece* piece : order) all += piece->text;
  return all;
}

}  // namespace stc::isa
