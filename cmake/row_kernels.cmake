# row_kernels(): libraries of objects, one for each vector unit, of the same sources core/tensor/{row,panel}_kernels.cpp.
#
# Every build holds x86-64-v2, v3 and v4, of which core/tensor/rows.cpp chooses one at run time; on other processors there
# is one for this machine. Flags name what rows.cpp asks the processor for, no more. -O3 in every configuration, and no
# sanitizer: nothing may be emitted that the linker could share with code for lesser processors (ctest -R check_kernels
# looks); tests put rows at the edge of a page.
function(row_kernels)
    set(flags_v2 -march=x86-64-v2)
    set(flags_v3 ${flags_v2} -mavx2 -mfma)
    set(flags_v4 ${flags_v3} -mavx512f -mavx512cd -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)
    set(variants native)
    if(VITRINE_X86)
        set(variants v2 v3 v4)
    endif()
    add_library(vitrine_row_kernels INTERFACE)
    foreach(variant IN LISTS variants)
        set(name native)
        set(level 0)
        if(VITRINE_X86)
            set(name x86-64-${variant})
            string(SUBSTRING ${variant} 1 1 level)
        endif()
        add_library(vitrine_rows_${variant} OBJECT ${CMAKE_SOURCE_DIR}/core/tensor/row_kernels.cpp ${CMAKE_SOURCE_DIR}/core/tensor/panel_kernels.cpp)
        target_include_directories(vitrine_rows_${variant} PRIVATE ${CMAKE_SOURCE_DIR})
        target_link_libraries(vitrine_rows_${variant} PRIVATE xsimd)
        target_compile_definitions(vitrine_rows_${variant} PRIVATE VITRINE_ROWS=rows_${variant} VITRINE_PANELS=panels_${variant} VITRINE_ROWS_NAME="${name}" VITRINE_ROWS_LEVEL=${level})
        target_compile_options(vitrine_rows_${variant} PRIVATE -O3 -fno-exceptions -fno-math-errno -fno-trapping-math -fopenmp-simd
            -fno-sanitize=all -Wall -Wextra -Wpedantic -Wshadow
            -Wno-uninitialized -Wno-maybe-uninitialized ${flags_${variant}})  # GCC 12 takes undefined lanes inside its intrinsics for a mistake
        target_sources(vitrine_row_kernels INTERFACE $<TARGET_OBJECTS:vitrine_rows_${variant}>)
    endforeach()
endfunction()
