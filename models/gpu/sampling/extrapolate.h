// SPDX-License-Identifier: Apache-2.0
// From what was counted of a sampled launch to the figures of the whole launch.
//
// Time: what is left out of a CTA's loop at a jump takes the passes left out times the mean of the paces before and
// behind it, of all CTAs of its wave; one place for a CTA is busy with one CTA after the other. Waves that are left out
// take as long as the last one before them. The end is that of the place that is last.
//
// Counters of SMs: per pass what the first CTAs counted before their jump, scaled so that instructions per pass are
// those of the CTAs that were walked; then per CTA. Misses of L2 and traffic of device memory: what L2's tags say of
// every line left out. Hits and far sectors of L2: as of the sectors asked for by the waves simulated last.
//
// Estimate of the error of the cycles, a sum of three parts, of whose first none is better than Sampler::kSettled and
// of whose second none than 3 % of the time left out (of two CTAs of an SM the older goes ahead, wave by wave, and
// whole runs were up to 2.5 % off what their first waves said). Loops: a quarter of what the paces before and behind
// jumps differ by, on the time left out of loops and on that part of the waves left out which the last one before them
// left out; and two refreshes of device memory, one more or less of each group of pages, in proportion to the time left
// out. Waves: half of what the wave after those left out differs by from the last before them, and what they would take
// longer or shorter by because they miss more or less in L2 than the waves simulated last, on their time.
// End: the deviation of what CTAs left out by their own paces, and twice that of the ends of the last wave before those
// left out, grown in proportion to these, since SMs drift apart and the last ones to end are simulated as if they had
// not.
#pragma once

#include <vector>

#include "models/gpu/gpu_params.h"
#include "models/gpu/run_statistics.h"
#include "models/gpu/sampling/sampler.h"

namespace stc::gpu {

/// Turns `run`, of a launch that was sampled, into that of the whole launch; `per_sm` is in the order of the SMs.
void extrapolate(RunStatistics& run, Sampler& sampler, const MemoryStatistics& passed_over, const GpuParams& gpu,
                 std::uint64_t ctas);

}  // namespace stc::gpu
