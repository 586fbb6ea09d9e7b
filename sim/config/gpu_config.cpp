// SPDX-License-Identifier: Apache-2.0
#include "sim/config/gpu_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <type_traits>

#include "models/core/architecture.h"
#include "models/gpu/contradiction.h"
#include "sim/base/error.h"
#include "sim/base/text.h"

namespace stc::sim {
namespace {

constexpr const char* kCommandLine = "command line";

std::string parent_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}
std::string leaf_of(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// Applies files and overrides to the parameters of one struct and remembers what was set.
class Reader {
 public:
  explicit Reader(GpuConfig& config) : config_(config), lister_(parameters_of(config.params)) {}

  void read_file(const std::string& file, std::vector<std::string> chain) {
    std::error_code error;
    const std::string identity = std::filesystem::weakly_canonical(file, error).string();  // whatever links lead to it
    if (std::find(chain.begin(), chain.end(), identity) != chain.end()) {
      throw UserError(fmt::format("{}: 'base' leads back to this file", file));
    }
    if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
    chain.push_back(identity);
    const ConfigNode root = ConfigNode::load(file);
    if (const auto base = root.find("base")) read_file(base->file_path(), chain);
    read_group(root, "");
  }

  void apply(const Override& set) {
    for (const Parameter& parameter : lister_.parameters()) {
      if (parameter.path != set.path) continue;
      const ConfigNode node = ConfigNode::parse("{}", "command line", {{"gpu." + set.path, set.value}});
      ConfigNode value = node.at("gpu");
      for (const std::string& key : split(set.path, '.')) value = value.at(key);
      assign(parameter, value);
      config_.evidence[parameter.path] = kCommandLine;
      return;
    }
    std::vector<std::string> paths;
    for (const Parameter& parameter : lister_.parameters()) paths.push_back(parameter.path);
    throw UserError(fmt::format("--set gpu.{}={}: {}; 'stcsim gpu' prints all", set.path, set.value,
                                unknown_word("GPU parameter", set.path, paths)));
  }

  void require_all() const {
    for (const Parameter& parameter : lister_.parameters()) {
      if (config_.evidence.count(parameter.path) != 0) continue;
      throw UserError(fmt::format("{}: parameter '{}'{} is missing: {}", join(files_, " with base "), parameter.path,
                                  parameter.unit.empty() ? "" : " [" + parameter.unit + "]", parameter.meaning));
    }
  }

  std::string hash() const {
    std::string all;
    for (const Parameter& parameter : lister_.parameters()) {
      all += parameter.path + "=" + value_text(parameter.target) + "\n";
    }
    return content_hash(all.data(), all.size());
  }

 private:
  /// Keys that may stand in group `prefix`: its fields and the groups directly below.
  std::vector<std::string> keys_of(const std::string& prefix) const {
    std::vector<std::string> keys;
    if (prefix.empty()) keys.emplace_back("base");
    for (const auto& parameter : lister_.parameters()) {
      if (parent_of(parameter.path) == prefix) keys.push_back(leaf_of(parameter.path));
    }
    for (const auto& group : lister_.groups()) {
      if (parent_of(group.path) == prefix) keys.push_back(leaf_of(group.path));
    }
    return keys;
  }

  void read_group(const ConfigNode& node, const std::string& prefix) {
    node.allow_keys(keys_of(prefix));
    for (const auto& [key, child] : node.items()) {
      if (prefix.empty() && key == "base") continue;
      const std::string path = prefix.empty() ? key : fmt::format("{}.{}", prefix, key);
      const auto parameter = std::find_if(lister_.parameters().begin(), lister_.parameters().end(),
                                          [&path = path](const Parameter& p) { return p.path == path; });
      if (parameter == lister_.parameters().end()) {
        read_group(child, path);
      } else {
        read_parameter(*parameter, child);
      }
    }
  }

  void read_parameter(const Parameter& parameter, const ConfigNode& node) {
    if (std::holds_alternative<std::string*>(parameter.target)) {
      assign(parameter, node);
      config_.evidence[parameter.path] = "given";
      return;
    }
    const bool has_unit = !parameter.unit.empty();
    if (!node.is_map()) {
      node.fail(fmt::format("must state value{} and evidence, such as {{value: {}, {}evidence: \"...\"}}",
                            has_unit ? ", unit" : "", value_text(parameter.target),
                            has_unit ? "unit: " + parameter.unit + ", " : ""));
    }
    node.allow_keys(has_unit ? std::vector<std::string>{"value", "unit", "evidence"}
                             : std::vector<std::string>{"value", "evidence"});
    assign(parameter, node.at("value"));
    if (has_unit) {
      const ConfigNode unit = node.at("unit");
      if (unit.text() != parameter.unit)
        unit.fail(fmt::format("is '{}', but must be '{}'", unit.text(), parameter.unit));
    }
    const ConfigNode evidence = node.at("evidence");
    if (evidence.text().find_first_not_of(" \t") == std::string::npos) evidence.fail("must not be empty");
    config_.evidence[parameter.path] = evidence.text();
  }

  static void assign(const Parameter& parameter, const ConfigNode& node) {
    std::visit(
        [&](auto* target) {
          using T = std::remove_pointer_t<decltype(target)>;
          if constexpr (std::is_same_v<T, std::string>) {
            *target = node.text();
          } else if constexpr (std::is_same_v<T, bool>) {
            *target = node.flag();
          } else if constexpr (std::is_same_v<T, double>) {
            const double value = node.number();
            if (!(value >= parameter.low && value <= parameter.high)) {
              node.fail(fmt::format("is {}, but must lie in {} .. {}", value, parameter.low, parameter.high));
            }
            *target = value;
          } else {
            const auto low = std::max(parameter.low, static_cast<double>(std::numeric_limits<T>::lowest()));
            *target = static_cast<T>(node.integer(static_cast<std::int64_t>(low),
                                                  static_cast<std::int64_t>(std::min(parameter.high, 9e18))));
          }
        },
        parameter.target);
  }

  GpuConfig& config_;
  ParameterLister lister_;
  std::vector<std::string> files_;
};

}  // namespace

std::string value_text(const Parameter::Target& target) {
  return std::visit([](const auto* value) { return fmt::format("{}", *value); }, target);
}

GpuConfig read_gpu_config(const std::string& file, const std::vector<Override>& overrides) {
  GpuConfig config;
  config.file = file;
  Reader reader(config);
  reader.read_file(file, {});
  for (const Override& set : overrides) reader.apply(set);
  reader.require_all();
  // Between the oldest and the newest there are GPUs whose instruction sets are not modelled.
  if (find_architecture(config.params.sm_version) == nullptr) {
    throw UserError(
        fmt::format("{}: sm_version is {}, but must be {}", file, config.params.sm_version, known_architectures()));
  }
  if (const auto wrong = gpu::find_contradiction(config.params)) {
    std::string place = file;  // or what the command line has set of those that contradict each other
    for (const Override& set : overrides) {
      const bool takes_part = set.path == wrong->path || wrong->reason.find(set.path) != std::string::npos;
      if (takes_part) place = fmt::format("--set gpu.{}={}", set.path, set.value);
    }
    throw UserError(fmt::format("{}: {} {}", place, wrong->path, wrong->reason));
  }
  config.hash = reader.hash();
  return config;
}

std::string describe_gpu(GpuConfig config) {
  const ParameterLister lister = parameters_of(config.params);
  std::size_t key_width = 0;
  std::size_t value_width = 0;
  for (const Parameter& parameter : lister.parameters()) {
    key_width = std::max(key_width, parameter.path.size());
    value_width = std::max(value_width, value_text(parameter.target).size() + 1 + parameter.unit.size());
  }
  std::string out = fmt::format("{}\n", config.file);
  std::string group;
  for (const Parameter& parameter : lister.parameters()) {
    if (parent_of(parameter.path) != group) {
      group = parent_of(parameter.path);
      for (const ParameterGroup& candidate : lister.groups()) {
        if (candidate.path == group) out += fmt::format("\n{}: {}\n", group, candidate.meaning);
      }
    }
    const std::string value = value_text(parameter.target) + (parameter.unit.empty() ? "" : " " + parameter.unit);
    out += fmt::format("  {:<{}}  {:<{}}  {}\n", parameter.path, key_width, value, value_width, parameter.meaning);
    const auto evidence = config.evidence.find(parameter.path);
    if (evidence != config.evidence.end() && !std::holds_alternative<std::string*>(parameter.target)) {
      out += fmt::format("  {:<{}}  evidence: {}\n", "", key_width, evidence->second);
    }
  }
  return out + fmt::format("\nconfiguration hash {}\n", config.hash);
}

}  // namespace stc::sim
