#include "core/base/processor.h"

#include <algorithm>
#include <fstream>
#include <thread>

namespace vitrine {

std::string processor_name() {
    std::ifstream about("/proc/cpuinfo");
    for (std::string line; std::getline(about, line);)
        if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    return "unknown";
}

const char* vector_instructions() {
#if defined(__AVX512F__)
    return "AVX-512";
#elif defined(__AVX2__)
    return "AVX2";
#else
    return "those that every processor of its kind has";
#endif
}

int processor_count() {
    static const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return count;
}

}  // namespace vitrine
