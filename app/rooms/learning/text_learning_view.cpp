#include "app/rooms/learning/text_learning_view.h"

#include <algorithm>
#include <cmath>

#include "app/rooms/figures/alignment.h"
#include "app/rooms/learning/curve_plot.h"
#include "app/rooms/learning/learning_view.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/shortened.h"
#include "core/text/typed_words.h"
#include "core/training/text/text_score.h"

namespace vitrine {

namespace {

float text_line_height(const TextLearningScene& scene, Font font) { return scene.canvas.measure("", font).y; }
const TextRecipe& recipe_of(const TextLearningScene& scene) { return scene.runs.front().recipe; }
TextTask task_of(const TextLearningScene& scene) { return recipe_of(scene).sentences.task; }

/// A text whose key ends with the task's name.
const std::string& task_text(const TextLearningScene& scene, const std::string& key) {
    return scene.ui.text(key + "." + name_of(task_of(scene)));
}

std::string letter_of_text(const TextLearningScene& scene, std::size_t run, const std::string& name) {
    return scene.runs.size() > 1 ? run_letter(run) + ": " + name : name;
}

// ---- curves

double end_of_sentences(const TextLearningScene& scene) {
    double end = 1000;
    for (const RunView<Texts>& run : scene.runs) end = end_of_axis(run, end);
    return end;
}

void draw_text_curves(const TextLearningScene& scene, Rect rect) {
    const Ui& ui = scene.ui;
    const float gap = ui.theme.px(26), middle = rect.x0 + (rect.width() - gap) / 2;
    const double chance = std::log(scene.runs[0].now->model->config.outputs());
    const auto draw = [&](Rect half, const std::string& id, const std::string& title, double high, const auto& lines) {
        const bool whole = scene.canvas.measure(title, Font::strong).x <= half.width();
        const std::string heading =
            fitted(scene.canvas, whole || id == "learn.loss" ? title : task_text(scene, "learn.text.curves_short"),
                   Font::strong, half.width());
        ui.probe.mark(id + ".heading", half, 0, heading);
        draw_curves(
            {scene.canvas, ui, half},
            {id, title, heading, high, end_of_sentences(scene), task_text(scene, "learn.text.unit"), scene.scrub},
            scene.runs, lines);
    };
    draw({rect.x0, rect.y0, middle, rect.y1}, "learn.loss", ui.text("learn.loss"), chance * 1.1,
         [&](Plot& plot, const LearningCurve& curve, std::size_t i, Color color) {
             if (!curve.loss.empty())
                 plot.line({curve.seen, curve.loss, color, letter_of_text(scene, i, ui.text("learn.loss")), 2});
             return line_end(curve.seen, curve.loss);
         });
    draw({middle + gap, rect.y0, rect.x1, rect.y1}, "learn.accuracy", task_text(scene, "learn.text.curves"), 1,
         [&](Plot& plot, const LearningCurve& curve, std::size_t i, Color color) {
             if (curve.checked.empty()) return LineEnd();
             plot.line({curve.checked, curve.attention, color.with_alpha(faint_curve),
                        letter_of_text(scene, i, task_text(scene, "learn.text.attention")), 2});
             plot.line({curve.checked, curve.unseen, color,
                        letter_of_text(scene, i, task_text(scene, "learn.text.right")), 3});
             ui.probe.mark("learn.held_out." + std::to_string(i), plot.area(), curve.unseen.back());
             ui.probe.mark("learn.aligned." + std::to_string(i), plot.area(), curve.attention.back());
             return line_end(curve.checked, curve.unseen);
         });
}

// ---- one text in detail

Color ink_of(const Ui& ui, const SaidText& said) { return said.right ? ui.theme.palette.value : ui.theme.palette.text; }

/// The caption of the attention figure, with its block and head.
std::string caption_of(const TextLearningScene& scene, const RunMoment<Texts>& moment) {
    const Ui& ui = scene.ui;
    return ui.text(std::string("learn.text.figure.") + name_of(task_of(scene)),
                   {{"block", ui.ordinal(moment.head.block - 1)}, {"head", ui.ordinal(moment.head.head)}});
}

void draw_said(const TextLearningScene& scene, Rect rect, int number, const RunMoment<Texts>& moment) {
    const Ui& ui = scene.ui;
    const auto place = static_cast<std::size_t>(scene.state.sample);
    if (place >= moment.said.size()) return;
    const SaidText& said = moment.said[place];
    const std::string caption = caption_of(scene, moment);
    const RichText words{caption, Font::caption, ui.theme.palette.muted, Align::left};
    const float taken = rich_text(scene.canvas, ui, rect, words) + ui.theme.px(6);
    std::vector<std::string> queries = said.queries;
    const bool review = task_of(scene) == TextTask::sentiment;
    if (review && !said.output.empty()) queries = {said.output.front() + "  " + probability_text(said.probability)};
    const std::string id = "learn.said." + std::to_string(number);
    const TextLanguage into = target_language(task_of(scene), recipe_of(scene).sentences.to);
    const Rect figure{rect.x0, rect.y0 + taken, rect.x1, rect.y1};
    if (queries.empty()) {
        scene.canvas.text({figure.x0, figure.y0}, ui.text("learn.text.nothing"),
                          {Font::body, ui.theme.palette.muted, Align::left});
    } else {
        alignment_figure(scene.canvas, ui, figure,
                         {.id = id,
                          .keys = said.keys,
                          .queries = queries,
                          .weights = said.attention,
                          .color = run_color(ui, number),
                          .ink = ink_of(ui, said)});
    }
    ui.probe.mark(id + ".text", rect, said.right ? 1 : 0, join_words(said.output, into));
}

// ---- the other texts

/// A text on two lines: input and output.
struct TextRow {
    std::string read, said;
    bool right = false, chosen = false;
};

float row_height(const TextLearningScene& scene) {
    return text_line_height(scene, Font::caption) + text_line_height(scene, Font::body) + scene.ui.theme.px(8);
}

bool draw_row(const TextLearningScene& scene, Rect rect, const std::string& id, const TextRow& row) {
    const Ui& ui = scene.ui;
    const Palette& p = ui.theme.palette;
    const Hit hit = hot_area(ui, id, rect, row.read);
    if (hit.at || row.chosen) scene.canvas.fill(rect, p.raised, ui.theme.px(5));
    const float x = rect.x0 + ui.theme.px(8), width = rect.width() - ui.theme.px(16);
    const auto begun = [&](const std::string& words, Font font) {
        return shortened(words, [&](const std::string& some) { return scene.canvas.measure(some, font).x <= width; });
    };
    scene.canvas.text({x, rect.y0 + ui.theme.px(2)}, begun(row.read, Font::caption),
                      {Font::caption, p.muted, Align::left});
    const std::string mark = row.right ? "✓ " : "";
    const Font font = scene.canvas.measure(mark + row.said, Font::body).x <= width ? Font::body : Font::caption;
    scene.canvas.text({x, rect.y0 + ui.theme.px(2) + text_line_height(scene, Font::caption)},
                      begun(mark + row.said, font), {font, row.right ? p.value : p.text, Align::left});
    ui.probe.mark(id + ".said", rect, row.right ? 1 : 0, row.said);
    return hit.clicked;
}

/// The output for a text, with its probability if it is a single word.
std::string words_said(const TextLearningScene& scene, const SaidText& said) {
    if (task_of(scene) == TextTask::translate) return join_words(said.output, recipe_of(scene).sentences.to);
    std::string words;
    for (const std::string& word : said.output) words += (words.empty() ? "" : " ") + word;
    return words + "  " + probability_text(said.probability);
}

/// Draws as many of the other texts as fit; the chosen one is left out, since it is shown in detail.
void draw_list(const TextLearningScene& scene, Rect rect, int number, const RunMoment<Texts>& moment) {
    const TextTask task = task_of(scene);
    const TextLanguage to = recipe_of(scene).sentences.to;
    const float pitch = row_height(scene) + scene.ui.theme.px(3);
    float y = rect.y0;
    for (std::size_t i = 0; i < moment.said.size() && y + row_height(scene) <= rect.y1; ++i) {
        if (static_cast<int>(i) == scene.state.sample) continue;
        const SaidText& said = moment.said[i];
        const TextRow row{join_words(said.input, source_language(task, to)),
                          said.output.empty() ? "…" : words_said(scene, said), said.right};
        const std::string id = "learn.text." + std::to_string(number) + "." + std::to_string(i);
        if (draw_row(scene, {rect.x0, y, rect.x1, y + row_height(scene)}, id, row))
            scene.state.sample = static_cast<int>(i);
        y += pitch;
    }
}

// ---- a run

std::string text_score_words(const TextLearningScene& scene, std::uint64_t seen, double held_out) {
    return scene.ui.text("learn.text.score", {{"sentences", count_text(static_cast<std::int64_t>(seen))},
                                              {"unit", task_text(scene, "learn.text.unit")},
                                              {"accuracy", percent_text(held_out)}});
}

/// A run's score in words; empty before the first step.
std::string score_of(const TextLearningScene& scene, const RunMoment<Texts>& moment) {
    return moment.report.seen == 0 ? "" : text_score_words(scene, moment.report.seen, moment.held_out);
}

/// The score that a title needs space for: before the first step a long one, so that nothing moves at the start.
std::string widest_score_of(const TextLearningScene& scene, const RunMoment<Texts>& moment) {
    constexpr std::uint64_t many = 100'000;
    constexpr double widest = 0.888;  // a share with all its digits
    return moment.report.seen == 0 ? text_score_words(scene, many, widest) : score_of(scene, moment);
}

/// True if name and score fit on one line for all runs; otherwise the score goes below the name.
bool one_line(const TextLearningScene& scene, float width) {
    return std::ranges::all_of(scene.runs, [&, number = 0](const RunView<Texts>& run) mutable {
        const auto moment = run.at(scene.scrub);
        return scene.canvas.measure(run_name(scene.ui, run.recipe, number++), Font::strong).x +
                   scene.canvas.measure(widest_score_of(scene, *moment), Font::mono).x + scene.ui.theme.px(14) <=
               width;
    });
}

void draw_text_run(const TextLearningScene& scene, Rect rect, int number, bool one_line_title) {
    const Ui& ui = scene.ui;
    const RunView<Texts>& run = scene.runs[static_cast<std::size_t>(number)];
    const auto moment = run.at(scene.scrub);
    const std::string name = run_name(ui, run.recipe, number), score = score_of(scene, *moment);
    const float strong = text_line_height(scene, Font::strong);
    scene.canvas.text({rect.x0, rect.y0}, fitted(scene.canvas, name, Font::strong, rect.width()),
                      {Font::strong, run_color(ui, number), Align::left});
    scene.canvas.text({one_line_title ? rect.x1 : rect.x0, rect.y0 + (one_line_title ? 0 : strong)},
                      fitted(scene.canvas, score, Font::mono, rect.width()),
                      {Font::mono, ui.theme.palette.muted, one_line_title ? Align::right : Align::left});
    const float title = one_line_title ? strong : strong + text_line_height(scene, Font::mono);
    ui.probe.mark("learn.run." + std::to_string(number), {rect.x0, rect.y0, rect.x1, rect.y0 + title}, moment->held_out,
                  name + " " + score);
    const Rect body{rect.x0, rect.y0 + title + ui.theme.px(8), rect.x1, rect.y1};
    if (run.stage == RunStage::diverged && !scene.scrub) {
        rich_text(scene.canvas, ui, body, {ui.text("learn.diverged"), Font::body, ui.theme.palette.danger});
        return;
    }
    const bool wide = body.width() > ui.theme.px(860);
    const float gap = ui.theme.px(24);
    const float low = body.height() < ui.theme.px(280) ? 0.74F : 0.56F;  // leaves room for at least one other text
    const float share = wide ? body.width() * 0.6F : body.height() * low;
    draw_said(scene,
              wide ? Rect{body.x0, body.y0, body.x0 + share, std::min(body.y1, body.y0 + share * 0.75F)}
                   : Rect{body.x0, body.y0, body.x1, body.y0 + share},
              number, *moment);
    draw_list(scene,
              wide ? Rect{body.x0 + share + gap, body.y0, body.x1, body.y1}
                   : Rect{body.x0, body.y0 + share + gap / 2, body.x1, body.y1},
              number, *moment);
}

std::string norm_and_optimiser(const Ui& ui, const TextRecipe& r) {
    return ui.text(std::string("learn.norm_name.") + name_of(r.model.norm)) + " · " +
           (r.optimiser == Optimiser::muon ? "Muon " : "AdamW ") + number_text(r.learning_rate);
}

}  // namespace

std::string run_name(const Ui& ui, const TextRecipe& r, int run) {
    std::string name(1, static_cast<char>('A' + run));
    const auto add = [&](const std::string& words) { name += " · " + words; };
    const TextConfig usual = standard_text_recipe(r.sentences.task, r.sentences.to).model;
    if (!r.model.causal) add(ui.text("learn.text.no_mask"));
    if (r.model.positions == Positions::none) add(ui.text("learn.without_positions"));
    if (r.model.positions == Positions::learned) add(ui.text("learn.text.learned_positions"));
    if (!r.model.scaled) add(ui.text("learn.text.no_scale"));
    const int blocks = r.model.has_decoder() ? r.model.decoder_blocks : r.model.blocks;
    if (blocks != (usual.has_decoder() ? usual.decoder_blocks : usual.blocks)) add("L = " + std::to_string(blocks));
    if (r.model.heads != usual.heads) add("h = " + std::to_string(r.model.heads));
    if (usual.names_it && !r.model.names_it) add(ui.text("learn.text.no_it"));
    add(norm_and_optimiser(ui, r));
    return name;
}

void text_learning_view(const TextLearningScene& scene) {
    const Rect& a = scene.area;
    const float gap = scene.ui.theme.px(26), curves = a.height() * share_of_curves;
    draw_text_curves(scene, {a.x0, a.y0, a.x1, a.y0 + curves});
    const int count = static_cast<int>(scene.runs.size());
    const float width = (a.width() + gap) / static_cast<float>(count) - gap;
    const bool one = one_line(scene, width);
    for (int i = 0; i < count; ++i) {
        const float x = a.x0 + static_cast<float>(i) * (width + gap);
        draw_text_run(scene, {x, a.y0 + curves + scene.ui.theme.px(14), x + width, a.y1}, i, one);
    }
}

}  // namespace vitrine
