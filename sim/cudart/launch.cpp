// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/launch.h"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "sim/cudart/connection.h"

namespace stc::cuda {
namespace {

using remote::Packet;
using remote::Request;

thread_local bool has_refused = false;
constexpr std::uint32_t kCooperativeAttribute = 2, kClusterAttribute = 4;

std::vector<std::uint8_t> pack(const Function& function, const Arguments& from) {
  if (from.arguments == nullptr) {
    const auto* const first = static_cast<const std::uint8_t*>(from.block);
    std::vector<std::uint8_t> bytes(first, first + (first != nullptr ? from.block_bytes : 0));
    bytes.resize(std::min<std::size_t>(bytes.size(), function.facts.parameter_bytes));
    return bytes;
  }
  std::vector<std::uint8_t> bytes(function.facts.parameter_bytes);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const remote::ParameterPlace& place = function.parameters[i];
    const auto* const value = static_cast<const std::uint8_t*>(from.arguments[i]);
    std::copy(value, value + place.bytes, bytes.begin() + place.offset);
  }
  return bytes;
}

int launch_packed(const Function& function, const remote::LaunchShape& shape,
                  const std::vector<std::uint8_t>& parameters) {
  Connection& connection = Connection::get();
  Packet question, answer;
  question.put(function.number).put(shape).put_list(parameters);
  if (const int error = connection.ask(Request::kLaunch, question, answer); error != 0) return error;
  const auto error = answer.get<std::int32_t>();
  connection.set_time(answer.get<double>());
  const std::string printed = answer.get_text();
  std::fwrite(printed.data(), 1, printed.size(), stdout);
  if (remote::is_sticky(error)) connection.make_sticky(error);
  if (error == remote::kNotSupported) has_refused = true;
  return error;
}

}  // namespace

bool take_refusal() { return std::exchange(has_refused, false); }

Work prepared_launch(const Function& function, const remote::LaunchShape& shape, const Arguments& arguments) {
  return
      [&function, shape, parameters = pack(function, arguments)] { return launch_packed(function, shape, parameters); };
}

std::shared_ptr<KernelCall> kernel_call(const void* key, const Function& function, const remote::LaunchShape& shape,
                                        const Arguments& arguments) {
  auto call = std::make_shared<KernelCall>();
  call->key = key;
  call->shape = shape;
  const std::vector<std::uint8_t> block = pack(function, arguments);
  for (const remote::ParameterPlace& place : function.parameters) {
    const auto first =
        block.begin() + std::min<std::ptrdiff_t>(place.offset, static_cast<std::ptrdiff_t>(block.size()));
    const auto left = static_cast<std::uint32_t>(block.end() - first);
    call->values.emplace_back(first, first + std::min(place.bytes, left));
    call->values.back().resize(place.bytes);
  }
  for (auto& value : call->values) call->arguments.push_back(value.data());
  return call;
}

void apply_attributes(const LaunchAttribute* attributes, unsigned count, remote::LaunchShape& shape) {
  for (unsigned i = 0; i < count; ++i) {
    const LaunchAttribute& attribute = attributes[i];
    if (attribute.id == kCooperativeAttribute) shape.cooperative = attribute.value[0];
    if (attribute.id == kClusterAttribute) shape.cluster = {attribute.value[0], attribute.value[1], attribute.value[2]};
  }
}

int occupancy(const Function& function, int threads, std::size_t dynamic_bytes, int* ctas) {
  if (threads <= 0) return remote::kInvalidValue;
  Packet question, answer;
  question.put(function.number).put(static_cast<std::uint32_t>(threads)).put(std::uint64_t{dynamic_bytes});
  const int error = Connection::get().ask(Request::kOccupancy, question, answer);
  if (error == 0) *ctas = answer.get<std::int32_t>();
  return error;
}

int clusters(const Function& function, const remote::LaunchShape& shape, int* count) {
  Packet answer;
  const int error = Connection::get().ask(Request::kClusters, Packet().put(function.number).put(shape), answer);
  if (error == 0) *count = answer.get<std::int32_t>();
  return error;
}

int set_function(Function& function, remote::FunctionSetting setting, int value) {
  const int error = Connection::get().tell(Request::kSetFunction,
                                           Packet().put(function.number).put(setting).put(std::int64_t{value}));
  if (error != 0) return error;
  if (setting == remote::FunctionSetting::kDynamicSharedBytes) function.max_dynamic_shared_bytes = value;
  if (setting == remote::FunctionSetting::kNonPortableCluster) function.non_portable_cluster = value != 0;
  return 0;
}

int set_limit(remote::Limit limit, std::size_t bytes) {
  return Connection::get().tell(Request::kSetLimit, Packet().put(limit).put(std::uint64_t{bytes}));
}

}  // namespace stc::cuda
