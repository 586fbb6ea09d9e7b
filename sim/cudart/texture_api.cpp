// SPDX-License-Identifier: Apache-2.0
// What programs describe before they make a texture or an array; these themselves are not there.
#include "sim/cudart/abi.h"

using namespace stc::cuda;  // the names below are the ABI's

extern "C" {

ChannelDescription cudaCreateChannelDesc(int x, int y, int z, int w, int kind) { return {x, y, z, w, kind}; }
}
