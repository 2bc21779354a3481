#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/glyphs.h"
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
/// The shown head's scores (q · k ÷ the run's divisor) before and after masking, and its weights.
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
/// each, reading upwards. Where cells are small, only every second or third word is shown.
struct AxisWords {
    TextTokens rows, columns;
    std::vector<std::string> names = {};  // of the rows, with English glosses where there is room
    RowWords beside = {};
    int every_column = 1;
    float size = 1;   // of the columns' letters
    float below = 0;  // height of the columns' words
};

AxisWords axis_words(const TextScene& scene, bool glosses) {
    AxisWords axis{produced_tokens(scene.now, scene.now.run), target_tokens(scene.now, scene.now.run)};
    for (const std::string& word : axis.rows.words) axis.names.push_back(glosses ? glossed(scene.frame, word) : word);
    return axis;
}

/// What is drawn besides the matrices: the first of `all_extras` that keeps the matrices high enough.
struct Extras {
    bool key = true, compared = true;  // axes and scales; the losses
};
constexpr Extras all_extras[] = {{}, {true, false}, {false, false}};

/// Sizes of the three matrices, their titles and the words at their edges.
struct Layout {
    AxisWords axis;
    float width = 0, height = 0;  // of a matrix: cells are wider than high where height is scarce
    float title = 0;              // height of the titles
    Font titles = Font::body;
};

float space_between(const TextScene& scene) { return scene.px(12); }
float controls_height(const TextScene& scene) { return scene.px(50); }

/// Height of the highest title at that width, whether the mask is on or off.
float titles_height(const TextScene& scene, Font font, float width) {
    float high = 0;
    for (const char* const key : {"text.mask.scores", "text.mask.masked", "text.mask.masked_open", "text.mask.weights",
                                  "text.mask.weights_open"})
        if (scene.ui.text.has(key))
            high = std::max(high, measure_rich(scene.canvas, {scene.ui.text(key), font, {}, Align::left}, width).y);
    return high;
}

/// The largest matrices that fit, with their titles and column words, into the height `room`.
Layout layout_in(const TextScene& scene, float room, int rows, bool glosses) {
    constexpr float dense = 0.67F;               // in lines: distance at which two columns' words do not touch
    constexpr float short_words = 3;             // least length of a column's word, in lines
    constexpr float flat = 0.8F, widest = 1.6F;  // height ÷ width before words are shortened; width ÷ height
    const float line = scene.canvas.measure("", Font::caption).y, gap = scene.px(6), least = scene.px(60);
    const float wide = scene.area.width() - 2 * space_between(scene), count = static_cast<float>(rows);
    Layout l{axis_words(scene, glosses)};
    float longest = 0;
    for (const std::string& word : l.axis.columns.words)
        longest = std::max(longest, scene.canvas.measure(word, Font::caption).x);
    l.height = std::max(least, std::min(room, wide / 3));
    const auto fit_width = [&] {
        l.axis.beside = row_words(scene, l.axis.names, l.height / count);
        l.width = std::max(least, std::min((wide - l.axis.beside.width) / 3, widest * l.height));
    };
    for (int i = 0; i < 3; ++i) {  // row names take width; titles and column words take height
        fit_width();
        l.titles = titles_height(scene, Font::body, l.width) > titles_height(scene, Font::caption, l.width) * 1.6F
                       ? Font::caption
                       : Font::body;
        l.title = titles_height(scene, l.titles, l.width) + gap;
        const float high = room - l.title - gap;
        const float shortest = std::min({short_words * line, longest, high / 3});
        l.axis.below = std::clamp(high - flat * l.width, shortest, longest) + gap;
        l.height = std::clamp(high + gap - l.axis.below, least, std::max(least, l.width));
    }
    fit_width();
    // Kana and kanji fill more of a line than Latin letters do: in narrow columns they are smaller.
    constexpr float filled = 0.85F, smallest = 0.75F;
    const bool cjk = std::ranges::any_of(l.axis.columns.words, has_cjk);
    const float apart = cjk ? filled * smallest : dense;
    l.axis.every_column = std::max(1, static_cast<int>(std::ceil(apart * line * count / l.width)));
    const float pitch = l.width / count * static_cast<float>(l.axis.every_column);
    if (cjk) l.axis.size = std::clamp(pitch / (filled * line), smallest, 1.0F);
    return l;
}

/// The same, with English glosses where these cost little of the size and hide or cut no row's or column's word.
Layout layout_in(const TextScene& scene, float room, int rows) {
    constexpr float least_glossed = 0.9F;  // of the matrices' size without glosses
    Layout with = layout_in(scene, room, rows, true);
    Layout without = layout_in(scene, room, rows, false);
    const bool glosses = with.width * with.height >= least_glossed * least_glossed * without.width * without.height &&
                         with.axis.every_column <= without.axis.every_column &&
                         with.axis.beside.every <= without.axis.beside.every && !with.axis.beside.cut;
    return glosses ? with : without;
}

/// Draws the column words below a matrix. The highlighted column's word is always drawn and displaces its neighbours.
void draw_column_words(const TextScene& scene, Rect figure, const AxisWords& axis, const std::string& id, int lit) {
    const Palette& p = scene.palette();
    const float gap = scene.px(6), cell = figure.width() / static_cast<float>(axis.columns.size());
    const float half = axis.size * scene.canvas.measure("", Font::caption).y / 2;
    for (int j = 0; j < axis.columns.size(); ++j) {
        const bool beside_lit = lit >= 0 && std::abs(j - lit) < axis.every_column;
        if (j != lit && (j % axis.every_column != 0 || beside_lit)) continue;
        const float x = figure.x0 + cell * (static_cast<float>(j) + 0.5F);
        const std::string& word = axis.columns.words[static_cast<std::size_t>(j)];
        const std::string told = shortened(word, [&](const std::string& some) {
            return axis.size * scene.canvas.measure(some, Font::caption).x <= axis.below - gap;
        });
        upright_words(scene.canvas, {x, figure.y1 + gap}, told,
                      {Font::caption, j == lit ? p.key : p.muted, Align::left}, axis.size);
        scene.ui.probe.mark(id + "." + std::to_string(j), {x - half, figure.y1 + gap, x + half, figure.y1 + axis.below},
                            j, word);
    }
}

/// Shows the word of the row or column at the pointer, on an edge without room for every word.
void show_axis_word(const TextScene& scene, Rect edge, const std::string& id, const TextTokens& words, bool down) {
    if (words.size() == 0) return;
    const Hit hit = hot_area(scene.ui, id, edge, {}, down ? Reach{words.size(), 1} : Reach{1, words.size()});
    if (!hit.at) return;
    const float share = down ? (hit.at->y - edge.y0) / edge.height() : (hit.at->x - edge.x0) / edge.width();
    const int at = std::clamp(static_cast<int>(share * static_cast<float>(words.size())), 0, words.size() - 1);
    readout(scene.ui, std::vector<std::string>{glossed(scene.frame, words.words[static_cast<std::size_t>(at)])});
}

void draw_square(const TextScene& scene, const Square& square, const Shown& s, const Layout& layout) {
    const Palette& p = scene.palette();
    const AxisWords& axis = layout.axis;
    const std::string key = "text.mask." + std::string(square.id);
    const Rect figure{scene.area.x0, scene.area.y1 - layout.height, scene.area.x1, scene.area.y1};
    const Rect title{figure.x0, scene.area.y0, figure.x1, figure.y0};
    const std::string& words = scene.ui.text(s.hidden() == 0 && scene.ui.text.has(key + "_open") ? key + "_open" : key);
    text_note(scene.in(title), words, layout.titles);
    scene.ui.probe.mark(key + ".title", title, s.hidden(), words);
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
        outline_cell(scene.canvas, scene.ui, {figure.x0, row.y0, figure.x1, row.y1}, p.query);
    }
    const std::string id = "text.mask.figure." + std::string(square.id);
    const Hit hit = hot_area(scene.ui, id, figure, {}, {s.rows, s.rows});
    const auto cell = hit.at ? cell_at(figure, size, *hit.at) : std::nullopt;
    const std::string column = square.last ? "text.mask.column" : key + ".column";
    draw_column_words(scene, figure, axis, column, cell ? cell->column : chosen);  // a row reads its own column
    show_axis_word(scene, {figure.x0, figure.y1, figure.x1, figure.y1 + axis.below}, column + "s", axis.columns, false);
    if (square.last && axis.rows.size() > 0) {
        draw_row_words(scene, figure, {"text.mask.row", axis.names, axis.beside, Side::right, chosen});
        show_axis_word(scene, {figure.x1, figure.y0, figure.x1 + axis.beside.width, figure.y1}, "text.mask.rows",
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

/// Draws a colour scale, with its name on the left.
constexpr const char* scale_keys[] = {"text.mask.scale_scores", "text.mask.scale_weights"};
void draw_scale(const TextScene& scene, const ColourScale& scale, const char* key) {
    const Rect& a = scene.area;
    const float line = scene.canvas.measure("", Font::caption).y, above = line + scene.px(6);
    const std::string& name = scene.ui.text(key);
    scene.canvas.text({a.x0, a.y0 + (scene.px(12) - line) / 2}, name, {Font::caption, scene.palette().text});
    const float x = a.x0 + scene.canvas.measure(name, Font::caption).x + scene.px(10);
    colour_bar(scene.canvas, scene.ui, {x, a.y0 - above, a.x1, a.y1}, {scale, {}});
    scene.ui.probe.mark(std::string(key), a, static_cast<double>(scale.high), name);
}

float key_height(const TextScene& scene) {
    return caption_height(scene, scene.ui.text("text.mask.axes")) + scene.canvas.measure("", Font::caption).y +
           scene.px(8 + 8 + 12 + 6);
}

/// Draws the meaning of rows and columns (from the stage's left `edge`, if the words need the room), and the scales of
/// scores and weights, below matrices of that width.
void draw_key(const TextScene& scene, const ColourScale& scores, const ColourScale& weights, float width, float edge) {
    const Rect& a = scene.area;
    const float gap = space_between(scene), top = a.y0 + scene.px(8);
    const std::string& axes = scene.ui.text("text.mask.axes");
    const float x = std::max(edge, std::min(a.x0, a.x1 - scene.canvas.measure(axes, Font::caption).x - scene.px(4)));
    const float line = text_caption(scene, {x, top}, axes, scene.palette().muted);
    scene.ui.probe.mark("text.mask.axes", {x, top, a.x1, top + line}, 0, axes);
    const float y = top + line + scene.px(8), last = a.x0 + 2 * (width + gap), end = a.y0 + key_height(scene);
    draw_scale(scene.in({a.x0, y, last - gap, end}), scores, scale_keys[0]);
    // The scale below a small matrix is wider than the matrix, so that the numbers at both ends can be read.
    const float least = scene.canvas.measure(scene.ui.text(scale_keys[1]), Font::caption).x + scene.px(10 + 60);
    draw_scale(scene.in({last, y, std::min(a.x1, last + std::max(width, least)), end}), weights, scale_keys[1]);
}

/// Height left for the matrices above notes of height `notes`.
float room_of(const TextScene& scene, const Extras& extras, float notes) {
    return scene.area.height() - controls_height(scene) - notes - (extras.key ? key_height(scene) : 0);
}

/// Draws the three matrices, their words and scales, above notes of that height; returns their lower edge.
float draw_squares(const TextScene& scene, const Shown& s, const Extras& extras, float notes) {
    const Layout l = layout_in(scene, room_of(scene, extras, notes), s.rows);
    const float gap = space_between(scene);
    const float left = scene.area.x0 + (scene.area.width() - 3 * l.width - 2 * gap - l.axis.beside.width) / 2;
    const float y = scene.area.y0 + controls_height(scene), end = y + l.title + l.height;
    float reach = 1e-6F;
    for (const float x : s.scores) reach = std::max(reach, std::abs(x));
    const ColourScale around{ColourMap::diverging, -reach, reach}, shares{ColourMap::sequential, 0, 1, Curve::root};
    const Square squares[] = {
        {"scores", s.scores, around}, {"masked", s.masked, around, true}, {"weights", s.weights, shares, true, true}};
    float x = left;
    for (const Square& square : squares) {
        draw_square(scene.in({x, y, x + l.width, end}), square, s, l);
        x += l.width + gap;
    }
    const float low = end + l.axis.below;
    if (!extras.key) return low;
    draw_key(scene.in({left, low, scene.area.x1, scene.area.y1}), around, shares, l.width, scene.area.x0);
    return low + key_height(scene);
}

void view(const TextScene& scene) {
    const Shown s = shown_in(scene.now, scene.look());
    if (s.rows == 0) return;
    draw_controls(scene, s);
    const int row = std::min(target_in_view(scene.now, scene.selection), s.rows - 1);
    const TextTokens produced = produced_tokens(scene.now, scene.now.run);
    const bool open = is_on(scene.experiment(), "no-mask");
    const auto told_with = [&](bool all, const std::string& seen) {
        const std::string& word = produced.words[static_cast<std::size_t>(row)];
        const std::string gloss = gloss_of(scene.frame, word);
        return scene.ui.text(all ? "text.mask.sees_all" : "text.mask.sees",
                             {{"word", in_quotes(word) + (gloss.empty() ? "" : " (" + gloss + ")")}, {"words", seen}});
    };
    const TextTokens keys = target_tokens(scene.now, scene.now.run);
    const std::string whole =
        keys.words.front() + " … " + keys.words[static_cast<std::size_t>(std::min(s.rows, keys.size()) - 1)];
    const std::string told = told_with(open, open ? whole : seen_words(scene, s, row));
    const bool own = scene.now.taught && scene.now.taught->own;
    // In an unchanged run the model reads its own output, so both losses are one number.
    const bool alone = own && scene.now.request.what_ifs.empty() && scene.now.request.forced.empty();
    const auto compared_by = [&](double taught, double written) {
        return scene.ui.text(alone ? "text.mask.compared_alone"
                             : own ? "text.mask.compared_own"
                                   : "text.mask.compared",
                             {{"loss", number_text(taught)}, {"own", number_text(written)}});
    };
    constexpr double longest = 8.88e-5;  // a number with the most characters
    const std::string compared = compared_by(taught_loss(scene.now), written_loss(scene.now));
    const auto high = [&](const std::string& words) {
        return measure_rich(scene.canvas, {words, Font::body, {}, Align::left}, scene.area.width()).y;
    };
    const float above = scene.px(10), between = scene.px(6);
    // The room for the longest of the sentences, so that switching the mask moves no matrix.
    std::string before;
    for (int k = 0; k <= std::min(row, keys.size() - 1); ++k)
        before += (k > 0 ? " " : "") + keys.words[static_cast<std::size_t>(k)];
    const float least = std::max({high(told), high(told_with(false, before)), high(told_with(true, whole))});
    const auto notes = [&](const Extras& some) {
        return above + least + (some.compared ? between + high(compared_by(longest, longest)) : 0);
    };
    constexpr float enough = 0.42F;  // least height of a matrix ÷ the stage's, where type is large, as in a lecture
    Extras extras;
    if (scene.projected())
        for (const Extras& some : all_extras)
            if (extras = some;
                layout_in(scene, room_of(scene, some, notes(some)), s.rows).height >= enough * scene.area.height())
                break;
    const float end = draw_squares(scene, s, extras, notes(extras));
    const Rect note{scene.area.x0, end + above, scene.area.x1, scene.area.y1};
    text_note(scene.in(note), told, Font::body);
    scene.ui.probe.mark("text.mask.seen", note, row, told);
    if (!extras.compared) return;
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
