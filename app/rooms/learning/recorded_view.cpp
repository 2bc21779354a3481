#include "app/rooms/learning/recorded_view.h"

#include <algorithm>
#include <iterator>

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

/// The number of pictures that a run has seen at the played share 0 … 1 of its recording; at least the number at the
/// first look inside the model.
double seen_at(const RunRecord& record, float played) {
    const double first = record.sights.empty() ? record.curve.seen.front() : record.sights.front().seen;
    return std::max(first, record.curve.seen.back() * static_cast<double>(played));
}

/// The last recorded look inside the model up to the played share; null if there is none.
const RecordedSight* sight_at(const RunRecord& record, float played) {
    const double seen = seen_at(record, played);
    const auto later = std::ranges::find_if(record.sights, [&](const auto& sight) { return sight.seen > seen; });
    return later == record.sights.begin() ? nullptr : &*std::prev(later);
}

std::string pictures_text(double pictures) { return count_text(static_cast<std::int64_t>(pictures)); }

}  // namespace

RunViews<Pictures> recorded_until(const RecordedPair& pair, float played) {
    RunViews<Pictures> views;
    for (const RunRecord& r : pair) {
        auto curve = std::make_shared<LearningCurve>(curve_until(r.curve, seen_at(r, played)));
        auto moment = std::make_shared<RunMoment<Pictures>>();
        if (!curve->seen.empty()) {
            moment->report.seen = static_cast<std::uint64_t>(curve->seen.back());
            moment->loss = curve->loss.back();
            moment->accuracy = curve->accuracy.back();
        }
        if (const RecordedSight* const sight = sight_at(r, played)) static_cast<PictureSight&>(*moment) = *sight;
        views.push_back({.recipe = r.recipe,
                         .stage = r.diverged && played >= 1 ? RunStage::diverged : RunStage::paused,
                         .progress = static_cast<double>(played),
                         .examples_per_second = 0,
                         .now = std::move(moment),
                         .kept = {},
                         .curve = std::move(curve)});
    }
    return views;
}

void recorded_view(const LearningScene& scene, const LearningState& state) {
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const Rect& a = scene.area;
    const RunRecord& first = scene.recorded->front();
    const float line = scene.canvas.measure("", Font::strong).y + theme.px(8);
    std::string label = ui.text("learn.recorded_label", {{"day", first.day},
                                                         {"pictures", pictures_text(first.curve.seen.back())},
                                                         {"seed", std::to_string(first.recipe.seed)}});
    if (const RecordedSight* const sight = sight_at(first, state.played))
        label += " · " + ui.text("learn.recorded_inside", {{"pictures", pictures_text(sight->seen)}});
    scene.canvas.text({a.x0, a.y0}, fitted(scene.canvas, label, Font::strong, a.width()),
                      {Font::strong, theme.palette.accent, Align::left});
    LearningScene below{ui, scene.canvas, {a.x0, a.y0 + line, a.x1, a.y1}, scene.runs, scene.examples, scene.recorded};
    learning_view(below, state);
    ui.probe.mark("learn.recorded", a, static_cast<double>(state.played), label);
}

}  // namespace vitrine
