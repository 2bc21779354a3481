#include <cstdio>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/exports/output_folder.h"
#include "app/platform/printable.h"
#include "app/platform/terminal.h"
#include "core/base/output_file.h"
#include "core/training/net_study.h"

namespace vitrine {

int compare_command(const CompareOptions& o) {
    check_is_name("--out", o.out);
    guard_of(o.force, {}).check(o.out);
    const bool terminal = stderr_is_terminal();
    const auto tell = [&](double share) {
        if (terminal) std::fprintf(stderr, "\r%5.1f %%", 100 * share);
    };
    const NetStudy study = study_nets({o.pictures, o.seed, o.fresh}, o.threads, tell);
    if (terminal) std::fprintf(stderr, "\n");
    OutputFile file(o.out);
    file.write(to_json(study));
    file.commit();
    for (const NetStudyPoint& p : study.points) {
        const std::string pictures = p.distinct > 0 ? std::to_string(p.distinct) : "endless";
        std::printf("%s  %8s pictures  %5.1f %% of unseen ones\n", name_of(p.net), pictures.c_str(), 100 * p.accuracy);
    }
    std::printf("%s\n", printable(o.out.string()).c_str());
    return 0;
}

}  // namespace vitrine
