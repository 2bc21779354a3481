#include "app/platform/terminal.h"

#include <unistd.h>

namespace vitrine {

bool stderr_is_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace vitrine
