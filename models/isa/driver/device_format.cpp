// SPDX-License-Identifier: Apache-2.0
#include "models/isa/driver/device_format.h"

#include <cstdio>
#include <cstring>
#include <vector>

namespace stc::isa {
namespace {

constexpr int kWidest = 4096;  ///< characters that a width or precision may ask for

/// One conversion: "%-8.3lld" has flags and widths "-8.3", length "ll" and letter 'd'.
struct Conversion {
  std::string front;   ///< flags, width and precision, as in the format or from arguments
  std::string length;  ///< h, hh, l, ll, j, z, t, L
  char letter = 0;
};

/// The compiler passes text that is not known to be constant, so the format of the host's printf is made here.
template <class Value>
std::string converted(const std::string& format, Value value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int size = std::snprintf(nullptr, 0, format.c_str(), value);
  if (size < 0) return "";
  std::vector<char> text(static_cast<std::size_t>(size) + 1);
  std::snprintf(text.data(), text.size(), format.c_str(), value);
#pragma GCC diagnostic pop
  return {text.data(), static_cast<std::size_t>(size)};
}

bool is_long(const std::string& length) { return !length.empty() && length[0] != 'h' && length[0] != 'L'; }

class Formatter {
 public:
  Formatter(const std::string& format, const std::function<std::uint64_t(unsigned)>& argument,
            const std::function<std::string(std::uint64_t)>& text_at)
      : format_(format), argument_(argument), text_at_(text_at) {}

  FormattedText run() {
    while (at_ < format_.size()) {
      if (format_[at_] != '%') {
        out_.text += format_[at_++];
        continue;
      }
      const std::size_t begin = at_++;
      const Conversion conversion = read();
      if (!apply(conversion) && out_.unknown.empty()) out_.unknown = format_.substr(begin, at_ - begin);
    }
    return out_;
  }

 private:
  bool among(const char* set) const { return at_ < format_.size() && std::strchr(set, format_[at_]) != nullptr; }
  std::uint64_t next(unsigned bytes) {
    ++out_.arguments;
    return argument_(bytes);
  }

  void read_number(std::string& front) {
    if (among("*")) {
      ++at_;
      const int value = static_cast<int>(next(4));
      front += std::to_string(value > kWidest ? kWidest : value < -kWidest ? -kWidest : value);
      return;
    }
    int value = 0;
    bool any = false;
    for (; among("0123456789"); ++at_, any = true) {
      value = value > kWidest ? value : 10 * value + (format_[at_] - '0');
    }
    if (any) front += std::to_string(value > kWidest ? kWidest : value);
  }

  Conversion read() {
    Conversion c;
    for (; among("-+ #0"); ++at_) c.front += format_[at_];
    read_number(c.front);
    if (among(".")) {
      c.front += format_[at_++];
      read_number(c.front);
    }
    for (; among("hljztL") && c.length.size() < 2; ++at_) c.length += format_[at_];
    if (at_ < format_.size()) c.letter = format_[at_++];
    return c;
  }

  bool apply(const Conversion& c) {
    const std::string front = "%" + c.front;
    switch (c.letter) {
      case '%': out_.text += '%'; return c.front.empty() && c.length.empty();
      case 'd':
      case 'i':
        out_.text += is_long(c.length)
                         ? converted(front + "lld", static_cast<long long>(next(8)))
                         : converted(front + c.length + "d", static_cast<int>(static_cast<std::uint32_t>(next(4))));
        return true;
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        out_.text += is_long(c.length) ? converted(front + "ll" + c.letter, static_cast<unsigned long long>(next(8)))
                                       : converted(front + c.length + c.letter, static_cast<unsigned>(next(4)));
        return true;
      case 'c': out_.text += converted(front + "c", static_cast<int>(next(4))); return true;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        const std::uint64_t bits = next(8);
        double value;
        std::memcpy(&value, &bits, sizeof value);
        out_.text += converted(front + c.letter, value);
        return true;
      }
      case 'p': {
        void* const shown = reinterpret_cast<void*>(next(8));  // NOLINT(performance-no-int-to-ptr): only printed
        out_.text += converted(front + "p", shown);
        return true;
      }
      case 's': out_.text += converted(front + "s", text_at_(next(8)).c_str()); return true;
      default: return false;
    }
  }

  const std::string& format_;
  const std::function<std::uint64_t(unsigned)>& argument_;
  const std::function<std::string(std::uint64_t)>& text_at_;
  std::size_t at_ = 0;
  FormattedText out_;
};

}  // namespace

FormattedText format_arguments(const std::string& format, const std::function<std::uint64_t(unsigned)>& argument,
                               const std::function<std::string(std::uint64_t)>& text_at) {
  return Formatter(format, argument, text_at).run();
}

}  // namespace stc::isa
