# Every library is found here and nowhere else; `dev` installs the packages that hold them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# core
find_package(xtensor REQUIRED)
find_package(xsimd REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(nlohmann_json 3.11 REQUIRED)
pkg_check_modules(STB REQUIRED IMPORTED_TARGET stb)
find_package(ZLIB REQUIRED)  # deflate, in archives of weights and of colour profiles
# pictures; libheif is loaded at run time, core/files/heif.cpp
pkg_check_modules(PICTURES REQUIRED IMPORTED_TARGET libjpeg libwebp libwebpdemux lcms2)
pkg_check_modules(TIFF REQUIRED libtiff-4>=4.5)  # its header: the library is loaded at run time
pkg_check_modules(FFMPEG REQUIRED libavformat libavcodec libavutil libswscale)  # videos: their headers, too, core/files/video.cpp

# The library of matrix products, core/tensor/matmul_${VITRINE_MATMUL}.cpp.
add_library(vitrine_matmul INTERFACE)
if(VITRINE_MATMUL STREQUAL onednn)
    find_package(OpenMP REQUIRED COMPONENTS CXX)  # Debian's oneDNN has its threads; it is told to take one
    find_library(VITRINE_DNNL NAMES dnnl REQUIRED)
    find_path(VITRINE_DNNL_INCLUDE NAMES oneapi/dnnl/dnnl.h REQUIRED)
    target_link_libraries(vitrine_matmul INTERFACE ${VITRINE_DNNL} ${OpenMP_CXX_LIBRARIES})
    target_include_directories(vitrine_matmul SYSTEM INTERFACE ${VITRINE_DNNL_INCLUDE})
elseif(VITRINE_MATMUL STREQUAL eigen)
    target_link_libraries(vitrine_matmul INTERFACE Eigen3::Eigen)
else()
    message(FATAL_ERROR "VITRINE_MATMUL is '${VITRINE_MATMUL}'; it may be onednn or eigen")
endif()

# app
pkg_check_modules(IMGUI REQUIRED IMPORTED_TARGET imgui>=1.86)
pkg_check_modules(EGL REQUIRED IMPORTED_TARGET egl)
find_package(glfw3 3.3 REQUIRED)
find_package(CLI11 REQUIRED)
pkg_check_modules(CURL REQUIRED libcurl)  # its header alone: app/hub/http loads the library when it is first needed

# fonts, embedded at build time
set(VITRINE_FONT_HINTS /usr/share/fonts/opentype/inter /usr/share/fonts/truetype/dejavu
                       /usr/share/fonts/truetype/jetbrains-mono)
foreach(font IN ITEMS Inter-Regular.otf Inter-SemiBold.otf InterDisplay-SemiBold.otf JetBrainsMono-Regular.ttf DejaVuSans.ttf)
    string(MAKE_C_IDENTIFIER "VITRINE_FONT_${font}" variable)
    find_file(${variable} NAMES ${font} HINTS ${VITRINE_FONT_HINTS} REQUIRED)
    list(APPEND VITRINE_FONTS ${${variable}})
endforeach()

# Japanese and Korean letters: cut to size by app/CMakeLists.txt with HarfBuzz' own tool.
find_program(VITRINE_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
find_program(VITRINE_CUT_FONT hb-subset)
if(NOT VITRINE_CUT_FONT)
    message(FATAL_ERROR "The fonts cannot be cut to size: hb-subset was not found; install libharfbuzz-bin")
endif()
foreach(font IN ITEMS Regular Bold)
    find_file(VITRINE_CJK_${font} NAMES NotoSansCJK-${font}.ttc HINTS /usr/share/fonts/opentype/noto)
    if(NOT VITRINE_CJK_${font})
        message(FATAL_ERROR "NotoSansCJK-${font}.ttc was not found; install fonts-noto-cjk")
    endif()
endforeach()

if(VITRINE_TESTS)
    find_package(GTest REQUIRED)
    pkg_check_modules(X11 IMPORTED_TARGET x11)  # without it the test of the real window is skipped
    find_program(VITRINE_SHELLCHECK shellcheck)
endif()

# ccache is used where it is installed. It keeps out what reads precompiled headers unless told that this is well: a header kept from
# another checkout has other times than its sources, which #pragma once takes for another file.
find_program(VITRINE_CCACHE ccache)
if(VITRINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${VITRINE_CCACHE})
endif()
