# cmake -DROOT=<source tree> -P check_lists.cmake
#
# Every test is named in the list of tests/CMakeLists.txt: a forgotten one would never fail.
cmake_minimum_required(VERSION 3.22)

set(forgotten "")
foreach(folder IN ITEMS tests)
    file(READ ${ROOT}/${folder}/CMakeLists.txt list)
    file(GLOB_RECURSE files RELATIVE ${ROOT}/${folder} ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.c)
    foreach(file IN LISTS files)
        string(REPLACE "." "\\." pattern ${file})
        if(NOT list MATCHES "[ (\n]${pattern}[ )\n]")
            list(APPEND forgotten "${folder}/${file}")
        endif()
    endforeach()
endforeach()
if(forgotten)
    list(JOIN forgotten "\n  " lines)
    message(FATAL_ERROR "Not in the CMakeLists.txt of their folder:\n  ${lines}")
endif()
message(STATUS "Every test is listed.")
