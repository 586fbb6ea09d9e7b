cmake_minimum_required(VERSION 3.24)
# What a library of NVIDIA's exports and ours does not have: each reports its own name. Functions for the per-thread
# default stream go to their plain twins: everything is done in order. Weak, so that what is there takes their place.
# FUNCTION is what they call.
#   cmake -DNAMES=names_13.txt -DFUNCTION=not_supported -DOUT=stubs.cpp -P stubs.cmake
file(STRINGS ${NAMES} names)
set(text "#include \"sim/cudart/not_supported.h\"\nextern \"C\" {\n")
foreach(name ${names})
  string(REGEX REPLACE "_pt[sd]s$|_ptsz$" "" plain ${name})
  if(NOT plain STREQUAL name AND plain IN_LIST names)
    string(APPEND text "__asm__(\".globl ${name}\\n.type ${name}, @function\\n${name}: jmp ${plain}@PLT\\n\");\n")
  else()
    string(APPEND text "__attribute__((weak)) int ${name}() { return stc::cuda::${FUNCTION}(\"${name}\"); }\n")
  endif()
endforeach()
file(WRITE ${OUT} "${text}}\n")
