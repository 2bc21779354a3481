#include "app/exports/handout.h"

#include <cstdio>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/exports/output_folder.h"
#include "app/platform/terminal.h"
#include "app/workspace/library.h"
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
    check_is_name("--out", o.out);
    guard_handout(o, load_lesson(o.lesson)).check(o.out);
    const ModelSource source = o.model.source();
    Handout handout({o.lesson, source, open_model(source), {}, o.language, o.notes, o.answers});
    const bool tell = stderr_is_terminal();
    for (int told = 0; !handout.step(); handout.settle())
        if (tell && handout.done() > told)
            std::fprintf(stderr, "\r%d / %d", told = handout.done(), static_cast<int>(handout.lesson().stops.size()));
    if (tell) std::fprintf(stderr, "\n");
    OutputFile out(o.out);
    out.write(handout.page());
    out.commit();
    return 0;
}

}  // namespace vitrine
