#include <algorithm>

#include "app/chapters/step.h"
#include "app/rooms/app_context.h"
#include "app/rooms/explore/room.h"
#include "app/rooms/panels/chapter_parts.h"
#include "app/workspace/motion.h"

// Commands of the chapters.

namespace vitrine {

namespace {

void next_step(AppContext& context) {
    enter_step(context, std::min(static_cast<int>(curriculum().size()) - 1, context.focus().step + 1));
}
void previous_step(AppContext& context) { enter_step(context, std::max(0, context.focus().step - 1)); }

void play(AppContext& context) {
    Motion& motion = context.workspace().motion;
    if (motion.playing)
        motion.playing = false;
    else
        motion.play();
}

/// Switches the brush on or off; in a chapter whose picture cannot be painted, goes to the patches and switches it on.
void take_brush(AppContext& context) {
    Brush& brush = context.workspace().selection.brush;
    const bool painted = step_at(context.focus()).own.painted;
    brush.on = !brush.on || !painted;
    if (!painted) enter_step(context, step_index("patches"));
}

constexpr KeyContext here{.room = "explore", .on_a_run = true},
    outside_lectures{.room = "explore", .skin = KeyContext::Skin::window, .on_a_run = true};

}  // namespace

const std::vector<CommandRow>& explore_commands() {
    static const std::vector<CommandRow> rows = {
        {"step.previous", "help.step", {{Key::left}}, outside_lectures, previous_step},
        {"step.next", "help.step", {{Key::right}}, outside_lectures, next_step},
        {"solo", "help.solo", {{Key::enter}}, here, [](AppContext& h) { h.focus().solo = !h.focus().solo; }},
        {"play", "help.play", {{Key::space}}, outside_lectures, play},
        {"brush", "help.brush", {{Key::b}}, outside_lectures, take_brush},
        {"answer", "help.answer", {{Key::a}}, outside_lectures, show_answer},
        {"copy_code", "help.copy", {{Key::c}}, here, copy_listing},
    };
    return rows;
}

}  // namespace vitrine
