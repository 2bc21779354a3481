#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/shortened.h"
#include "app/ui/widgets/upright_words.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "core/text/decoded_text.h"
#include "core/text/text_loss.h"
#include "core/text/text_what_ifs.h"
#include "core/transformer/block_trace.h"
#include "core/transformer/equations.h"
#include "core/transformer/intervention.h"

// The mask in training: the scores, the mask, and the softmax of both.

namespace vitrine {

namespace text_mask_parts {

struct Shown {
    int block = 1, head = 0, rows = 0;
    std::vector<float> scores, masked, weights;  // (rows, rows)

    bool hides(std::size_t cell) const { return !std::isfinite(masked[cell]); }
    int hidden() const {
        return static_cast<int>(std::ranges::count_if(masked, [](float x) { return !std::isfinite(x); }));
    }
};
/// q · k of a head ÷ the run's divisor, before masking.
Shown shown_in(const TextResult& now, const TextLook& look) {
    const TextConfig& c = now.model->config;
    Shown s;
    s.block = block_in(now, TextAttention::decoder, look);
    s.head = head_in(now, look);
    const auto t = attention_of(now.run, TextAttention::decoder, s.block);
    if (t == nullptr) return s;
    s.rows = static_cast<int>(t->scores.shape()[1]);
    const Where place{.block = s.block, .head = s.head, .stack = Stack::decoder};
    const Equations equations = equations_of(c, text_interventions(now.request.what_ifs, c), place);
    const double divisor = equations.scores.divisor(c.head_dim());
    const auto h = static_cast<std::size_t>(s.head), n = static_cast<std::size_t>(s.rows), d = t->q.shape()[2];
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            float dot = 0;
            for (std::size_t k = 0; k < d; ++k) dot += t->q(h, i, k) * t->k(h, j, k);
            s.scores.push_back(static_cast<float>(static_cast<double>(dot) / divisor));
            s.masked.push_back(t->scores(h, i, j));
            s.weights.push_back(t->attention(h, i, j));
        }
    return s;
}

struct Square {
    const char* id;  // key of its words: "text.mask.<id>", or "text.mask.<id>_open" without a mask
    const std::vector<float>& values;
    ColourScale scale;
    bool hides = false;  // hatched where the scores are −∞
    bool last = false;   // with the rows' words beside it
};

/// Words at the matrices' edges: the predicted words of the rows to the right of the last one, the input words below
/// each, reading upwards. In smaller cells every second one, or third.
struct AxisWords {
    TextTokens rows, columns;
    std::vector<std::string> names = {};  // of the rows, with English glosses where there is room
    RowWords beside = {};
    int every_column = 1;
    float below = 0;  // height of the columns' words
};

/// For cells of that size, in matrices that are at most `most` high.
AxisWords axis_words(const TextScene& scene, float cell, float most, bool glosses) {
    constexpr float roomy = 34, dense = 0.8F;  // lines of a stage that has room for long words; of a line
    constexpr float short_words = 2.3F;        // lines, elsewhere
    AxisWords axis{produced_tokens(scene.now, scene.now.run), target_tokens(scene.now, scene.now.run)};
    for (const std::string& word : axis.rows.words) axis.names.push_back(glosses ? glossed(scene.frame, word) : word);
    const float line = scene.canvas.measure("", Font::caption).y, gap = scene.px(6);
    axis.beside = row_words(scene, axis.names, cell);
    float longest = 0;
    for (const std::string& word : axis.columns.words)
        longest = std::max(longest, scene.canvas.measure(word, Font::caption).x);
    const float low = std::min(short_words * line, most / 3);
    axis.every_column = std::max(1, static_cast<int>(std::ceil(dense * line / cell)));
    axis.below = std::min(longest, scene.area.height() > roomy * line ? most : low) + gap;
    return axis;
}

/// The words of the columns, below a matrix; the lit column always has its word, before those beside it.
void draw_column_words(const TextScene& scene, Rect figure, const AxisWords& axis, const std::string& id, int lit) {
    const Palette& p = scene.palette();
    const float gap = scene.px(6), cell = figure.width() / static_cast<float>(axis.columns.size());
    for (int j = 0; j < axis.columns.size(); ++j) {
        const bool beside_lit = lit >= 0 && std::abs(j - lit) < axis.every_column;
        if (j != lit && (j % axis.every_column != 0 || beside_lit)) continue;
        const float x = figure.x0 + cell * (static_cast<float>(j) + 0.5F);
        const std::string& word = axis.columns.words[static_cast<std::size_t>(j)];
        const std::string told = shortened(word, [&](const std::string& some) {
            return scene.canvas.measure(some, Font::caption).x <= axis.below - gap;
        });
        upright_words(scene.canvas, {x, figure.y1 + gap}, told,
                      {Font::caption, j == lit ? p.key : p.muted, Align::left});
        scene.ui.probe.mark(id + "." + std::to_string(j),
                            {x - cell / 2, figure.y1 + gap, x + cell / 2, figure.y1 + axis.below}, j, word);
    }
}

/// Shows the word of the row or column at the pointer, on an edge without room for every word.
void show_axis_word(const TextScene& scene, Rect edge, const std::string& id, const TextTokens& words, bool down) {
    if (words.size() == 0) return;
    const Hit hit = hot_area(scene.ui, id, edge, {}, Reach::part);
    if (!hit.at) return;
    const float share = down ? (hit.at->y - edge.y0) / edge.height() : (hit.at->x - edge.x0) / edge.width();
    const int at = std::clamp(static_cast<int>(share * static_cast<float>(words.size())), 0, words.size() - 1);
    readout(scene.ui, std::vector<std::string>{glossed(scene.frame, words.words[static_cast<std::size_t>(at)])});
}

void draw_square(const TextScene& scene, const Square& square, const Shown& s, const AxisWords& axis) {
    const Palette& p = scene.palette();
    const std::string key = "text.mask." + std::string(square.id);
    const float side = scene.area.width();
    const Rect title{scene.area.x0, scene.area.y0, scene.area.x0 + side, scene.area.y1};
    const std::string& words = scene.ui.text(s.hidden() == 0 && scene.ui.text.has(key + "_open") ? key + "_open" : key);
    text_note(scene.in(title), words, Font::body);
    scene.ui.probe.mark(key + ".title", title, s.hidden(), words);
    const Rect figure{scene.area.x0, scene.area.y1 - side, scene.area.x0 + side, scene.area.y1};
    std::vector<float> values = square.values;
    for (float& x : values)
        if (!std::isfinite(x)) x = 0;
    scene.canvas.heat_map(figure, {values.data(), s.rows, s.rows, square.scale});
    const GridSize size{s.rows, s.rows};
    if (square.hides)
        for (int i = 0; i < s.rows; ++i)
            for (int j = 0; j < s.rows; ++j)
                if (s.hides(static_cast<std::size_t>(i * s.rows + j))) {
                    const Rect cell = cell_rect(figure, size, {i, j});
                    scene.canvas.fill(cell, p.panel.with_alpha(0.6F));
                    hatch(scene.canvas, cell, p.muted, scene.px(6));
                }
    scene.canvas.stroke(figure, p.line, scene.px(1));
    const int chosen = target_in_view(scene.now, scene.selection);
    if (chosen < s.rows) {
        const Rect row = cell_rect(figure, size, {chosen, 0});
        scene.canvas.stroke({figure.x0, row.y0, figure.x1, row.y1}, p.query, scene.px(2));
    }
    const std::string id = "text.mask.figure." + std::string(square.id);
    const Hit hit = hot_area(scene.ui, id, figure, {}, {s.rows, s.rows});
    const auto cell = hit.at ? cell_at(figure, size, *hit.at) : std::nullopt;
    const std::string column = square.last ? "text.mask.column" : key + ".column";
    draw_column_words(scene, figure, axis, column, cell ? cell->column : chosen);  // a row reads its own column
    show_axis_word(scene, {figure.x0, figure.y1, figure.x1, figure.y1 + axis.below}, column + "s", axis.columns, false);
    if (square.last && axis.rows.size() > 0) {
        draw_row_words(scene, figure, {"text.mask.row", axis.names, axis.beside, Side::right, chosen});
        show_axis_word(scene, {figure.x1, figure.y0, figure.x1 + axis.beside.width(), figure.y1}, "text.mask.rows",
                       axis.rows, true);
    }
    if (!cell) return;
    const GridCell at = *cell;
    const TextTokens queries = produced_tokens(scene.now, scene.now.run),
                     keys = target_tokens(scene.now, scene.now.run);
    const float value = square.values[static_cast<std::size_t>(at.row * s.rows + at.column)];
    readout(scene.ui,
            std::vector<std::string>{glossed(scene.frame, queries.words[static_cast<std::size_t>(at.row)]) + " ← " +
                                         glossed(scene.frame, keys.words[static_cast<std::size_t>(at.column)]),
                                     std::isfinite(value) ? number_text(static_cast<double>(value)) : "−∞"});
    scene.selection.hover_target(at.row);
    if (hit.clicked) scene.look().target = at.row;
}

std::string seen_words(const TextScene& scene, const Shown& s, int row) {
    const TextTokens keys = target_tokens(scene.now, scene.now.run);
    std::string words;
    for (int j = 0; j < s.rows && j < keys.size(); ++j)
        if (!s.hides(static_cast<std::size_t>(row * s.rows + j)))
            words += (words.empty() ? "" : " ") + keys.words[static_cast<std::size_t>(j)];
    return words;
}

/// Mean −ln p of the gold words under teacher forcing.
double taught_loss(const TextResult& now) {
    if (!now.taught) return 0;
    return text_loss(now.taught->trace, {}).sum / std::max<double>(1, static_cast<double>(now.taught->wanted.size()));
}

/// Mean −ln p of the words that the run wrote, [EOS] included.
double written_loss(const TextResult& now) {
    const DecodedText& d = now.run.decoded;
    return -d.log_probability / std::max<double>(1, static_cast<double>(d.steps.size()));
}

/// Controls for block and head: the scores have no mean, so one head is always shown.
void draw_controls(const TextScene& scene, const Shown& s) {
    attention_controls(scene, TextAttention::decoder, Shapes::matrix);
    ImGui::SameLine(0, scene.px(18));
    std::vector<Control> heads;
    for (int head = 0; head < scene.now.model->config.heads; ++head)
        heads.push_back({"text.mask.head." + std::to_string(head),
                         scene.ui.text("text.head", {{"head", scene.ui.ordinal(head)}}),
                         scene.ui.text("text.mask.head_tip"),
                         {}});
    int chosen = s.head;
    if (segmented(scene.ui, heads, chosen)) scene.look().head = chosen;
    ImGui::NewLine();
}

/// The meaning of rows and columns, from the stage's `edge` on if it needs that room, and the scales of scores and
/// weights; returns the height.
float draw_key(const TextScene& scene, const ColourScale& scores, const ColourScale& weights, float side, float gap,
               float edge) {
    const Rect& a = scene.area;
    const std::string& axes = scene.ui.text("text.mask.axes");
    const float x = std::max(edge, std::min(a.x0, a.x1 - scene.canvas.measure(axes, Font::caption).x - scene.px(4)));
    const float line = text_caption(scene, {x, a.y0}, axes, scene.palette().muted);
    scene.ui.probe.mark("text.mask.axes", {x, a.y0, a.x1, a.y0 + line}, 0, axes);
    const float y = a.y0 + line + scene.px(8), right = a.x0 + 2 * (side + gap);
    const auto bar = [&](float x0, float x1, const ColourScale& scale, const char* key) {
        const float height =
            colour_bar(scene.canvas, scene.ui, {x0, y, x1, y + scene.px(40)}, {scale, scene.ui.text(key)});
        scene.ui.probe.mark(std::string(key), {x0, y, x1, y + height}, static_cast<double>(scale.high));
        return height;
    };
    return y - a.y0 +
           std::max(bar(a.x0, right - gap, scores, "text.mask.scale_scores"),
                    bar(right, right + side, weights, "text.mask.scale_weights"));
}

/// Whether there are few lines on the stage, as in a lecture: then the matrices have the room of scales and notes.
bool is_low(const TextScene& scene) { return scene.area.height() < 18 * scene.canvas.measure("", Font::body).y; }

/// The three matrices, their words and scales, above notes of that height; returns their lower edge.
float draw_squares(const TextScene& scene, const Shown& s, float notes) {
    const float line = scene.canvas.measure("", Font::caption).y;
    const float gap = scene.px(28), top = scene.px(50), title = scene.px(56),
                key = is_low(scene) ? 0
                                    : caption_height(scene, scene.ui.text("text.mask.axes")) + 2 * line + scene.px(40);
    const float high = scene.area.height() - top - title - key - notes, wide = scene.area.width() - 2 * gap;
    const auto side_with = [&](const AxisWords& axis) {
        return std::max(scene.px(60), std::min((wide - axis.beside.width()) / 3, high - axis.below));
    };
    const float most = std::max(scene.px(60), std::min(wide / 3, high));
    const auto axis_at = [&](float side, bool glosses) {
        return axis_words(scene, side / static_cast<float>(s.rows), most, glosses);
    };
    const auto side_of = [&](bool glosses) { return side_with(axis_at(side_with(axis_at(most, glosses)), glosses)); };
    constexpr float least_glossed = 0.9F;  // of the matrices' size without glosses
    const bool glosses = side_of(true) >= least_glossed * side_of(false);
    const float side = side_of(glosses);
    const AxisWords axis = axis_at(side, glosses);
    const float left = scene.area.x0 + (scene.area.width() - 3 * side - 2 * gap - axis.beside.width()) / 2;
    const float y = scene.area.y0 + top, end = y + title + side;
    float reach = 1e-6F;
    for (const float x : s.scores) reach = std::max(reach, std::abs(x));
    const ColourScale around{ColourMap::diverging, -reach, reach}, shares{ColourMap::sequential, 0, 1, Curve::root};
    const Square squares[] = {
        {"scores", s.scores, around}, {"masked", s.masked, around, true}, {"weights", s.weights, shares, true, true}};
    float x = left;
    for (const Square& square : squares) {
        draw_square(scene.in({x, y, x + side, end}), square, s, axis);
        x += side + gap;
    }
    const float low = end + axis.below + scene.px(8);
    return is_low(scene) ? low
                         : low + draw_key(scene.in({left, low, scene.area.x1, scene.area.y1}), around, shares, side,
                                          gap, scene.area.x0);
}

void view(const TextScene& scene) {
    const Shown s = shown_in(scene.now, scene.look());
    if (s.rows == 0) return;
    draw_controls(scene, s);
    const int row = std::min(target_in_view(scene.now, scene.selection), s.rows - 1);
    const TextTokens produced = produced_tokens(scene.now, scene.now.run);
    const bool open = is_on(scene.experiment(), "no-mask");
    const auto told_with = [&](bool all, const std::string& seen) {
        return scene.ui.text(all ? "text.mask.sees_all" : "text.mask.sees",
                             {{"word", in_quotes(produced.words[static_cast<std::size_t>(row)])}, {"words", seen}});
    };
    const TextTokens keys = target_tokens(scene.now, scene.now.run);
    const std::string whole =
        keys.words.front() + " … " + keys.words[static_cast<std::size_t>(std::min(s.rows, keys.size()) - 1)];
    const std::string told = told_with(open, open ? whole : seen_words(scene, s, row));
    const bool own = scene.now.taught && scene.now.taught->own;
    // Without a change the rows are fed what the model writes: one number.
    const bool alone = own && scene.now.request.what_ifs.empty() && scene.now.request.forced.empty();
    const auto compared_by = [&](double taught, double written) {
        return scene.ui.text(alone ? "text.mask.compared_alone"
                             : own ? "text.mask.compared_own"
                                   : "text.mask.compared",
                             {{"loss", number_text(taught)},
                              {"own", number_text(written)},
                              {"text", output_text(scene.ui, scene.now, scene.now.run)}});
    };
    constexpr double longest = 8.88e-5;  // in letters
    const std::string compared = compared_by(taught_loss(scene.now), written_loss(scene.now));
    const auto high = [&](const std::string& words) {
        return measure_rich(scene.canvas, {words, Font::body, {}, Align::left}, scene.area.width()).y;
    };
    const float above = scene.px(14), between = scene.px(8);
    const bool says_all = !is_low(scene);
    // The room for either sentence, so that a switch of the mask moves no matrix.
    std::string before;
    for (int k = 0; k <= std::min(row, keys.size() - 1); ++k)
        before += (k > 0 ? " " : "") + keys.words[static_cast<std::size_t>(k)];
    const float least = std::max({high(told), high(told_with(false, before)), high(told_with(true, whole))});
    const float end =
        draw_squares(scene, s, above + least + (says_all ? between + high(compared_by(longest, longest)) : 0));
    const Rect note{scene.area.x0, end + above, scene.area.x1, scene.area.y1};
    text_note(scene.in(note), told, Font::body);
    scene.ui.probe.mark("text.mask.seen", note, row, told);
    if (!says_all) return;
    text_note(scene.in({note.x0, note.y0 + high(told) + between, note.x1, note.y1}), compared, Font::body);
    scene.ui.probe.mark("text.mask.loss", note, taught_loss(scene.now), compared);
}

std::vector<Fact> facts(const TextTold& told) {
    const Shown s = shown_in(told.now, told.look());
    return {{told.ui.text("text.fact.hidden"), count_text(s.hidden()), {}},
            {told.ui.text("text.fact.scores"), count_text(s.rows * s.rows), {}},
            number_fact(told.ui.text("text.fact.loss"), taught_loss(told.now))};
}

std::vector<std::string> switches(const TextTold&) { return {"no-mask", "mask-off-by-one"}; }

std::string equation(const TextTold& told) {
    if (is_on(told.experiment, "no-mask")) return "text_mask_none";
    return is_on(told.experiment, "mask-off-by-one") ? "text_mask_late" : "text_mask";
}

bool answered(const TextTried& tried) { return is_on(tried.experiment, "no-mask"); }

}  // namespace text_mask_parts

TextChapterRow mask_chapter() {
    return {.id = name_of(TextChapter::mask),
            .own = {.view = text_mask_parts::view,
                    .depends = {.block = true, .head = true},
                    .narrow = true,
                    .aspect = mask_aspect},
            .facts = text_mask_parts::facts,
            .switches = text_mask_parts::switches,
            .answered = text_mask_parts::answered,
            .equation = text_mask_parts::equation,
            .learn = "mask"};
}

}  // namespace vitrine
