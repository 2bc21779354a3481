#include "app/rooms/learning/learning_view.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/rooms/figures/scene.h"
#include "app/rooms/learning/curve_plot.h"
#include "app/rooms/learning/gradient_ridges.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/rich_text.h"

namespace vitrine {

namespace {

float line_height(const LearningScene& scene, Font font) { return scene.canvas.measure("", font).y; }

/// Title of a run: words on the left, numbers on the right, or below if both do not fit on one line.
struct Title {
    std::string words, numbers;
};

bool fits_one_line(const LearningScene& scene, const Title& title, float width) {
    const float gap = scene.ui.theme.px(10);
    return scene.canvas.measure(title.words, Font::strong).x + scene.canvas.measure(title.numbers, Font::mono).x +
               gap <=
           width;
}

/// Draws a title; returns its height.
float title_line(const LearningScene& scene, Rect rect, const Title& title, Color color, bool two_lines) {
    const float line = line_height(scene, Font::strong);
    scene.canvas.text({rect.x0, rect.y0}, fitted(scene.canvas, title.words, Font::strong, rect.width()),
                      {Font::strong, color, Align::left});
    const TextStyle muted{Font::mono, scene.ui.theme.palette.muted, two_lines ? Align::left : Align::right};
    if (!two_lines) {
        scene.canvas.text({rect.x1, rect.y0 + scene.ui.theme.px(1)}, title.numbers, muted);
        return line;
    }
    scene.canvas.text({rect.x0, rect.y0 + line}, title.numbers, muted);
    return 2 * line;
}

std::string letter(const LearningScene& scene, std::size_t run, const std::string& alone) {
    return scene.runs.size() > 1 ? run_letter(run) : alone;
}

/// A run's two accuracy curves: on its training pictures and on unseen ones.
void draw_accuracies(const LearningScene& scene, Plot& plot, const LearningCurve& curve, std::size_t number) {
    const Text& text = scene.ui.text;
    const Color color = run_color(scene.ui, static_cast<int>(number));
    const std::string run = letter(scene, number, "");
    const auto name = [&](const char* key) { return (run.empty() ? "" : run + ": ") + text(key); };
    plot.line({curve.checked, curve.training, color.with_alpha(faint_curve), name("learn.own_pictures"), 2});
    plot.line({curve.checked, curve.unseen, color, name("learn.fresh_pictures"), 3});
    scene.ui.probe.mark("learn.parting." + std::to_string(number), plot.area(),
                        curve.training.back() - curve.unseen.back());
}

/// An example picture with the attention on it, and the model's answer below.
struct ExampleFigure {
    const RunView<Pictures>& run;
    const RunMoment<Pictures>& moment;
    int number, example;
    ColourScale scale;
    bool in_a_line;  // the answer and its probability share a line, for want of room
};
void draw_example(const LearningScene& scene, Rect rect, const ExampleFigure& drawn, const LearningState& state) {
    const auto& [run, moment, number, example, scale, in_a_line] = drawn;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const Config& c = run.recipe.model;
    const ExamplePicture& picture = scene.examples[static_cast<std::size_t>(example)];
    const float line = line_height(scene, Font::caption);
    const float side = std::min(rect.width(), rect.height() - (in_a_line ? 1.0F : 2.0F) * line - theme.px(4));
    const float left = rect.x0 + (rect.width() - side) / 2;
    const Rect figure{left, rect.y0, left + side, rect.y0 + side};
    const std::vector<float> attention = example_attention(c, moment, example, state);
    scene.canvas.picture(figure, {picture.large, {}, false, 1, 0.35F});
    if (!attention.empty())
        scene.canvas.heat_map(figure, {attention.data(), c.grid_height(), c.grid_width(), scale, 0.15F});

    const auto classes = static_cast<std::size_t>(c.classes);
    const auto first = static_cast<std::size_t>(example) * classes;
    if (moment.probabilities.size() < first + classes) return;
    const auto begin = moment.probabilities.begin() + static_cast<std::ptrdiff_t>(first);
    const int best = static_cast<int>(std::max_element(begin, begin + c.classes) - begin);
    const bool right = best == picture.label;
    const Color color = right ? theme.palette.value : theme.palette.muted;
    const std::string name = (right ? "✓ " : "") + class_list(ui, {c.label(best)});
    const std::string probability = probability_text(static_cast<double>(begin[best]));
    const std::string first_line = in_a_line ? name + " " + probability : name;
    scene.canvas.text({figure.centre().x, figure.y1 + theme.px(2)},
                      fitted(scene.canvas, first_line, Font::caption, rect.width()),
                      {Font::caption, color, Align::centre});
    ui.probe.mark("learn.example." + std::to_string(number) + "." + std::to_string(example),
                  {rect.x0, figure.y1, rect.x1, figure.y1 + (in_a_line ? 1.0F : 2.0F) * line}, begin[best],
                  in_a_line ? first_line : name + "\n" + probability);
    if (!in_a_line)
        scene.canvas.text({figure.centre().x, figure.y1 + theme.px(2) + line}, probability,
                          {Font::caption, theme.palette.muted, Align::centre});
}

/// Number of examples that fit into a width with their class names below; with `in_a_line`, also their probabilities.
int examples_in(const LearningScene& scene, float width, bool in_a_line) {
    const int room = static_cast<int>(width / std::max(scene.ui.theme.px(in_a_line ? 116 : 88), 78.0F));
    const auto shown = static_cast<int>(scene.examples.size());
    return std::clamp(room, 3, scene.recorded ? RecordedSight::examples : shown);
}

/// True if the space for a run's figures, below its title, has little height.
bool is_low(const LearningScene& scene, Rect figures) { return figures.height() < scene.ui.theme.px(280); }

/// True if every possible answer fits below an example in one line with its probability, so that a row has one form.
bool answers_fit_a_line(const LearningScene& scene, const Config& c, float width) {
    const int count = examples_in(scene, width, true);
    const float gap = scene.ui.theme.px(8), room = (width + gap) / static_cast<float>(count) - gap;
    float widest = 0;
    for (int label = 0; label < c.classes; ++label) {
        const std::string answer = "✓ " + class_list(scene.ui, {c.label(label)}) + " " + probability_text(0.888);
        widest = std::max(widest, scene.canvas.measure(answer, Font::caption).x);
    }
    return widest <= room;
}

void draw_examples(const LearningScene& scene, Rect rect, int number, const LearningState& state, bool in_a_line) {
    const RunView<Pictures>& run = scene.runs[static_cast<std::size_t>(number)];
    const auto moment = run.at(state.scrub);
    const int count = examples_in(scene, rect.width(), in_a_line);
    const float gap = scene.ui.theme.px(8), width = (rect.width() + gap) / static_cast<float>(count) - gap;
    const ColourScale scale = learning_scale(run);
    for (int i = 0; i < count; ++i) {
        const float x = rect.x0 + static_cast<float>(i) * (width + gap);
        draw_example(scene, {x, rect.y0, x + width, rect.y1}, {run, *moment, number, i, scale, in_a_line}, state);
    }
    scene.ui.probe.mark("learn.examples." + std::to_string(number), rect, count);
}

/// A small map for every position, at its place in the image: similarity of its embedding to all others.
void draw_positions(const LearningScene& scene, Rect rect, int number, const LearningState& state) {
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const RunView<Pictures>& run = scene.runs[static_cast<std::size_t>(number)];
    const auto moment = run.at(state.scrub);
    const Config& c = run.recipe.model;
    const float line = line_height(scene, Font::caption) + theme.px(2);
    scene.canvas.text({rect.x0, rect.y0}, fitted(scene.canvas, ui.text("learn.positions"), Font::caption, rect.width()),
                      {Font::caption, theme.palette.text, Align::left});
    const Rect figure = fit({rect.x0, rect.y0 + line, rect.x1, rect.y1}, 1);
    if (c.positions == Positions::none) {
        scene.canvas.text({figure.x0, figure.y0},
                          fitted(scene.canvas, ui.text("learn.no_positions"), Font::caption, rect.width()),
                          {Font::caption, theme.palette.muted, Align::left});
        return;
    }
    const GridSize size{c.grid_height(), c.grid_width()};
    for (int patch = 0; patch < c.patches(); ++patch) {
        const Rect tile = cell_rect(figure, size, {patch / size.columns, patch % size.columns}).inset(theme.px(1));
        scene.canvas.heat_map(tile, {&moment->position_similarity(static_cast<std::size_t>(patch), 0),
                                     size.rows,
                                     size.columns,
                                     {ColourMap::diverging, -1, 1},
                                     1});
    }
    ui.probe.mark("learn.positions." + std::to_string(number), figure, c.patches());
}

/// Index of a run's last accuracy check (on training and unseen pictures) up to a moment; none before the first check.
std::optional<std::size_t> check_before(const RunView<Pictures>& run, const RunMoment<Pictures>& moment) {
    if (!run.curve) return std::nullopt;
    const std::vector<double>& at = run.curve->checked;
    const auto after = std::upper_bound(at.begin(), at.end(), static_cast<double>(moment.report.seen));
    if (after == at.begin()) return std::nullopt;
    return static_cast<std::size_t>(after - at.begin()) - 1;
}

/// The result of a recorded run.
std::string outcome_of(const Ui& ui, const RunRecord& record) {
    const std::string fresh = percent_text(record.last), training = percent_text(record.last_training);
    return record.curve.parts()
               ? ui.text("learn.recorded_end_parts", {{"fresh", fresh}, {"training", training}})
               : ui.text("learn.recorded_end", {{"fresh", fresh}, {"count", count_text(RunRecord::thorough)}});
}

/// A run's name and stage for a title of a width, px; a brief name if the full one does not fit.
std::string name_in_title(const LearningScene& scene, int number, float width) {
    const Ui& ui = scene.ui;
    const RunView<Pictures>& run = scene.runs[static_cast<std::size_t>(number)];
    const bool restored = run.restored && run.now && run.now->report.step == *run.restored;
    const bool rests = run.stage == RunStage::paused || run.stage == RunStage::done;
    const std::string live =  // says that this is one run: the words beside it give means of ten runs
        " · " + ui.text(scene.recorded                  ? "learn.recorded_one"
                        : rests && restored             ? "learn.stage.restored"
                        : run.stage == RunStage::paused ? "learn.stage.paused"
                        : run.stage == RunStage::done   ? "learn.stage.done"
                                                        : "learn.live");
    std::string name = apart_name(ui, scene.runs, number) + live;
    if (scene.canvas.measure(name, Font::strong).x <= width) return name;
    return run_name(ui, scene.runs[static_cast<std::size_t>(number)].recipe, number, RunName::brief) + live;
}

std::string score_words(const Ui& ui, std::uint64_t seen, double accuracy) {
    return ui.text("learn.score",
                   {{"pictures", count_text(static_cast<std::int64_t>(seen))}, {"accuracy", percent_text(accuracy)}});
}

std::string score_words(const Ui& ui, std::uint64_t seen, double training, double unseen) {
    return ui.text("learn.score_parts", {{"pictures", count_text(static_cast<std::int64_t>(seen))},
                                         {"training", percent_text(training)},
                                         {"fresh", percent_text(unseen)}});
}

/// A run's title at the moment in view, for the available width.
Title title_of(const LearningScene& scene, int number, const LearningState& state, float width) {
    const Ui& ui = scene.ui;
    const RunView<Pictures>& run = scene.runs[static_cast<std::size_t>(number)];
    const auto moment = run.at(state.scrub);
    const auto check = check_before(run, *moment);
    std::string name = name_in_title(scene, number, width);
    const std::uint64_t seen = moment->report.seen;
    if (seen == 0) return {std::move(name), {}};
    if (scene.recorded && state.played >= 1 && run.stage != RunStage::diverged)
        return {std::move(name), outcome_of(ui, (*scene.recorded)[static_cast<std::size_t>(number)])};
    return {std::move(name), check ? score_words(ui, seen, run.curve->training[*check], run.curve->unseen[*check])
                                   : score_words(ui, seen, moment->accuracy)};
}

/// True if a run's longest possible title needs a second line, which is then always kept, so that nothing below moves.
bool needs_two_lines(const LearningScene& scene, int number, float width) {
    constexpr std::uint64_t many = 1'000'000;  // pictures of a timed run
    constexpr double widest = 0.888;           // a share with all its digits
    const Recipe& recipe = scene.runs[static_cast<std::size_t>(number)].recipe;
    const std::uint64_t seen = recipe.promised_examples.value_or(many);
    const std::string longest =
        recipe.distinct_pictures ? score_words(scene.ui, seen, widest, widest) : score_words(scene.ui, seen, widest);
    const auto is_too_long = [&](const std::string& numbers) {
        return !fits_one_line(scene, {name_in_title(scene, number, width), numbers}, width);
    };
    return is_too_long(longest) ||
           (scene.recorded && is_too_long(outcome_of(scene.ui, (*scene.recorded)[static_cast<std::size_t>(number)])));
}

/// State and layout shared by the runs side by side.
struct SharedLayout {
    const LearningState& state;
    bool two_lines;  // of the titles
};

/// Wrapped text.
void draw_words(const LearningScene& scene, Rect rect, const std::string& words, Color color) {
    rich_text(scene.canvas, scene.ui, rect, {words, Font::body, color});
}

void draw_run(const LearningScene& scene, Rect rect, int number, const SharedLayout& shared) {
    const auto& [state, two_lines] = shared;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const RunView<Pictures>& run = scene.runs[static_cast<std::size_t>(number)];
    const auto moment = run.at(state.scrub);
    if (!moment) return;
    const Title title = title_of(scene, number, state, rect.width());
    const float line = title_line(scene, rect, title, run_color(ui, number), two_lines) + theme.px(6);
    const bool ended = scene.recorded && state.played >= 1;
    ui.probe.mark((scene.recorded ? "learn.recorded." : "learn.run.") + std::to_string(number),
                  {rect.x0, rect.y0, rect.x1, rect.y0 + line},
                  ended ? (*scene.recorded)[static_cast<std::size_t>(number)].last : moment->accuracy,
                  title.words + " " + title.numbers);
    const Rect body{rect.x0, rect.y0 + line, rect.x1, rect.y1};
    if (run.stage == RunStage::diverged) {
        const std::string& words = ui.text(scene.recorded ? "learn.recorded_diverged" : "learn.diverged");
        draw_words(scene, body, words, theme.palette.danger);
        return;
    }
    if (moment->blocks.empty()) return;
    const bool low_room = is_low(scene, body);
    const bool in_a_line = low_room && answers_fit_a_line(scene, run.recipe.model, body.width());
    const float gap = theme.px(10), count = static_cast<float>(examples_in(scene, body.width(), in_a_line));
    const float side = (body.width() + theme.px(8)) / count - theme.px(8),
                words = (in_a_line ? 1.0F : 2.0F) * line_height(scene, Font::caption) + theme.px(4);
    const float share = std::min(body.height() * (low_room ? 0.45F : 0.5F), side + words);
    draw_examples(scene, {body.x0, body.y0, body.x1, body.y0 + share}, number, state, in_a_line);
    const Rect low{body.x0, body.y0 + share + gap, body.x1, body.y1};
    const float heading = scene.canvas.measure(ui.text("learn.positions"), Font::caption).x + 1;
    const float beside = std::min(std::max(low.height(), heading), low.width() * 0.36F);
    gradient_ridges(scene, {low.x0, low.y0, low.x1 - beside - theme.px(20), low.y1}, number, state);
    draw_positions(scene, {low.x1 - beside, low.y0, low.x1, low.y1}, number, state);
}

}  // namespace

const std::string& words_of_stage(const Ui& ui, RunStage stage) {
    static constexpr const char* names[] = {"ready", "running", "paused", "done", "diverged"};
    return ui.text(std::string("learn.stage.") + names[static_cast<std::size_t>(stage)]);
}

std::vector<float> example_attention(const Config& c, const PictureSight& sight, int example,
                                     const LearningState& state) {
    const auto patches = static_cast<std::size_t>(c.patches());
    const int block = state.block == 0 ? c.blocks : std::min(state.block, c.blocks);
    const int first = state.head ? std::min(*state.head, c.heads - 1) : 0, last = state.head ? first + 1 : c.heads;
    std::vector<float> map(patches, 0.0F);
    for (int head = first; head < last; ++head) {
        const auto row = static_cast<std::size_t>((example * c.blocks + block - 1) * c.heads + head);
        if (sight.attention.size() < (row + 1) * patches) return {};
        for (std::size_t i = 0; i < patches; ++i)
            map[i] += sight.attention[row * patches + i] / static_cast<float>(last - first);
    }
    return map;
}

ColourScale learning_scale(const RunView<Pictures>& run) {
    constexpr float times = 4;  // larger weights have the brightest colour, so that all steps share a scale
    const int patches = run.recipe.model.patches();
    return {ColourMap::sequential, 0, times / static_cast<float>(std::max(1, patches))};
}

void learning_curves(const LearningScene& scene, Rect rect, const LearningState& state, double reach) {
    const Ui& ui = scene.ui;
    const float gap = ui.theme.px(26), middle = rect.x0 + (rect.width() - gap) / 2;
    const double chance = scene.runs.empty() ? 3 : std::log(scene.runs[0].recipe.model.classes);
    const bool part = std::any_of(scene.runs.begin(), scene.runs.end(), [](const RunView<Pictures>& run) {
        return run.recipe.distinct_pictures.has_value();
    });
    for (const auto& run : scene.runs) reach = end_of_axis(run, reach);
    const auto draw = [&](const char* id, const std::string& title, double high,
                          std::vector<double> LearningCurve::*y) {
        const bool left = y == &LearningCurve::loss;
        const Rect half =
            left ? Rect{rect.x0, rect.y0, middle, rect.y1} : Rect{middle + gap, rect.y0, rect.x1, rect.y1};
        draw_curves({scene.canvas, ui, half}, {id, title, title, high, reach, ui.text("learn.pictures"), state.scrub},
                    scene.runs, [&](Plot& plot, const LearningCurve& curve, std::size_t run, Color color) {
                        if (!left && curve.parts()) {
                            draw_accuracies(scene, plot, curve, run);
                            return line_end(curve.checked, curve.unseen);
                        }
                        if (!curve.seen.empty()) plot.line({curve.seen, curve.*y, color, letter(scene, run, title), 2});
                        return line_end(curve.seen, curve.*y);
                    });
    };
    draw("learn.loss", ui.text("learn.loss"), chance * 1.15, &LearningCurve::loss);
    draw("learn.accuracy", ui.text(part ? "learn.accuracy_parts" : "learn.accuracy"), 1, &LearningCurve::accuracy);
}

void learning_view(const LearningScene& scene, const LearningState& state) {
    const Rect& a = scene.area;
    const Ui& ui = scene.ui;
    constexpr double least_reach = 1000;  // pictures
    const float gap = ui.theme.px(26), curves = a.height() * share_of_curves;
    learning_curves(scene, {a.x0, a.y0, a.x1, a.y0 + curves}, state, least_reach);
    const int count = static_cast<int>(scene.runs.size());
    const float width = (a.width() + gap) / static_cast<float>(std::max(1, count)) - gap;
    bool second_line = false;  // so that both bodies begin at one height
    for (int i = 0; i < count; ++i) second_line = second_line || needs_two_lines(scene, i, width);
    for (int i = 0; i < count; ++i) {
        const float x = a.x0 + static_cast<float>(i) * (width + gap);
        draw_run(scene, {x, a.y0 + curves + ui.theme.px(14), x + width, a.y1}, i, {state, second_line});
    }
}

}  // namespace vitrine
