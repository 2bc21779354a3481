#include <cstdio>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/library/references.h"

namespace vitrine {

int references_command(const ReferencesOptions& o) {
    if (o.bibtex) {
        std::fputs(bibtex_file().c_str(), stdout);
        return 0;
    }
    if (o.json) {
        auto list = nlohmann::ordered_json::array();
        for (const Reference& row : references())
            list.push_back({{"id", row.id},
                            {"authors", row.authors},
                            {"year", row.year},
                            {"title", row.title},
                            {"venue", row.venue},
                            {"address", address_of(row)},
                            {"cited_at", row.at}});
        print_json(list);
        return 0;
    }
    for (const Reference& row : references()) std::printf("%s\n", full_words(row).c_str());
    return 0;
}

}  // namespace vitrine
