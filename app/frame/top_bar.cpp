#include "app/frame/top_bar.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/frame/window_commands.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/picture.h"
#include "app/workspace/command.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/settings.h"
#include "app/workspace/travel.h"
#include "app/workspace/workspace.h"
#include "core/vit/model.h"
#include "core/vit/weight_parts.h"

namespace vitrine {

namespace {

/// Width of the settings button, which shows a gear and the language; the same in every language, so that the icons
/// before it do not move.
float width_of_settings(const Ui& ui) {
    return std::max(measure_text(ui.theme, ui.text("language.short"), Font::body).x, ui.theme.px(26)) + ui.theme.px(66);
}

float width_of_tools(const Ui& ui) { return ui.theme.px(352) + width_of_settings(ui); }

/// The current focus as a sentence, or abbreviated if there is little room.
std::string selection_sentence(const Ui& ui, const Focus& focus, const std::string& token, const char* key) {
    return ui.text(key, {{"block", ui.ordinal(focus.block - 1)}, {"head", ui.ordinal(focus.head)}, {"token", token}});
}

/// The name of a patch with its row and column in brackets; for other tokens, the short name.
std::string placed_token_name(const Ui& ui, const Result& now, int token) {
    const Config& c = now.model->config;
    if (!c.is_patch(token)) return short_token_name(ui, now, token);
    const int patch = c.patch_of(token), columns = c.grid_width();
    return ui.text("token.patch_place", {{"token", short_token_name(ui, now, token)},
                                         {"row", ui.ordinal(patch / columns)},
                                         {"column", ui.ordinal(patch % columns)}});
}

/// The width of a source's words and picture, at most the given one.
float width_of_source(const Ui& ui, const std::string& title, const std::string& subtitle, float most) {
    const float words =
        std::max(measure_text(ui.theme, title, Font::strong).x, measure_text(ui.theme, subtitle, Font::caption).x);
    return std::min(most, words + ui.theme.px(6 + 8 + 8 + 2));
}

/// A button with an optional picture and two lines of words.
struct Source {
    std::string id, title, subtitle, tip, key;
    std::shared_ptr<const Image> picture;
    std::string shorter = {};  // replaces the subtitle if there is little room
};
bool source_button(const Ui& ui, const Source& source, float width) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = theme.px(48), side = source.picture ? height - theme.px(8) : 0;
    const Rect rect{at.x, at.y, at.x + width, at.y + height};
    const Hit hit = hot_area(ui, source.id, rect, source.title);
    tooltip(ui, "{strong|" + source.title + "}  " + source.subtitle + "\n" + source.tip, source.key);
    canvas.fill(rect, theme.palette.raised, theme.px(8));
    if (hit.at) canvas.stroke(rect, theme.palette.accent, theme.px(2), theme.px(8));
    float x = rect.x0 + theme.px(6);
    if (source.picture) {
        const float aspect = static_cast<float>(source.picture->width) / static_cast<float>(source.picture->height);
        canvas.picture(fit({x, rect.y0 + theme.px(4), x + side, rect.y0 + theme.px(4) + side}, aspect),
                       {source.picture, {}, false, 1, 1});
        x += side;
    }
    x += theme.px(8);
    const float room = rect.x1 - x - theme.px(8);
    // Instead of a truncated name, only the picture or the short text is shown; the tooltip has the rest.
    const auto fits = [&](const std::string& words, Font font) { return canvas.measure(words, font).x <= room; };
    const bool named = fits(source.title, Font::strong) || room >= theme.px(90);
    if (named)
        canvas.text({x, rect.y0 + theme.px(3)}, fitted(canvas, source.title, Font::strong, room),
                    {Font::strong, theme.palette.text, Align::left});
    const std::string& below =
        source.shorter.empty() || fits(source.subtitle, Font::caption) ? source.subtitle : source.shorter;
    if (fits(below, Font::caption) || room >= theme.px(90))
        canvas.text({x, rect.y0 + theme.px(named ? 26 : 15)}, fitted(canvas, below, Font::caption, room),
                    {Font::caption, theme.palette.muted, Align::left});
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, height});
    ImGui::SameLine();
    return hit.clicked;
}

/// The logo, which opens the start page.
void logo(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool named = ImGui::GetContentRegionAvail().x > theme.px(1400);
    const Rect all{at.x, at.y, at.x + theme.px(named ? 132 : 40), at.y + theme.px(48)};
    const Hit hit = hot_area(ui, "top.start", all, "Vitrine");
    tooltip(ui, ui.text("top.start"), frame.key_of("start"));
    if (hit.at)
        canvas.fill({all.x0 - theme.px(4), all.y0 + theme.px(2), all.x1 - theme.px(6), all.y1 - theme.px(2)},
                    theme.palette.raised, theme.px(8));
    draw_logo(canvas, theme, {at.x, at.y + theme.px(8)}, theme.px(9));
    if (named)
        canvas.text({at.x + theme.px(42), at.y + theme.px(12)}, "Vitrine",
                    {Font::heading, theme.palette.text, Align::left});
    if (hit.clicked) frame.commands().add("start");
    ImGui::Dummy({all.width(), all.height()});
    ImGui::SameLine();
}

/// Tabs of the rooms. The tab of Train marks runs that are not in view, and its tooltip gives their step; it always has
/// room for the mark, so that no tab moves when the mark appears.
void room_switch(const Frame& frame, const std::optional<TrainingAside>& training) {
    const Ui& ui = frame.ui;
    std::vector<Control> controls;
    int chosen = 0;
    const std::string_view shown = tab_in_view(frame.state(), frame.selection.focus);
    for (const Room& room : rooms()) {
        const std::string id = "top.mode." + std::string(room.id);
        if (room.id == shown) chosen = static_cast<int>(controls.size());
        Control tab{id, ui.text(id), ui.text("top.mode_tip"), frame.key_of("room." + std::string(room.id))};
        const bool trains = room.answers().work.learning != nullptr;
        for (const char* const mark : {"top.training", "top.training_paused"}) {
            const std::string marked = ui.text(mark, {{"room", ui.text(id)}});
            const auto width = [&](const std::string& words) { return measure_text(ui.theme, words, Font::strong).x; };
            if (trains && width(marked) > width(tab.room_for)) tab.room_for = marked;
        }
        if (training && trains) {
            const std::string key = training->running ? "top.training" : "top.training_paused";
            const std::string step = count_text(static_cast<std::int64_t>(training->step));
            tab.words = ui.text(key, {{"room", tab.words}});
            tab.tip = ui.text(key + "_tip", {{"step", step}});
        }
        controls.push_back(std::move(tab));
    }
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.theme.px(6));
    if (segmented(ui, controls, chosen))
        frame.commands().add(("room." + std::string(rooms()[static_cast<std::size_t>(chosen)].id)).c_str());
    ImGui::SameLine();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.theme.px(6));
    ImGui::Dummy({ui.theme.px(4), 1});
    ImGui::SameLine();
}

/// An icon button for a command of the table, with its key.
void tool(const Frame& frame, const char* id, const std::string& tip, const char* command, Icon icon,
          bool enabled = true) {
    if (icon_button(frame.ui, {id, {}, tip, frame.key_of(command), enabled}, icon)) frame.commands().add(command);
    ImGui::SameLine();
}

/// The gear on the settings button, before the language's name.
void draw_gear(const Ui& ui, Point centre) {
    constexpr int teeth = 8;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Color color = ui.theme.palette.text;
    const float radius = ui.theme.px(5), tip = ui.theme.px(8), line = ui.theme.px(2);
    canvas.ring(centre, radius, color, line);
    for (int i = 0; i < teeth; ++i) {
        const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / teeth;
        const Point way{std::cos(angle), std::sin(angle)};
        canvas.line({centre.x + radius * way.x, centre.y + radius * way.y},
                    {centre.x + tip * way.x, centre.y + tip * way.y}, color, 1.5F * line);
    }
}

/// Icons at the right end.
void tools(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Text& text = ui.text;
    const Settings& settings = frame.state().settings;
    const bool dark = settings.theme == ThemeKind::dark;
    const History& history = frame.workspace.history;
    const std::string& here = frame.state().room;
    tool(frame, "top.undo", text("top.undo"), "undo", Icon::undo,
         can_undo_in(here, history, undone_in(here)) || !frame.state().discarded.empty());
    tool(frame, "top.redo", text("top.redo"), "redo", Icon::redo, can_redo_in(here, history, undone_in(here)));
    tool(frame, "top.find", text("top.find"), "find", Icon::search);
    tool(frame, "top.theme", text(dark ? "top.light" : "top.dark"), "theme", dark ? Icon::sun : Icon::moon);
    if (button(ui, {"top.language", text("language.short"), text("top.language"), frame.key_of("language")},
               {Emphasis::quiet, {}, width_of_settings(ui)}))
        frame.commands().add("language");
    draw_gear(
        ui, {ImGui::GetItemRectMin().x + ui.theme.px(18), (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2});
    ImGui::SameLine();
    tool(frame, "top.lessons", text("top.lessons"), "lessons", Icon::lecture);
    tool(frame, "top.export", text("top.export"), "export", Icon::save);
    if (icon_button(ui, {"top.help", {}, text("top.help"), frame.key_of("help")}, Icon::question))
        frame.commands().add("help");
}

std::string model_line(const Ui& ui, const Model& model) {
    const Config& c = model.config;
    return ui.text("top.model_size", {{"parameters", rounded_count(model.weights.parameter_count())},
                                      {"blocks", std::to_string(c.blocks)},
                                      {"heads", std::to_string(c.heads)}});
}

/// The weights by part, for the tooltip of the model: "embedding 18 528 · positions 18 912 · … = 711 067".
std::string weights_by_part_words(const Ui& ui, const Model& model) {
    const auto counts = weights_by_part(model.weights);
    std::string words;
    for (const Named<WeightPart>& row : weight_part_names) {
        const auto count = static_cast<std::int64_t>(counts[static_cast<std::size_t>(row.value)]);
        if (count > 0)
            words +=
                (words.empty() ? "" : " + ") + ui.text("weights." + std::string(row.name)) + " " + count_text(count);
    }
    return words + " = " + count_text(static_cast<std::int64_t>(model.weights.parameter_count()));
}

/// A line of words from a room without an image and a model, in place of theirs.
void line_of_room(const Frame& frame, const std::optional<TopLine>& line) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float tools_width = width_of_tools(ui), room = std::max(0.0F, ImGui::GetContentRegionAvail().x - tools_width);
    if (line) {
        const auto fits = [&](const std::string& said) {
            return canvas.measure(said, Font::body).x <= room - theme.px(20);
        };
        const std::string& words = fits(line->words) ? line->words : line->shorter;
        if (fits(words))
            canvas.text({at.x + theme.px(12), at.y + theme.px(13)}, words,
                        {Font::body, theme.palette.text, Align::left});
        ui.probe.mark("top.selection", {at.x, at.y, at.x + room, at.y + theme.px(48)}, line->value, words);
    }
    ImGui::SetCursorScreenPos({at.x + room, at.y + theme.px(6)});
}

}  // namespace

void draw_logo(Canvas& canvas, const Theme& theme, Point at, float cell) {
    const float gap = std::max(1.0F, std::round(cell * 0.22F));
    for (int i = 0; i < 9; ++i) {
        const float x = at.x + static_cast<float>(i % 3) * (cell + gap),
                    y = at.y + static_cast<float>(i / 3) * (cell + gap);
        canvas.fill({x, y, x + cell, y + cell},
                    i == 4 ? theme.palette.key : theme.palette.accent.with_alpha(i % 2 == 0 ? 0.55F : 0.85F), gap);
    }
}

void top_bar(const Frame& frame, const std::optional<TrainingAside>& training) {
    const Ui& ui = frame.ui;
    const Snapshot& now = frame.shown();
    const Selection& selection = frame.selection;
    const Theme& theme = ui.theme;
    logo(frame);
    if (!now.result) return tools(frame);
    room_switch(frame, training);
    const RoomAnswers& here = answers_of(frame.state().room);
    if (here.around.top != nullptr) {
        line_of_room(frame, here.around.top(frame));
        return tools(frame);
    }
    const Result& result = *now.result;
    const float available = ImGui::GetContentRegionAvail().x, tools_width = width_of_tools(ui);
    const float wanted = std::clamp(available * 0.16F, theme.px(166), theme.px(290));
    const float left = (available - tools_width) / 2 - ImGui::GetStyle().ItemSpacing.x;  // for each of the two
    const float source_width = std::max(theme.px(48), std::min(wanted, left));
    const std::string size =
        std::to_string(result.image->full.width) + " × " + std::to_string(result.image->full.height);
    if (source_button(ui,
                      {"top.image", image_title(ui.text, *result.image), size, ui.text("top.image_tip"),
                       frame.key_of("open_image"), result.image->display},
                      source_width))
        frame.commands().add("open_image");
    const std::string parameters = rounded_count(result.model->weights.parameter_count());
    if (source_button(ui,
                      {"top.model",
                       model_title(ui.text, *result.model),
                       model_line(ui, *result.model),
                       ui.text("top.model_tip") + "\n" + weights_by_part_words(ui, *result.model),
                       frame.key_of("open_model"),
                       {},
                       parameters},
                      source_width >= wanted && available > theme.px(1100)
                          ? source_width
                          : width_of_source(ui, model_title(ui.text, *result.model), parameters, source_width)))
        frame.commands().add("open_model");

    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = std::max(0.0F, ImGui::GetContentRegionAvail().x - tools_width);
    if (here.work.run == nullptr) {
        ImGui::SetCursorScreenPos({at.x + room, at.y + theme.px(6)});
        return tools(frame);
    }
    const std::optional<int> class_row = result.model->config.first_of(TokenKind::class_token);
    const float release =
        class_row && selection.focus.token != *class_row ? theme.px(44) : 0;  // the × that clears the chosen token
    const int token = selection.focus.token;
    const auto in_words = [&](const std::string& of, const char* key) {
        return selection_sentence(ui, selection.focus, of, key);
    };
    const std::string whole = token_name(ui, result, token), placed = placed_token_name(ui, result, token);
    // The longest that fits; block and head are lit on the map, too.
    std::string sentence;
    for (const std::string& words : {in_words(whole, "selection.sentence"), in_words(whole, "selection.short"),
                                     in_words(placed, "selection.sentence"), in_words(placed, "selection.short"),
                                     placed, in_words(short_token_name(ui, result, token), "selection.short")}) {
        sentence = words;
        if (canvas.measure(sentence, Font::body).x <= room - release - theme.px(20)) break;
    }
    // If even the abbreviation does not fit, it is left out: the panels show it too.
    const float width = canvas.measure(sentence, Font::body).x;
    if (width <= room - release - theme.px(20))
        canvas.text({at.x + theme.px(12), at.y + theme.px(13)}, sentence,
                    {Font::body, theme.palette.text, Align::left});
    ui.probe.mark("top.selection", {at.x, at.y, at.x + room, at.y + theme.px(48)}, selection.focus.token, sentence);
    if (release > 0 && width <= room - release - theme.px(20)) {
        ImGui::SetCursorScreenPos({at.x + theme.px(16) + width, at.y + theme.px(6)});
        if (icon_button(ui, {"top.release", {}, ui.text("top.release"), {}}, Icon::close))
            frame.selection.focus.token = *class_row;
    }
    ImGui::SetCursorScreenPos({at.x + room, at.y + theme.px(6)});
    tools(frame);
}

}  // namespace vitrine
