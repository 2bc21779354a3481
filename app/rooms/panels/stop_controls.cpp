#include "app/rooms/panels/stop_controls.h"

#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"

namespace vitrine {

namespace {

const Teaching& teaching_here(const Frame& frame) { return answers_of(frame.state().room).teaching; }
bool is_there(const SharedPart& part, const Frame& frame) { return part.there != nullptr && part.there(frame); }

void named_heading(const Ui& ui, const char* key) {
    heading(ui, ui.text(key));
    ui.probe.mark_item(std::string("lecture.") + key, 0, ui.text(key));
}

}  // namespace

bool has_switches_here(const Frame& frame) { return is_there(teaching_here(frame).switches, frame); }

void switches_here(const Frame& frame) {
    if (!has_switches_here(frame)) return;
    named_heading(frame.ui, "section.switches");
    teaching_here(frame).switches.draw(frame);
}

void numbers_here(const Frame& frame) {
    const SharedPart& numbers = teaching_here(frame).numbers;
    if (!is_there(numbers, frame)) return;
    named_heading(frame.ui, "section.numbers");
    numbers.draw(frame);
}

void learning_button(const Frame& frame) {
    const auto runs_of_chapter = teaching_here(frame).runs;
    const char* const runs = runs_of_chapter == nullptr ? nullptr : runs_of_chapter(frame);
    if (runs == nullptr) return;
    const Ui& ui = frame.ui;
    if (button(ui, {"learn.watch_it", ui.text("learn.watch_it"), ui.text("learn.watch_it_tip"), {}},
               {Emphasis::plain, Icon::play, -1}))
        frame.commands().add(command::WatchLearning{runs});
}

}  // namespace vitrine
