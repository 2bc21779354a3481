# cmake -DSOURCE=<source tree> -DFOLDER=<scratch folder> -P check_platform_test.cmake
#
# cmake/check_platform.cmake names every line of a bad tree that belongs to a platform, and no line of a good one.
cmake_minimum_required(VERSION 3.22)

set(bad
    "#ifdef _WIN32" "#if defined(__linux__) && 1" "  #  elif __APPLE__" "#ifndef __EMSCRIPTEN__" "#if !defined __unix__" "#include <unistd.h>"
    "#include <sys/mman.h>" "# include <fcntl.h>" "#include <windows.h>" "#include <dlfcn.h>" "#include <GL/gl.h>" "#include <GLFW/glfw3.h>"
    "FILE* f = popen(command, name)" "  ::mmap(nullptr, 1)" "x = std::getenv(\"HOME\")" "getenv(\"XDG_CACHE_HOME\")" "getenv(name)"
    "std::ifstream in(\"/proc/self/stat\")" "if (isatty(2)) {" "kill(pid, 9)")
set(good
    "#if DNNL_VERSION_MAJOR >= 3" "#if __has_include(<xtensor/xtensor.hpp>)" "#ifdef __AVX512F__" "#if IMGUI_VERSION_NUM < 18600" "#include <csignal>"
    "#include <vector>  // not <unistd.h>" "child.poll()" "queue_->kill(3)" "skill(2)" "// popen(), getenv(\"HOME\"), #ifdef _WIN32" "getenv(\"VITRINE_PROBE\")"
    "#include \"app/platform/gl.h\"" "void unlink_all(int process)")

# make_tree(LINE...): a tree with these lines in one file, and all seams, full of what they alone may have.
function(make_tree)
    file(REMOVE_RECURSE ${FOLDER})
    file(STRINGS ${SOURCE}/cmake/check_platform.cmake text)
    string(REGEX MATCHALL "(core|app)/[a-z]+/[a-z_]+" seams "${text}")
    foreach(seam IN LISTS seams)
        file(WRITE ${FOLDER}/${seam}.cpp "#include <unistd.h>\n#ifdef _WIN32\n#endif\n")
    endforeach()
    file(WRITE ${FOLDER}/app/other.cpp "a[b[c]]; const char* a[] = {b[\nint one; int two;\nchar s[] = \";[\";\n")  # what CMake's lists stumble over
    foreach(line IN LISTS ARGN)
        file(APPEND ${FOLDER}/app/other.cpp "${line}\n")
    endforeach()
endfunction()

function(check status output)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${FOLDER} -P ${SOURCE}/cmake/check_platform.cmake RESULT_VARIABLE result OUTPUT_VARIABLE words
                    ERROR_VARIABLE words)
    set(${status} ${result} PARENT_SCOPE)
    set(${output} "${words}" PARENT_SCOPE)
endfunction()

make_tree(${good})
check(status words)
if(NOT status EQUAL 0 OR NOT words MATCHES "\\(none\\)")
    message(FATAL_ERROR "A good tree is refused:\n${words}")
endif()

foreach(line IN LISTS bad)
    make_tree("${line}")
    check(status words)
    if(status EQUAL 0 OR NOT words MATCHES "app/other.cpp:4: ")
        message(FATAL_ERROR "This line of a platform is not seen: ${line}\n${words}")
    endif()
endforeach()

make_tree()
file(REMOVE ${FOLDER}/app/platform/gl.cpp)
check(status words)
if(status EQUAL 0 OR NOT words MATCHES "app/platform/gl: is named")
    message(FATAL_ERROR "A seam that is gone is not missed:\n${words}")
endif()
file(REMOVE_RECURSE ${FOLDER})
message(STATUS "Every bad line is seen.")
