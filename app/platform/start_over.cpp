#include "app/platform/start_over.h"

#include <unistd.h>

#include <cstdlib>

namespace vitrine {

void start_over_with(const char* variable, const char* value, char** argv) {
    if (std::getenv(variable) != nullptr) return;
    setenv(variable, value, 1);
    execv("/proc/self/exe", argv);  // returns only where it fails
}

}  // namespace vitrine
