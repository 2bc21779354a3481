#include "app/frame/carry_out.h"

#include <imgui.h>

#include <algorithm>

#include "app/chapters/step.h"
#include "app/dialogs/own_pictures.h"
#include "app/exports/export_commands.h"
#include "app/frame/keymap.h"
#include "app/frame/language.h"
#include "app/frame/learning_commands.h"
#include "app/frame/streams.h"
#include "app/frame/window_commands.h"
#include "app/lecture/commands.h"
#include "app/lecture/lesson_writing.h"
#include "app/library/references.h"
#include "app/rooms/room.h"
#include "app/sessions/saving.h"
#include "app/sessions/session.h"
#include "app/sessions/session_commands.h"
#include "app/workspace/keep_inside.h"
#include "app/workspace/recent.h"
#include "core/base/error.h"
#include "core/base/sentence.h"

namespace vitrine {

namespace {

void execute(const command::Wait& c, AppContext& context) {
    context.wait_until = ImGui::GetTime() + static_cast<double>(std::clamp(c.seconds, 0.0F, 3600.0F));
}

void execute(const command::Do& c, AppContext& context) {
    const CommandRow* const row = command_table().find(c.id);
    if (row == nullptr) throw Error("'" + c.id + "' is not a command of this version; record again with it");
    const bool there = !row->where.on_a_run || context.result() != nullptr;
    const Focus before = context.focus();
    if (there && (row->can == nullptr || row->can(context))) row->act(context);
    if (!context.travelled) context.workspace().selection.follow(before);
}

void execute(const command::OpenImage& c, AppContext& context) { show_image(context, c.image); }
void execute(const command::OpenModel& c, AppContext& context) { show_model(context, c.model); }

void execute(const command::OpenLesson& c, AppContext& context) {
    begin_lecture(context, c.source);
    if (std::ranges::find(bundled_lessons(), c.source) == bundled_lessons().end() && !c.source.empty())
        remember(context.state.settings, FileKind::lesson, c.source);
    context.state.error.clear();
    show_dialog(context, "");
}

void execute(const command::EnterRoom& c, AppContext& context) {
    if (!is_room(c.id)) throw Error("'" + c.id + "' is not a room of this version; record again with it");
    enter_room(context, c.id);
}

void execute(const command::ShowDialog& c, AppContext& context) {
    if (!c.id.empty() && std::find(context.dialogs.begin(), context.dialogs.end(), c.id) == context.dialogs.end())
        throw Error("'" + c.id + "' is not a dialog of this version; record again with it");
    open_dialog(context, c.id);
}

void execute(const command::GoToChapter& c, AppContext& context) {
    const int step = step_index(c.id);
    if (step < 0) throw Error("'" + c.id + "' is not a step; vitrine info lists them");
    enter_step(context, step);
}

void execute(const command::Look& c, AppContext& context) {
    const Focus before = context.focus();
    Focus wanted = before;
    TextExperiment text = context.workspace().text_experiment;
    for (const FocusWord& word : c.focus) set_focus({wanted, text}, word);  // all or none
    context.focus() = wanted;
    context.workspace().text_experiment = text;
    context.workspace().selection.follow(before);
    if (const Result* const now = context.result()) keep_inside(context.workspace().selection, *now);
}

/// Of several what-ifs of a kind at a site, the last is kept, as when a session is read.
void execute(const command::SetWhatIfs& c, AppContext& context) {
    std::vector<Intervention>& what_ifs = context.workspace().experiment.what_ifs;
    what_ifs.clear();
    for (const Intervention& each : c.what_ifs) put(what_ifs, each);
}

void execute(const command::MoveTime& c, AppContext& context) {
    context.workspace().motion = {std::clamp(c.time, 0.0F, 1.0F), c.playing};
}

/// A recording must not choose folders for the user's own files.
void execute(const command::ChangeSettings& c, AppContext& context) {
    Settings& settings = context.state.settings;
    const Settings before = settings;
    change_settings(settings, c.values);
    if (!context.playing) return;
    settings.export_folder = before.export_folder;
    settings.model_folder = before.model_folder;
}

void execute(const command::ChooseDrawing& c, AppContext& context) { context.state.drawing.choose(c.drawing); }

void execute(const command::MovePen& c, AppContext& context) {
    Lecture& lecture = context.state.lecture;
    Ink& ink = lecture.ink_of(context.focus().step);
    if (lecture.pointer == Pointer::eraser)
        ink.erase(c.at, Ink::eraser_radius, c.aspect);
    else if (c.begins)
        ink.begin(c.at);
    else
        ink.extend(c.at);
}

void execute(const command::JoinMoments& c, AppContext& context) {
    Workspace& now = context.workspace();
    const std::size_t place = now.history.place(), back = static_cast<std::size_t>(std::max(0, c.moments));
    now.history.join_after(place - std::min(place, back), now.changed);
}

void execute(const command::SetNotes& c, AppContext& context) { context.state.settings.notes[c.key] = c.words; }

/// Changes the lesson; a lecture ends if another lesson is edited after that.
void execute(const command::ChangeLesson& c, AppContext& context) {
    const Lecture& lecture = context.state.lecture;
    const std::string before = lecture.lesson ? lecture.lesson->source : "";
    change_lesson(context, c);
    if (lecture.on && lecture.lesson && lecture.lesson->source != before) toggle_lecture(context);
}

void execute(const command::SaveSession& c, AppContext& context) {
    if (context.result() == nullptr) return;
    std::filesystem::path file = c.file;
    if (file.empty()) throw Error(context.text("save_as.no_name"));
    if (file.extension() != session_ending) file += session_ending;
    save_session_as(context, file);
}

void execute(const command::Recover& c, AppContext& context) { recover(context, c.file); }

void execute(const command::LookUp& c, AppContext& context) {
    execute(command::ShowDialog{c.dialog}, context);
    auto& typed = context.drafts.find_text;
    typed.fill('\0');
    c.words.copy(typed.data(), typed.size() - 1);
}

/// The reference of an id. Throws Error.
const Reference& reference_of(const std::string& id) {
    const Reference* const row = reference_named(id);
    if (row == nullptr) throw Error("'" + id + "' is not a reference of this version; record again with it");
    return *row;
}

void execute(const command::OpenReference& c, AppContext& context) { context.link = address_of(reference_of(c.id)); }

void execute(const command::CopyReference& c, AppContext& context) {
    const Reference& row = reference_of(c.id);
    ImGui::SetClipboardText(full_words(row).c_str());
    notify(context, context.text("references.copied", {{"name", citation_of(row)}}));
}

}  // namespace

Carrier::Carrier(std::function<void()> wake) : context_(std::move(wake)) { context_.english = words_of("en", false); }

void Carrier::carry_out(const Command& command) {
    context_.travelled.reset();
    try {
        std::visit([&](const auto& c) { execute(c, context_); }, command);
    } catch (...) {
        context_.state.error = sentence_of(std::current_exception());  // even over a dialog, which stays open
    }
}

}  // namespace vitrine
