#include "app/lecture/stop_words.h"

#include "app/lecture/lesson.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/text/chapter.h"
#include "app/ui/text.h"

namespace vitrine {

std::optional<Asked> asked_in(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Focus& focus = frame.selection.focus;
    if (room_of(frame.state().room).chapters) {
        const Step& step = curriculum()[static_cast<std::size_t>(focus.step)];
        const Result& now = *frame.shown().result;
        return Asked{equation_id(step, now, focus), step_text(ui, step, "equation"), step_text(ui, step, "question"),
                     answer_text(ui, step, now, frame.selection)};
    }
    const TextResult* const now = frame.workspace.told_text(focus.text);
    if (!room_of(frame.state().room).reads || now == nullptr) return std::nullopt;
    const TextTold told{ui, *now, frame.selection, frame.workspace};
    return Asked{chapter_equation(told), chapter_text(ui, focus.text.chapter, "equation"),
                 chapter_text(ui, focus.text.chapter, "question"), chapter_answer(told)};
}

std::string stop_title(const Ui& ui, const LessonStop& stop, const std::string& language) {
    if (std::string own = own_title(stop, language); !own.empty()) return own;
    const Room& room = room_of(stop.room);
    if (room.chapters) return step_text(ui, curriculum()[static_cast<std::size_t>(stop.step)], "title");
    if (room.learns) return ui.text("command.room.learn");
    return ui.text((room.measures ? "lab." : room.reads ? "text." : "exercise.") + stop.id + ".title");
}

}  // namespace vitrine
