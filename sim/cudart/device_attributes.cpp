// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/device_attributes.h"

namespace stc::cuda {

std::optional<int> attribute_of(const remote::DeviceFacts& f, int attribute) {
  constexpr int kLast = 148;
  if (attribute < 1 || attribute > kLast) return std::nullopt;
  switch (attribute) {
    case 1:  // threads per block, in x and in y
    case 2:
    case 3: return f.max_threads_per_cta;
    case 4: return kMostThreadsZ;
    case 5: return kMostGridX;
    case 6:
    case 7: return kMostGridYz;
    case 8: return kDefaultSharedBytes;
    case 9: return kConstantBytes;
    case 10: return kWarp;
    case 11: return kMostPitch;
    case 12:  // registers per block, per SM
    case 82: return f.registers;
    case 13: return f.clock_khz;
    case 14: return kAlignment;
    case 16: return f.sms;
    case 38: return f.l2_bytes;
    case 39: return f.max_threads_per_sm;
    case 75: return f.sm_version / 10;
    case 76: return f.sm_version % 10;
    case 81: return f.shared_bytes;
    case 97: return f.shared_bytes_per_cta;
    case 106: return f.max_ctas_per_sm;
    case 111: return f.reserved_shared_bytes;
    case 120: return f.has_clusters;
    case 19:  // can map host memory, concurrent kernels, copies, unified addresses, priorities, L1 of global and local
    case 31:  // memory, managed memory, cooperative launch
    case 40:
    case 41:
    case 78:
    case 79:
    case 80:
    case 83:
    case 95:
    case 115: return 1;  // and memory pools
    default: return 0;   // no figure, or a feature that is not there
  }
}

}  // namespace stc::cuda
