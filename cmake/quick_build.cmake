# precompile(TARGET [header…])
#
# Headers that nearly every file of a target reads are parsed once: standard ones, tensors, and those named. Files still include what they use.
function(precompile TARGET)
    target_precompile_headers(${TARGET} PRIVATE
        <algorithm> <array> <chrono> <cmath> <condition_variable> <filesystem> <functional> <map> <memory> <mutex> <optional> <set> <span> <sstream>
        <string> <string_view> <thread> <variant> <vector> ${CMAKE_SOURCE_DIR}/core/tensor/tensor.h ${ARGN})
endfunction()

# together(TARGET)
#
# The files of a folder are compiled several at a time, which reads the headers and makes the templates once for all of them: half the time.
# What is unnamed in one file can then meet what is unnamed in another, so the names of a folder's files differ.
# With -DVITRINE_TOGETHER=OFF, as in the debug preset, each file is compiled alone and shows that it includes what it uses.
set(VITRINE_BATCH 12 CACHE STRING "How many files are compiled at a time; 1000: whole folders, which shows whether any two names are alike")
mark_as_advanced(VITRINE_BATCH)
function(together TARGET)
    if(NOT VITRINE_TOGETHER)
        return()
    endif()
    # What one file calls `folder` hides nothing that the next one means, and a type of one file may have parts that only that file knows.
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP VITRINE_MAY_SHADOW ON)
    target_compile_options(${TARGET} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    get_target_property(files ${TARGET} SOURCES)
    list(SORT files)
    set(last none)
    foreach(file IN LISTS files)
        get_filename_component(folder ${file} DIRECTORY)
        if(NOT folder STREQUAL last)
            set(last ${folder})
            set(count 0)
        endif()
        math(EXPR batch "${count} / ${VITRINE_BATCH}")
        string(MAKE_C_IDENTIFIER "${folder}_${batch}" group)
        set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${group})
        math(EXPR count "${count} + 1")
    endforeach()
endfunction()
