#include <cstdio>
#include <exception>

#include "app/commands/commands.h"
#include "app/commands/printable.h"
#include "core/base/sentence.h"

namespace {

int fail(int status, const char* words) {
    std::fprintf(stderr, "vitrine: %s\n", vitrine::printable(words).c_str());
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return vitrine::run_command_line(argc, argv);
    } catch (const vitrine::UsageError& error) {
        return fail(2, error.what());
    } catch (...) {
        return fail(1, vitrine::sentence_of(std::current_exception()).c_str());
    }
}
