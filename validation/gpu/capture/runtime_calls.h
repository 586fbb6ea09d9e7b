// SPDX-License-Identifier: Apache-2.0
// The functions of CUDA's runtime that stand behind those of the same name here.
#pragma once

#include <dlfcn.h>

#include <cstddef>

#define STC_EXPORT extern "C" __attribute__((visibility("default")))

namespace stc::capture {

/// The function of this name in the library that is loaded after this one; nullptr when it has none.
template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// True while this library itself calls the runtime: what it does is no deed of the program's.
inline thread_local bool inside = false;

class Inside {
 public:
  Inside() : before_(inside) { inside = true; }
  ~Inside() { inside = before_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  const bool before_;
};

/// Says something that the user should know, once for each text: `stcgpu capture` shows it at the end.
void note(const char* text);

}  // namespace stc::capture
