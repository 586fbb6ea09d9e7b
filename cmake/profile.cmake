# A build that knows which ways through the program its runs take: scripts/build_profiled compiles it to count them
# (STC_PROFILE=count), runs some kernels, and compiles it again by what was counted (STC_PROFILE=use). Results are those of
# any other build.
set(STC_PROFILE "" CACHE STRING "Compile to count which ways runs take (count), or by what was counted (use)")
set_property(CACHE STC_PROFILE PROPERTY STRINGS "" count use)
if(STC_PROFILE STREQUAL "")
  return()
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  message(FATAL_ERROR "STC_PROFILE needs GCC, not ${CMAKE_CXX_COMPILER_ID}")
endif()

if(STC_PROFILE STREQUAL "count")
  add_compile_options(-fprofile-generate -fprofile-update=single)
  add_link_options(-fprofile-generate)
elseif(STC_PROFILE STREQUAL "use")
  if(NOT EXISTS ${CMAKE_BINARY_DIR}/profile_counted)
    message(FATAL_ERROR "no run has been counted in ${CMAKE_BINARY_DIR}: scripts/build_profiled does all of it")
  endif()
  # What no run has come through is compiled as in any other build, not for size.
  add_compile_options(-fprofile-use -fprofile-partial-training -Wno-missing-profile)
else()
  message(FATAL_ERROR "STC_PROFILE is count, use or empty, not ${STC_PROFILE}")
endif()
