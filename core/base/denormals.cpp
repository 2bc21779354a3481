#include "core/base/denormals.h"

namespace vitrine {

namespace {

// The control register of a thread's floating-point unit, and its bits that turn denormal results and operands into 0.
#if defined(__x86_64__)
constexpr unsigned long long flush = 0x8040;
unsigned long long control() { return __builtin_ia32_stmxcsr(); }
void set_control(unsigned long long bits) { __builtin_ia32_ldmxcsr(static_cast<unsigned>(bits)); }
#elif defined(__aarch64__)
constexpr unsigned long long flush = 1ULL << 24;
unsigned long long control() {
    unsigned long long bits = 0;
    asm volatile("mrs %0, fpcr" : "=r"(bits));
    return bits;
}
void set_control(unsigned long long bits) { asm volatile("msr fpcr, %0" : : "r"(bits)); }
#else
constexpr unsigned long long flush = 0;
unsigned long long control() { return 0; }
void set_control(unsigned long long) {}
#endif

}  // namespace

FlushDenormals::FlushDenormals() : before_(control()) { set_control(before_ | flush); }
FlushDenormals::~FlushDenormals() { set_control(before_); }

}  // namespace vitrine
