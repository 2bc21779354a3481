#include "app/lecture/presenter_view.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/chapters/changed_sentence.h"
#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/lecture/choices.h"
#include "app/lecture/notes.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/kept.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/picture.h"
#include "app/ui/widgets/rich_text.h"
#include "core/base/error.h"

namespace vitrine {

namespace {

const State& state_of(const PresenterFrame& f) { return f.context.state; }
const Lecture& lecture_in(const PresenterFrame& f) { return f.context.state.lecture; }
const RoomAnswers& presented_room(const PresenterFrame& f) { return answers_of(state_of(f).room); }
InView in_view(const PresenterFrame& f) { return {f.ui, f.context.workspace(), f.context.workspace().selection}; }

/// The current stop, or another one by its distance; null if there is none, or no lesson.
const LessonStop* stop_beside(const PresenterFrame& f, int by) {
    const Lecture& lecture = lecture_in(f);
    const int at = lecture.stop + by;
    if (!lecture.lesson || at < 0 || at >= static_cast<int>(lecture.lesson->stops.size())) return nullptr;
    return &lecture.lesson->stops[static_cast<std::size_t>(at)];
}

std::string title_here(const PresenterFrame& f) {
    const LessonStop* const stop = visible_stop(state_of(f), f.context.focus());
    if (stop != nullptr) return stop_title(f.ui, *stop, state_of(f).settings.language);
    const RoomAnswers& room = presented_room(f);
    if (room.teaching.chapter == nullptr) return f.ui.text("top.mode." + state_of(f).room);
    return f.ui.text(room.teaching.words(room.places.here(f.context.focus())).title);
}

/// The name of the next stop or step; empty for the last one.
std::string title_next(const PresenterFrame& f) {
    if (lecture_in(f).lesson) {
        const LessonStop* const stop = stop_beside(f, 1);
        return stop == nullptr ? std::string() : stop_title(f.ui, *stop, state_of(f).settings.language);
    }
    const auto next = static_cast<std::size_t>(f.context.focus().step) + 1;
    return next < curriculum().size() ? f.ui.text(key_of(curriculum()[next], "title")) : std::string();
}

/// The question and answer of the place, or the stop's own.
Asked asked_here(const PresenterFrame& f) {
    const std::optional<Asked> asked = looks_ready(f.context) ? asked_by(presented_room(f), in_view(f)) : std::nullopt;
    Asked here =
        asked_at(visible_stop(state_of(f), f.context.focus()), state_of(f).settings.language, asked ? *asked : Asked{});
    here.answer = with_numbers(in_view(f), std::move(here.answer));
    return here;
}

/// Whether the question in sight offers choices, the correct one of which is an answer, too.
bool offers_choices(const PresenterFrame& f) {
    const LessonStop* const stop = visible_stop(state_of(f), f.context.focus());
    return stop != nullptr && !own_choices(*stop, state_of(f).settings.language).empty();
}

/// The key of the words for what the audience sees.
const char* seen_by_hall(const PresenterFrame& f) {
    const Lecture& lecture = lecture_in(f);
    if (lecture.black) return "presenter.sees.black";
    const bool seen = presented_room(f).teaching.chapter != nullptr || !asked_here(f).question.empty();
    switch (seen ? lecture.alone : Alone::nothing) {
        case Alone::nothing: return "presenter.sees.picture";
        case Alone::equation: return "presenter.sees.equation";
        case Alone::question: return "presenter.sees.question";
        case Alone::answer: return "presenter.sees.answer";
    }
    return "";
}

/// Words for what follows while an equation, a question or an answer fills the audience's window; empty otherwise.
std::string next_in_hall(const PresenterFrame& f) {
    const Ui& ui = f.ui;
    const Asked asked = asked_here(f);
    const bool answers = !asked.answer.empty() || offers_choices(f);
    std::string next;
    switch (lecture_in(f).alone) {
        case Alone::nothing: return {};
        case Alone::equation: next = ui.text("lecture.picture"); break;
        case Alone::question: next = answers ? ui.text("presenter.answer") : title_next(f); break;
        case Alone::answer: next = title_next(f); break;
    }
    return next.empty() ? ui.text("presenter.last") : ui.text("presenter.then", {{"what", next}});
}

void begin_part(const Ui& ui, const char* id, Rect rect) {
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.theme.px(16), ui.theme.px(12)});
    begin_child({id, rect.width(), rect.height(), true, true, 0});
    ImGui::PopStyleVar();
    ui.probe.mark(id, rect);
    if (ui.keyboard != nullptr) ui.keyboard->begin_zone(id);
}

// ---- the clock ------------------------------------------------------------------------------------------------------

/// Minutes used, and minutes left of those planned, or the number of stops without planned minutes.
std::string used_words(const Ui& ui, double seconds, double planned, int unplanned) {
    const std::string used = ui.text("presenter.used", {{"minutes", minutes_and_seconds(seconds)}});
    if (planned <= 0) return used;
    if (unplanned > 0) return used + "   ·   " + ui.text("presenter.unplanned", {{"count", std::to_string(unplanned)}});
    const double left = planned - seconds;
    return used + "   ·   " +
           ui.text(left >= 0 ? "presenter.left" : "presenter.over", {{"minutes", minutes_and_seconds(std::abs(left))}});
}

void clock_part(const PresenterFrame& f, Rect rect) {
    const Ui& ui = f.ui;
    const Theme& theme = ui.theme;
    const Lecture& lecture = lecture_in(f);
    const double seconds = seconds_since(lecture.began),
                 planned = lecture.lesson ? 60.0 * static_cast<double>(lecture.lesson->minutes()) : 0.0;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const std::string time = time_of_day();
    canvas.text({rect.x0, rect.y0}, time, {Font::title, theme.palette.text, Align::left});
    ui.probe.mark("presenter.time", rect, 0, time);
    const float x = rect.x0 + canvas.measure(time, Font::title).x + theme.px(28);
    const int count = lecture.stops(static_cast<int>(curriculum().size())), at = lecture.at(f.context.focus().step);
    const std::string number = std::to_string(at + 1) + " / " + std::to_string(count);
    const float number_width = canvas.measure(number, Font::title).x;
    const int unplanned = lecture.lesson ? lecture.lesson->unplanned() : 0;
    const std::string used = used_words(ui, seconds, planned, unplanned);
    const bool known = planned > 0 && unplanned == 0;
    const Color ink = known && seconds > planned ? theme.palette.danger : theme.palette.text;
    canvas.text({x, rect.y0 + theme.px(7)},
                fitted(canvas, used, Font::heading, rect.x1 - number_width - theme.px(20) - x),
                {Font::heading, ink, Align::left});
    ui.probe.mark("presenter.used", rect, seconds, used);
    canvas.text({rect.x1, rect.y0}, number, {Font::title, theme.palette.muted, Align::right});
    ui.probe.mark("presenter.count", rect, at, number);
    const float y = rect.y1 - theme.px(6), part = known ? static_cast<float>(std::min(1.0, seconds / planned))
                                                        : static_cast<float>(at + 1) / static_cast<float>(count);
    canvas.fill({rect.x0, y, rect.x1, rect.y1}, theme.palette.line, theme.px(3));
    canvas.fill({rect.x0, y, rect.x0 + rect.width() * part, rect.y1},
                ink == theme.palette.danger ? ink : theme.palette.accent, theme.px(3));
}

// ---- this stop ------------------------------------------------------------------------------------------------------

float height_in(const Ui& ui, const std::string& words, Font font) {
    if (words.empty()) return 0;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float width = ImGui::GetContentRegionAvail().x;
    return measure_rich(canvas, {words, font, {}}, width).y + ImGui::GetStyle().ItemSpacing.y;
}

/// The largest font in which these paragraphs, read from a lectern, fit the rest of a card with `kept` pixels free; if
/// none does, the smallest one, which scrolls.
Font filling_type(const Ui& ui, std::initializer_list<std::string> paragraphs, float kept = 0) {
    for (const Font font : {Font::title, Font::heading}) {
        float height = kept;
        for (const std::string& words : paragraphs) height += height_in(ui, words, font);
        if (height <= ImGui::GetContentRegionAvail().y) return font;
    }
    return Font::body;
}

void lectern_words(const Ui& ui, Font font, const std::string& words) {
    paragraph(ui, RichText{words, font, ui.theme.palette.text, Align::left});
}

void changes_paragraph(const PresenterFrame& f) {
    const std::vector<std::string> changes = changes_in_view(in_view(f), state_of(f));
    if (changes.empty()) return;
    std::string names;
    for (const std::string& one : changes) names += (names.empty() ? "" : ",  ") + one;
    paragraph(f.ui, RichText{f.ui.text("lecture.changed", {{"parts", names}}), Font::body, f.ui.theme.palette.danger,
                             Align::left});
}

// ---- pictures of stops ----------------------------------------------------------------------------------------------

constexpr float picture_share = 0.5F;        // of a card's width, at most
constexpr float least_picture = 150;         // px at scale 1
constexpr float least_words = 260;           // width of the words beside a picture, px at scale 1
constexpr float picture_aspect = 9.0F / 16;  // height / width, as of a projector

/// The stop's title, shown until its picture is drawn, and whether that is being drawn.
struct StopStill {
    std::string title;
    bool drawing;
};

/// A picture of the audience's view; until it is drawn, the stop's title in its place, above a note whether it is being
/// drawn. An earlier picture has this note, too, while a newer one is being drawn.
void stop_picture(const Ui& ui, const char* id, Rect rect, const std::shared_ptr<const Image>& image,
                  const StopStill& still) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Palette& palette = ui.theme.palette;
    canvas.fill(rect, palette.raised);
    canvas.picture(rect, Picture{image});
    const std::string words = still.drawing ? ui.text("presenter.drawing")
                              : image       ? ""
                                            : ui.text("presenter.not_drawn");
    if (image && still.drawing) {
        const float line = canvas.measure(words, Font::caption).y + ui.theme.px(6);
        const Rect band{rect.x0, rect.y1 - line, rect.x1, rect.y1};
        canvas.fill(band, palette.panel);
        canvas.text({band.centre().x, band.y0 + ui.theme.px(3)}, words, {Font::caption, palette.text, Align::centre});
    }
    if (!image) {
        const float room = rect.width() - ui.theme.px(24);
        const float line = measure_rich(canvas, {words, Font::caption, {}}, room).y;
        const float most = rect.height() - line - ui.theme.px(12);
        const auto height_in = [&](Font font) { return measure_rich(canvas, {still.title, font, {}}, room).y; };
        Font font = Font::heading;
        for (const Font smaller : {Font::strong, Font::caption})
            if (height_in(font) > most) font = smaller;
        // A title too long for the place is left out.
        const bool fits = height_in(font) <= most;
        const float high = fits ? height_in(font) : 0;
        const float top = rect.centre().y - (high + line) / 2;
        if (fits)
            rich_text(canvas, ui, {rect.x0 + ui.theme.px(12), top, rect.x0 + ui.theme.px(12) + room, top + high},
                      {still.title, font, palette.text, Align::centre});
        rich_text(canvas, ui,
                  {rect.x0 + ui.theme.px(12), top + high, rect.x0 + ui.theme.px(12) + room, top + high + line},
                  {words, Font::caption, palette.muted, Align::centre});
    }
    canvas.stroke(rect, palette.line, ui.theme.px(1));
    ui.probe.mark(id, rect, image ? 1 : 0, image ? words : still.title + " · " + words);
}

/// Begins the column of words at the left of a card's picture, at least `least` high; returns the picture's place. The
/// picture is at most `most` high, and leaves the words a readable width.
Rect begin_words_beside(const Ui& ui, const char* id, float least, float most) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = ui.theme.px(14);
    const float beside = std::max(ui.theme.px(least_picture), room.x - gap - ui.theme.px(least_words));
    const float width = std::round(std::min({room.x * picture_share, most / picture_aspect, beside}));
    const Rect picture{at.x + room.x - width, at.y, at.x + room.x, at.y + std::round(width * picture_aspect)};
    begin_child({id, room.x - width - gap, std::max(least, picture.height()), false, false, 0});
    return picture;
}

/// This stop's title and state beside its picture.
void head_part(const PresenterFrame& f) {
    const Ui& ui = f.ui;
    const Lecture& lecture = lecture_in(f);
    const std::string title = title_here(f);
    Kept<float> height("head.height");  // as needed in the last frame
    constexpr float most = 0.4F;        // of the card; the notes have the rest
    const Rect picture = begin_words_beside(ui, "presenter.head", height, ImGui::GetContentRegionAvail().y * most);
    lectern_words(ui, Font::title, "{accent|" + title + "}");
    ui.probe.mark_item("presenter.here", 0, title);
    paragraph(ui, RichText{ui.text(seen_by_hall(f)), Font::body, ui.theme.palette.muted, Align::left});
    ui.probe.mark_item("presenter.sees", 0, ui.text(seen_by_hall(f)));
    if (const std::string next = next_in_hall(f); !next.empty()) {
        paragraph(ui, RichText{next, Font::body, ui.theme.palette.text, Align::left});
        ui.probe.mark_item("presenter.then", 0, next);
    }
    changes_paragraph(f);
    if (state_of(f).monitors.size() == 1) {
        paragraph(ui, RichText{ui.text("presenter.one_screen"), Font::body, ui.theme.palette.muted, Align::left});
        ui.probe.mark_item("presenter.one_screen", 0, ui.text("presenter.one_screen"));
    }
    if (const std::string planned = planned_words(ui, lecture); !planned.empty())
        paragraph(ui, RichText{planned, Font::body, ui.theme.palette.muted, Align::left});
    height = ImGui::GetCursorPosY();
    ImGui::EndChild();
    stop_picture(ui, "presenter.here_picture", picture, f.stops.here, {title, f.stops.drawing});
    if (!lecture.black) return;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    canvas.fill(picture, {0, 0, 0, 255});
}

void notes_part(const PresenterFrame& f) {
    const Ui& ui = f.ui;
    const Lecture& lecture = lecture_in(f);
    head_part(f);
    const bool editing = !lecture.editing.empty();
    const std::string notes = notes_text(ui, state_of(f), f.context.focus());
    if (button(ui,
               {"notes.edit", ui.text(editing ? "lecture.edit_done" : "lecture.edit"), ui.text("lecture.edit_tip"), {}},
               {Emphasis::quiet, {}, 0}))
        f.commands.add("lecture.edit_notes");
    if (editing) return notes_field({ui, lecture.editing, notes}, f.drafts, f.commands);
    f.drafts.notes_key.clear();
    lectern_words(ui, std::max(Font::heading, filling_type(ui, {notes})), notes);
    ui.probe.mark_item("notes", 0, notes);
}

/// The question before its answer; the lecturer can look at the answer alone, or show it to the audience.
void question_part(const PresenterFrame& f) {
    const Ui& ui = f.ui;
    heading(ui, ui.text("presenter.question"));
    const auto& [equation, question, answer] = asked_here(f);
    if (question.empty()) return paragraph(ui, "{muted|" + ui.text("presenter.no_question") + "}");
    const std::string& language = state_of(f).settings.language;
    const bool choices = offers_choices(f);
    const float below = height_in(ui, answer, Font::body) + ui.theme.px(44);  // with the button
    const Lecture& lecture = lecture_in(f);
    const bool shown = lecture.peek || lecture.alone == Alone::answer;
    ChoicesLook look{.answered = shown, .counts = true, .beside = true, .language = language};
    if (choices) {
        const float kept = height_in(ui, question, Font::heading) + below;
        for (const Font font : {Font::title, Font::heading, Font::body}) {
            look.font = font;
            if (height_of_choices(ui, lecture, look) + kept <= ImGui::GetContentRegionAvail().y) break;
        }
    }
    lectern_words(ui, choices ? Font::heading : std::max(Font::heading, filling_type(ui, {question}, below)), question);
    ui.probe.mark_item("presenter.question", 0, question);
    if (choices) choice_rows(ui, lecture, look, f.commands);
    if (answer.empty() && !choices) return;
    if (button(ui, {"presenter.peek",
                    ui.text(shown ? "presenter.hide" : "presenter.peek"),
                    ui.text("presenter.peek_tip"),
                    {},
                    lecture.alone != Alone::answer}))
        f.commands.add("lecture.peek");
    if (!shown || answer.empty()) return;
    lectern_words(ui, filling_type(ui, {answer}), answer);
    ui.probe.mark_item("presenter.answer_words", 0, answer);
}

/// The keys of the words that a stop's stage will show: those of its view, its changes or its recording.
PlaceWords words_at_stop(const PresenterFrame& f, int number) {
    const Lesson& lesson = *lecture_in(f).lesson;
    const LessonStop& stop = lesson.stops[static_cast<std::size_t>(number)];
    const RoomAnswers& room = answers_of(stop.room);
    const Workspace& now = f.context.workspace();
    PlaceWords words = room.teaching.words(stop.id);
    try {
        const Place to =
            place_of(lesson, number, {now.experiment, now.text_experiment, now.selection.focus}, now.config());
        words = words_in_view(room, stop.id, {to.focus, to.text_experiment});
        if (room.places.step != nullptr)
            words.sentence = key_of_sentence(now.config(), to.experiment.what_ifs, to.focus) +
                             (opens_guess(stop, to.focus) ? "_guess" : "");
    } catch (const Error&) {  // the model lacks a part of the view: reported on arrival
    }
    if (stop.recorded) words.sentence = "learn.recorded_hall";
    return words;
}

void next_part(const PresenterFrame& f) {
    const Ui& ui = f.ui;
    const std::string title = title_next(f);
    heading(ui, ui.text("presenter.next"));
    const LessonStop* const stop = stop_beside(f, 1);
    std::string sentence, asked, notes;
    if (stop != nullptr) {
        const std::string& language = state_of(f).settings.language;
        const PlaceWords words = words_at_stop(f, lecture_in(f).stop + 1);
        const auto text_of_key = [&](const std::string& key) {
            return ui.text.has(key) ? ui.text(key_for(ui.text, key, f.context.workspace().config())) : std::string();
        };
        sentence = text_of_key(words.sentence);
        const std::string usual = place_asks_of(*stop) ? text_of_key(words.question) : std::string();
        asked = own_question(*stop, language).value_or(usual);
        if (const std::string own = own_notes(*stop, language); !own.empty()) notes = "{muted|" + own + "}";
    }
    const std::string question = asked.empty() ? asked : "{strong|" + ui.text("presenter.question") + "} " + asked;
    std::optional<Rect> picture;
    const float room = ImGui::GetContentRegionAvail().y;
    if (!title.empty()) picture = begin_words_beside(ui, "presenter.next_words", room, room);
    const Font type = filling_type(ui, {title, sentence, question, notes});
    lectern_words(ui, std::max(Font::heading, type),
                  title.empty() ? "{muted|" + ui.text("presenter.last") + "}" : title);
    ui.probe.mark_item("presenter.next_title", 0, title);
    const auto add = [&](const char* id, const std::string& words, const std::string& told) {
        if (words.empty()) return;
        lectern_words(ui, type, words);
        ui.probe.mark_item(id, 0, told);
    };
    add("presenter.next_sentence", sentence, sentence);
    add("presenter.next_question", question, asked);
    add("presenter.next_notes", notes, without_markup(notes));
    if (!picture) return;
    ImGui::EndChild();
    stop_picture(ui, "presenter.next_picture", *picture, f.stops.next, {title, f.stops.drawing});
}

// ---- the buttons ----------------------------------------------------------------------------------------------------

/// A button for touch: an icon above its label.
struct BigButton {
    std::string id, words, tip, key, command;
    Icon icon = Icon::right;
    bool on = false, enabled = true;
    bool lit = false;  // the next one to press
};

void big_button(const PresenterFrame& f, const BigButton& b, Rect rect) {
    const Ui& ui = f.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    Hit hit;
    if (b.enabled) {
        hit = hot_area(ui, b.id, rect, b.words);
        tooltip(ui, b.tip, b.key);
    } else {
        ui.probe.mark(b.id, rect, 0, b.words);
    }
    const bool over = hit.at.has_value();
    canvas.fill(rect, b.lit ? theme.palette.accent : over ? theme.palette.line : theme.palette.raised, theme.px(10));
    if (b.lit) ui.probe.mark("presenter.primary", rect, 0, b.id);
    if (over || b.on) canvas.stroke(rect, theme.palette.accent, theme.px(2), theme.px(10));
    const Color ink = b.lit        ? theme.palette.on_accent
                      : !b.enabled ? theme.palette.muted.with_alpha(0.6F)
                                   : theme.palette.text;
    draw_icon(canvas, b.icon, {rect.centre().x, rect.y0 + rect.height() * 0.36F}, theme.px(30), ink);
    const float pad = theme.px(6);
    Font font = Font::strong;
    if (canvas.measure(b.words, font).x > rect.width() - 2 * pad) font = Font::caption;
    canvas.text({rect.centre().x, rect.y0 + rect.height() * 0.62F},
                fitted(canvas, b.words, font, rect.width() - 2 * pad), {font, ink, Align::centre});
    if (hit.clicked) f.commands.add(b.command.c_str());
}

void buttons_part(const PresenterFrame& f, Rect rect) {
    const Ui& ui = f.ui;
    const Lecture& lecture = lecture_in(f);
    const Asked asked = asked_here(f);
    const bool asks = !asked.question.empty(), answers = asks && (!asked.answer.empty() || offers_choices(f));
    const Player& player = presented_room(f).player;
    const bool plays = player.can_play != nullptr && player.can_play(f.context.focus());
    const Motion& motion = f.context.workspace().motion;
    const bool trains =
        presented_room(f).work.learning != nullptr && !state_of(f).learning.recorded && is_learning(f.context);
    const bool playing = plays && (player.playing(state_of(f), motion) || trains);
    const auto of = [&](const char* id, const char* command, Icon icon, bool on, bool enabled) {
        const std::string key = std::string("presenter.") + id;
        return BigButton{key,
                         ui.text(icon == Icon::pause ? "time.pause" : key),
                         ui.text(std::string("command.") + command),
                         f.table.keys(command),
                         command,
                         icon,
                         on,
                         enabled};
    };
    std::array<BigButton, 6> buttons = {
        of("back", "lecture.previous", Icon::left, false, true),
        of("play", "lecture.play", playing ? Icon::pause : Icon::play, false, plays),
        of("next_stop", "lecture.next", Icon::right, false, true),
        of("ask", "lecture.question", Icon::question, lecture.alone == Alone::question, asks),
        of("answer", "lecture.answer", Icon::check, lecture.alone == Alone::answer, answers),
        of("black", "lecture.black", Icon::moon, lecture.black, true)};
    // An open question comes before the animation below it.
    const bool open = lecture.alone != Alone::nothing;
    const char* const next = lecture.alone == Alone::question && answers ? "presenter.answer"
                             : plays && motion.waits && !open            ? "presenter.play"
                                                                         : "presenter.next_stop";
    for (BigButton& button : buttons) button.lit = button.id == next;
    const float gap = ui.theme.px(12), width = (rect.width() + gap) / static_cast<float>(buttons.size()) - gap;
    for (std::size_t i = 0; i < buttons.size(); ++i) {
        const float x = rect.x0 + static_cast<float>(i) * (width + gap);
        big_button(f, buttons[i], {x, rect.y0, x + width, rect.y1});
    }
}

/// The places of the cards: this stop, its question, and the next stop.
struct Cards {
    Rect notes, questions, next;
};

/// In a wide window this stop is beside the two others; in a high one each has the whole width, and a stop without a
/// question leaves the room to its notes.
Cards cards_in(const PresenterFrame& f, Rect room, float gap) {
    const bool choices = offers_choices(f);
    if (room.height() > room.width()) {
        const bool asks = !asked_here(f).question.empty();
        const float next = room.y1 - room.height() * 0.2F;
        const float low = next - gap;
        const float top = low - (asks ? room.height() * (choices ? 0.4F : 0.25F) : f.ui.theme.px(92));
        return {
            {room.x0, room.y0, room.x1, top - gap}, {room.x0, top, room.x1, low}, {room.x0, next, room.x1, room.y1}};
    }
    const float split = room.x0 + room.width() * 0.53F, half = room.y0 + room.height() * (choices ? 0.6F : 0.5F);
    return {{room.x0, room.y0, split, room.y1},
            {split + gap, room.y0, room.x1, half},
            {split + gap, half + gap, room.x1, room.y1}};
}

}  // namespace

void presenter_view(const PresenterFrame& f) {
    const Ui& ui = f.ui;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float margin = ui.theme.px(18), gap = ui.theme.px(14), top = ui.theme.px(58), low = ui.theme.px(104);
    const Rect all{margin, margin, size.x - margin, size.y - margin};
    clock_part(f, {all.x0, all.y0, all.x1, all.y0 + top});
    const Rect middle{all.x0, all.y0 + top + gap, all.x1, all.y1 - low - gap};
    const Cards cards = cards_in(f, middle, gap);
    const auto part = [&](const char* id, Rect rect, void (*draw)(const PresenterFrame&)) {
        begin_part(ui, id, rect);
        draw(f);
        ImGui::EndChild();
    };
    part("presenter.notes", cards.notes, notes_part);
    part("presenter.questions", cards.questions, question_part);
    part("presenter.next", cards.next, next_part);
    if (ui.keyboard != nullptr) ui.keyboard->begin_zone("presenter.buttons");
    buttons_part(f, {all.x0, all.y1 - low, all.x1, all.y1});
}

}  // namespace vitrine
