#include "app/exports/handout.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "app/chapters/changed_sentence.h"
#include "app/chapters/model_words.h"
#include "app/chapters/steps/entering.h"
#include "app/exports/stage_text.h"
#include "app/frame/shell.h"
#include "app/jobs/deciding.h"
#include "app/jobs/jobs.h"
#include "app/lecture/stops.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/widgets/equation.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/svg_canvas.h"
#include "core/base/error.h"
#include "core/base/output_guard.h"
#include "core/base/utf8.h"

namespace vitrine {

namespace {

constexpr int picture_width = 1600, picture_height = 900;  // of the window around the figure
constexpr int picture_times = 2;                           // resolution factor, for paper

std::string base64(std::string_view bytes) {
    static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string words;
    words.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j)
            bits = bits << 8 | (j < count ? static_cast<std::uint8_t>(bytes[i + j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j) words += j <= count ? letters[bits >> (18 - 6 * j) & 63U] : '=';
    }
    return words;
}

std::string escaped(const std::string& words) {
    std::string html;
    for (const char c : as_utf8(words)) switch (c) {
            case '<': html += "&lt;"; break;
            case '>': html += "&gt;"; break;
            case '&': html += "&amp;"; break;
            case '"': html += "&quot;"; break;
            case '\n': html += "<br>"; break;
            default: html += c;
        }
    return html;
}

/// Converts the markup of rich_text.h to HTML: bold, code, sub- and superscripts; a colour's role becomes a class.
std::string html_of(const std::string& markup) {
    std::string html;
    for (const RichRun& run : parse_markup(markup)) {
        const std::string words = escaped(run.words);
        if (run.role.empty())
            html += words;
        else if (run.role == "sub" || run.role == "sup")
            html += "<" + run.role + ">" + words + "</" + run.role + ">";
        else if (run.role == "strong" || run.role == "link" || run.role == "code")
            html += (run.role == "code" ? "<code>" : "<b>") + words + (run.role == "code" ? "</code>" : "</b>");
        else
            html += "<span class=\"" + run.role + "\">" + words + "</span>";
    }
    return html;
}

constexpr const char* style =
    R"(body{font:17px/1.5 Inter,"Noto Sans","Noto Sans CJK JP",sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#17202e}
img{max-width:100%}.picture{width:100%;border:1px solid #d3dae3;border-radius:8px}h1{font-size:1.8em}h2{margin-top:2.2em}section{break-inside:avoid-page}
.sentence{color:#505d70}.equation{margin:1em 0}.notes{background:#ebeff4;border-radius:8px;padding:.7em 1em;white-space:pre-wrap}
.query{color:#1762c4}.key{color:#9c4a00}.value{color:#14713a}.norm{color:#0b6e66}.mlp{color:#6b3fc0}.residual,.muted{color:#56606e}.accent{color:#1f5bd8})";

/// A typeset equation as a coloured SVG, with `words` for screen readers; if there is no SVG, `words` alone.
std::string equation_of(const Shell& shell, const std::string& id, const std::string& words) {
    const EquationFigure figure = {id};
    Probe probe;
    TextureCache textures;
    const Ui ui{shell.theme(), shell.text(), probe, textures};
    const Point size = equation_size(ui, figure, picture_width);
    if (size.x <= 0) return html_of(words);
    SvgCanvas canvas({0, 0, size.x, size.y}, shell.theme());
    draw_equation(canvas, ui, {0, 0, size.x, size.y}, figure);
    return "<img alt=\"" + escaped(without_markup(words)) + "\" src=\"data:image/svg+xml;base64," +
           base64(canvas.document()) + "\">";
}

std::string picture_tag(const std::string& title, const std::string& picture) {
    return "<img class=\"picture\" alt=\"" + escaped(without_markup(title)) + "\" src=\"data:image/png;base64," +
           picture + "\">\n";
}

/// An exercise's code, and the choices of its tasks.
std::string html_of(const Text& text, const Worksheet& sheet) {
    std::string html = "<pre>";
    for (const std::string& line : sheet.lines) html += escaped(line) + "\n";
    html += "</pre>\n";
    for (const Worksheet::Task& task : sheet.tasks) {
        html += "<p><b>" + escaped(text(task.title)) + "</b></p>";
        if (!task.offered.empty()) html += "<ol type=\"A\">";
        for (const std::string& one : task.offered)
            html += "<li>" + (task.code ? "<code>" + escaped(one) + "</code>" : html_of(text(one))) + "</li>";
        html += task.offered.empty() ? "\n" : "</ol>\n";
    }
    return html;
}

/// True if a stop has a question of its own, whose answer is left to the teacher's page.
bool asks_its_own(const LessonStop& stop, const Settings& settings) {
    return !own_question(stop, settings.language).value_or("").empty();
}

/// The question of a stop: its own, else `usual`, its place's; empty if there is none.
std::string question_of(const Shell& shell, const LessonStop& stop, const std::string& usual) {
    const std::optional<std::string> own = own_question(stop, shell.state().settings.language);
    const std::string words = own ? escaped(*own) : place_asks_of(stop) ? usual : std::string();
    return words.empty() ? std::string() : "<p><b>" + words + "</b></p>\n";
}

/// The choices of a question; the correct one is marked for the teacher.
std::string choices_of(const Shell& shell, const LessonStop& stop, bool answers) {
    const std::vector<LessonChoice>& choices = own_choices(stop, shell.state().settings.language);
    if (choices.empty()) return {};
    std::string html = "<ol type=\"A\">";
    for (const LessonChoice& choice : choices)
        html += "<li>" + escaped(choice.words) + (answers && choice.right ? " ✓" : "") + "</li>";
    return html + "</ol>\n";
}

/// The answer to a stop's question, for the teacher: its own, or `computed`, its place's with this run's numbers.
std::string answer_of(const Shell& shell, const InView& shown, const LessonStop& stop, const std::string& computed) {
    const std::string own = with_numbers(shown, own_answer(stop, shell.state().settings.language));
    const bool of_place = !own_question(stop, shell.state().settings.language) && place_asks_of(stop);
    const std::string words = !own.empty() ? escaped(own) : of_place ? html_of(computed) : std::string();
    return words.empty() ? std::string()
                         : "<p><b>" + escaped(shell.text()("handout.answer")) + "</b> " + words + "</p>\n";
}

/// The title of a stop: its own, else `usual`, its place's.
std::string name_of_stop(const Shell& shell, const LessonStop& stop, const std::string& usual) {
    const std::string own = own_title(stop, shell.state().settings.language);
    return own.empty() ? html_of(usual) : escaped(own);
}

/// A stop's picture, and the what-ifs left out of it whose effect the reader is to guess, if any.
struct DrawnStop {
    const LessonStop& stop;
    int number;
    std::string picture;  // base64
    std::string to_guess;
};

/// A stop's picture and texts as HTML; speaker's notes and answers only on request.
std::string section_of(const Shell& shell, const DrawnStop& drawn, const HandoutOrder& order) {
    const LessonStop& stop = drawn.stop;
    const RoomAnswers& answers = answers_of(stop.room);
    const Teaching& room = answers.teaching;
    const Text& text = shell.text();
    const Workspace& now = shell.workspace();
    PlaceWords place = words_in_view(answers, stop.id, {now.selection.focus, now.text_experiment});
    const auto& run = shell.shown().result;
    if (run && answers.places.step != nullptr)
        place.sentence = key_of_sentence(run->model->config, run->experiment.what_ifs, now.selection.focus);
    const auto words = [&](const std::string& key) {
        return key.empty() ? std::string() : html_of(text(run ? key_for(text, key, *run) : key));
    };
    std::string html = "<section><h2>" + std::to_string(drawn.number) + ". " +
                       name_of_stop(shell, stop, text(place.title)) + "</h2>\n";
    html += "<p class=\"sentence\">" + words(place.sentence) + "</p>\n";
    html += room.worksheet != nullptr ? html_of(text, room.worksheet(stop.id, shell.shown().result->model->config))
                                      : picture_tag(text(place.title), drawn.picture);
    Probe probe;
    TextureCache textures;
    const Ui ui{shell.theme(), text, probe, textures};
    const auto formula = room.formula == nullptr ? std::nullopt : room.formula({ui, now, now.selection});
    if (const auto lines = changed_prediction(shell.context(), {ui, now, now.selection}); !lines.empty()) {
        html += "<p><b>" + escaped(text("prediction.title")) + "</b>";
        for (const std::string& line : lines) html += " " + html_of(line) + "<br>";
        html += "</p>\n";
    }
    if (!drawn.to_guess.empty())
        html += "<p>" + html_of(text("handout.to_guess", {{"parts", drawn.to_guess}})) + "</p>\n";
    if (formula) html += "<p class=\"equation\">" + equation_of(shell, formula->id, formula->words) + "</p>\n";
    const bool are_results = place.words == place.notes;  // those of an experiment
    if (!place.words.empty() && (order.answers || !are_results || !asks_its_own(stop, order.settings)))
        html += "<p>" + words(place.words) + "</p>\n";
    if (text.has(place.mistake))
        html += "<p><b>" + escaped(text("words.mistake")) + "</b> " + words(place.mistake) + "</p>\n";
    html += question_of(shell, stop, words(place.question)) + choices_of(shell, stop, order.answers);
    const InView shown{ui, now, now.selection};
    if (order.answers) html += answer_of(shell, shown, stop, formula ? room.answer(shown) : std::string());
    const std::string own = own_notes(stop, shell.state().settings.language);
    const std::string usual = are_results && order.answers ? std::string() : words(place.notes),
                      notes = own.empty() ? usual : escaped(own);
    return html + (order.notes && !notes.empty() ? "<p class=\"notes\">" + notes + "</p></section>\n" : "</section>\n");
}

Opening first_of(const HandoutOrder& order) {
    Opening opening;
    opening.experiment.model = order.source;
    opening.experiment.image = {"cat", {}};
    opening.result = order.result;
    Settings settings = order.settings;
    settings.theme = ThemeKind::light;
    settings.count_from = 1;
    return for_picture(std::move(opening), settings);
}

}  // namespace

Handout::Handout(const HandoutOrder& order, std::function<void()> wake)
    : order_(order),
      lesson_(load_lesson(order.lesson)),
      screen_({.width = picture_width,
               .height = picture_height,
               .times = picture_times,
               .figure = {.bare = true, .caption = true}},
              std::move(wake)),
      opening_(first_of(order)) {}

double Handout::fraction() const {
    const double shown = entered_ ? screen_.fraction() : 0;
    return lesson_.stops.empty() ? 1 : (stop_ + shown) / static_cast<double>(lesson_.stops.size());
}

bool Handout::step() {
    if (stop_ == static_cast<int>(lesson_.stops.size())) return true;
    if (!entered_) enter_stop();
    if (!screen_.step()) return false;
    if (!placed_ && !place_map()) return false;
    if (roles_.any() && !play_roles_of_stop()) return false;
    if (!hidden_ && !hide_what_is_asked()) return false;
    const DrawnStop drawn = {lesson_.stops[static_cast<std::size_t>(stop_)], stop_ + 1,
                             base64(png_of(screen_.part("stage"))), to_guess_};
    screen_.within([&] { body_ += section_of(screen_.shell(), drawn, order_); });
    entered_ = false;
    return ++stop_ == static_cast<int>(lesson_.stops.size());
}

void Handout::enter_stop() {
    const Place place =
        place_of(lesson_, stop_, {opening_.experiment, opening_.text_experiment, opening_.selection.focus},
                 order_.model->config);
    opening_.experiment = place.experiment;
    opening_.text_experiment = place.text_experiment;
    opening_.selection.focus = place.focus;
    opening_.state.room = place.room;
    if (!place.runs.empty()) choose_runs(opening_.state.learning, place.runs);
    roles_ = place.roles;
    screen_.show(opening_);
    entered_ = true;
    placed_ = hidden_ = false;
    to_guess_.clear();
}

/// Leaves the what-ifs out of the stop's picture if the page has no answers and the stop a question of its own. False
/// if the stop has to be drawn again.
bool Handout::hide_what_is_asked() {
    hidden_ = true;
    Shell& shell = screen_.shell();
    const LessonStop& stop = lesson_.stops[static_cast<std::size_t>(stop_)];
    if (order_.answers || !asks_its_own(stop, order_.settings)) return true;
    screen_.within([&] {
        Probe probe;
        TextureCache textures;
        const Ui ui{shell.theme(), shell.text(), probe, textures};
        const Workspace& now = shell.workspace();
        const std::vector<std::string> changes = changes_in_view({ui, now, now.selection}, shell.state());
        to_guess_ = listed_changes(shell.text(), changes, changes.size());
    });
    if (to_guess_.empty()) return true;
    Opening before = opening_;
    before.experiment.what_ifs.clear();
    before.text_experiment.what_ifs.clear();
    before.text_experiment.swap = {};
    screen_.show(std::move(before));
    return false;
}

/// Selects the head that the stop's chapter selects on entering, as in a lecture, unless the stop names one. False if
/// the stop has to be drawn again.
bool Handout::place_map() {
    const std::shared_ptr<const Result> now = screen_.shell().shown().result;
    const LessonStop& stop = lesson_.stops[static_cast<std::size_t>(stop_)];
    placed_ = true;
    if (!now || names_map(stop) || answers_of(stop.room).places.step == nullptr) return true;
    Focus& focus = opening_.selection.focus;
    const Focus before = focus;
    look_on_entering(focus.step, *now, focus);
    if (focus == before) return true;
    screen_.show(opening_);
    return false;
}

/// Resolves the stop's roles once its run is computed, and shows the stop again. Always false: it has to be redrawn.
bool Handout::play_roles_of_stop() {
    Shell& shell = screen_.shell();
    if (roles_.of_text) {
        if (const TextResult* const told = shell.workspace().text_to_explain())
            play_text_roles(roles_, *told, {opening_.text_experiment, opening_.selection.focus.text});
    } else {
        const std::shared_ptr<const Result> now = shell.shown().result;
        Deciding& deciding = shell.context().jobs().of<Deciding>();
        deciding.request(0, now);
        const Deciding::State found = deciding.latest(0);
        if (found.failure) throw Error(*found.failure);
        if (found.running || !found.result || found.result->of != now) return false;
        if (!turn_to_key(roles_, *now, found.result->head, opening_.selection.focus)) {
            screen_.show(opening_);  // requests the block
            return false;
        }
        play_roles(roles_, *now, found.result->head, opening_.experiment, opening_.selection.focus);
        deciding.forget(0);
    }
    roles_ = {};
    screen_.show(opening_);
    return false;
}

std::string Handout::page() const {
    const std::string title = escaped(lesson_.title_in(order_.settings.language));
    return sealed("<!DOCTYPE html>\n<html lang=\"" + order_.settings.language +
                  "\"><head><meta charset=\"utf-8\"><meta name=\"generator\" "
                  "content=\"" +
                  software_name + "\"><title>" + title + "</title>\n<style>" + style + "</style></head>\n<body><h1>" +
                  title + "</h1>\n" + body_ + "</body></html>\n");
}

}  // namespace vitrine
