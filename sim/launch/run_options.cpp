// SPDX-License-Identifier: Apache-2.0
#include "sim/launch/run_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.h"
#include "sim/config/ideal_limits.h"
#include "sim/launch/config_values.h"

namespace stc::sim {
namespace {

/// A quarter of it must hold some rounds of any loop that waits for memory: in less nobody is seen to come back.
constexpr std::int64_t kLeastIdleCycles = 10'000;
constexpr std::int64_t kMostCycles = 1'000'000'000'000'000;  // simulated time is counted in thousandths of a cycle

/// One of two words; `on` is the one that sets the member.
RunOption choice(const char* key, const char* off_word, const char* on_word, bool RunOptions::*member,
                 const char* meaning, bool needs_values = false) {
  const bool on_is_default = RunOptions{}.*member;
  return {key,
          fmt::format("`{}` (default), `{}`", on_is_default ? on_word : off_word, on_is_default ? off_word : on_word),
          meaning,
          false,
          needs_values,
          [=](const ConfigNode& node, RunOptions& options) {
            options.*member = node.one_of({off_word, on_word}) == on_word;
          },
          [=](const RunOptions& options) { return std::string(options.*member ? on_word : off_word); }};
}

RunOption flag(const char* key, bool RunOptions::*member, const char* meaning, bool library_only = false,
               bool needs_values = false) {
  return {key,
          "`false` (default), `true`",
          meaning,
          library_only,
          needs_values,
          [=](const ConfigNode& node, RunOptions& options) { options.*member = node.flag(); },
          [=](const RunOptions& options) { return std::string(options.*member ? "true" : "false"); }};
}

RunOption number(const char* key, std::int64_t least, std::int64_t greatest, std::uint64_t RunOptions::*member,
                 const char* meaning) {
  return {key,
          fmt::format("number (default {})", RunOptions{}.*member),
          meaning,
          false,
          false,
          [=](const ConfigNode& node, RunOptions& options) {
            options.*member = static_cast<std::uint64_t>(node.integer(least, greatest));
          },
          [=](const RunOptions& options) { return fmt::format("{}", options.*member); }};
}

/// As number(), but what is below `least` is refused unless it is 0, which switches it off.
RunOption number_or_off(const char* key, std::int64_t least, std::int64_t greatest, std::uint64_t RunOptions::*member,
                        const char* meaning) {
  RunOption option = number(key, 0, greatest, member, meaning);
  option.read = [=](const ConfigNode& node, RunOptions& options) {
    const std::int64_t value = node.integer(0, greatest);
    if (value != 0 && value < least)
      node.fail(fmt::format("is {}, but must be 0 (never) or at least {}", value, least));
    options.*member = static_cast<std::uint64_t>(value);
  };
  return option;
}

std::vector<std::string> limit_names() {
  std::vector<std::string> names;
  for (const IdealLimit& limit : ideal_limits()) names.emplace_back(limit.key);
  return names;
}

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

/// A list of names, or one text with commas, as --set gives it; in the order of the limits.
std::vector<std::string> read_limits(const ConfigNode& node) {
  const std::vector<std::string> known = limit_names();
  std::vector<std::string> named;
  if (node.is_sequence()) {
    for (const ConfigNode& element : node.elements()) named.push_back(element.one_of(known));
  } else if (without_blanks(node.text()) != "none") {
    for (const std::string& part : split(node.text(), ',')) {
      named.push_back(without_blanks(part));
      if (std::find(known.begin(), known.end(), named.back()) == known.end()) {
        node.fail(fmt::format("is '{}', but must be none or some of {}", node.text(), join(known, ", ")));
      }
    }
  }
  std::vector<std::string> ordered;
  for (const std::string& name : known) {
    const auto times = std::count(named.begin(), named.end(), name);
    if (times > 1) node.fail(fmt::format("names {} {} times", name, times));
    if (times == 1) ordered.push_back(name);
  }
  return ordered;
}

std::string limits_text(const RunOptions& options) { return options.ideal.empty() ? "none" : join(options.ideal, ","); }

}  // namespace

const std::vector<RunOption>& run_options() {
  static const std::vector<RunOption> rows = {
      choice("values", "addresses", "full", &RunOptions::full_values,
             "`addresses` skips matrix arithmetic; control flow and addresses stay exact"),
      choice("l2", "cold", "warm", &RunOptions::warm_l2,
             "warm: the buffers were read in order before the launch, outputs stored"),
      choice("sampling", "off", "auto", &RunOptions::sampling,
             "auto: what repeats is simulated until it has settled, the rest is left out ([how](#sampling)); "
             "`values: full` computes all values besides, without time"),
      flag("check", &RunOptions::check, "`workload` only: compare D with a float64 reference on the pruned weights",
           true, true),
      flag("compare_dense", &RunOptions::compare_dense,
           "`workload` only: also run the dense kernel of the same tile and report the difference", true),
      choice("tensor_core", "schedule", "steps", &RunOptions::tensor_steps,
             "which of the two equal models of the tensor core runs", true),
      flag(
          "check_dependences", &RunOptions::check_dependences,
          "a register (R, UR, P, UP) that is read or overwritten before the instruction before it has written or read "
          "it is a fault of the program (exit code 3) that names both instructions, the register and what is missing: "
          "cycles of stall counts, or a scoreboard that nobody waited for; so are bytes of shared memory that are used "
          "before an asynchronous copy to them was waited for, or before a barrier or fence told another warp of it, "
          "and memory that is accessed less than six cycles of stall counts behind a barrier, which does not hold the "
          "warp yet. It does not depend on how long anything took in this run. Results of matrix instructions that are "
          "used too "
          "early are such a fault always"),
      flag("poison", &RunOptions::poison,
           "name the first read of a register, of shared and of local memory that nobody wrote; a use of shared "
           "memory whose asynchronous copy is not known to have landed is a fault, as with `check_dependences`"),
      number("malloc_heap_bytes", 1, kMostBytes, &RunOptions::malloc_heap_bytes,
             "heap of device `malloc` (cudaLimitMallocHeapSize)"),
      number("stack_bytes", 1, isa::kMostLocalBytes, &RunOptions::stack_bytes,
             "stack of each thread (cudaLimitStackSize), for calls whose depth the compiler does not know; a kernel "
             "that is known to need more has more. Beyond it is a fault of the program (exit code 3)"),
      number_or_off(
          "idle_cycles", kLeastIdleCycles, kMostCycles, &RunOptions::idle_cycles,
          "a run that goes round for ever is a fault of the program (exit code 3) once it has for so long: nothing is "
          "stored, no thread ends, and every warp waits at a barrier of its CTA or comes back to the same "
          "instruction with everything equal that decides its way. The message says where the warps are. Who counts "
          "up to something is left alone, however long it takes. At least 10000; where warps wait at mbarriers sixteen "
          "times sm.mbarrier.try_wait_cycles; 0: never"),
      number("max_cycles", 0, kMostCycles, &RunOptions::max_cycles, "stop a run that takes longer; 0: no limit"),
      {"ideal", "`none` (default), some of " + fmt::format("`{}`", fmt::join(limit_names(), "`, `")),
       "limits of the GPU that are lifted: the same instructions and bits in less time ([what each is](#ideal-limits))",
       false, false, [](const ConfigNode& node, RunOptions& options) { options.ideal = read_limits(node); },
       limits_text},
  };
  return rows;
}

namespace {

/// Nothing that is asked of every CTA goes with leaving some out.
void require_sampling_possible(const ConfigNode& node, const RunOptions& options) {
  if (!options.sampling) return;
  const ConfigNode sampling = *node.find("sampling");
  if (options.tensor_steps) {
    sampling.fail("does not go with 'tensor_core: steps': values are computed without time");
  }
  if (options.check_dependences) sampling.fail("does not go with 'check_dependences', which looks at every CTA");
  if (options.poison) sampling.fail("does not go with 'poison', which looks at every CTA");
}

/// The unit's steps take the time that they take.
void require_ideal_possible(const ConfigNode& node, const RunOptions& options) {
  if (options.ideal.empty() || !options.tensor_steps) return;
  node.at("ideal").fail("does not go with 'tensor_core: steps', whose steps take the time that they take");
}

}  // namespace

RunOptions read_run_options(const ConfigNode& node, bool of_library) {
  std::vector<std::string> keys;
  for (const RunOption& option : run_options()) keys.emplace_back(option.key);
  node.allow_keys(keys);
  RunOptions options;
  for (const RunOption& option : run_options()) {
    const auto given = node.find(option.key);
    if (!given) continue;
    option.read(*given, options);
    if (option.text(options) == option.text({})) continue;
    if (option.library_only && !of_library) given->fail("is possible for a workload of the library only");
    // 'values' is the first row.
    if (option.needs_values && !options.full_values) {
      given->fail("needs 'values: full', but the values are 'addresses'");
    }
  }
  require_sampling_possible(node, options);
  require_ideal_possible(node, options);
  return options;
}

std::vector<std::pair<std::string, std::string>> texts_of(const RunOptions& options) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const RunOption& option : run_options()) texts.emplace_back(option.key, option.text(options));
  return texts;
}

}  // namespace stc::sim
