// SPDX-License-Identifier: Apache-2.0
#include "models/isa/text/kernel_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>

namespace stc::isa {
namespace {

constexpr std::size_t kLongArguments = 60;  ///< characters between < and > that are still shown

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? text.get() : symbol;
}

/// Whether the angle bracket at `at` belongs to an operator's name: operator<, operator->.
bool of_operator(const std::string& text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && (text[begin - 1] == '<' || text[begin - 1] == '>' || text[begin - 1] == '-')) --begin;
  constexpr char kWord[] = "operator";
  constexpr std::size_t kLength = sizeof kWord - 1;
  return begin >= kLength && text.compare(begin - kLength, kLength, kWord) == 0;
}

/// "void gemm<float>(float*, int)" without what stands before the name and after it.
std::string bare(const std::string& text) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<' && !of_operator(text, i)) ++depth;
    if (c == '>' && !of_operator(text, i)) --depth;
    if (depth != 0) continue;
    if (c == ' ') begin = i + 1;
    constexpr char kAnonymous[] = "(anonymous namespace)";
    if (text.compare(i, sizeof kAnonymous - 1, kAnonymous) == 0) {
      i += sizeof kAnonymous - 2;
    } else if (c == '(') {
      return text.substr(begin, i - begin);
    }
  }
  return text.substr(begin);
}

std::string with_short_arguments(const std::string& text) {
  std::string shown;
  int depth = 0;
  std::size_t open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool bracket = (text[i] == '<' || text[i] == '>') && !of_operator(text, i);
    if (bracket && text[i] == '<' && depth++ == 0) open = i;
    if (depth == 0) shown += text[i];
    if (!bracket || text[i] != '>' || depth == 0 || --depth != 0) continue;
    const std::string arguments = text.substr(open, i + 1 - open);
    shown += arguments.size() > kLongArguments + 2 ? arguments.substr(0, kLongArguments - 2) + "...>" : arguments;
  }
  return depth == 0 ? shown : text;
}

/// "_ZN7cutlass6KernelINS_4gemm..." to "cutlass::Kernel<...>": the names in front, of a symbol that is mangled in a way
/// of nvcc's own. A symbol that is not mangled stays.
std::string plain_parts(const std::string& symbol) {
  if (symbol.compare(0, 2, "_Z") != 0) return symbol;
  std::size_t at = symbol.compare(2, 1, "N") == 0 ? 3 : 2;
  std::string name;
  while (at < symbol.size() && std::isdigit(static_cast<unsigned char>(symbol[at])) != 0) {
    std::size_t length = 0;
    for (; at < symbol.size() && std::isdigit(static_cast<unsigned char>(symbol[at])) != 0; ++at) {
      length = std::min(10 * length + static_cast<std::size_t>(symbol[at] - '0'), symbol.size());
    }
    if (length == 0 || length > symbol.size() - at) return symbol;
    name += (name.empty() ? "" : "::") + symbol.substr(at, length);
    at += length;
  }
  if (name.empty()) return symbol;
  return at < symbol.size() && symbol[at] == 'I' ? name + "<...>" : name;
}

}  // namespace

std::string readable_name(const std::string& symbol) {
  const std::string text = demangled(symbol);
  return text == symbol ? plain_parts(symbol) : with_short_arguments(bare(text));
}

}  // namespace stc::isa
