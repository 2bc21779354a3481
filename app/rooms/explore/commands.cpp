#include <imgui.h>

#include <algorithm>

#include "app/rooms/explore/room.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/house.h"
#include "app/rooms/panels/code_listing.h"
#include "app/workspace/motion.h"

// What one can ask for in the chapters.

namespace vitrine {

namespace {

const Step& step_of(const House& house) { return curriculum()[static_cast<std::size_t>(house.focus().step)]; }

void next_step(House& house) {
    enter_step(house, std::min(static_cast<int>(curriculum().size()) - 1, house.focus().step + 1));
}
void previous_step(House& house) { enter_step(house, std::max(0, house.focus().step - 1)); }

void play(House& house) {
    Motion& motion = house.workspace().motion;
    if (motion.playing)
        motion.playing = false;
    else
        motion.play();
}

void show_answer(House& house) { house.state.answer_shown = !house.state.answer_shown; }

void copy_code(House& house) {
    constexpr double told_seconds = 1.5;
    const std::string listing = code_listing(step_of(house).id, house.result()->model->config, house.focus().block);
    ImGui::SetClipboardText(listing.c_str());
    house.state.copied_until = ImGui::GetTime() + told_seconds;
}

constexpr KeyContext here{.room = "explore", .on_a_run = true},
    outside_lectures{.room = "explore", .skin = KeyContext::Skin::window, .on_a_run = true};

}  // namespace

const std::vector<CommandRow>& explore_commands() {
    static const std::vector<CommandRow> rows = {
        {"step.previous", "help.step", {{Key::left}}, outside_lectures, previous_step},
        {"step.next", "help.step", {{Key::right}}, outside_lectures, next_step},
        {"solo", "help.solo", {{Key::enter}}, here, [](House& h) { h.focus().solo = !h.focus().solo; }},
        {"play", "help.play", {{Key::space}}, outside_lectures, play},
        {"answer", "help.answer", {{Key::a}}, outside_lectures, show_answer},
        {"copy_code", "help.copy", {{Key::c}}, here, copy_code},
    };
    return rows;
}

}  // namespace vitrine
