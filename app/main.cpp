#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "app/commands/commands.h"
#include "app/commands/printable.h"
#include "core/base/sentence.h"

namespace {

/// OpenMP's threads must sleep, not spin, while they wait: spinning ones take the window's core. libgomp reads its wait
/// policy before main, so the program starts itself over, once, with the policy set.
void wait_passively(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
    setenv("OMP_WAIT_POLICY", "passive", 1);
    execv("/proc/self/exe", argv);  // returns only where it fails; the run then goes on, merely less calm
}

int fail(int status, const char* words) {
    std::fprintf(stderr, "vitrine: %s\n", vitrine::printable(words).c_str());
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    wait_passively(argv);
    try {
        return vitrine::run_command_line(argc, argv);
    } catch (const vitrine::UsageError& error) {
        return fail(2, error.what());
    } catch (...) {
        return fail(1, vitrine::sentence_of(std::current_exception()).c_str());
    }
}
