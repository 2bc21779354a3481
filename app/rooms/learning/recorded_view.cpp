#include "app/rooms/learning/recorded_view.h"

#include <algorithm>

#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "core/files/image.h"

namespace vitrine {

namespace {

/// The played part of a curve.
LearningCurve curve_until(LearningCurve curve, double last) {
    const auto cut = [&](std::vector<double>& at, std::initializer_list<std::vector<double>*> values) {
        at.erase(std::ranges::upper_bound(at, last), at.end());
        for (std::vector<double>* const v : values) v->resize(std::min(v->size(), at.size()));
    };
    cut(curve.seen, {&curve.loss, &curve.accuracy});
    cut(curve.checked, {&curve.unseen, &curve.training});
    return curve;
}

std::string pictures_text(double pictures) { return count_text(static_cast<std::int64_t>(pictures)); }

/// The result of a recorded run: accuracy on fresh pictures and on its own.
std::string outcome_words(const Ui& ui, const RunRecord& record) {
    const std::string fresh = percent_text(record.last);
    if (record.diverged) return ui.text("learn.recorded_diverged");
    if (!record.curve.parts())
        return ui.text("learn.recorded_outcome", {{"fresh", fresh}, {"count", count_text(RunRecord::thorough)}});
    return ui.text("learn.recorded_outcome_parts", {{"fresh", fresh},
                                                    {"count", count_text(RunRecord::thorough)},
                                                    {"check", count_text(RunRecord::at_a_check)},
                                                    {"training", percent_text(record.last_training)}});
}

}  // namespace

RunViews<Pictures> recorded_until(const RecordedPair& pair, float played) {
    RunViews<Pictures> views;
    for (const RunRecord& r : pair) {
        auto curve =
            std::make_shared<LearningCurve>(curve_until(r.curve, r.curve.seen.back() * static_cast<double>(played)));
        auto moment = std::make_shared<RunMoment<Pictures>>();
        if (!curve->seen.empty()) {
            moment->report.seen = static_cast<std::uint64_t>(curve->seen.back());
            moment->loss = curve->loss.back();
            moment->accuracy = curve->accuracy.back();
        }
        views.push_back({.recipe = r.recipe,
                         .stage = r.diverged ? RunStage::diverged : RunStage::paused,
                         .progress = static_cast<double>(played),
                         .examples_per_second = 0,
                         .now = std::move(moment),
                         .kept = {},
                         .curve = std::move(curve)});
    }
    return views;
}

void recorded_view(const LearningScene& scene, const RecordedPair& pair, const LearningState& state) {
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const Rect& a = scene.area;
    const float line = scene.canvas.measure("", Font::strong).y + theme.px(8);
    const std::string label = ui.text("learn.recorded_label", {{"day", pair[0].day},
                                                               {"pictures", pictures_text(pair[0].curve.seen.back())},
                                                               {"seed", std::to_string(pair[0].recipe.seed)}});
    scene.canvas.text({a.x0, a.y0}, fitted(scene.canvas, label, Font::strong, a.width()),
                      {Font::strong, theme.palette.accent, Align::left});
    const float foot = 4 * line;  // a name and a result for each run
    learning_curves(scene, {a.x0, a.y0 + line, a.x1, a.y1 - foot}, state, pair[0].curve.seen.back());
    float y = a.y1 - foot + theme.px(8);
    for (std::size_t i = 0; i < pair.size(); ++i) {
        const auto number = static_cast<int>(i);
        const std::string name = apart_name(ui, scene.runs, number) + " · " + ui.text("learn.recorded_one");
        scene.canvas.text({a.x0, y}, fitted(scene.canvas, name, Font::strong, a.width()),
                          {Font::strong, run_color(ui, number), Align::left});
        const RunMoment<Pictures>& now = *scene.runs[i].now;
        const std::string words =
            state.played >= 1
                ? outcome_words(ui, pair[i])
                : ui.text("learn.score", {{"pictures", pictures_text(static_cast<double>(now.report.seen))},
                                          {"accuracy", percent_text(now.accuracy)}});
        scene.canvas.text({a.x0, y + line}, fitted(scene.canvas, words, Font::body, a.width()),
                          {Font::body, theme.palette.text, Align::left});
        ui.probe.mark("learn.recorded." + std::to_string(i), {a.x0, y, a.x1, y + 2 * line},
                      state.played >= 1 ? pair[i].last : now.accuracy, words);
        y += 2 * line;
    }
    ui.probe.mark("learn.recorded", a, static_cast<double>(state.played), label);
}

}  // namespace vitrine
