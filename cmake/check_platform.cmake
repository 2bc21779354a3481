# cmake -DROOT=<source tree> -P check_platform.cmake
#
# What a platform may lack stands in the seam files that are named here; nothing else includes a header of a platform, asks
# which one it is compiled for, or calls what only some have. Guards for processors and for versions of libraries are none.
cmake_minimum_required(VERSION 3.22)
get_filename_component(ROOT "${ROOT}" ABSOLUTE)

# core: memory's pages, files that are read, written whole and told apart, what the machine says, threads' priority.
set(seams
    core/base/aligned_memory core/base/file_stamp core/base/input_file core/base/machine core/base/output_file core/base/shared_library
    core/base/thread_priority)
# app: processes, locks, folders of their own, the terminal, the user's folders and language; OpenGL, EGL, GLFW and the windows on them.
list(APPEND seams
    app/platform/camera app/platform/child_process app/platform/clipboard app/platform/file_lock app/platform/scratch_folder app/platform/terminal
    app/platform/user
    app/platform/gl app/platform/glfw app/platform/headless app/platform/monitors app/platform/window)

set(platforms "_WIN32|_WIN64|WIN32|_MSC_VER|__MINGW|__CYGWIN__|__linux|linux|__gnu_linux__|__APPLE__|__MACH__|__EMSCRIPTEN__|__wasm|__unix|unix|__ANDROID__|__FreeBSD__|__OpenBSD__|__NetBSD__|__GLIBC__|_POSIX_|_GNU_SOURCE|BSD")
set(headers "unistd|fcntl|spawn|pthread|sched|signal|poll|dlfcn|dirent|termios|semaphore|glob|ftw|pwd|grp|wordexp|langinfo|link|elf|execinfo|malloc|alloca|syslog|utime|mntent|netdb|strings|ucontext|windows|winsock2?|io|process|direct|shlobj|shellapi")
set(header_folders "sys|linux|asm|mach|net|netinet|arpa|bits|emscripten|GL|GLES[0-9]?|EGL|GLFW|X11|wayland[^>\"]*")
set(calls "popen|_popen|fork|vfork|exec[lv][pe]*|posix_spawn[a-z_]*|waitpid|kill|getpid|gettid|isatty|_isatty|fileno|mmap|munmap|madvise|pread|pwrite|fsync|ftruncate|flock|mkdtemp|mkstemp|setpriority|getpriority|sysconf|syscall|dlopen|dlsym|setenv|putenv|unsetenv|clock_gettime|pthread_[a-z_]+|sched_[a-z_]+")

# What of a line is of a platform, and in words.
set(word "(^|[^A-Za-z0-9_])")
set(rules
    "(^|\n)[ \t]*#[ \t]*(if|elif|ifdef|ifndef)[^/\n]*${word}(${platforms})" "asks for a platform"
    "(^|\n)[ \t]*#[ \t]*include[ \t]*[<\"](${headers})\\.h[>\"]" "includes a header of a platform"
    "(^|\n)[ \t]*#[ \t]*include[ \t]*[<\"](${header_folders})/" "includes a header of a platform"
    "(^|[^A-Za-z0-9_.>\"])(${calls})\\(" "calls what only some platforms have"
    "getenv\\(([^\"]|\"([^VDO]|V[^I]|D[^N]|O[^N]))" "reads more of the environment than Vitrine's own variables and the limit of oneDNN"
    "\"/(proc|sys|dev|tmp|etc)/" "names a path of one system")

file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/core/*.h ${ROOT}/core/*.cpp ${ROOT}/app/*.h ${ROOT}/app/*.cpp)
list(LENGTH files count)
if(count EQUAL 0)
    message(FATAL_ERROR "There are no sources under ${ROOT}.")
endif()
set(mistakes "")
set(met "")
foreach(file IN LISTS files)
    string(REGEX REPLACE "\\.(h|cpp)$" "" module ${file})
    if(module IN_LIST seams)
        list(APPEND met ${module})
        continue()
    endif()
    file(READ ${ROOT}/${file} text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "[][;]" " " text "${text}")  # what CMake's lists are made of
    string(REPLACE "\n" ";" lines "${text}")
    set(rest ${rules})
    while(rest)
        list(POP_FRONT rest pattern what)
        if(NOT text MATCHES "${pattern}")
            continue()
        endif()
        set(number 0)
        foreach(line IN LISTS lines)
            math(EXPR number "${number} + 1")
            if(line MATCHES "${pattern}")
                string(STRIP "${line}" line)
                list(APPEND mistakes "${file}:${number}: ${what}: ${line}")
            endif()
        endforeach()
    endwhile()
endforeach()
foreach(seam IN LISTS seams)
    if(NOT seam IN_LIST met)
        list(APPEND mistakes "${seam}: is named as a seam in cmake/check_platform.cmake and is not there")
    endif()
endforeach()

if(mistakes)
    list(JOIN mistakes "\n  " lines)
    message(FATAL_ERROR "What belongs to a platform stands outside its seams:\n  ${lines}")
endif()
list(LENGTH seams seam_count)
message(STATUS "Of a platform outside the ${seam_count} seams, in ${count} files: (none)")
