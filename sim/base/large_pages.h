// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace stc::sim {

/// Asks Linux to back the heap by large pages. The registers and tags of a hundred SMs lie in tens of MiB that are
/// visited in turn, more than a processor keeps translations of small pages for. Changes nothing but speed; without
/// effect where the C library or the kernel has no such thing. To be called before other threads are started.
void use_large_pages();

}  // namespace stc::sim
