# precompile(TARGET [header…])
#
# Headers that nearly every file of a target reads are parsed once: standard ones, tensors, and those named. Files still include what they use.
function(precompile TARGET)
    target_precompile_headers(${TARGET} PRIVATE
        <algorithm> <array> <chrono> <cmath> <condition_variable> <filesystem> <functional> <map> <memory> <mutex> <optional> <set> <span> <sstream>
        <string> <string_view> <thread> <variant> <vector> ${CMAKE_SOURCE_DIR}/core/tensor/tensor.h ${ARGN})
endfunction()
