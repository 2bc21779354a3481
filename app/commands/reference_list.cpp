#include <cstdio>

#include "app/commands/commands.h"
#include "app/workspace/references.h"

namespace vitrine {

int references_command(const ReferencesOptions& o) {
    if (o.bibtex) {
        std::fputs(bibtex_file().c_str(), stdout);
        return 0;
    }
    for (const Reference& row : references()) std::printf("%s\n", full_words(row).c_str());
    return 0;
}

}  // namespace vitrine
