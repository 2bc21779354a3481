#include "app/rooms/figures/change_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>

#include "app/rooms/figures/scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"

namespace vitrine {

namespace {

/// One of the four numbers of a change.
struct ChangePart {
    const char* name;  // its words are "change.<name>"
    double ClassReading::*value;
    bool share = false;  // shown as a percentage
};
constexpr std::array change_parts = {
    ChangePart{"probability", &ClassReading::probability, true}, ChangePart{"logit", &ClassReading::logit},
    ChangePart{"margin", &ClassReading::margin}, ChangePart{"loss", &ClassReading::loss}};

double difference_in(const AnswerChange& change, const ChangePart& part) {
    return change.now.*part.value - change.before.*part.value;
}

std::string difference_words(const Ui& ui, const AnswerChange& change, const ChangePart& part) {
    return part.share ? share_change_text(change.before.*part.value, change.now.*part.value, ui.text("glossary.pp"))
                      : signed_text(difference_in(change, part));
}

/// A number in the format of its part.
std::string value_words(const ChangePart& part, double value) {
    return part.share ? probability_text(value) : number_text(value);
}

/// Before → after: "15.284 → 9.823", with the digits that give the difference as it is written; a small change of a
/// large number with the decimals that show it: "15.27 → 15.25". Shares that differ by next to nothing have those
/// decimals where one would show too much: "92.349 % → 92.351 %".
std::string before_after_words(const ChangePart& part, const AnswerChange& change) {
    const double before = change.before.*part.value, now = change.now.*part.value, difference = std::abs(now - before);
    constexpr double visible = 0.02, least = 1e-4;  // smallest change visible in three digits, and in four decimals
    const std::string first = value_words(part, before), last = value_words(part, now);
    const bool numbers =
        before > next_to_nothing && now > next_to_nothing && std::max(before, now) < 1 - next_to_nothing;
    if (part.share && numbers && first != last && difference < next_to_nothing) {
        const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(100 * difference))), 1, 4);
        return fixed_text(100 * before, decimals) + " % → " + fixed_text(100 * now, decimals) + " %";
    }
    const bool fine =
        !part.share && difference >= least && difference < visible * std::max(std::abs(before), std::abs(now));
    if (part.share) return first + " → " + last;
    if (!fine) {
        const int digits = digits_for(now - before, std::minus<>{}, now, before);
        return digits_text(before, digits) + " → " + digits_text(now, digits);
    }
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(difference))), 1, 4);
    return fixed_text(before, decimals) + " → " + fixed_text(now, decimals);
}

std::span<const ChangePart> parts_shown(ChangeParts shown) {
    return std::span(change_parts).subspan(shown == ChangeParts::beside_its_bar ? 1 : 0);
}

std::string label_of(const Ui& ui, const ChangePart& part) {
    return part.share ? "p" : ui.text(std::string("change.") + part.name);
}

/// Layout of the numbers: as many side by side as fit for any values, so that nothing moves; below a class's bar each
/// has its own row, with room for before → after.
struct ChangeColumns {
    int columns = 1;
    float width = 0, gap = 0, line = 0, height = 0;
};
ChangeColumns columns_of(const Canvas& canvas, const Ui& ui, float width, ChangeParts shown) {
    const std::span<const ChangePart> parts = parts_shown(shown);
    float widest = 0;
    for (const ChangePart& part : parts) {
        const std::string longest = "−8.88 × 10⁻⁴" + (part.share ? " " + ui.text("glossary.pp") : "");
        widest = std::max(widest, canvas.measure(label_of(ui, part), Font::body).x + ui.theme.px(10) +
                                      canvas.measure(longest, Font::strong).x);
    }
    const int count = static_cast<int>(parts.size());
    ChangeColumns grid;
    grid.gap = ui.theme.px(20);
    grid.line = canvas.measure("", Font::body).y + ui.theme.px(1);
    const auto wide = [&](int columns) {
        return (width - grid.gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    };
    for (const int columns : {count, 2})
        if (shown == ChangeParts::all && grid.columns == 1 && wide(columns) >= widest) grid.columns = columns;
    grid.width = wide(grid.columns);
    const int rows = (count + grid.columns - 1) / grid.columns;
    grid.height = canvas.measure("", Font::caption).y + grid.line * static_cast<float>(rows) + ui.theme.px(8);
    return grid;
}

/// A row: label on the left, change on the right; before → after between them if the row is long enough.
struct PartRow {
    const ChangePart& part;
    const AnswerChange& change;
    const std::string& id;
};
void draw_part(Canvas& canvas, const Ui& ui, Rect row, const PartRow& told) {
    const Palette& palette = ui.theme.palette;
    const ChangePart& part = told.part;
    const double difference = difference_in(told.change, part);
    const std::string value = difference_words(ui, told.change, part), label = label_of(ui, part);
    const float value_width = canvas.measure(value, Font::strong).x, gap = ui.theme.px(12);
    const float label_width = canvas.measure(label, Font::body).x;
    canvas.text({row.x0, row.y0}, label, {Font::body, palette.muted, Align::left});
    canvas.text({row.x1, row.y0}, value, {Font::strong, change_color(palette, difference), Align::right});
    const std::string both = before_after_words(part, told.change);
    const float right = row.x1 - value_width - gap;
    if (right - canvas.measure(both, Font::body).x >= row.x0 + label_width + gap)
        canvas.text({right, row.y0}, both, {Font::body, palette.muted, Align::right});
    ui.probe.mark(told.id + "." + part.name, row, difference, value);
}

/// True if both change by a visible amount, in opposite directions.
bool oppose(double one, double other) {
    return one * other < 0 && std::min(std::abs(one), std::abs(other)) >= next_to_nothing;
}

/// Key of the numbers' title, which adds an explanation: why p and the logit move in opposite directions, or for which
/// class the loss is computed, since a picture may have no true class.
const char* title_key(const AnswerChange& change) {
    if (is_still_sure(change)) return "change.still_sure";
    if (oppose(change.probability(), change.logit())) return change.logit() > 0 ? "change.of_rose" : "change.of_fell";
    return "change.of_loss";
}

/// Shows a readout of every number before and after.
void tell_before_and_after(const Ui& ui, const AnswerChange& change, const std::string& title) {
    std::vector<std::string> lines = {title};
    for (const ChangePart& part : change_parts) {
        const std::string name = std::string("change.") + part.name;
        lines.push_back(ui.text(part.value == &ClassReading::loss ? "change.loss_of" : name) + ": " +
                        before_after_words(part, change));
    }
    lines.push_back("{muted|" + margin_words(ui, change) + "}");
    readout(ui, lines);
}

}  // namespace

std::optional<AnswerChange> change_of(const Result& now) {
    if (now.trace.head == now.baseline.head || now.model->config.classes == 0) return std::nullopt;
    return answer_change(*now.trace.head, *now.baseline.head);
}

bool is_still_sure(const AnswerChange& change) {
    constexpr double hardly = 0.01, sure = 0.98;
    return std::abs(change.probability()) < hardly && change.now.probability > sure;
}

bool margin_against_probability(const AnswerChange& change) { return oppose(change.margin(), change.probability()); }

std::string change_words(const Ui& ui, const AnswerChange& change, const char* key) {
    const auto words = [&](std::size_t part) { return difference_words(ui, change, change_parts[part]); };
    const bool brief = std::string_view(key) == "change.short";
    if (brief && oppose(change.probability(), change.logit()))
        key = change.logit() > 0 ? "change.short_rose" : "change.short_fell";
    return ui.text(key, {{"probability", words(0)}, {"logit", words(1)}, {"margin", words(2)}, {"loss", words(3)}});
}

std::string margin_words(const Ui& ui, const AnswerChange& change) {
    const char* key = "change.margin_is";
    if (oppose(change.margin(), change.logit()))
        key = change.logit() > 0 ? "change.margin_other_rose" : "change.margin_other_fell";
    else if (margin_against_probability(change))
        key = change.probability() < 0 ? "change.margin_others_rose" : "change.margin_others_fell";
    return ui.text(key);
}

float change_height(const Canvas& canvas, const Ui& ui, float width, ChangeParts shown) {
    return columns_of(canvas, ui, width, shown).height;
}

float change_figure(Canvas& canvas, const Ui& ui, Rect rect, const ChangeFigure& figure) {
    const Theme& theme = ui.theme;
    const ChangeColumns grid = columns_of(canvas, ui, rect.width(), figure.shown);
    const std::optional<AnswerChange> change = change_of(figure.now);
    if (!change) return grid.height;
    const std::string name = class_in_words(ui, *figure.now.model, change->chosen);
    const std::string title = ui.text("change.of", {{"class", name}});
    std::string longer = ui.text(title_key(*change), {{"class", name}});
    if (canvas.measure(longer, Font::caption).x > rect.width()) longer = title;
    canvas.text({rect.x0, rect.y0}, fitted(canvas, longer, Font::caption, rect.width()),
                {Font::caption, theme.palette.muted, Align::left});
    ui.probe.mark(figure.id + ".title", rect, 0, longer);
    const float top = rect.y0 + canvas.measure("", Font::caption).y + theme.px(3);
    int place = 0;
    for (const ChangePart& part : parts_shown(figure.shown)) {
        const float x = rect.x0 + (grid.width + grid.gap) * static_cast<float>(place % grid.columns),
                    y = top + grid.line * static_cast<float>(place / grid.columns);
        ++place;
        draw_part(canvas, ui, {x, y, x + grid.width, y + grid.line}, {part, *change, figure.id});
    }
    const Rect all{rect.x0, rect.y0, rect.x1, rect.y0 + grid.height};
    if (hot_area(ui, figure.id, all, change_words(ui, *change)).at) tell_before_and_after(ui, *change, title);
    return grid.height;
}

}  // namespace vitrine
