#include "core/tensor/rows.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>

namespace vitrine {

#ifdef __x86_64__
extern const RowKernels rows_v2, rows_v3, rows_v4;
#else
extern const RowKernels rows_native;
#endif

namespace {

#ifdef __x86_64__
constexpr const RowKernels* variants[] = {&rows_v4, &rows_v3, &rows_v2};  // best first; the last one runs everywhere
#else
constexpr const RowKernels* variants[] = {&rows_native};
#endif

constexpr int no_limit = 4;

int own_limit() {
    const char* const asked = std::getenv("VITRINE_VECTORS");
    const std::string_view level = asked != nullptr ? asked : "";
    return level == "v2" ? 2 : level == "v3" ? 3 : no_limit;
}

int limit_of_onednn() {
    const char* asked = std::getenv("ONEDNN_MAX_CPU_ISA");  // the newer name takes precedence
    if (asked == nullptr) asked = std::getenv("DNNL_MAX_CPU_ISA");
    std::string instructions = asked != nullptr ? asked : "";
    for (char& letter : instructions) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    if (instructions == "SSE41" || instructions == "AVX") return 2;
    return instructions.starts_with("AVX2") ? 3 : no_limit;
}

const RowKernels& best() {
    return **std::find_if(std::begin(variants), std::end(variants) - 1, [](const RowKernels* variant) {
        return variant->level <= vector_limit() && runs_here(*variant);
    });
}

}  // namespace

int vector_limit() {
    static const int limit = std::min(own_limit(), limit_of_onednn());
    return limit;
}

const RowKernels& row_kernels() {
    static const RowKernels& chosen = best();
    return chosen;
}

bool runs_here([[maybe_unused]] const RowKernels& variant) {
#ifdef __x86_64__
    // Asks the system too, unlike xsimd 8.1: a processor's registers may be disabled.
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    return variant.level < 3 || (variant.level == 3 ? v3 : v4);
#else
    return true;
#endif
}

const char* vector_variant() { return row_kernels().name; }

}  // namespace vitrine
