// SPDX-License-Identifier: Apache-2.0
#include "validation/gpu/placed_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "validation/gpu/cuda_driver.h"

namespace stc::silicon {
namespace {

CUmemAllocationProp properties() {
  CUmemAllocationProp of{};
  of.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  of.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  STC_CUDA(cuCtxGetDevice(&of.location.id));
  return of;
}

/// Addresses are given in such pieces: one that was asked for is given where it is a multiple of it, and the next
/// multiple else, as an H200 shows it.
constexpr std::uint64_t kReservedUnit = 32 << 20;

/// What covers the ranges in whole units, those that touch as one.
std::vector<PlacedMemory::Range> in_units(std::vector<PlacedMemory::Range> ranges, std::uint64_t unit) {
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  std::vector<PlacedMemory::Range> whole;
  for (const PlacedMemory::Range& range : ranges) {
    const std::uint64_t first = range.address / unit * unit;
    const std::uint64_t end = (range.address + std::max<std::uint64_t>(range.bytes, 1) + unit - 1) / unit * unit;
    if (whole.empty() || first > whole.back().address + whole.back().bytes) {
      whole.push_back({first, end - first});
    } else {
      whole.back().bytes = std::max(whole.back().address + whole.back().bytes, end) - whole.back().address;
    }
  }
  return whole;
}

}  // namespace

PlacedMemory::PlacedMemory(const std::vector<Range>& ranges) {
  std::size_t granule = 0;
  const CUmemAllocationProp of = properties();
  STC_CUDA(cuMemGetAllocationGranularity(&granule, &of, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  try {
    for (const Range& range : in_units(ranges, kReservedUnit)) reserve(range);
    for (const Range& range : in_units(ranges, granule)) map(range);
  } catch (...) {
    release();
    throw;
  }
}

PlacedMemory::~PlacedMemory() { release(); }

void PlacedMemory::reserve(const Range& range) {
  CUdeviceptr got = 0;
  const CUresult reserved = cuMemAddressReserve(&got, range.bytes, 0, range.address, 0);
  if (reserved == CUDA_SUCCESS && got == range.address) return reserved_.push_back(range);
  if (reserved == CUDA_SUCCESS) cuMemAddressFree(got, range.bytes);
  throw sim::UserError(
      fmt::format("the driver cannot give addresses {:#x} to {:#x}, which the run file names, in this "
                  "process; another try may find them free",
                  range.address, range.address + range.bytes));
}

void PlacedMemory::map(const Range& range) {
  const CUmemAllocationProp of = properties();
  CUmemGenericAllocationHandle handle = 0;
  STC_CUDA(cuMemCreate(&handle, range.bytes, &of, 0));
  const CUresult mapped = cuMemMap(range.address, range.bytes, 0, handle, 0);
  cuMemRelease(handle);  // the mapping keeps it
  check(mapped, "cuMemMap");
  mapped_.push_back(range);
  CUmemAccessDesc access{};
  access.location = of.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  STC_CUDA(cuMemSetAccess(range.address, range.bytes, &access, 1));
}

void PlacedMemory::release() {
  for (const Range& range : mapped_) cuMemUnmap(range.address, range.bytes);
  for (const Range& range : reserved_) cuMemAddressFree(range.address, range.bytes);
}

}  // namespace stc::silicon
