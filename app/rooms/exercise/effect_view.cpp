#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/rooms/exercise/effect.h"
#include "app/rooms/exercise/exercise_views.h"
#include "app/rooms/exercise/text_effect.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/memo.h"
#include "app/rooms/panels/foreign.h"
#include "app/rooms/state.h"
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

/// The result with both runs; null until the run with the mistake is finished.
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

/// The largest value in both runs, the end of their common scale.
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

/// The largest square at the upper left of a rectangle.
Rect square_in(Rect rect) {
    const float side = std::max(0.0F, std::min(rect.width(), rect.height()));
    return {rect.x0, rect.y0, rect.x0 + side, rect.y0 + side};
}

/// Caption of the matrices: "attention of block 1, head 1".
std::string matrix_words(const ExerciseFrame& e) {
    return cells_words(e, e.row.drawn == Drawn::values   ? "exercise.values"
                          : e.row.drawn == Drawn::scores ? "exercise.scores"
                                                         : "exercise.attention");
}

/// True for a picture of a head's matrix.
bool is_matrix(Drawn drawn) { return drawn == Drawn::scores || drawn == Drawn::attention || drawn == Drawn::values; }

/// The scale that both matrices share.
ColourScale scale_of_matrices(const ExerciseFrame& e, const Result& now) {
    const Focus& f = e.frame.selection.focus;
    const BothRuns runs = runs_of(e, now);
    const bool values = e.row.drawn == Drawn::values;
    const float reach = values ? std::max(largest_value(runs.repaired.block(f.block)->v, f.head),
                                          largest_value(runs.broken.block(f.block)->v, f.head))
                               : reach_of_both(now, f, e.row.drawn);
    return e.row.drawn == Drawn::attention ? ColourScale{ColourMap::sequential, 0, reach}
                                           : ColourScale{ColourMap::diverging, -reach, reach};
}

/// Draws a head's matrix into its rectangle: scores, attention or values.
void draw_matrix(const ExerciseFrame& e, const Result& now, const EffectSide& side) {
    const Ui& ui = e.frame.ui;
    const Focus& f = e.frame.selection.focus;
    const BothRuns runs = runs_of(e, now);
    const auto block = (side.broken ? runs.broken : runs.repaired).block(f.block);
    const auto head = static_cast<std::size_t>(f.head);
    const Tensor3& t = e.row.drawn == Drawn::values   ? block->v
                       : e.row.drawn == Drawn::scores ? block->scores
                                                      : block->attention;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const HeatMap map{&t(head, 0, 0), static_cast<int>(t.shape()[1]), static_cast<int>(t.shape()[2]),
                      scale_of_matrices(e, now)};
    ui.probe.mark(side.id, heat_figure(canvas, ui, side.rect, {map, {}, {}, false}),
                  static_cast<double>(t(head, 0, 1)));
}

/// Draws lengths as bars, one for each ℓ.
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

/// Draws a vector as bars with its title.
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
    if (is_matrix(e.row.drawn)) return draw_matrix(e, now, side);
    const auto larger = [](const std::vector<float>& a, const std::vector<float>& b) {
        return std::max(reach_of(a), reach_of(b));
    };
    switch (e.row.drawn) {
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
        case Drawn::scores:
        case Drawn::attention:
        case Drawn::values:
        case Drawn::words: return;  // matrices are drawn above, words for text
    }
}

/// The finished runs of an exercise, on a picture or a text; both null before.
struct Ran {
    const Result* picture = nullptr;
    const TextResult* text = nullptr;

    bool finished() const { return picture != nullptr || text != nullptr; }
};
Ran ran_of(const ExerciseFrame& e) { return e.row.text ? Ran{nullptr, text_result_of(e)} : Ran{result_of(e), nullptr}; }

/// A number in its unit; "≈ 0" if it is 0 up to rounding.
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

bool is_narrow(const ExerciseFrame& e, float width) { return width < e.frame.ui.theme.px(480); }

/// The number of rows of numbers below figures in the given height: all; in a lecture, whose type is large, only the
/// first ones that leave the figures half of the height.
std::size_t numbers_below(const ExerciseFrame& e, const Ran& ran, float height) {
    const Theme& theme = e.frame.ui.theme;
    std::size_t count = numbers_of(e, ran).size();
    if (!e.frame.state().lecture.on) return count;
    while (count > 1 && height - theme.px(112) - theme.px(28) * static_cast<float>(count) < height / 2) --count;
    return count;
}

/// The right edges of the numbers' columns: with the mistake, repaired.
struct NumberColumns {
    float broken = 0, repaired = 0;
};
NumberColumns number_columns(const ExerciseFrame& e, Rect rect) {
    const Theme& theme = e.frame.ui.theme;
    const bool narrow = is_narrow(e, rect.width());
    return {narrow ? rect.x0 + rect.width() * 0.5F : rect.x1 - theme.px(250), rect.x1 - theme.px(8)};
}

/// Height of a number's row, without the line of its name in a narrow rectangle.
float line_of_number(const ExerciseFrame& e, float width) {
    return e.frame.ui.theme.px(is_narrow(e, width) ? 24.0F : 28.0F);
}

/// Draws a row for each number, at most `most` rows: name, with the mistake, repaired. In a narrow rectangle the name
/// has its own line.
void draw_numbers(const ExerciseFrame& e, const Ran& ran, Rect rect, std::size_t most) {
    const Ui& ui = e.frame.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const bool narrow = is_narrow(e, rect.width());
    const float line = line_of_number(e, rect.width());
    const auto [first, second] = number_columns(e, rect);
    float y = rect.y0;
    const std::vector<Compared>& all = numbers_of(e, ran);
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
        const Compared& number = all[i];
        const float top = y, room = first - rect.x0 - theme.px(110);
        const std::string name = name_of_number(e, ran, number.name);
        const RichText named{name, Font::body, theme.palette.muted, Align::left};
        if (narrow)
            y += rich_text(canvas, ui, {rect.x0, y, rect.x1, rect.y1}, named);
        else if (measure_rich(canvas, named, 1e6F).x <= room)
            rich_text(canvas, ui, {rect.x0, y, rect.x0 + room, rect.y1}, named);
        else
            canvas.text({rect.x0, y}, fitted(canvas, without_markup(name), Font::body, room),
                        {Font::body, theme.palette.muted, Align::left});
        // Not in the typeface for code, whose minus sign is as short as a hyphen.
        canvas.text({first, y}, number_words(number, number.broken), {Font::body, theme.palette.text, Align::right});
        const std::string after = e.task() == Task::done ? number_words(number, number.repaired) : "?";
        canvas.text({second, y}, after, {Font::body, theme.palette.value, Align::right});
        ui.probe.mark("exercise.number." + number.name, {rect.x0, top, rect.x1, y + line}, number.broken, after);
        y += line;
    }
}

/// Height of all numbers' rows.
float height_of_numbers(const ExerciseFrame& e, const Ran& ran, float width) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), e.frame.ui);
    const float line = line_of_number(e, width);
    float height = 0;
    for (const Compared& number : numbers_of(e, ran))
        height +=
            line +
            (is_narrow(e, width)
                 ? measure_rich(canvas, {name_of_number(e, ran, number.name), Font::body, {}, Align::left}, width).y
                 : 0);
    return height;
}

void draw_words(const ExerciseFrame& e, Rect rect, const std::string& words) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), e.frame.ui);
    rich_text(canvas, e.frame.ui, rect, {words, Font::body, e.frame.ui.theme.palette.muted});
}

/// Says that the run with the mistake is in progress, or why there is none.
std::string waiting_words(const ExerciseFrame& e) {
    const TextShown& text = e.frame.workspace.text_exercise;
    if (e.row.text && text.result && text.result->empty()) return e.frame.ui.text("exercise.no_words");
    const std::optional<Snapshot>& with = e.frame.workspace.exercise;
    return !e.row.text && with && with->failure ? with->failure->message : e.frame.ui.text("exercise.running");
}

void draw_titles(const ExerciseFrame& e, float left, float right, float y) {
    const Theme& theme = e.frame.ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), e.frame.ui);
    canvas.text({left, y}, e.frame.ui.text("exercise.as_it_stands"), {Font::strong, theme.palette.danger, Align::left});
    canvas.text({right, y}, e.frame.ui.text("exercise.repaired"), {Font::strong, theme.palette.value, Align::left});
}

/// Draws the numbers alone, as many as fit, at least one: on a low lecture screen the code leaves no room for a picture
/// before the repair.
void draw_numbers_alone(const ExerciseFrame& e, const Ran& ran, Rect all) {
    const Ui& ui = e.frame.ui;
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const auto [broken, repaired] = number_columns(e, all);
    canvas.text({broken, all.y0}, ui.text("exercise.as_it_stands"), {Font::strong, theme.palette.danger, Align::right});
    canvas.text({repaired, all.y0}, ui.text("exercise.repaired"), {Font::strong, theme.palette.value, Align::right});
    const Rect rows{all.x0, all.y0 + theme.px(30), all.x1, all.y1};
    const auto count = static_cast<float>(numbers_of(e, ran).size());  // not 0 if there is a picture
    const float row = height_of_numbers(e, ran, all.width()) / count;
    draw_numbers(e, ran, rows, static_cast<std::size_t>(std::max(1.0F, rows.height() / row)));
}

/// Draws both matrices as squares above their scale, with the numbers beside them. Returns false without drawing if
/// larger matrices would fit above the numbers.
bool draw_matrices(const ExerciseFrame& e, const Ran& ran, Rect all) {
    const Ui& ui = e.frame.ui;
    const Theme& theme = ui.theme;
    const float gap = theme.px(20), top = theme.px(30), least = theme.px(290), bar = theme.px(72);
    const float height = all.height() - top, side = std::min(height - bar, (all.width() - least - 2 * gap) / 2);
    const float numbers = theme.px(28) * static_cast<float>(numbers_below(e, ran, all.height())) + theme.px(10);
    const float below = std::min((all.width() - gap) / 2, height - numbers - bar);
    if (side <= below || height < height_of_numbers(e, ran, all.width() - 2 * side - 2 * gap)) return false;
    const Rect left{all.x0, all.y0 + top, all.x0 + side, all.y0 + top + side};
    const Rect right{left.x1 + gap, left.y0, left.x1 + gap + side, left.y1};
    const Rect beside{right.x1 + gap, left.y0, all.x1, all.y1};
    draw_titles(e, left.x0, right.x0, all.y0);
    draw_matrix(e, *ran.picture, {"exercise.broken", left, true});
    if (e.task() == Task::done)
        draw_matrix(e, *ran.picture, {"exercise.repaired", right, false});
    else
        draw_words(e, right, ui.text("exercise.repair_first"));
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    colour_bar(canvas, ui, {left.x0, left.y1 + theme.px(6), right.x1, left.y1 + bar},
               {scale_of_matrices(e, *ran.picture), matrix_words(e), {}});
    draw_numbers(e, ran, beside, numbers_of(e, ran).size());
    return true;
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
    Rect all{at.x, at.y, at.x + room.x, at.y + std::max(room.y, theme.px(120))};
    if (e.task() == Task::predict) return draw_words(e, all, ui.text("exercise.predict_first"));
    const Ran ran = ran_of(e);
    if (!ran.finished()) return draw_words(e, all, waiting_words(e));
    if (ran.picture != nullptr && answer_means_nothing(*ran.picture)) {
        canvas.text({all.x0, all.y0}, fitted(canvas, ui.text("foreign.title"), Font::strong, all.width()),
                    {Font::strong, theme.palette.danger, Align::left});
        ui.probe.mark("exercise.foreign", {all.x0, all.y0, all.x1, all.y0 + theme.px(26)}, 0, ui.text("foreign.title"));
        all.y0 += theme.px(30);
    }
    const bool matrix = ran.picture != nullptr && is_matrix(e.row.drawn);
    if (matrix && draw_matrices(e, ran, all)) return;
    const std::size_t shown = numbers_below(e, ran, all.height());
    const auto count = static_cast<float>(shown);
    const float bar = matrix ? theme.px(72) : 0;
    // On a low lecture screen a single number is beside the scale, not below it, so that the matrices gain its row.
    const bool beside = matrix && e.frame.state().lecture.on && shown == 1 && is_narrow(e, half);
    const float numbers = bar + (beside ? 0 : count * theme.px(28) + (count > 0 ? theme.px(10) : 0));
    const Rect left{all.x0, all.y0 + top, all.x0 + half, all.y1 - numbers},
        right{all.x0 + half + gap, left.y0, all.x1, left.y1};
    const bool picture = matrix || e.row.drawn == Drawn::lengths || e.row.drawn == Drawn::features;
    if (picture && e.task() != Task::done && left.height() < theme.px(90)) return draw_numbers_alone(e, ran, all);
    draw_titles(e, left.x0, right.x0, all.y0);
    const auto draw = [&](const EffectSide& side) {
        if (ran.text != nullptr)
            text_side(e, *ran.text, side);
        else
            draw_side(e, *ran.picture, matrix ? EffectSide{side.id, square_in(side.rect), side.broken} : side);
    };
    draw({"exercise.broken", left, true});
    if (e.task() == Task::done)
        draw({"exercise.repaired", right, false});
    else
        draw_words(e, right, ui.text("exercise.repair_first"));
    if (matrix)
        colour_bar(canvas, ui, {all.x0, left.y1 + theme.px(6), all.x0 + half, left.y1 + bar},
                   {scale_of_matrices(e, *ran.picture), matrix_words(e), {}});
    const Rect below = beside ? Rect{right.x0, left.y1 + theme.px(10), all.x1, all.y1}
                              : Rect{all.x0, left.y1 + bar + theme.px(10), all.x1, all.y1};
    draw_numbers(e, ran, below, shown);
}

}  // namespace vitrine
