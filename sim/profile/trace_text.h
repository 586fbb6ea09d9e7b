// SPDX-License-Identifier: Apache-2.0
// A trace in the Trace Event Format of Chrome, which ui.perfetto.dev and its trace_processor read. A cycle is a
// nanosecond of it.
#pragma once

#include <cstdint>
#include <string>

namespace stc::sim {

class TraceText {
 public:
  /// A row of tracks, and a track in it; the order is that of their numbers. Perfetto's UI has it for tracks alone:
  /// groups with the most slices come first there.
  void group(int group, const std::string& name);
  void track(int group, int track, const std::string& name);
  /// From `begin` to `end` on a track, where slices follow each other or lie within each other. `arguments`: members of
  /// a JSON object, may be empty.
  void slice(int group, int track, std::uint64_t begin, std::uint64_t end, const std::string& name,
             const std::string& arguments);
  /// From `at` on a counter has a value. Perfetto calls it by its name and its unit.
  void counter(int group, const std::string& name, const std::string& unit, std::uint64_t at, double value);
  /// The whole file. `about`: members of a JSON object.
  std::string text(const std::string& about) const;

 private:
  void begin_event();

  std::string events_;
};

/// `text` as a JSON string, with its quotes.
std::string quoted(const std::string& text);

}  // namespace stc::sim
