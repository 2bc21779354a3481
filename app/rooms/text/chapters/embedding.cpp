#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/rooms/figures/scene.h"
#include "app/rooms/room.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "app/workspace/workspace.h"
#include "core/text/text_trace.h"
#include "core/vit/model.h"

// A word's vector times √D, plus its positional encoding: sines, compared with a ViT's learned positions.

namespace vitrine {

namespace text_embedding_parts {

/// The stack whose words are shown (the encoder, if there is one), its words, and the row in view.
struct ShownStack {
    const TextEmbeddingTrace* trace = nullptr;
    TextTokens tokens;
    int row = 0;
};
ShownStack shown_stack(const TextResult& now, const Selection& selection) {
    if (now.run.trace.encoder.embedding)
        return {now.run.trace.encoder.embedding.get(), source_tokens(now, now.run), source_in_view(now, selection)};
    const int row = target_in_view(now, selection);
    return {now.run.trace.decoder.embedding.get(), target_tokens(now, now.run), row};
}

/// True if words are multiplied by √D in the shown run.
bool is_scaled(const TextResult& now) {
    const std::vector<std::string>& off = now.request.what_ifs;
    return now.model->config.scaled && std::ranges::find(off, "no-root") == off.end();
}

/// True if the shown run adds no positions: all are 0.
bool is_unplaced(const ShownStack& l) {
    return std::ranges::all_of(l.trace->position, [](float x) { return x == 0.0F; });
}

void draw_sum(const TextScene& scene, const ShownStack& l) {
    const Palette& p = scene.palette();
    const Text& text = scene.ui.text;
    const std::string word = in_quotes(l.tokens.words[static_cast<std::size_t>(l.row)]);
    const float gap = scene.px(16), height = (scene.area.height() - 2 * gap) / 3;
    const std::vector<float> tokens = numbers_of(l.trace->tokens, l.row), place = numbers_of(l.trace->position, l.row),
                             sum = numbers_of(l.trace->z, l.row);
    float reach = 0;
    for (const std::vector<float>* const each : {&tokens, &place, &sum})
        for (const float x : *each) reach = std::max(reach, std::abs(x));
    const bool scaled = is_scaled(scene.now), unplaced = is_unplaced(l);
    const TextVector rows[] = {
        {"text.vector.word", text(scaled ? "text.embedding.word" : "text.embedding.word_alone", {{"word", word}}),
         tokens, reach, p.text},
        {"text.vector.place",
         text(unplaced ? "text.embedding.place_off" : "text.embedding.place", {{"place", std::to_string(l.row)}}),
         place, reach, p.residual},
        {"text.vector.sum", text(unplaced ? "text.embedding.sum_off" : "text.embedding.sum"), sum, reach, p.accent}};
    float y = scene.area.y0;
    for (const TextVector& row : rows) {
        text_vector(scene.in({scene.area.x0, y, scene.area.x1, y + height}), row);
        y += height + gap;
    }
}

/// Draws the table of positional encodings (positions, features), and the chosen feature's curve over the positions.
void draw_places(const TextScene& scene, const ShownStack& l) {
    const Palette& p = scene.palette();
    const Tensor2& places = l.trace->position;
    const auto rows = static_cast<int>(places.shape()[0]), columns = static_cast<int>(places.shape()[1]);
    const float line = scene.canvas.measure("", Font::caption).y;
    const Rect table{scene.area.x0, scene.area.y0 + line + scene.px(4), scene.area.x1,
                     scene.area.y0 + scene.area.height() * 0.46F};
    text_caption(scene, {scene.area.x0, scene.area.y0},
                 scene.ui.text(is_unplaced(l)  ? "text.embedding.table_off"
                               : scene.ui.bare ? "text.embedding.table_bare"
                                               : "text.embedding.table",
                               {{"rows", count_text(rows)}, {"columns", count_text(columns)}}),
                 p.muted);
    scene.canvas.heat_map(table, {places.data(), rows, columns, {ColourMap::diverging, -1, 1}});
    const GridSize size{rows, columns};
    const Hit hit = hot_area(scene.ui, "text.places", table, {}, {rows, columns});
    if (const auto cell = hit.at ? cell_at(table, size, *hit.at) : std::nullopt) {
        readout(scene.ui, std::vector<std::string>{
                              "P(" + std::to_string(cell->row) + ", " + std::to_string(cell->column) + ")",
                              number_text(static_cast<double>(places(static_cast<std::size_t>(cell->row),
                                                                     static_cast<std::size_t>(cell->column))))});
        if (hit.clicked) scene.look().feature = cell->column;
    }
    const Rect row = cell_rect(table, size, {std::min(l.row, rows - 1), 0});
    scene.canvas.stroke({table.x0, row.y0, table.x1, row.y1}, p.query, scene.px(2));
    const int feature = std::clamp(scene.look().feature, 0, columns - 1);
    std::vector<double> x, y;
    for (int i = 0; i < rows; ++i) {
        x.push_back(i);
        y.push_back(static_cast<double>(places(static_cast<std::size_t>(i), static_cast<std::size_t>(feature))));
    }
    const std::string& named = scene.ui.text("text.embedding.scale");
    const float from = scene.area.x0 + scene.canvas.measure(named, Font::caption).x + scene.px(16),
                end = scene.area.x0 + scene.area.width() * 0.7F;
    const bool has_room = end - from >= scene.px(110) && scene.area.height() >= scene.px(260);  // not in a low half
    Rect wave{scene.area.x0, table.y1 + scene.px(has_room ? 8 : 14), scene.area.x1, scene.area.y1};
    if (has_room) {
        // The scale's name stands beside the scale, since there is little height.
        const Rect scale{scene.area.x0, wave.y0, end, table.y1 + scene.px(26) + line};
        scene.canvas.text({scale.x0, scale.y0 + (scene.px(12) - line) / 2}, named, {Font::caption, p.text});
        colour_bar(scene.canvas, scene.ui, {from, scale.y0 - line - scene.px(6), scale.x1, scale.y1},
                   {{ColourMap::diverging, -1, 1}, {}});
        scene.ui.probe.mark("text.places.scale", scale, 1, named);
        const std::string title = scene.ui.text("text.embedding.wave", {{"feature", scene.ui.ordinal(feature)}});
        wave.y0 = scale.y1 + scene.px(4);
        text_caption(scene, {wave.x0, wave.y0}, title, p.muted);
        scene.ui.probe.mark("text.wave.title", {wave.x0, wave.y0, wave.x1, wave.y0 + line}, feature, title);
        wave.y0 += line + scene.px(4);
    }
    Plot plot(scene.canvas, scene.ui, wave,
              {0, static_cast<double>(std::max(1, rows - 1)), scene.ui.text("text.embedding.axis"), true},
              {-1.05, 1.05, {}});
    plot.line({x, y, p.residual, scene.ui.text("text.feature", {{"feature", scene.ui.ordinal(feature)}})});
    plot.marker(static_cast<double>(std::min(l.row, rows - 1)), p.query,
                l.tokens.words[static_cast<std::size_t>(l.row)]);
    scene.ui.probe.mark("text.wave", plot.area(), y[static_cast<std::size_t>(std::min(l.row, rows - 1))],
                        std::to_string(feature));
}

/// Cosine similarities of all pairs of positions.      (N, N)
std::vector<float> similarity_of(const Tensor2& places) {
    const std::size_t rows = places.shape()[0], columns = places.shape()[1];
    std::vector<float> all;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < rows; ++j) {
            double dot = 0, a = 0, b = 0;
            for (std::size_t k = 0; k < columns; ++k) {
                const auto u = static_cast<double>(places(i, k)), v = static_cast<double>(places(j, k));
                dot += u * v, a += u * u, b += v * v;
            }
            all.push_back(static_cast<float>(dot / std::max(1e-12, std::sqrt(a * b))));
        }
    return all;
}

/// Draws the similarities of the sine positions, and of those learned by the Vision Transformer of the other rooms.
void draw_similarities(const TextScene& scene, const ShownStack& l) {
    const float line = scene.canvas.measure("", Font::caption).y, gap = scene.px(24);
    const float side = std::min((scene.area.width() - gap) / 2, scene.area.height() - 2 * line - scene.px(60));
    const auto rows = static_cast<int>(l.trace->position.shape()[0]);
    const std::vector<float> own = similarity_of(l.trace->position);
    const auto draw = [&](float x, const float* values, int count, const std::string& title) {
        const Rect figure{x, scene.area.y0 + line + scene.px(4), x + side, scene.area.y0 + line + scene.px(4) + side};
        scene.canvas.text({x, scene.area.y0}, fitted(scene.canvas, title, Font::caption, side + gap),
                          {Font::caption, scene.palette().muted, Align::left});
        scene.canvas.heat_map(figure, {values, count, count, {ColourMap::diverging, -1, 1}});
        scene.canvas.stroke(figure, scene.palette().line, scene.px(1));
    };
    draw(scene.area.x0, own.data(), rows,
         scene.ui.text(is_unplaced(l) ? "text.embedding.sines_off" : "text.embedding.sines"));
    scene.ui.probe.mark("text.similarity", scene.area, static_cast<double>(rows));
    const Result* const vit = scene.frame.shown().result.get();
    if (vit != nullptr && vit->position_similarity && !vit->model->weights.position.empty()) {
        const Tensor2& learned = *vit->position_similarity;
        draw(scene.area.x0 + side + gap, learned.data(), static_cast<int>(learned.shape()[0]),
             scene.ui.text("text.embedding.learned"));
        scene.ui.probe.mark("text.similarity.learned", scene.area, static_cast<double>(learned.shape()[0]));
    }
    const float below = scene.area.y0 + line + scene.px(12) + side;
    colour_bar(
        scene.canvas, scene.ui,
        {scene.area.x0, below, scene.area.x0 + std::min(scene.area.width(), scene.px(340)), below + scene.px(50)},
        {{ColourMap::diverging, -1, 1}, scene.ui.text("text.embedding.cosine"), {}});
}

void view(const TextScene& scene) {
    const ShownStack l = shown_stack(scene.now, scene.selection);
    const Control choices[] = {{"text.sines", scene.ui.text("text.sines"), scene.ui.text("text.sines_tip"), {}},
                               {"text.learned", scene.ui.text("text.learned"), scene.ui.text("text.learned_tip"), {}}};
    ImGui::SetCursorScreenPos({scene.area.x0, scene.area.y0});
    int chosen = scene.look().learned ? 1 : 0;
    if (segmented(scene.ui, choices, chosen)) scene.look().learned = chosen == 1;
    const Rect rest{scene.area.x0, scene.area.y0 + scene.px(50), scene.area.x1, scene.area.y1};
    const float middle = rest.x0 + rest.width() * 0.46F, gap = scene.px(16);
    draw_sum(scene.in({rest.x0, rest.y0, middle - gap, rest.y1}), l);
    const TextScene right = scene.in({middle + gap, rest.y0, rest.x1, rest.y1});
    if (scene.look().learned)
        draw_similarities(right, l);
    else
        draw_places(right, l);
}

/// The length of a vector.
double length_of(const std::vector<float>& numbers) {
    double sum = 0;
    for (const float x : numbers) sum += static_cast<double>(x) * static_cast<double>(x);
    return std::sqrt(sum);
}

std::vector<Fact> facts(const TextTold& told) {
    const ShownStack l = shown_stack(told.now, told.selection);
    std::vector<Fact> facts = {{told.ui.text("text.fact.word"), l.tokens.words[static_cast<std::size_t>(l.row)], {}},
                               {told.ui.text("text.fact.place"), std::to_string(l.row), {}},
                               number_fact("|E|", length_of(numbers_of(l.trace->embedded, l.row)))};
    if (is_scaled(told.now)) {
        facts.push_back(number_fact("√D", std::sqrt(static_cast<double>(told.now.model->config.embedding_dim))));
        facts.push_back(number_fact("|√D · E|", length_of(numbers_of(l.trace->tokens, l.row))));
    }
    facts.push_back(number_fact("|P|", length_of(numbers_of(l.trace->position, l.row))));
    return facts;
}

std::vector<std::string> switches(const TextTold&) { return {"no-root", "no-positions"}; }

std::string answer(const TextTold& told) {
    const ShownStack l = shown_stack(told.now, told.selection);
    const double word = length_of(numbers_of(l.trace->embedded, l.row)),
                 root = std::sqrt(static_cast<double>(told.now.model->config.embedding_dim));
    const int digits = digits_for(
        word * root, [&](double length) { return length * root; }, word);
    return told.ui.text(is_unplaced(l) ? "text.embedding.answer_unplaced" : "text.embedding.answer",
                        {{"word", digits_text(word, digits)},
                         {"scaled", number_text(word * root)},
                         {"place", number_text(root / std::numbers::sqrt2)}});
}

/// Variant of the texts: "rootless" without √D, "unplaced" without positions, "bare" without both.
std::string aspect(const TextExperiment& experiment) {
    const bool rootless = is_on(experiment, "no-root"), unplaced = is_on(experiment, "no-positions");
    return rootless && unplaced ? "bare" : rootless ? "rootless" : unplaced ? "unplaced" : "";
}

bool answered(const TextTried& tried) { return is_on(tried.experiment, "no-root"); }

}  // namespace text_embedding_parts

TextChapterRow embedding_chapter() {
    return {.id = name_of(TextChapter::embedding),
            .own = {.view = text_embedding_parts::view,
                    .depends = {.token = true},
                    .narrow = true,
                    .aspect = text_embedding_parts::aspect},
            .facts = text_embedding_parts::facts,
            .switches = text_embedding_parts::switches,
            .answer = text_embedding_parts::answer,
            .answered = text_embedding_parts::answered};
}

}  // namespace vitrine
