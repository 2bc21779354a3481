#include "app/rooms/figures/change_figure.h"

#include <array>

#include "app/rooms/figures/scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
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
    bool share = false;  // a fraction
};
constexpr std::array change_parts = {
    ChangePart{"probability", &ClassReading::probability, true}, ChangePart{"logit", &ClassReading::logit},
    ChangePart{"margin", &ClassReading::margin}, ChangePart{"loss", &ClassReading::loss}};

double difference_in(const AnswerChange& change, const ChangePart& part) {
    return change.now.*part.value - change.before.*part.value;
}

std::string difference_words(const AnswerChange& change, const ChangePart& part) {
    const double difference = difference_in(change, part);
    return part.share ? share_change_text(difference) : signed_text(difference);
}

/// Every number before and after.
void tell_before_and_after(const Ui& ui, const AnswerChange& change, const std::string& title) {
    std::vector<std::string> lines = {title};
    for (const ChangePart& part : change_parts) {
        const auto words = [&](double x) { return part.share ? percent_text(x) : number_text(x); };
        lines.push_back(ui.text(std::string("change.") + part.name) + ": " + words(change.before.*part.value) + " → " +
                        words(change.now.*part.value));
    }
    readout(ui, lines);
}

}  // namespace

std::optional<AnswerChange> change_of(const Result& now) {
    if (now.trace.head == now.baseline.head || now.model->config.classes == 0) return std::nullopt;
    return answer_change(*now.trace.head, *now.baseline.head);
}

std::string change_words(const Ui& ui, const AnswerChange& change) {
    const auto words = [&](std::size_t part) { return difference_words(change, change_parts[part]); };
    return ui.text("change.words",
                   {{"probability", words(0)}, {"logit", words(1)}, {"margin", words(2)}, {"loss", words(3)}});
}

float change_figure(Canvas& canvas, const Ui& ui, Rect rect, const Result& now, const std::string& id) {
    const Theme& theme = ui.theme;
    const float line = canvas.measure("", Font::caption).y, gap = theme.px(16);
    const std::size_t columns = rect.width() >= theme.px(560) ? 4 : 2;
    const float height = line * (1 + static_cast<float>(change_parts.size() / columns)) + theme.px(8);
    const std::optional<AnswerChange> change = change_of(now);
    if (!change) return height;
    const std::string title = ui.text("change.of", {{"class", class_name(ui, *now.model, change->chosen)}});
    canvas.text({rect.x0, rect.y0}, fitted(canvas, title, Font::caption, rect.width()),
                {Font::caption, theme.palette.muted, Align::left});
    const float width = (rect.width() - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    for (std::size_t i = 0; i < change_parts.size(); ++i) {
        const ChangePart& part = change_parts[i];
        const float x = rect.x0 + (width + gap) * static_cast<float>(i % columns),
                    y = rect.y0 + line * (1 + static_cast<float>(i / columns)) + theme.px(3);
        const std::string value = difference_words(*change, part);
        const std::string label = part.share ? "p" : ui.text(std::string("change.") + part.name);
        const float value_width = canvas.measure(value, Font::caption).x;
        canvas.text({x, y}, fitted(canvas, label, Font::caption, width - value_width - theme.px(6)),
                    {Font::caption, theme.palette.muted, Align::left});
        canvas.text({x + width, y}, value,
                    {Font::caption, change_color(theme.palette, difference_in(*change, part)), Align::right});
        ui.probe.mark(id + "." + part.name, {x, y, x + width, y + line}, difference_in(*change, part), value);
    }
    const Rect all{rect.x0, rect.y0, rect.x1, rect.y0 + height};
    if (hot_area(ui, id, all, change_words(ui, *change), Reach::part).at) tell_before_and_after(ui, *change, title);
    return height;
}

}  // namespace vitrine
