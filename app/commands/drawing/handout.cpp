#include "app/exports/handout.h"

#include <string>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/commands/progress_line.h"
#include "app/exports/output_folder.h"
#include "app/library/library.h"
#include "app/platform/threads.h"
#include "core/base/output_file.h"

namespace vitrine {

namespace {

/// Protects the lesson, its images and the model from being overwritten.
OutputGuard guard_handout(const HandoutOptions& o, const Lesson& lesson) {
    OutputGuard guard = guard_of(o.force, o.model.source());
    guard.reads(lesson.source);
    for (const LessonStop& stop : lesson.stops)
        if (stop.image) guard.reads(stop.image->path);
    return guard;
}

}  // namespace

int handout_command(const HandoutOptions& o) {
    if (o.threads > 0) limit_threads(o.threads);
    check_is_name("--out", o.out);
    guard_handout(o, load_lesson(o.lesson)).check(o.out);
    const ModelSource source = o.model.source();
    Settings settings;
    settings.language = o.language;
    o.model.change(settings);
    Handout handout({o.lesson, source, open_model(source), {}, settings, o.notes, o.answers});
    ProgressLine line(o.quiet);
    for (; !handout.step(); handout.settle()) {
        const auto stops = static_cast<double>(handout.lesson().stops.size());
        line.at(handout.done() / stops,
                std::to_string(handout.done()) + " / " + std::to_string(handout.lesson().stops.size()) + " stops");
    }
    replace_file(o.out, handout.page());
    return 0;
}

}  // namespace vitrine
