#include "app/exports/handout.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "app/frame/shell.h"
#include "app/jobs/deciding.h"
#include "app/jobs/jobs.h"
#include "app/lecture/stop_words.h"
#include "app/rooms/exercise/exercise.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/room.h"
#include "app/rooms/text/chapter.h"
#include "app/ui/widgets/equation.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/svg_canvas.h"
#include "app/workspace/text_result.h"
#include "core/base/error.h"
#include "core/base/output_guard.h"
#include "core/base/utf8.h"

namespace vitrine {

namespace {

constexpr int picture_width = 1600, picture_height = 900;

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

/// A typeset equation as a coloured SVG; its line of text for screen readers, or if there is no SVG.
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

/// An exercise's code and choices, without the right ones.
std::string exercise_of(const Text& text, const LessonStop& stop, const Config& config) {
    const std::string prefix = "exercise." + stop.id + ".";
    const Listing listing = listing_of(*value_in(exercise_names, stop.id), config);
    std::string html = "<pre>";
    for (const std::string& line : listing.lines) html += escaped(line) + "\n";
    html += "</pre>\n<p><b>" + escaped(text("exercise.predict")) + "</b></p><ol type=\"A\">";
    for (int i = 0; i < predictions_offered; ++i)
        html += "<li>" + html_of(text(prefix + "predict." + std::to_string(i))) + "</li>";
    html += "</ol>\n<p><b>" + escaped(text("exercise.find")) + "</b></p>\n<p><b>" + escaped(text("exercise.repair")) +
            "</b></p><ol type=\"A\">";
    for (const std::string& repair : listing.repairs) html += "<li><code>" + escaped(repair) + "</code></li>";
    return html + "</ol>\n";
}

/// The question of a stop: its own, else its place's; empty if there is none.
std::string question_of(const Shell& shell, const LessonStop& stop, const std::string& usual) {
    const std::optional<std::string> own = own_question(stop, shell.state().settings.language);
    const std::string words = own ? escaped(*own) : place_asks_of(stop) ? usual : std::string();
    return words.empty() ? std::string() : "<p><b>" + words + "</b></p>\n";
}

/// The title of a stop: its own name, else its place's.
std::string name_of_stop(const Shell& shell, const LessonStop& stop, const std::string& usual) {
    const std::string own = own_title(stop, shell.state().settings.language);
    return own.empty() ? html_of(usual) : escaped(own);
}

/// A chapter of the Text room, with the equation for the computed run.
std::string text_section(const Shell& shell, const LessonStop& stop, const std::string& heading,
                         const std::string& picture) {
    const Workspace& now = shell.workspace();
    const auto words = [&](const char* key) { return shell.text()("text." + stop.id + "." + key); };
    Probe probe;
    TextureCache textures;
    const Ui ui{shell.theme(), shell.text(), probe, textures};
    std::string html = "<section><h2>" + heading + name_of_stop(shell, stop, words("title")) +
                       "</h2>\n<p class=\"sentence\">" + html_of(words("sentence")) + "</p>\n" +
                       picture_tag(words("title"), picture);
    if (const TextResult* const told = now.told_text())
        html += "<p class=\"equation\">" +
                equation_of(shell, chapter_equation({ui, *told, now.selection, now}), words("equation")) + "</p>\n";
    return html + "<p>" + html_of(words("words")) + "</p>\n" + question_of(shell, stop, html_of(words("question")));
}

/// A stop in a room without chapters.
std::string room_section(const Shell& shell, const LessonStop& stop, const std::string& heading,
                         const std::string& picture) {
    const Text& text = shell.text();
    if (room_of(stop.room).reads) return text_section(shell, stop, heading, picture);
    const std::string prefix = stop.room == "laboratory" ? "lab." + stop.id + "."
                               : stop.room == "exercise" ? "exercise." + stop.id + "."
                                                         : "learn.";
    const bool exercise = stop.room == "exercise";
    std::string html = "<section><h2>" + heading + name_of_stop(shell, stop, text(prefix + "title")) +
                       "</h2>\n<p class=\"sentence\">" + html_of(text(prefix + (exercise ? "task" : "sentence"))) +
                       "</p>\n";
    const std::string question = question_of(shell, stop, "");
    if (exercise) return html + exercise_of(text, stop, shell.shown().result->model->config) + question;
    return html + picture_tag(text(prefix + "title"), picture) + "<p>" + html_of(text(prefix + "words")) + "</p>\n" +
           question;
}

/// A stop's picture and texts; speaker's notes only on request.
std::string section_of(const Shell& shell, const Lesson& lesson, int index, const std::string& picture,
                       bool with_notes) {
    const LessonStop& stop = lesson.stops[static_cast<std::size_t>(index)];
    const Step& step = curriculum()[static_cast<std::size_t>(stop.step)];
    const Text& text = shell.text();
    const std::string prefix = "step." + std::string(step.id) + ".";
    const auto words = [&](const char* key) { return html_of(text(prefix + key)); };
    const std::string number = std::to_string(index + 1) + ". ";
    const std::string own = own_notes(stop, shell.state().settings.language);
    const auto ended = [&](std::string html, const std::string& notes) {
        return html +
               (with_notes && !notes.empty() ? "<p class=\"notes\">" + notes + "</p></section>\n" : "</section>\n");
    };
    const bool reads = room_of(stop.room).reads;
    if (!room_of(stop.room).chapters)
        return ended(room_section(shell, stop, number, picture),
                     own.empty() && reads ? html_of(text("text." + stop.id + ".notes")) : escaped(own));
    std::string html = "<section><h2>" + number + name_of_stop(shell, stop, text(prefix + "title")) + "</h2>\n";
    html += "<p class=\"sentence\">" + words("sentence") + "</p>\n";
    html += picture_tag(text(prefix + "title"), picture);
    html += "<p class=\"equation\">" +
            equation_of(shell, equation_id(step, *shell.shown().result, shell.workspace().selection.focus),
                        text(prefix + "equation")) +
            "</p>\n<p>" + words("words") + "</p>\n";
    if (text.has(prefix + "mistake"))
        html += "<p><b>" + escaped(text("words.mistake")) + "</b> " + words("mistake") + "</p>\n";
    html += question_of(shell, stop, words("question"));
    return ended(html, own.empty() ? words("notes") : escaped(own));
}

Opening first_of(const HandoutOrder& order) {
    Opening opening;
    opening.experiment.model = order.source;
    opening.experiment.image = {"cat", {}};
    opening.result = order.result;
    return dressed(std::move(opening), {ThemeKind::light, order.language});
}

}  // namespace

Handout::Handout(const HandoutOrder& order, std::function<void()> wake)
    : order_(order),
      lesson_(load_lesson(order.lesson)),
      screen_({picture_width, picture_height}, std::move(wake)),
      opening_(first_of(order)) {}

double Handout::fraction() const {
    const double shown = entered_ ? screen_.fraction() : 0;
    return lesson_.stops.empty() ? 1 : (stop_ + shown) / static_cast<double>(lesson_.stops.size());
}

bool Handout::step() {
    if (stop_ == static_cast<int>(lesson_.stops.size())) return true;
    if (!entered_) enter_stop();
    if (!screen_.step()) return false;
    if (roles_.any() && !play_roles_of_stop()) return false;
    const std::string picture = base64(png_of(screen_.part("window")));
    screen_.within([&] { body_ += section_of(screen_.shell(), lesson_, stop_, picture, order_.notes); });
    entered_ = false;
    return ++stop_ == static_cast<int>(lesson_.stops.size());
}

void Handout::enter_stop() {
    Place place = place_of(lesson_, stop_, {opening_.experiment, opening_.selection.focus}, order_.model->config);
    opening_.experiment = place.experiment;
    opening_.selection.focus = place.focus;
    opening_.state.room = place.room;
    if (!place.runs.empty()) choose_runs(opening_.state.learning, place.runs);
    roles_ = place.roles;
    screen_.show(opening_);
    entered_ = true;
}

/// Resolves the stop's roles once the drawn run is there, and shows the stop again. Always false: it has to be drawn
/// first.
bool Handout::play_roles_of_stop() {
    Shell& shell = screen_.shell();
    if (roles_.of_text) {
        if (const TextResult* const told = shell.workspace().told_text())
            play_text_roles(roles_, *told, opening_.selection.focus.text);
    } else {
        const std::shared_ptr<const Result> now = shell.shown().result;
        Deciding& deciding = shell.context().jobs().of<Deciding>();
        deciding.request(0, now);
        const Deciding::State found = deciding.latest(0);
        if (found.failure) throw Error(*found.failure);
        if (found.running || !found.result || found.result->of != now) return false;
        play_roles(roles_, *now, found.result->head, opening_.experiment, opening_.selection.focus);
        deciding.forget(0);
    }
    roles_ = {};
    screen_.show(opening_);
    return false;
}

std::string Handout::page() const {
    const std::string title = escaped(lesson_.title_in(order_.language));
    return sealed("<!DOCTYPE html>\n<html lang=\"" + order_.language +
                  "\"><head><meta charset=\"utf-8\"><meta name=\"generator\" "
                  "content=\"" +
                  software_name + "\"><title>" + title + "</title>\n<style>" + style + "</style></head>\n<body><h1>" +
                  title + "</h1>\n" + body_ + "</body></html>\n");
}

}  // namespace vitrine
