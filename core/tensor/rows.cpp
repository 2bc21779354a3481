#include "core/tensor/rows.h"

#include <cstdlib>
#include <cstring>

namespace vitrine {

#ifdef VITRINE_ROWS_OF_X86
extern const RowKernels rows_v2, rows_v3, rows_v4;
#else
extern const RowKernels rows_native;
#endif

namespace {

#ifdef VITRINE_ROWS_OF_X86
constexpr const RowKernels* variants[] = {&rows_v4, &rows_v3, &rows_v2};  // best first, the last runs everywhere
#else
constexpr const RowKernels* variants[] = {&rows_native};
#endif

/// v2, v3 or v4, 0 for the machine that built it.
int level_of(const char* name) {
    const std::size_t length = std::strlen(name);
    return length >= 2 && name[length - 2] == 'v' ? name[length - 1] - '0' : 0;
}

const RowKernels& best() {
    const char* const asked = std::getenv("VITRINE_VECTORS");
    const int limit = asked != nullptr && level_of(asked) != 0 ? level_of(asked) : 4;
    const RowKernels* chosen = nullptr;
    for (const RowKernels* const variant : variants) {
        chosen = variant;
        if (level_of(variant->name) <= limit && runs_here(*variant)) break;
    }
    return *chosen;
}

}  // namespace

const RowKernels& row_kernels() {
    static const RowKernels& chosen = best();
    return chosen;
}

bool runs_here([[maybe_unused]] const RowKernels& variant) {
#ifdef __x86_64__
    // Asks the system as well, which xsimd 8.1 does not: a processor's registers may be switched off.
    const int level = level_of(variant.name);
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    return level < 3 || (level == 3 ? v3 : v4);
#else
    return true;
#endif
}

const char* vector_variant() { return row_kernels().name; }

}  // namespace vitrine
