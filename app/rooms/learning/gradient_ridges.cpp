#include "app/rooms/learning/gradient_ridges.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/rooms/figures/scene.h"
#include "app/rooms/learning/curve_names.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"

namespace vitrine {

namespace {

/// Marks the ratio of the gradients' norms, first block (the lowest ridge) to last block: a line from the last block's
/// root mean square down, then across to the first block's. All blocks have the same number of weights, so on the
/// logarithmic axis the ratio of the norms is the distance across.
struct RidgeRatio {
    Rect area;           // of the ridges
    float pitch;         // of a ridge
    float end, room;     // right end of the lowest ridge, and of the free space beside it
    double first, last;  // norms of the gradients
    int weights;         // in a block's matrices
    std::string tip;
};
void mark_ratio(const LearningScene& scene, const RidgeRatio& drawn, int number) {
    const auto& [area, pitch, end, room, first, last, weights, tip] = drawn;
    if (!(first > 0 && last > 0) || !std::isfinite(first / last)) return;
    const Theme& theme = scene.ui.theme;
    const auto x_of = [&](double norm) {
        const double exponent = std::log10(norm / std::sqrt(static_cast<double>(weights)));
        const double share = (exponent - BlockFlow::lowest) / (BlockFlow::highest - BlockFlow::lowest);
        return area.x0 + area.width() * static_cast<float>(std::clamp(share, 0.0, 1.0));
    };
    const float from = x_of(last), to = x_of(first), y = area.y1 - theme.px(1) - pitch / 2;
    const Color color = theme.palette.text;
    scene.canvas.line({from, area.y0}, {from, y}, color);
    scene.canvas.line({from, y}, {to, y}, color);
    scene.canvas.line({to, y}, {to, area.y1}, color);
    const std::string words = "× " + number_text(first / last);
    const float width = scene.canvas.measure(words, Font::caption).x, gap = theme.px(4);
    const float right = std::max({from, to, end}) + gap;
    const bool beside = right + width <= room;  // else above the line, on the panel's colour
    const float x = beside ? right : std::min(from, to) + gap, y1 = beside ? area.y1 : y - theme.px(2);
    const Rect label{x, y1 - scene.canvas.measure("", Font::caption).y, x + width, y1};
    if (!beside) scene.canvas.fill(label, theme.palette.panel.with_alpha(0.9F));
    scene.canvas.text({label.x0, label.y0}, words, {Font::caption, color, Align::left});
    const std::string id = "learn.flow." + std::to_string(number) + ".ratio";
    hot_area(scene.ui, id + ".tip", label, words);
    tooltip(scene.ui, tip);
    scene.ui.probe.mark(id, label, first / last, words);
    scene.ui.probe.mark(id + ".line", {std::min(from, to), y, std::max(from, to), y + 1});
}

/// True if a block's ridge has its number and norms beside it: every ridge if ridges are as high as a line of text,
/// else the first, the last and every fourth.
bool is_numbered(std::size_t block, std::size_t blocks, float pitch, float words) {
    const auto room = [&](std::size_t ridges) { return pitch * static_cast<float>(ridges) >= 0.9F * words; };
    if (room(1) || block == 1) return true;
    if (block == blocks) return room(blocks - 1);
    return block % 4 == 0 && room(block - 1) && room(blocks - block) && room(4);
}

/// The longest title that fits both runs, with the range of each over its moments.
std::string title_of_ridges(const LearningScene& scene, std::size_t number, const LearningState& state, float room) {
    const Text& text = scene.ui.text;
    std::string title = text("learn.gradients");
    struct Ratio {
        std::string last, range;
    };
    std::vector<Ratio> ratios;
    for (std::size_t run = 0; run < scene.runs.size(); ++run) {
        const auto moment = scene.runs[run].at(state.scrub);
        const std::size_t blocks = moment ? moment->blocks.size() : 0;
        ratios.push_back(
            {scene.ui.ordinal(static_cast<int>(blocks) - 1), blocks > 1 ? range_of_ridges(scene, run) : std::string()});
    }
    if (ratios[number].range.empty()) return title;
    for (const char* const key : {"learn.gradients_range_least", "learn.gradients_range_brief",
                                  "learn.gradients_range_short", "learn.gradients_range"}) {
        const auto words = [&](const Ratio& r) {
            return text(key, {{"first", scene.ui.ordinal(0)}, {"last", r.last}, {"range", r.range}});
        };
        if (std::ranges::all_of(ratios, [&](const Ratio& r) {
                return r.range.empty() || scene.canvas.measure(words(r), Font::caption).x <= room;
            }))
            title = words(ratios[number]);
    }
    return title;
}

}  // namespace

void gradient_ridges(const LearningScene& scene, Rect rect, int number, const LearningState& state) {
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const auto moment = scene.runs[static_cast<std::size_t>(number)].at(state.scrub);
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(2);
    const auto blocks = moment->blocks.size();
    const float label = theme.px(26), norms = theme.px(70), numbers = rect.width() > theme.px(320) ? theme.px(200) : 0;
    const float title_room = rect.width() - (numbers > 0 ? theme.px(130) : 0);  // left of the norms' names
    const std::string title = title_of_ridges(scene, static_cast<std::size_t>(number), state, title_room);
    scene.canvas.text({rect.x0, rect.y0}, fitted(scene.canvas, title, Font::caption, title_room),
                      {Font::caption, theme.palette.text, Align::left});
    ui.probe.mark("learn.flow." + std::to_string(number) + ".title", rect, 0, title);
    const Rect area{rect.x0 + label, rect.y0 + line, rect.x1 - numbers, rect.y1 - line};
    const auto x_of = [&](double exponent) {
        return area.x0 + area.width() * static_cast<float>((exponent - BlockFlow::lowest) /
                                                           (BlockFlow::highest - BlockFlow::lowest));
    };
    const int every_power = area.width() > theme.px(260) ? 2 : 4;
    for (int exponent = -8; exponent <= 0; exponent += every_power) {
        scene.canvas.line({x_of(exponent), area.y0}, {x_of(exponent), area.y1}, theme.palette.line);
        scene.canvas.text({x_of(exponent), area.y1 + theme.px(1)}, power_text(exponent),
                          {Font::caption, theme.palette.muted, Align::centre});
    }
    if (numbers > 0) {
        scene.canvas.text({rect.x1 - norms, rect.y0}, "‖∂w‖", {Font::caption, theme.palette.muted, Align::right});
        scene.canvas.text({rect.x1, rect.y0}, "‖w‖", {Font::caption, theme.palette.muted, Align::right});
    }
    const float pitch = area.height() / static_cast<float>(blocks), words = scene.canvas.measure("", Font::caption).y;
    int bars = 0;
    float end = area.x0;  // right end of the lowest ridge, drawn last
    float widest = 0;     // width of the widest gradient norm
    for (std::size_t i = 0; i < blocks; ++i) {
        const BlockFlow& flow = moment->blocks[blocks - 1 - i];
        const float base = area.y0 + pitch * static_cast<float>(i + 1) - theme.px(1);
        const float most = *std::max_element(flow.gradients.begin(), flow.gradients.end());
        const float bin = area.width() / BlockFlow::bins;
        const bool learns = most > 0 && flow.gradient_norm > 0;  // before the first step every gradient is 0
        for (int b = 0; b < BlockFlow::bins && learns; ++b) {
            const float height = pitch * 0.9F * flow.gradients[static_cast<std::size_t>(b)] / most;
            const float x = area.x0 + bin * static_cast<float>(b);
            if (height <= 0.5F) continue;
            scene.canvas.fill({x, base - height, x + bin + 0.5F, base}, run_color(ui, number).with_alpha(0.75F));
            ++bars;
            if (i + 1 == blocks) end = x + bin;
        }
        scene.canvas.line({area.x0, base}, {area.x1, base}, theme.palette.line);
        if (!is_numbered(blocks - i, blocks, pitch, words)) continue;
        const float top = base - std::min(pitch, words);
        scene.canvas.text({rect.x0, top}, std::to_string(blocks - i),
                          {Font::caption, theme.palette.muted, Align::left});
        if (numbers <= 0) continue;
        const std::string norm = number_text(flow.gradient_norm);
        widest = std::max(widest, scene.canvas.measure(norm, Font::caption).x);
        scene.canvas.text({rect.x1 - norms, top}, norm, {Font::caption, theme.palette.text, Align::right});
        scene.canvas.text({rect.x1, top}, number_text(flow.weight_norm),
                          {Font::caption, theme.palette.text, Align::right});
    }
    const double lowest = moment->blocks.front().gradient_norm, highest = moment->blocks.back().gradient_norm;
    const Config& c = scene.runs[static_cast<std::size_t>(number)].recipe.model;
    const int weights = 4 * c.embedding_dim * c.embedding_dim + 2 * c.embedding_dim * c.mlp_dim;
    const float room = numbers > 0 ? rect.x1 - norms - widest - theme.px(12) : area.x1 + theme.px(18);
    const std::string over_run = blocks > 1 ? range_of_ridges(scene, static_cast<std::size_t>(number)) : "";
    const std::string tip =
        ui.text(over_run.empty() ? "learn.ratio_tip" : "learn.ratio_tip_range",
                {{"first", ui.ordinal(0)}, {"last", ui.ordinal(static_cast<int>(blocks) - 1)}, {"range", over_run}});
    if (blocks > 1) mark_ratio(scene, {area, pitch, end, room, lowest, highest, weights, tip}, number);
    ui.probe.mark("learn.flow." + std::to_string(number) + ".bars", area, bars);
    ui.probe.mark("learn.flow." + std::to_string(number), rect, lowest,
                  number_text(lowest) + " / " + number_text(highest));
}

std::string range_of_ridges(const LearningScene& scene, std::size_t run) {
    std::vector<double> ratios;
    const auto take = [&](const auto& moment) {
        if (moment.blocks.empty()) return;
        const double first = moment.blocks.front().gradient_norm, last = moment.blocks.back().gradient_norm;
        if (first > 0 && last > 0) ratios.push_back(first / last);
    };
    if (scene.recorded)
        for (const RecordedSight& sight : (*scene.recorded)[run].sights) take(sight);
    else
        for (const auto& moment : scene.runs[run].kept) take(*moment);
    if (ratios.empty()) return {};
    const auto [least, most] = std::ranges::minmax(ratios);
    if (ratios.size() == 1) return number_text(least);  // a restored run keeps its last moment alone
    return number_text(least) + " … " + number_text(most);
}

}  // namespace vitrine
