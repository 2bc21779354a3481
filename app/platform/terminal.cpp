#include "app/platform/terminal.h"

#include <unistd.h>

namespace vitrine {

bool errors_reach_a_terminal() { return isatty(STDERR_FILENO) != 0; }

}  // namespace vitrine
