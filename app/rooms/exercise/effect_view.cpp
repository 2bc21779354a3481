#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/rooms/exercise/effect.h"
#include "app/rooms/exercise/exercise_views.h"
#include "app/rooms/exercise/text_effect.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/memo.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/workspace.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

/// The result with both runs; null until the run with the mistake is there.
const Result* result_of(const ExerciseFrame& e) {
    const Result* const shown = e.frame.shown().result.get();
    if (e.row.mistake == nullptr) return shown;
    const std::optional<Snapshot>& with = e.frame.workspace.exercise;
    if (!with || !with->result || with->result->model != shown->model || with->result->image != shown->image)
        return nullptr;
    const bool same = with->result->experiment.what_ifs == e.row.mistake(shown->model->config);
    return same ? with->result.get() : nullptr;
}

BothRuns runs_of(const ExerciseFrame& e, const Result& now) {
    return {*now.model, e.row.mistake == nullptr ? now.baseline : now.trace, now.baseline, e.frame.selection.focus};
}

std::string cells_words(const ExerciseFrame& e, const char* key) {
    const Focus& f = e.frame.selection.focus;
    return e.frame.ui.text(key, {{"block", e.frame.ui.ordinal(f.block - 1)},
                                 {"head", e.frame.ui.ordinal(f.head)},
                                 {"token", short_token_name(e.frame.ui, *e.frame.shown().result, f.token)}});
}

/// The largest value in both runs, for a common scale.
float reach_of_both(const Result& now, const Focus& f, Drawn drawn) {
    const auto block = static_cast<std::size_t>(f.block - 1), head = static_cast<std::size_t>(f.head);
    const AttentionReach &a = *now.measures.reach[block], &b = *now.baseline_measures.reach[block];
    const float reach = drawn == Drawn::scores ? std::max(a.scores[head], b.scores[head])
                                               : std::max(a.attention[head], b.attention[head]);
    return reach > 0 ? reach : 1.0F;
}

float largest_value(const Tensor3& v, int head) {
    const std::size_t size = v.shape()[1] * v.shape()[2];
    return reach_of({&v(static_cast<std::size_t>(head), 0, 0), size});
}

/// A head's matrix: scores, attention or values.
void draw_matrix(const ExerciseFrame& e, const BothRuns& runs, const Result& now, const EffectSide& side) {
    const Ui& ui = e.frame.ui;
    const Focus& f = e.frame.selection.focus;
    const auto block = (side.broken ? runs.broken : runs.repaired).block(f.block), clean = runs.repaired.block(f.block),
               other = runs.broken.block(f.block);
    const auto head = static_cast<std::size_t>(f.head);
    const bool scores = e.row.drawn == Drawn::scores, values = e.row.drawn == Drawn::values;
    const Tensor3& t = values ? block->v : scores ? block->scores : block->attention;
    const float reach = values ? std::max(largest_value(clean->v, f.head), largest_value(other->v, f.head))
                               : reach_of_both(now, f, e.row.drawn);
    const ColourScale scale = scores || values ? ColourScale{ColourMap::diverging, -reach, reach}
                                               : ColourScale{ColourMap::sequential, 0, reach};
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Rect& r = side.rect;
    const float bar = colour_bar(canvas, ui, {r.x0, r.y1 - ui.theme.px(64), r.x1, r.y1},
                                 {scale,
                                  cells_words(e, values   ? "exercise.values"
                                                 : scores ? "exercise.scores"
                                                          : "exercise.attention"),
                                  {}});
    const HeatFigure figure{
        {&t(head, 0, 0), static_cast<int>(t.shape()[1]), static_cast<int>(t.shape()[2]), scale}, {}, {}, !values};
    const Rect cells =
        heat_figure(canvas, ui, {r.x0, r.y0, r.x1, r.y1 - std::max(bar, ui.theme.px(64)) - ui.theme.px(6)}, figure);
    ui.probe.mark(side.id, cells, static_cast<double>(t(head, 0, 1)));
}

/// Lengths as bars, one for each ℓ.
void draw_lengths(Canvas& canvas, const Ui& ui, Rect bars, const std::vector<float>& values, float reach) {
    const Theme& theme = ui.theme;
    const float line = canvas.measure("", Font::caption).y, low = bars.y1 - line - theme.px(4);
    const float each = bars.width() / static_cast<float>(values.size()), gap = std::min(theme.px(6), each * 0.2F);
    canvas.fill({bars.x0, bars.y0, bars.x1, low}, theme.palette.raised, theme.px(4));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float x = bars.x0 + each * static_cast<float>(i), height = (low - bars.y0) * values[i] / reach;
        canvas.fill({x + gap / 2, low - height, x + each - gap / 2, low}, theme.palette.residual);
        const std::string level = std::to_string(i);
        if (canvas.measure(level, Font::caption).x < each)
            canvas.text({x + each / 2, low + theme.px(3)}, level, {Font::caption, theme.palette.muted, Align::centre});
    }
}

/// A vector as bars with its title.
void draw_vector(const ExerciseFrame& e, const EffectSide& side, const std::vector<float>& values, float reach) {
    const Ui& ui = e.frame.ui;
    const bool lengths = e.row.drawn == Drawn::lengths;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const std::string words = cells_words(e, lengths ? "exercise.lengths" : "exercise.features");
    const RichText below{words + (lengths ? " · 0 … " : " · ±") + number_text(static_cast<double>(reach)),
                         Font::caption, ui.theme.palette.muted};
    const float height = measure_rich(canvas, below, side.rect.width()).y;
    const Rect bars{side.rect.x0, side.rect.y0, side.rect.x1, side.rect.y1 - height - ui.theme.px(4)};
    if (lengths)
        draw_lengths(canvas, ui, bars, values, reach);
    else
        feature_bars(canvas, ui, bars, {values, reach});
    rich_text(canvas, ui, {bars.x0, bars.y1 + ui.theme.px(4), bars.x1, side.rect.y1}, below);
    ui.probe.mark(side.id, bars, static_cast<double>(values.back()));
}

void draw_printed(const ExerciseFrame& e, const EffectSide& side, const Config& config) {
    printed_lines(e, side, printed_by(e.row.exercise, config, side.broken));
}

void draw_side(const ExerciseFrame& e, const Result& now, const EffectSide& side) {
    const BothRuns runs = runs_of(e, now);
    const Focus& f = e.frame.selection.focus;
    const auto larger = [](const std::vector<float>& a, const std::vector<float>& b) {
        return std::max(reach_of(a), reach_of(b));
    };
    switch (e.row.drawn) {
        case Drawn::scores:
        case Drawn::attention:
        case Drawn::values: return draw_matrix(e, runs, now, side);
        case Drawn::lengths: {
            const std::vector<float> broken = token_lengths(runs.broken, f.token),
                                     repaired = token_lengths(runs.repaired, f.token);
            return draw_vector(e, side, side.broken ? broken : repaired, larger(broken, repaired));
        }
        case Drawn::features: {
            const std::vector<float> broken = normalised_features(e.row.exercise, runs, true),
                                     repaired = normalised_features(e.row.exercise, runs, false);
            return draw_vector(e, side, side.broken ? broken : repaired, larger(broken, repaired));
        }
        case Drawn::printed: return draw_printed(e, side, now.model->config);
        case Drawn::words: return;  // for text
    }
}

/// The runs of an exercise, on a picture or a text; both null until they are there.
struct Ran {
    const Result* picture = nullptr;
    const TextResult* text = nullptr;

    bool there() const { return picture != nullptr || text != nullptr; }
};
Ran ran_of(const ExerciseFrame& e) { return e.row.text ? Ran{nullptr, text_result_of(e)} : Ran{result_of(e), nullptr}; }

/// Reports numbers that are 0 up to rounding as 0.
std::string number_words(const Compared& number, double value) {
    constexpr double rounding = 1e-6;
    switch (number.unit) {
        case Compared::Unit::number: return value != 0 && std::abs(value) < rounding ? "≈ 0" : number_text(value);
        case Compared::Unit::fraction: return percent_text(value);
        case Compared::Unit::count: return count_text(std::lround(value));
    }
    return "";
}

const std::vector<Compared>& numbers_of(const ExerciseFrame& e, const Ran& ran) {
    static Memo<std::vector<Compared>> memo;
    const Focus& f = e.frame.selection.focus;
    std::uint64_t key = static_cast<std::uint64_t>(place_of(e.row.exercise));
    for (const int part : {f.block, f.head, f.token}) key = key * 4096 + static_cast<std::uint64_t>(part);
    if (ran.text != nullptr)
        return memo.of(e.frame.workspace.text_exercise.result, key, [&] {
            return compared_numbers(e.row.exercise, TextRuns{*e.row.text, *ran.text, f});
        });
    const auto stage = e.row.mistake == nullptr ? e.frame.shown().result : e.frame.workspace.exercise->result;
    return memo.of(stage, key, [&] { return compared_numbers(e.row.exercise, runs_of(e, *ran.picture)); });
}

/// Name of a number, with its class, head, token or word.
std::string name_of_number(const ExerciseFrame& e, const Ran& ran, const std::string& name) {
    const Ui& ui = e.frame.ui;
    const Focus& f = e.frame.selection.focus;
    const std::string id = "exercise.number." + name;
    if (ran.text != nullptr)
        return ui.text(id, {{"count", count_text(static_cast<long>(ran.text->plain.decoded.steps.size()))}});
    std::string best;
    const Model& model = *ran.picture->model;
    if (model.config.classes > 0)
        best = class_name(ui, model, top_predictions(*ran.picture->baseline.head, 1).front().index);
    return ui.text(
        id, {{"class", best}, {"head", ui.ordinal(f.head)}, {"token", short_token_name(ui, *ran.picture, f.token)}});
}

/// A row for each number: name, with the mistake, repaired. Returns the height.
float draw_numbers(const ExerciseFrame& e, const Ran& ran, Rect rect) {
    const Ui& ui = e.frame.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float line = theme.px(28), first = rect.x1 - theme.px(250), second = rect.x1 - theme.px(8);
    float y = rect.y0;
    for (const Compared& number : numbers_of(e, ran)) {
        canvas.text({rect.x0, y},
                    fitted(canvas, name_of_number(e, ran, number.name), Font::body, first - rect.x0 - theme.px(110)),
                    {Font::body, theme.palette.muted, Align::left});
        canvas.text({first, y}, number_words(number, number.broken), {Font::mono, theme.palette.text, Align::right});
        const std::string after = e.task() == Task::done ? number_words(number, number.repaired) : "?";
        canvas.text({second, y}, after, {Font::mono, theme.palette.value, Align::right});
        ui.probe.mark("exercise.number." + number.name, {rect.x0, y, rect.x1, y + line}, number.broken, after);
        y += line;
    }
    return y - rect.y0;
}

void draw_words(const ExerciseFrame& e, Rect rect, const std::string& words) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), e.frame.ui);
    rich_text(canvas, e.frame.ui, rect, {words, Font::body, e.frame.ui.theme.palette.muted});
}

/// Reports that the run with the mistake is in progress, or why there is none.
std::string waiting_words(const ExerciseFrame& e) {
    const TextShown& text = e.frame.workspace.text_exercise;
    if (e.row.text && text.result && text.result->empty()) return e.frame.ui.text("exercise.no_words");
    const std::optional<Snapshot>& with = e.frame.workspace.exercise;
    return !e.row.text && with && with->failure ? with->failure->message : e.frame.ui.text("exercise.running");
}

}  // namespace

void printed_lines(const ExerciseFrame& e, const EffectSide& side, const Printed& said) {
    const Ui& ui = e.frame.ui;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float line = canvas.measure("0", Font::mono).y * 1.3F;
    float y = side.rect.y0 + ui.theme.px(10);
    std::string all;
    for (const std::string& words : said.lines) {
        canvas.text({side.rect.x0 + ui.theme.px(12), y}, fitted(canvas, words, Font::mono, side.rect.width()),
                    {Font::mono, ui.theme.palette.text, Align::left});
        y += line;
        all += words + "\n";
    }
    y += rich_text(canvas, ui, {side.rect.x0 + ui.theme.px(12), y, side.rect.x1, side.rect.y1},
                   {said.error, Font::strong, ui.theme.palette.danger});
    ui.probe.mark(side.id, {side.rect.x0, side.rect.y0, side.rect.x1, y}, said.error.empty() ? 0 : 1, all + said.error);
}

void exercise_effect(const ExerciseFrame& e) {
    const Ui& ui = e.frame.ui;
    const Theme& theme = ui.theme;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = theme.px(24), half = (room.x - gap) / 2, top = theme.px(30);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Rect all{at.x, at.y, at.x + room.x, at.y + std::max(room.y, theme.px(120))};
    if (e.task() == Task::predict) return draw_words(e, all, ui.text("exercise.predict_first"));
    const Ran ran = ran_of(e);
    if (!ran.there()) return draw_words(e, all, waiting_words(e));
    const float count = static_cast<float>(numbers_of(e, ran).size());
    const float numbers = count * theme.px(28) + (count > 0 ? theme.px(10) : 0);
    const Rect left{all.x0, all.y0 + top, all.x0 + half, all.y1 - numbers},
        right{all.x0 + half + gap, left.y0, all.x1, left.y1};
    canvas.text({left.x0, all.y0}, ui.text("exercise.as_it_stands"), {Font::strong, theme.palette.danger, Align::left});
    canvas.text({right.x0, all.y0}, ui.text("exercise.repaired"), {Font::strong, theme.palette.value, Align::left});
    const auto draw = [&](const EffectSide& side) {
        if (ran.text != nullptr)
            text_side(e, *ran.text, side);
        else
            draw_side(e, *ran.picture, side);
    };
    draw({"exercise.broken", left, true});
    if (e.task() == Task::done)
        draw({"exercise.repaired", right, false});
    else
        draw_words(e, right, ui.text("exercise.repair_first"));
    draw_numbers(e, ran, {all.x0, left.y1 + theme.px(10), all.x1, all.y1});
}

}  // namespace vitrine
