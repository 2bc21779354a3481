#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "app/commands/commands.h"
#include "app/platform/printable.h"
#include "core/base/sentence.h"

namespace {

int fail(int status, const char* words) {
    std::fprintf(stderr, "vitrine: %s\n", vitrine::printable(words).c_str());
    return status;
}

/// Flushes stdout; returns the exit status, 1 if the command's output cannot be written (a full disk).
int flushed(int status) {
    errno = 0;
    const bool whole = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (whole || status != 0) return status;
    const std::string reason = errno != 0 ? std::string(" (") + std::strerror(errno) + ")" : "";
    return fail(1,
                ("the standard output: cannot be written" + reason + "; free some space or write elsewhere").c_str());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return flushed(vitrine::run_command_line(argc, argv));
    } catch (const vitrine::UsageError& error) {
        return fail(2, error.what());
    } catch (...) {
        return fail(1, vitrine::sentence_of(std::current_exception()).c_str());
    }
}
