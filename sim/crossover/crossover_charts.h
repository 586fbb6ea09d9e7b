// SPDX-License-Identifier: Apache-2.0
// The plots of a study's page.
#pragma once

#include <string>

#include "sim/crossover/crossover_report.h"

namespace stc::sim {

/// For each GPU and element type: who is fastest, a bar a shape over the share of zeros, with break-even lines.
std::string region_charts(const CrossoverReport& report);
/// For each GPU, shape and element type: speedup over dense against the share of zeros.
std::string speedup_curves(const CrossoverReport& report);
/// The same for the bytes of the sparse operand and for those read and written in DRAM.
std::string byte_curves(const CrossoverReport& report);

}  // namespace stc::sim
