// SPDX-License-Identifier: Apache-2.0
// The one document of a YAML text. Not in other headers: yaml-cpp's are large.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

namespace stc::sim {

/// YAML::Exception when the text is no YAML or begins a second document: whoever writes two expects both to count.
YAML::Node load_document(const std::string& text);

}  // namespace stc::sim
