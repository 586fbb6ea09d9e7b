# Writes ${OUT}, the source file that holds version and git revision; leaves it alone when nothing changed. The revision
# ends in + when anything that decides a figure differs from the commit, a new file included.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE revision
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(revision "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain -- CMakeLists.txt models traces sim validation configs
                  OUTPUT_VARIABLE changed ERROR_QUIET)
  if(changed)
    string(APPEND revision "+")
  endif()
endif()
set(text "// Written by sim/base/version.cmake.
#include \"sim/base/version.h\"

namespace stc::sim {
const char* version() { return \"${VERSION}\"; }
const char* git_revision() { return \"${revision}\"; }
}  // namespace stc::sim
")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT "${text}" STREQUAL "${old}")
  file(WRITE ${OUT} "${text}")
endif()
