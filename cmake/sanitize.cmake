# vitrine_sanitizer: what every program of a watched build links. The options go to all targets.
set(undefined undefined,float-cast-overflow)
set(sanitizers_address -fsanitize=address,${undefined})
set(sanitizers_thread -fsanitize=thread)
set(sanitizers_fuzz -fsanitize=address,${undefined},fuzzer-no-link)

if(NOT VITRINE_SANITIZE)
    add_library(vitrine_sanitizer INTERFACE)
    return()
endif()
if(NOT DEFINED sanitizers_${VITRINE_SANITIZE})
    message(FATAL_ERROR "VITRINE_SANITIZE is \"${VITRINE_SANITIZE}\"; choose address, thread or fuzz")
endif()
target_compile_options(vitrine_options INTERFACE ${sanitizers_${VITRINE_SANITIZE}} -fno-sanitize-recover=all -fno-omit-frame-pointer)
target_compile_definitions(vitrine_options INTERFACE _GLIBCXX_ASSERTIONS)  # of std::span, std::optional and std::vector
if(VITRINE_SANITIZE STREQUAL "fuzz")
    target_compile_definitions(vitrine_options INTERFACE FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)  # the usual word for it
endif()
target_link_options(vitrine_options INTERFACE ${sanitizers_${VITRINE_SANITIZE}})
add_library(vitrine_sanitizer OBJECT ${CMAKE_CURRENT_SOURCE_DIR}/cmake/sanitizer.cpp)
