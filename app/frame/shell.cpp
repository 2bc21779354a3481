#include "app/frame/shell.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/chapters/step.h"
#include "app/frame/keymap.h"
#include "app/frame/language.h"
#include "app/frame/layout.h"
#include "app/frame/opening.h"
#include "app/frame/streams.h"
#include "app/frame/top_bar.h"
#include "app/jobs/inference.h"
#include "app/jobs/jobs.h"
#include "app/jobs/looking.h"
#include "app/jobs/probing.h"
#include "app/lecture/lecture_panel.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/learning_runs.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/kept_sessions.h"
#include "app/sessions/session_commands.h"
#include "app/ui/fonts.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/looked_at.h"
#include "core/base/error.h"
#include "core/measures/weight_agreement.h"
#include "core/vit/forward.h"

namespace vitrine {

namespace {

Point display_size() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return {size.x, size.y};
}

/// The blocks that the visible room reads, of a run within a memory budget; none while a job computes them.
std::optional<HeldBlocks> held(const Frame& frame) {
    return held_blocks(looked_at(frame.state(), frame.workspace, frame.selection));
}

}  // namespace

Shell::Shell(Opening opening, std::function<void()> wake) : carrier_(std::move(wake)) {
    std::vector<std::string> dialogs;
    for (const Dialogs::Row& row : dialogs_.rows()) dialogs.push_back(row.id);
    show(std::move(opening));
    take_language();
    take_in(arrival::Begun{std::move(dialogs)});
    request_jobs();
}

bool Shell::take_language() {
    const Settings& settings = context_.state.settings;
    const std::string wanted = settings.language + (settings.english_terms ? "+" : "");
    if (wanted == language_) return false;
    language_ = wanted;
    take_in(arrival::Spoken{words_of(settings.language, settings.english_terms)});
    return true;
}

bool Shell::prepare(const Display& display) {
    Theme theme = context_.theme;
    const Settings& settings = context_.state.settings;
    const float fitting =
        scale_of_window(static_cast<int>(display.width), static_cast<int>(display.height), display.least_scale);
    const float wanted =
        (display.fixed_scale > 0 ? display.fixed_scale : fitting * settings.scale) * type_factor(context_);
    const bool new_words = take_language();
    const bool new_fonts =
        theme.font(Font::body) == nullptr || std::abs(theme.scale - wanted) > 0.01F || new_words || glyphs_.pending();
    const bool new_style = new_fonts || theme.kind != settings.theme;
    theme.kind = settings.theme;
    theme.palette = palette_of(theme.kind);
    theme.scale = wanted;
    if (new_fonts) build_fonts(theme, context_.text, &glyphs_);
    if (new_style) apply_style(theme);
    take_in(arrival::Dressed{theme});
    return new_fonts;
}

void Shell::frame() {
    const NoPassHere draws;
    take_in_jobs();
    begin_frame();
    const bool closes = std::exchange(closes_, false);
    if (closes) ImGui::ClearActiveID();  // ends editing, so that the typed text is accepted
    play_on();
    const bool idle = commands_.empty();
    read_keys(context_, keyboard_, typed_, commands_);
    if (const auto typed = typed_.take()) notice_words(*typed);
    if (context_.state.lecture.on && idle && !commands_.empty()) keyboard_.rest_pointer();

    Draft draft(context_);
    const Layout layout = layout_of(context_, display_size());
    const auto learning = answers_of(context_.state.room).work.learning;
    const LearningRuns runs = learning == nullptr ? LearningRuns() : learning(context_);
    const Ui with = ui();
    Frame frame = frame_of(draft, with, layout, runs);
    Ui quiet = with;  // the keyboard stays in the visible workspace
    quiet.keyboard = nullptr;
    const std::optional<Frame> other = beside(frame, draft, quiet);
    if (other) frame.other = &*other;
    draw(frame);
    dialogs_.draw(frame, context_);
    draw_notice();

    points_beside_ = other && draft.other->selection.points() && !draft.selection.points();
    take_in(arrival::Hovered{draft.selection, other ? std::optional(draft.other->selection) : std::nullopt});
    take_in(arrival::Typed{draft.drafts});
    ask(draft);
    Moment before = context_.workspaces.moment({});
    const std::string room_before = context_.state.room;
    std::optional<Moment> travelled;  // starting point of an undo or redo
    for (const Command& command : asked_at_pointer()) {
        const std::string room = context_.state.room;
        carrier_.carry_out(command);
        if (const auto& from = context_.travelled) {
            if (!travelled) {
                travelled = from;
                travelled->room = room;
            }
            before = context_.workspaces.moment({});
        }
        if (listener_) tell(command);
    }
    if (to_play_.empty()) take_in(arrival::Playing{false});
    if (travelled)
        notice_travel(*travelled);
    else if (room_before == context_.state.room)
        notice_model(before);
    take_in(arrival::Settled{std::move(before)});
    if (looks_ready(context_)) notice_answer();
    notice_opened();
    request_jobs();
    if (closes && context_.state.error.empty()) carrier_.carry_out(command::Do{"quit"});
}

/// The queued commands. A command about the thing under the pointer first makes the pointer's half the visible one.
std::vector<Command> Shell::asked_at_pointer() {
    std::vector<Command> asked = commands_.take();
    const auto is_by_pointer = [](const Command& command) {
        const auto* const row = std::get_if<command::Do>(&command);
        const CommandRow* const found = row == nullptr ? nullptr : command_table().find(row->id);
        return found != nullptr && found->by_pointer;
    };
    if (points_beside_)
        if (const auto at = std::ranges::find_if(asked, is_by_pointer); at != asked.end())
            asked.insert(at, command::Do{"beside.other"});
    return asked;
}

/// Takes in what arrived since the last frame: results of the jobs' threads, changed files, a finished recording.
void Shell::take_in_jobs() {
    take_in(arrival::Results{!remembered_});
    watch_files();
    if (auto document = context_.recording_to.empty() ? std::nullopt : recorder_.take())
        take_in(arrival::Recorded{*std::move(document)});
    if (context_.recording.empty()) return;
    record(context_.recording);
    take_in(arrival::Met{arrival::Met::Request::recording});
}

/// Looks once a second whether the files of the model and of the user's own lesson have changed.
void Shell::watch_files() {
    constexpr double every = 1;
    if (!shown().result || ImGui::GetTime() - looked_at_files_ < every) return;
    looked_at_files_ = ImGui::GetTime();
    take_in(arrival::Files{});
}

Frame Shell::frame_of(Draft& draft, const Ui& ui, const Layout& layout, const LearningRuns& runs) {
    return {ui,
            context_.english,
            layout,
            workspace(),
            draft.selection,
            draft.text_experiment,
            draft.what_ifs,
            draft.motion,
            draft.learning,
            {context_.state, draft.settings, draft.drafts, commands_, command_table()},
            runs,
            context_.workspaces.side_by_side,
            context_.workspaces.shown() == 1};
}

/// The frame of the workspace beside the visible one; none if the room does not show two.
std::optional<Frame> Shell::beside(const Frame& frame, Draft& draft, const Ui& ui) {
    const Workspace* const of = context_.workspaces.other();
    if (of == nullptr || !of->shown.result || !answers_of(context_.state.room).around.halves) return {};
    HalfDraft& half = *draft.other;
    return Frame{
        ui,           frame.english,  frame.layout, *of,        half.selection,     half.text_experiment, half.what_ifs,
        frame.motion, frame.learning, frame.panel,  frame.runs, frame.side_by_side, !frame.right};
}

void Shell::begin_frame() {
    probe_.begin_frame();
    textures_.begin_frame();
    keyboard_.begin_frame();
    drawn_at_ = std::time(nullptr);
    ImGui::GetIO().ConfigInputTextCursorBlink = context_.state.settings.motion;
    take_in(arrival::Time{ImGui::GetIO().DeltaTime});
}

/// Passes a command to the listener, after the time waited since the last one. A command about the thing under the
/// pointer is passed as its effect, since it depends on the pointer's position.
void Shell::tell(const Command& command) {
    constexpr double least = 0.05;
    const double now = ImGui::GetTime(), waited = now - told_at_;
    if (told_at_ > 0 && waited > least) listener_(command::Wait{static_cast<float>(waited)});
    told_at_ = now;
    const auto* const row = std::get_if<command::Do>(&command);
    const CommandRow* const pointed = row != nullptr ? command_table().find(row->id) : nullptr;
    if (pointed != nullptr && pointed->by_pointer)
        listener_(command::SetWhatIfs{workspace().experiment.what_ifs});
    else
        listener_(command);
}

void Shell::play(const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    take_in(arrival::Playing{true});
    to_play_.insert(to_play_.end(), lines.begin(), lines.end());
}

/// Plays the next recorded line once the previous one is finished and no recorded wait is left.
void Shell::play_on() {
    static const std::string cancel = to_line(command::Do{"cancel"}, {});
    if (to_play_.empty() || !shown().result || ImGui::GetTime() < context_.wait_until) return;
    if (to_play_.front() != cancel && !is_answered(context_)) return;
    const std::string line = to_play_.front();
    to_play_.pop_front();
    try {
        commands_.add(parse_line(line, shown().result->model->config));
    } catch (const Error& error) {
        report_error(error.what());
        to_play_.clear();
    }
}

void Shell::draw(const Frame& frame) {
    const bool transparent = context_.state.transparent;
    const int flags = fill_screen();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    if (transparent)
        for (const ImGuiCol part : {ImGuiCol_WindowBg, ImGuiCol_ChildBg, ImGuiCol_Border})
            ImGui::PushStyleColor(part, 0);
    const bool bare = context_.state.figure.bare && !transparent;
    if (bare) {
        ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetColorU32(ImGuiCol_ChildBg));
        ImGui::PushStyleColor(ImGuiCol_Border, 0);
    }
    ImGui::Begin("root", nullptr, flags);
    ImGui::PopStyleVar(3);
    const Palette& palette = context_.theme.palette;
    const Recorder::Place window{"window", rect_of("window"),
                                 transparent ? std::nullopt : std::optional(palette.background)};
    recorder_.around(window, context_.theme, [&] {
        draw_top(frame);
        for (const Zone& zone : room_of(context_.state.room).zones(frame)) draw_zone(frame, zone);  // in reading order
        if (stream_height(context_) > 0)
            draw_zone(frame, {"zone.stream", stream_place(context_, frame.layout), stream_strip, 12, 6, false});
        if (held(frame)) lecture_cards(frame);
    });
    if (context_.state.lecture.on) lecture_overlay(frame);
    context_menu(frame);
    if (transparent) ImGui::PopStyleColor(3);
    if (bare) ImGui::PopStyleColor(2);
    ImGui::End();
}

/// Draws a framed, scrolling part of the window.
void Shell::draw_zone(const Frame& frame, const Zone& zone) {
    const Rect& at = zone.rect;
    const Point size = display_size();
    ImGui::SetCursorScreenPos({at.x0, at.y0});
    if (!at.inset(1).overlaps({0, 0, size.x, size.y})) return;
    const Theme& theme = context_.theme;
    const bool padded = zone.padding_x > 0;
    if (padded) ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme.px(zone.padding_x), theme.px(zone.padding_y)});
    const bool bare = context_.state.figure.bare;
    if (bare) ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0);
    const int flags = zone.id == std::string_view("zone.stage") ? ImGuiWindowFlags_HorizontalScrollbar : 0;
    begin_child({zone.id, at.width(), at.height(), true, true, flags});
    if (bare) ImGui::PopStyleVar();
    if (padded) ImGui::PopStyleVar();
    keyboard_.begin_zone(zone.id);
    const Recorder::Place place{zone.id, at,
                                context_.state.transparent ? std::nullopt : std::optional(theme.palette.panel),
                                bare ? 0 : theme.px(10)};
    recorder_.around(place, theme, [&] {
        const std::optional<HeldBlocks> blocks = zone.waits ? held(frame) : HeldBlocks();
        blocks ? zone.draw(frame) : draw_waiting_zone(frame, zone.id);
    });
    ImGui::EndChild();
}

void Shell::draw_top(const Frame& frame) {
    const Rect at = frame.layout.top.inset(context_.theme.px(8));
    const Point size = display_size();
    ImGui::SetCursorScreenPos({at.x0, at.y0});
    if (!at.inset(1).overlaps({0, 0, size.x, size.y})) return;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetColorU32(ImGuiCol_WindowBg));
    begin_child({"zone.top", at.width(), at.height(), false, false,
                 ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse});
    keyboard_.begin_zone("zone.top");
    const bool in_view = answers_of(context_.state.room).work.learning != nullptr;
    top_bar(frame, in_view ? std::nullopt : training_aside(context_));
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

void Shell::request_jobs() {
    const RoomAnswers& room = answers_of(context_.state.room);
    context_.jobs().of<Inference>().keep_within(context_.state.settings.memory);
    context_.jobs().of<Inference>().give_colours(context_.state.settings.colours);
    for (const Workspace& each : context_.workspaces.all()) {
        const bool visible = &each == &workspace();
        const bool steps = (visible || room.around.halves) && room.places.step != nullptr;
        ExtraResults beside =
            steps ? wanted_beside(*room.places.step(each.selection.focus), each.selection.focus) : ExtraResults();
        // A trial that is impossible never has a result, so it would be requested in every frame.
        if (beside.trial && each.shown.result && !can_be_tried(*beside.trial, each.shown.result->model->config))
            beside.trial.reset();
        context_.jobs().of<Inference>().compare_with(each.id, each.selection.focus.lab.texts);
        context_.jobs().of<Inference>().request(each.id, each.experiment, {visible ? 1 : 0}, beside);
    }
    if (room.work.request != nullptr) room.work.request(context_);
    request_looked_at();
}

void Shell::request_looked_at() {
    Jobs& jobs = context_.jobs();
    const bool halves = answers_of(context_.state.room).around.halves;
    for (const Workspace& each : context_.workspaces.all()) {
        const bool shown = halves || &each == &workspace();
        const LookedAt at = shown ? looked_at(context_.state, each, each.selection) : LookedAt();
        const bool wanted = at.of && at.of->baseline.budget && !(at.blocks.empty() && at.weights.empty());
        if (wanted)
            jobs.of<Looking>().request(each.id, at);
        else if (jobs.has<Looking>())
            jobs.of<Looking>().forget(each.id);
    }
}

/// Files dropped on the right half of the stage open in the right workspace.
void Shell::open(const std::vector<std::filesystem::path>& paths) {
    const ImVec2 pointer = ImGui::GetMousePos();
    const Rect stage = rect_of("stage"), right{stage.centre().x, stage.y0, stage.x1, stage.y1};
    const bool two = context_.workspaces.other() != nullptr;
    const bool halves = shown().result && answers_of(context_.state.room).around.halves;
    if (halves && right.contains({pointer.x, pointer.y}))
        commands_.add("beside.open");
    else if (halves && two && stage.contains({pointer.x, pointer.y}) && context_.workspaces.shown() == 1)
        commands_.add("beside.other");
    for (const auto& path : paths) commands_.add(command_to_open(path));
}

void Shell::report_link(const std::string& address, bool opened) {
    if (!opened) ImGui::SetClipboardText(address.c_str());
    take_in(
        arrival::Notice{context_.text(opened ? "references.opened" : "references.no_browser", {{"address", address}})});
}

bool Shell::busy() const {
    const Lecture& lecture = context_.state.lecture;
    const Workspace& now = workspace();
    const bool clock = lecture.on && lecture.notes;
    const bool ticking = clock || context_.state.copied_until > ImGui::GetTime() || !context_.state.notice.empty();
    const bool sliding = lecture.slide != (lecture.on ? 1.0F : 0.0F);
    const bool repairing = now.exercise && now.exercise->activity.stage != Stage::idle;
    const auto playing = answers_of(context_.state.room).player.playing;
    const bool replaying = playing != nullptr && playing(context_.state, now.motion);
    const Probing* const job = context_.jobs().find<Probing>();
    const bool probing = job != nullptr && job->busy();
    const bool computing = std::ranges::any_of(context_.workspaces.all(), [](const Workspace& each) {
        return each.shown.activity.stage != Stage::idle || each.roles.any() || !each.shown.result || each.looking ||
               each.measuring.running || each.text.running || each.text_exercise.running;
    });
    return computing || repairing || probing || replaying || now.motion.playing || sliding ||
           context_.state.exporting || context_.state.writing_handout || !commands_.empty() || !to_play_.empty() ||
           (ticking && std::time(nullptr) != drawn_at_);
}

bool Shell::may_close() {
    closes_ = !context_.quit && ImGui::GetIO().WantTextInput;
    if (closes_) return false;
    take_in(arrival::Closing{});
    return context_.closable;
}

std::string Shell::take_link() {
    std::string link = context_.link;
    if (!link.empty()) take_in(arrival::Met{arrival::Met::Request::link});
    return link;
}

bool Shell::take_paste_request() {
    const bool wanted = context_.paste;
    if (wanted) take_in(arrival::Met{arrival::Met::Request::paste});
    return wanted;
}

bool Shell::take_full_screen_request() {
    const bool wanted = context_.full_screen;
    if (wanted) take_in(arrival::Met{arrival::Met::Request::full_screen});
    return wanted;
}

std::string Shell::title() const {
    const std::string name = "Vitrine";
    if (!shown().result) return name;
    const auto subject_of = answers_of(context_.state.room).around.subject;
    if (subject_of == nullptr) return image_title(context_.text, *shown().result->image) + " – " + name;
    const std::string subject = subject_of({context_.focus(), workspace().text_experiment});
    return (subject.empty() ? context_.text("top.mode." + context_.state.room) : beginning_of(subject, 40)) + " – " +
           name;
}

Rect Shell::rect_of(const std::string& part) const {
    return vitrine::rect_of(part, layout_of(context_, display_size()), display_size());
}

bool Shell::is_on_screen(const std::string& part) const {
    return vitrine::is_on_screen(part, layout_of(context_, display_size()), display_size());
}

Session Shell::session() const { return session_of(context_); }

}  // namespace vitrine
