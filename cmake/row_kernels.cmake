# row_kernels(): libraries of objects, one for each vector unit, of the one source core/tensor/row_kernels.cpp.
#
# vitrine_row_kernels holds those that the program chooses from: x86-64-v2, v3 and v4, or with VITRINE_NATIVE the one for
# this machine. vitrine_row_kernels_all are v2, v3 and v4 always, for the tests; elsewhere than on x86-64 there are none. Flags name what core/tensor/rows.cpp asks
# the processor for, no more. -O3 in every configuration, and no sanitizer: nothing may be emitted that the linker could
# share with code for lesser processors (ctest -R check_kernels looks); tests put rows at the edge of a page.
function(row_kernels)
    set(source ${CMAKE_SOURCE_DIR}/core/tensor/row_kernels.cpp)
    set(v2 -march=x86-64-v2)
    set(v3 ${v2} -mavx2 -mfma)
    set(v4 ${v3} -mavx512f -mavx512cd -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)
    set(native -march=native -mprefer-vector-width=512)
    set(all "")
    if(VITRINE_X86)
        list(APPEND all v2 v3 v4)
    endif()
    foreach(variant IN LISTS all ITEMS native)
        set(name x86-64-${variant})
        if(variant STREQUAL native)
            set(name native)
            if(NOT VITRINE_X86)
                set(native "")
            endif()
        endif()
        add_library(vitrine_rows_${variant} OBJECT EXCLUDE_FROM_ALL ${source})
        target_include_directories(vitrine_rows_${variant} PRIVATE ${CMAKE_SOURCE_DIR})
        target_link_libraries(vitrine_rows_${variant} PRIVATE xsimd)
        target_compile_definitions(vitrine_rows_${variant} PRIVATE VITRINE_ROWS=rows_${variant} VITRINE_ROWS_NAME="${name}")
        target_compile_options(vitrine_rows_${variant} PRIVATE -O3 -fno-exceptions -fno-math-errno -fno-trapping-math -fopenmp-simd
            -fno-sanitize=all -Wall -Wextra -Wpedantic -Wshadow
            -Wno-uninitialized -Wno-maybe-uninitialized ${${variant}})  # GCC 12 takes undefined lanes inside its intrinsics for a mistake
    endforeach()
    add_library(vitrine_row_kernels_all INTERFACE)
    foreach(variant IN LISTS all)
        target_sources(vitrine_row_kernels_all INTERFACE $<TARGET_OBJECTS:vitrine_rows_${variant}>)
    endforeach()
    target_compile_definitions(vitrine_row_kernels_all INTERFACE $<$<BOOL:${all}>:VITRINE_ROWS_ALL>)
    add_library(vitrine_row_kernels INTERFACE)
    if(all AND NOT VITRINE_NATIVE)
        target_link_libraries(vitrine_row_kernels INTERFACE vitrine_row_kernels_all)
        target_compile_definitions(vitrine_row_kernels INTERFACE VITRINE_ROWS_OF_X86)
    else()
        target_sources(vitrine_row_kernels INTERFACE $<TARGET_OBJECTS:vitrine_rows_native>)
    endif()
endfunction()
