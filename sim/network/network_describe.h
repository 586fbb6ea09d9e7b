// SPDX-License-Identifier: Apache-2.0
// Sentences and figures that table, JSON and page of a network have in common.
#pragma once

#include <string>

#include "sim/network/network_run.h"

namespace stc::sim {

/// "batch 32, 128 tokens each", "batch 8", "batch 16, one new token behind 2048 each".
std::string text_of(const NetworkInput& input, bool has_tokens);
/// Whether a layer counts tokens: networks of images have none.
bool has_tokens(const NetworkPlan& plan);
/// Why the network does not become twice as fast: which share of its time 2:4 can touch, and how far it does.
std::string why_not_twice(const NetworkPlan& plan, const NetworkOutcome& outcome);
/// What the layers cost together, where 2:4 cannot help: share of the dense time by kind, the largest first.
std::string untouched(const NetworkPlan& plan, const NetworkOutcome& outcome);

}  // namespace stc::sim
