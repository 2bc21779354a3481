#include "app/lecture/stop_controls.h"

#include "app/rooms/explore/steps/step.h"
#include "app/rooms/panels/what_ifs_panel.h"
#include "app/rooms/state.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "app/workspace/workspace.h"

namespace vitrine {

namespace {

/// The step that is shown; null in other rooms.
const Step* step_here(const Frame& frame) {
    const bool there = room_of(frame.state().room).chapters && frame.shown().result;
    return there ? &curriculum()[static_cast<std::size_t>(frame.selection.focus.step)] : nullptr;
}

/// The text whose chapter is shown; null in other rooms and before it was read.
const TextResult* text_here(const Frame& frame) {
    const TextLook& look = frame.selection.focus.text;
    return room_of(frame.state().room).reads && !look.lab.open
               ? frame.workspace.told_text(frame.text_experiment, look.chapter)
               : nullptr;
}
TextTold told_here(const Frame& frame, const TextResult& now) {
    return {frame.ui, now, frame.selection, frame.workspace, frame.text_experiment};
}

void named_heading(const Ui& ui, const char* key) {
    heading(ui, ui.text(key));
    ui.probe.mark_item(std::string("lecture.") + key, 0, ui.text(key));
}

}  // namespace

bool has_switches_here(const Frame& frame) {
    if (const Step* const step = step_here(frame)) return step->switches != nullptr || !step->sliders.empty();
    return text_here(frame) != nullptr && has_text_switches(frame.selection.focus.text);
}

void switches_here(const Frame& frame) {
    if (!has_switches_here(frame)) return;
    named_heading(frame.ui, "section.switches");
    if (step_here(frame) != nullptr)
        switches_part(explanation_of(frame), frame);
    else
        text_switches(frame, told_here(frame, *text_here(frame)));
}

void numbers_here(const Frame& frame) {
    if (const Step* const step = step_here(frame)) {
        named_heading(frame.ui, "section.numbers");
        int number = 0;
        for (const Fact& fact : facts_of(frame.ui, *step, *frame.shown().result, frame.selection))
            fact_row(frame.ui, fact, number++);
    } else if (const TextResult* const now = text_here(frame);
               now != nullptr && chapter_of(frame.selection.focus.text).facts != nullptr) {
        named_heading(frame.ui, "section.numbers");
        text_numbers(frame, told_here(frame, *now));
    }
}

void way_to_learning_here(const Frame& frame) {
    const Step* const step = step_here(frame);
    const char* const runs = step != nullptr               ? step->learn
                             : text_here(frame) != nullptr ? chapter_of(frame.selection.focus.text).learn
                                                           : nullptr;
    if (runs == nullptr) return;
    const Ui& ui = frame.ui;
    if (button(ui, {"learn.watch_it", ui.text("learn.watch_it"), ui.text("learn.watch_it_tip"), {}},
               {Emphasis::plain, Icon::play, -1}))
        frame.commands().add(command::WatchLearning{runs});
}

}  // namespace vitrine
