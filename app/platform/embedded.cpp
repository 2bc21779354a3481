#include "app/platform/embedded.h"

#include <cstdio>
#include <cstdlib>

namespace vitrine {

const Embedded& embedded(std::span<const Embedded> files, std::string_view name) {
    for (const Embedded& file : files)
        if (file.name == name) return file;
    std::fprintf(stderr, "vitrine: \"%.*s\" is not part of this program\n", static_cast<int>(name.size()), name.data());
    std::abort();
}

}  // namespace vitrine
