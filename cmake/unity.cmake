# Sources of a folder are compiled several at a time: parsing their common headers and instantiating the same templates
# is most of the work. Names in unnamed namespaces must differ within a target. The presets dev and tsan compile each by
# itself, which is quicker after a change to one of them and finds one that relies on the headers of its batch.
option(STC_UNITY "Compile sources in batches" ON)
if(NOT STC_UNITY)
  return()
endif()

function(stc_batches size)
  foreach(target ${ARGN})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    target_compile_options(${target} PRIVATE -Wno-shadow -Wshadow=local)  # a name of a neighbour's is no shadowed one
  endforeach()
endfunction()

stc_batches(24 stc_isa stc_dependence stc_tensor_core stc_memory stc_sm stc_gpu stc_cubin stc_gemm stc_config stc_launch)
if(STC_PROGRAM)
  stc_batches(24 stc_base stc_commands stc_compare stc_convolution stc_crossover stc_exec stc_explore stc_formats stc_jobs
    stc_micro stc_mma stc_network stc_page stc_profile stc_report stc_result stc_run stc_training stc_cuda stc_cudart_12 stc_cudart_13)
endif()
if(STC_TESTS)
  get_property(tests GLOBAL PROPERTY STC_TESTS)
  stc_batches(80 ${tests} stc_fuzz stc_silicon_cases stc_run_program)
  if(TARGET stcgpu)
    stc_batches(40 stcgpu)
  endif()
endif()
