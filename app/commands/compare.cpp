#include <cstdio>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/commands/progress_line.h"
#include "app/exports/output_folder.h"
#include "app/platform/printable.h"
#include "core/base/output_file.h"
#include "core/training/net_study.h"

namespace vitrine {

int compare_command(const CompareOptions& o) {
    check_is_name("--out", o.out);
    guard_of(o.force, {}).check(o.out);
    ProgressLine line(o.quiet);
    const NetStudy study =
        study_nets({o.pictures, o.seed, o.seeds, o.fresh}, o.threads, [&](double share) { line.at(share); });
    replace_file(o.out, to_json(study));
    if (o.json) {
        print_json(nlohmann::ordered_json::parse(to_json(study)));
        return 0;
    }
    for (const std::uint64_t distinct : study_counts)
        for (const auto& net : net_names) {
            const NetStudySpread spread = study.at(net.value, distinct);
            const std::string pictures = distinct > 0 ? std::to_string(distinct) : "endless";
            std::printf("%s  %8s pictures  %5.1f %% of unseen ones", net.name, pictures.c_str(), 100 * spread.mean);
            if (o.seeds > 1) std::printf(", %.1f to %.1f", 100 * spread.least, 100 * spread.most);
            std::printf("\n");
        }
    std::printf("%s\n", printable(o.out.string()).c_str());
    return 0;
}

}  // namespace vitrine
