// SPDX-License-Identifier: Apache-2.0
// From what was counted of a sampled launch to the figures of the whole launch.
//
// Time: what is left out of a CTA's loop takes the passes left out times the mean of the paces of its wave, all CTAs
// together, before and after the jump; one place for a CTA is busy with one CTA after the other. Waves that are left
// out take as long as those simulated before them do on average, without the first. The end is that of the place that
// is last.
//
// Counters of SMs: per pass what the first CTAs counted before their jump, scaled so that instructions per pass are
// those of the CTAs that were walked; then per CTA. Misses of L2 and traffic of device memory: what L2's tags say of
// every line left out. Hits and far sectors of L2: in proportion to the sectors asked for.
//
// Estimate of the error of the cycles, a sum, of whose first part none is better than Sampler::kSettled and of whose
// second none than 3 % (of two CTAs of an SM the older goes ahead, wave by wave, and whole runs were up to 2.5 % off
// what their first waves said): half of
// what the paces before and after jumps differ by, on the time left out of loops, and two refreshes of
// device memory, one more or less of each group of pages, in proportion to the time left out; half of what
// the wave after those left out differs by from those before them, on the time of the waves left out; and twice the
// deviation of the ends of the last wave before them, grown in proportion to the waves left out, since SMs drift apart
// and the last ones to end are simulated as if they had not.
#pragma once

#include <vector>

#include "models/gpu/run_statistics.h"
#include "models/gpu/sampling/sampler.h"
#include "models/memory/memory_params.h"

namespace stc::gpu {

/// Turns `run`, of a launch that was sampled, into that of the whole launch; `per_sm` is in the order of the SMs.
void extrapolate(RunStatistics& run, Sampler& sampler, const MemoryStatistics& passed_over,
                 const memory::HbmParams& hbm, std::uint64_t ctas);

}  // namespace stc::gpu
