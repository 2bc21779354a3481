#include <imgui.h>

#include <algorithm>

#include "app/chapters/step.h"
#include "app/rooms/app_context.h"
#include "app/rooms/explore/room.h"
#include "app/rooms/panels/code_listing.h"
#include "app/workspace/motion.h"

// Commands of the chapters.

namespace vitrine {

namespace {

const Step& step_of(const AppContext& context) { return curriculum()[static_cast<std::size_t>(context.focus().step)]; }

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

void show_answer(AppContext& context) { context.state.answer_shown = !context.state.answer_shown; }

void copy_code(AppContext& context) {
    constexpr double told_seconds = 1.5;
    const std::string listing =
        code_listing(step_of(context).id, context.result()->model->config, context.focus().block);
    ImGui::SetClipboardText(listing.c_str());
    context.state.copied_until = ImGui::GetTime() + told_seconds;
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
        {"answer", "help.answer", {{Key::a}}, outside_lectures, show_answer},
        {"copy_code", "help.copy", {{Key::c}}, here, copy_code},
    };
    return rows;
}

}  // namespace vitrine
