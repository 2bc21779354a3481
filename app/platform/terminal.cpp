#include "app/platform/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace vitrine {

bool stderr_is_terminal() { return isatty(STDERR_FILENO) != 0; }

std::size_t terminal_width() {
    constexpr std::size_t usual = 100;
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

}  // namespace vitrine
