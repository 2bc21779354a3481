#include "app/lecture/notes.h"

#include <imgui.h>

#include <cmath>
#include <ctime>

#include "app/platform/imgui_compat.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/room.h"
#include "app/rooms/text/chapter.h"
#include "app/ui/glyphs.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

namespace {

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

/// Lets a text field of ImGui write into a string of any length.
int grow(ImGuiInputTextCallbackData* data) {
    auto& words = *static_cast<std::string*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        words.resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = words.data();
    }
    return 0;
}

}  // namespace

std::string notes_key(const State& state, const Focus& focus) {
    if (state.lecture.lesson) return notes_key(state.lecture.lesson->source, state.lecture.stop);
    if (room_of(state.room).reads) return "text." + std::string(name_of(focus.text.chapter));
    return std::string(curriculum()[static_cast<std::size_t>(focus.step)].id);
}

std::string notes_text(const Ui& ui, const State& state, const Focus& focus) {
    const Lecture& lecture = state.lecture;
    const auto& notes = state.settings.notes;
    if (const auto own = notes.find(notes_key(state, focus)); own != notes.end()) return own->second;
    bool chapters = true, reads = room_of(state.room).reads;
    if (lecture.lesson) {
        const LessonStop& stop = lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)];
        if (const std::string words = own_notes(stop, state.settings.language); !words.empty()) return words;
        chapters = room_of(stop.room).chapters;
        reads = room_of(stop.room).reads;
    }
    if (reads) return chapter_text(ui, focus.text.chapter, "notes");
    return chapters ? step_text(ui, curriculum()[static_cast<std::size_t>(focus.step)], "notes") : std::string();
}

bool text_field(const Ui& ui, const std::string& id, std::string& words, float height) {
    const std::string label = "##" + id;
    const bool changed = ImGui::InputTextMultiline(label.c_str(), words.data(), words.capacity() + 1, {-1, height},
                                                   ImGuiInputTextFlags_CallbackResize, grow, &words);
    const bool takes_back = key_pressed(Key::escape);  // ImGui would bring back what was there before
    ui.probe.mark_item(id, 0, words);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, id);
    if (ui.glyphs != nullptr) ui.glyphs->see(words);
    return changed && !takes_back;
}

void notes_field(const NotesField& field, Drafts& drafts, Commands& commands) {
    if (drafts.notes_key != field.key) {
        drafts.notes_key = field.key;
        drafts.notes_text = field.shown;
    }
    if (text_field(field.ui, "notes.text", drafts.notes_text, ImGui::GetContentRegionAvail().y))
        commands.add(command::SetNotes{field.key, drafts.notes_text});
}

std::string minutes_words(float minutes) {
    const long tenths = std::lround(minutes * 10);
    return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10));
}

std::string time_of_day() {
    const std::time_t now = std::time(nullptr);
    std::tm local = {};
    localtime_r(&now, &local);
    return two_digits(local.tm_hour) + ":" + two_digits(local.tm_min);
}

std::string minutes_and_seconds(double seconds) {
    const int whole = static_cast<int>(std::max(0.0, std::floor(seconds)));
    return two_digits(whole / 60) + ":" + two_digits(whole % 60);
}

std::string planned_words(const Ui& ui, const Lecture& lecture) {
    if (!lecture.lesson) return {};
    const Lesson& lesson = *lecture.lesson;
    const std::optional<float> here = lesson.stops[static_cast<std::size_t>(lecture.stop)].minutes;
    if (!here) return {};
    return ui.text("lecture.planned", {{"here", minutes_words(*here)},
                                       {"until", minutes_words(lesson.minutes(lecture.stop))},
                                       {"all", minutes_words(lesson.minutes())}});
}

}  // namespace vitrine
