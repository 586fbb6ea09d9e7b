// SPDX-License-Identifier: Apache-2.0
#include "sim/profile/trace_text.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"

namespace stc::sim {
namespace {

/// Cycles as the format has them: in thousands, three decimals.
std::string thousands(std::uint64_t cycles) { return fmt::format("{}.{:03}", cycles / 1000, cycles % 1000); }

}  // namespace

std::string quoted(const std::string& text) { return json_text(nlohmann::ordered_json(text)); }

void TraceText::begin_event() { events_ += events_.empty() ? "\n" : ",\n"; }

void TraceText::group(int group, const std::string& name) {
  begin_event();
  fmt::format_to(std::back_inserter(events_), R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":{}}}}},)",
                 group, quoted(name));
  fmt::format_to(std::back_inserter(events_),
                 R"({{"ph":"M","pid":{},"name":"process_sort_index","args":{{"sort_index":{}}}}})", group, group);
}

void TraceText::track(int group, int track, const std::string& name) {
  begin_event();
  fmt::format_to(std::back_inserter(events_),
                 R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}},)", group, track,
                 quoted(name));
  fmt::format_to(std::back_inserter(events_),
                 R"({{"ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})", group,
                 track, track);
}

void TraceText::slice(int group, int track, std::uint64_t begin, std::uint64_t end, const std::string& name,
                      const std::string& arguments) {
  begin_event();
  fmt::format_to(std::back_inserter(events_), R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{})", group,
                 track, thousands(begin), thousands(end - begin), quoted(name));
  if (!arguments.empty()) fmt::format_to(std::back_inserter(events_), R"(,"args":{{{}}})", arguments);
  events_ += "}";
}

void TraceText::counter(int group, const std::string& name, const std::string& unit, std::uint64_t at, double value) {
  begin_event();
  fmt::format_to(std::back_inserter(events_), R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{{}:{}}}}})", group,
                 thousands(at), quoted(name), quoted(unit), value);
}

std::string TraceText::text(const std::string& about) const {
  return fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{{}}},\"traceEvents\":[{}\n]}}\n", about, events_);
}

}  // namespace stc::sim
