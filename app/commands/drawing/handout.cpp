#include <stb/stb_image_write.h>

#include <cstdio>

#include "app/commands/commands.h"
#include "app/commands/drawing/draw.h"
#include "app/commands/outputs.h"
#include "app/lecture/lesson.h"
#include "app/lecture/stop_words.h"
#include "app/platform/terminal.h"
#include "app/rooms/exercise/exercise.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/room.h"
#include "app/rooms/text/chapter.h"
#include "app/ui/widgets/equation.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/svg_canvas.h"
#include "app/workspace/library.h"
#include "app/workspace/roles.h"
#include "app/workspace/text_result.h"
#include "core/base/output_file.h"
#include "core/base/utf8.h"

namespace vitrine {

namespace {

constexpr int picture_width = 1600, picture_height = 900;

std::string base64(const std::vector<std::uint8_t>& bytes) {
    static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string words;
    words.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j) bits = bits << 8 | (j < count ? bytes[i + j] : 0U);
        for (std::size_t j = 0; j < 4; ++j) words += j <= count ? letters[bits >> (18 - 6 * j) & 63U] : '=';
    }
    return words;
}

std::vector<std::uint8_t> png_of(const std::vector<std::uint8_t>& pixels) {
    std::vector<std::uint8_t> png;
    const auto append = [](void* to, void* data, int size) {
        auto& out = *static_cast<std::vector<std::uint8_t>*>(to);
        const auto* const from = static_cast<const std::uint8_t*>(data);
        out.insert(out.end(), from, from + size);
    };
    stbi_write_png_to_func(append, &png, picture_width, picture_height, 3, pixels.data(), picture_width * 3);
    return png;
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

/// The markup of rich_text.h as HTML: bold, code, sub- and superscripts; a colour's role becomes a class.
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

/// A typeset equation, an SVG picture whose symbols have their colours; its line of text
/// for who reads by ear, or where there is none.
std::string equation_of(const Shell& shell, const std::string& id, const std::string& words) {
    const EquationFigure figure = {id};
    Probe probe;
    TextureCache textures;
    const Ui ui{shell.theme(), shell.text(), probe, textures};
    const Point size = equation_size(ui, figure, picture_width);
    if (size.x <= 0) return html_of(words);
    SvgCanvas canvas({0, 0, size.x, size.y}, shell.theme());
    draw_equation(canvas, ui, {0, 0, size.x, size.y}, figure);
    const std::string svg = canvas.document();
    return "<img alt=\"" + escaped(without_markup(words)) + "\" src=\"data:image/svg+xml;base64," +
           base64({svg.begin(), svg.end()}) + "\">";
}

std::string picture_tag(const std::string& title, const std::string& picture) {
    return "<img class=\"picture\" alt=\"" + escaped(without_markup(title)) + "\" src=\"data:image/png;base64," +
           picture + "\">\n";
}

/// An exercise as it is given: its lines and what may be chosen. What is right stands in the program.
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

/// What is asked at a stop: its own question, else that of its place; nothing where it asks nothing.
std::string question_of(const Shell& shell, const LessonStop& stop, const std::string& usual) {
    const std::optional<std::string> own = own_question(stop, shell.state().settings.language);
    const std::string words = own ? escaped(*own) : place_asks_of(stop) ? usual : std::string();
    return words.empty() ? std::string() : "<p><b>" + words + "</b></p>\n";
}

/// The name of a stop: its own, else that of its place.
std::string name_of_stop(const Shell& shell, const LessonStop& stop, const std::string& usual) {
    const std::string own = own_title(stop, shell.state().settings.language);
    return own.empty() ? html_of(usual) : escaped(own);
}

/// A chapter of the Text room, with the equation that holds for what it shows.
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
                equation_of(shell, chapter_equation({ui, *told, now.selection, now, now.text_experiment}),
                            words("equation")) +
                "</p>\n";
    return html + "<p>" + html_of(words("words")) + "</p>\n" + question_of(shell, stop, html_of(words("question")));
}

/// A stop in another room than the chapters'.
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

/// The words of a stop, its picture above them; the speaker's notes only for the speaker.
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

/// Neither the lesson, its images nor the model may be written over.
OutputGuard guard_handout(const HandoutOptions& o, const Lesson& lesson) {
    OutputGuard guard = guard_of(o.force, o.model.source());
    guard.reads(lesson.source);
    for (const LessonStop& stop : lesson.stops)
        if (stop.image) guard.reads(stop.image->path);
    return guard;
}

void write_page(const HandoutOptions& o, const std::string& title, const std::string& body) {
    OutputFile out(o.out);
    out.write(sealed("<!DOCTYPE html>\n<html lang=\"" + o.language +
                     "\"><head><meta charset=\"utf-8\"><meta name=\"generator\" "
                     "content=\"" +
                     software_name + "\"><title>" + title + "</title>\n<style>" + style +
                     "</style></head>\n<body><h1>" + title + "</h1>\n" + body + "</body></html>\n"));
    out.commit();
}

/// What a stop names by its role, found in the run that is drawn.
void play_stop(const Roles& roles, const Shell& shell, Opening& opening) {
    if (roles.of_text) {
        if (const TextResult* const told = shell.workspace().told_text())
            play_text_roles(roles, *told, {opening.text_experiment, opening.selection.focus.text});
        return;
    }
    const Result& now = *shell.shown().result;
    play_roles(roles, now, decisive_head(*now.model, now.baseline), opening.experiment, opening.selection.focus);
}

}  // namespace

int handout_command(const HandoutOptions& o) {
    check_is_name("--out", o.out);
    const Lesson lesson = load_lesson(o.lesson);
    guard_handout(o, lesson).check(o.out);
    const auto model = open_model(o.model.source());
    Screen screen({picture_width, picture_height, 0});
    Opening opening;
    opening.experiment.model = o.model.source();
    opening.experiment.image = {"cat", {}};
    opening.state.settings.theme = ThemeKind::light;
    opening.state.settings.language = o.language;
    opening.state.settings.motion = false;
    std::string body;
    for (int i = 0; i < static_cast<int>(lesson.stops.size()); ++i) {
        const Place place =
            place_of(lesson, i, {opening.experiment, opening.text_experiment, opening.selection.focus}, model->config);
        opening.experiment = place.experiment;
        opening.text_experiment = place.text_experiment;
        opening.selection.focus = place.focus;
        opening.state.room = place.room;
        if (!place.runs.empty()) choose_runs(opening.state.learning, place.runs);
        std::vector<std::uint8_t> pixels = screen.draw(opening);
        if (place.roles.any()) {
            play_stop(place.roles, screen.shell(), opening);
            pixels = screen.draw(opening);
        }
        body += section_of(screen.shell(), lesson, i, base64(png_of(pixels)), o.notes);
        if (errors_reach_a_terminal()) std::fprintf(stderr, "\r%d / %d", i + 1, static_cast<int>(lesson.stops.size()));
    }
    if (errors_reach_a_terminal()) std::fprintf(stderr, "\n");
    write_page(o, escaped(lesson.title_in(o.language)), body);
    return 0;
}

}  // namespace vitrine
