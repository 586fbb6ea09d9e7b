# Large headers of others, compiled once for many sources. No source relies on it: sanitizer builds and clang-tidy do
# without. GCC takes a precompiled header only for the options that it was made with, so each set of options has one.
option(STC_PRECOMPILE "Precompile large headers" ON)
if(NOT STC_PRECOMPILE)
  return()
endif()

target_precompile_headers(stc_systemc PRIVATE
  <systemc> <tlm> <tlm_utils/simple_initiator_socket.h> <tlm_utils/simple_target_socket.h> <vector>)
foreach(library stc_memory stc_sm stc_gpu stc_tensor_core)
  target_precompile_headers(${library} REUSE_FROM stc_systemc)
endforeach()

if(STC_PROGRAM)
  target_precompile_headers(stc_result PRIVATE
    <fmt/format.h> <nlohmann/json.hpp> <filesystem> <map> <string> <vector>)
  set(users stc_commands stc_compare stc_convolution stc_crossover stc_exec stc_explore stc_jobs stc_micro stc_mma stc_network stc_page
      stc_profile stc_run stc_training)
  foreach(library stc_result ${users})
    target_compile_options(${library} PRIVATE -pthread)  # as RE2 wants it in stc_compare
  endforeach()
  foreach(library ${users})
    target_precompile_headers(${library} REUSE_FROM stc_result)
  endforeach()
endif()

if(STC_TESTS)
  set(headers <gmock/gmock.h> <gtest/gtest.h> <fmt/format.h> <filesystem> <map> <string> <vector>)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cpp CONTENT "")
  add_library(stc_test_headers OBJECT ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cpp)
  target_link_libraries(stc_test_headers PRIVATE stc_options fmt::fmt GTest::gtest GTest::gmock)
  target_compile_options(stc_test_headers PRIVATE -O0)
  target_precompile_headers(stc_test_headers PRIVATE ${headers})
  get_property(tests GLOBAL PROPERTY STC_TESTS)
  list(REMOVE_ITEM tests values_test)  # has options of its own
  foreach(test ${tests})
    target_link_libraries(${test} PRIVATE fmt::fmt)  # for its definitions, which must be those of the headers
    target_precompile_headers(${test} REUSE_FROM stc_test_headers)
  endforeach()
endif()
