#include <cstdio>
#include <exception>

#include "app/commands/commands.h"
#include "app/commands/printable.h"
#include "app/platform/start_over.h"
#include "core/base/sentence.h"

namespace {

int fail(int status, const char* words) {
    std::fprintf(stderr, "vitrine: %s\n", vitrine::printable(words).c_str());
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    // OpenMP's threads must sleep, not spin, while they wait: spinning ones take the window's core. libgomp reads its
    // wait policy before main.
    vitrine::start_over_with("OMP_WAIT_POLICY", "passive", argv);
    try {
        return vitrine::run_command_line(argc, argv);
    } catch (const vitrine::UsageError& error) {
        return fail(2, error.what());
    } catch (...) {
        return fail(1, vitrine::sentence_of(std::current_exception()).c_str());
    }
}
