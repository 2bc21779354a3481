#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/rooms/room.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_look.h"
#include "app/workspace/text_result.h"
#include "core/measures/text/text_heads.h"
#include "core/text/decoded_text.h"
#include "core/text/text_what_ifs.h"
#include "core/text/vocabulary.h"
#include "core/training/head_tally.h"
#include "core/transformer/block_trace.h"

// Figures of heads, vectors and candidates for the next word.

namespace vitrine {

namespace {

/// The known role of a head in words; empty for most heads.
std::string role_of(const TextScene& scene, TextAttention kind, int block, int head) {
    const auto is = [&](const TalliedHead& found) {
        return found.count > 0 && found.block == block && found.head == head;
    };
    if (kind == TextAttention::encoder && is(scene.now.it_head))
        return scene.ui.text("text.role.it", {{"count", count_text(scene.now.it_head.count)}});
    const std::optional<VerdictHead>& deciding = scene.now.deciding_head;
    if (kind == TextAttention::encoder && deciding && deciding->block == block && deciding->head == head)
        return scene.ui.text("text.role.deciding", {{"change", number_text(deciding->change)}});
    if (kind == TextAttention::decoder && is(scene.now.induction_head))
        return scene.ui.text("text.role.induction", {{"count", count_text(scene.now.induction_head.count)}});
    return {};
}

}  // namespace

void heads_strip(const TextScene& scene, TextAttention kind) {
    const int block = block_in(scene.now, kind, scene.look());
    const auto t = attention_of(scene.now.run, kind, block);
    if (t == nullptr) return;
    const Palette& p = scene.palette();
    const int heads = scene.now.model->config.heads;
    const float line = scene.canvas.measure("", Font::caption).y, gap = scene.px(14);
    const float width =
        std::min((scene.area.width() - gap * static_cast<float>(heads)) / static_cast<float>(heads + 1), scene.px(170));
    const float all = width * static_cast<float>(heads + 1) + gap * static_cast<float>(heads);
    float x = scene.area.x0 + (scene.area.width() - all) / 2;
    for (int head = -1; head < heads; ++head, x += width + gap) {
        const AttentionMap map = map_of(*t, head);
        const Rect figure{x, scene.area.y0 + line + scene.px(4), x + width, scene.area.y1};
        const std::string role = role_of(scene, kind, block, head);
        const std::string name =
            head < 0 ? scene.ui.text("text.mean") : scene.ui.text("text.head", {{"head", scene.ui.ordinal(head)}});
        const std::string id = head < 0 ? "text.heads.mean" : "text.heads." + std::to_string(head);
        const bool chosen = head_in(scene.now, scene.look()) == head;
        const bool off = is_on(scene.experiment(), word_of_head(kind, block, head));
        scene.canvas.heat_map(figure,
                              {map.weights.data(), map.rows, map.columns, {ColourMap::sequential, 0, 1, Curve::root}});
        if (off) hatch(scene.canvas, figure, p.muted, scene.px(7));
        const Hit hit = hot_area(scene.ui, id, {x, scene.area.y0, x + width, scene.area.y1}, name);
        tooltip(scene.ui, role.empty() ? scene.ui.text(head < 0 ? "text.mean_tip" : "text.head_tip") : role,
                head < 0 ? "" : "X");
        scene.canvas.stroke(figure.inset(-scene.px(1)), chosen || hit.at ? p.accent : p.line, scene.px(chosen ? 3 : 1));
        const std::string shown = role.empty() ? name : "★ " + name;
        scene.canvas.text({figure.centre().x, scene.area.y0}, shown,
                          {Font::caption, chosen ? p.accent : p.muted, Align::centre});
        if (hit.at && head >= 0) scene.selection.hover_head(head);
        if (hit.clicked) scene.look().head = head;
    }
}

void attention_controls(const TextScene& scene, TextAttention kind, Shapes offered) {
    const Text& text = scene.ui.text;
    const int blocks = blocks_of(scene.now.model->config, kind);
    ImGui::SetCursorScreenPos({scene.area.x0, scene.area.y0});
    std::vector<Control> layers;
    for (int b = 1; b <= blocks; ++b)
        layers.push_back({"text.block." + std::to_string(b), text("text.layer", {{"block", scene.ui.ordinal(b - 1)}}),
                          text("text.layer_tip"), scene.frame.key_of("text.block.next")});
    int chosen = block_in(scene.now, kind, scene.look()) - 1;
    if (segmented(scene.ui, layers, chosen)) scene.look().block = chosen + 1;
    if (offered == Shapes::matrix) return;
    ImGui::SameLine(0, scene.px(18));
    const Control shapes[] = {
        {"text.lines", text("text.lines"), text("text.lines_tip"), scene.frame.key_of("text.matrix")},
        {"text.matrix", text("text.matrix"), text("text.matrix_tip"), scene.frame.key_of("text.matrix")}};
    int shape = scene.look().matrix ? 1 : 0;
    if (segmented(scene.ui, shapes, shape)) scene.look().matrix = shape == 1;
}

void text_vector(const TextScene& scene, const TextVector& v) {
    float reach = v.reach;
    if (reach <= 0)
        for (const float x : v.values) reach = std::max(reach, std::abs(x));
    const std::string range = "± " + number_text(static_cast<double>(reach));
    const float line = scene.canvas.measure("", Font::caption).y + scene.px(3);
    const Rect words{scene.area.x0, scene.area.y0, v.beside > 0 ? scene.area.x0 + v.beside : scene.area.x1,
                     scene.area.y0 + line};
    const float room = words.width() - scene.canvas.measure(range, Font::caption).x - scene.px(12);
    const TextStyle named{Font::caption, v.color ? *v.color : scene.palette().muted, Align::left};
    const std::string title = v.beside > 0 || v.moments.empty() ? v.title : v.title + "     " + v.moments;
    scene.canvas.text({words.x0, words.y0}, fitted(scene.canvas, title, Font::caption, room), named);
    scene.canvas.text({words.x1, words.y0}, range, {Font::caption, scene.palette().muted, Align::right});
    if (v.beside > 0) scene.canvas.text({words.x0, words.y1}, v.moments, named);
    const Rect bars = v.beside > 0 ? Rect{words.x1 + scene.px(14), scene.area.y0, scene.area.x1, scene.area.y1}
                                   : Rect{scene.area.x0, words.y1, scene.area.x1, scene.area.y1};
    const auto count = static_cast<int>(v.values.size());
    const Hit hit = hot_area(scene.ui, v.id, bars, v.title, Reach::along_axis);
    const std::optional<int> lit = hit.at ? feature_at(bars, count, *hit.at) : std::nullopt;
    feature_bars(scene.canvas, scene.ui, bars, {v.values, reach, lit, v.color});
    if (!lit) return;
    readout(scene.ui,
            std::vector<std::string>{scene.ui.text("text.feature", {{"feature", scene.ui.ordinal(*lit)}}),
                                     full_text(static_cast<double>(v.values[static_cast<std::size_t>(*lit)]))});
    if (hit.clicked) scene.look().feature = *lit;
}

int candidate_list(const TextScene& scene, const CandidateList& list) {
    const Palette& p = scene.palette();
    const Vocabulary& words = scene.now.model->target;
    const float line = std::max(scene.px(30), scene.canvas.measure("", Font::body).y + scene.px(4));
    const auto shown = std::min<std::size_t>({list.candidates.size(), static_cast<std::size_t>(list.most),
                                              static_cast<std::size_t>(scene.area.height() / line)});
    float widest = 0;
    for (std::size_t i = 0; i < shown; ++i)
        widest = std::max(widest, scene.canvas.measure(words.word(list.candidates[i].word), Font::body).x);
    const float value = scene.canvas.measure("< 0.1 %", Font::mono).x;
    int clicked = -1;
    for (std::size_t i = 0; i < shown; ++i) {
        const WordCandidate& c = list.candidates[i];
        const float y = scene.area.y0 + line * static_cast<float>(i);
        const Rect row{scene.area.x0, y, scene.area.x1, y + line - scene.px(2)};
        const bool taken = c.word == list.taken;
        const std::string& word = words.word(c.word);
        const Hit hit = hot_area(scene.ui, list.id + "." + std::to_string(i), row, word);
        scene.ui.probe.mark(list.id + ".value." + std::to_string(i), row, c.probability, word);
        if (hit.at || taken) scene.canvas.fill(row, hit.at ? p.raised : p.accent.with_alpha(0.18F), scene.px(5));
        const Rect track{row.x0 + widest + scene.px(24), row.y0 + scene.px(7), row.x1 - value - scene.px(16),
                         row.y1 - scene.px(7)};
        scene.canvas.fill(track, p.line.with_alpha(0.5F), scene.px(3));
        const float length = track.width() * static_cast<float>(std::clamp(c.probability, 0.0, 1.0));
        if (length > 0) scene.canvas.fill({track.x0, track.y0, track.x0 + length, track.y1}, p.accent, scene.px(3));
        const float text = scene.canvas.measure("", Font::body).y;
        scene.canvas.text({row.x0 + scene.px(10), row.centre().y - text / 2}, word,
                          {Font::body, taken ? p.accent : p.text, Align::left});
        scene.canvas.text({row.x1 - scene.px(6), row.centre().y - text / 2}, probability_text(c.probability),
                          {Font::mono, p.muted, Align::right});
        if (hit.clicked) clicked = static_cast<int>(i);
    }
    return clicked;
}

float text_note(const TextScene& scene, const std::string& markup, Font font) {
    return rich_text(scene.canvas, scene.ui, scene.area, {markup, font, scene.palette().muted, Align::left});
}

float text_caption(const TextScene& scene, Point at, const std::string& markup, Color color) {
    const RichText words{markup, Font::caption, color, Align::left};
    return rich_text(scene.canvas, scene.ui, {at.x, at.y, scene.area.x1, scene.area.y1}, words);
}

float caption_height(const TextScene& scene, const std::string& markup) {
    return measure_rich(scene.canvas, {markup, Font::caption, {}, Align::left}, scene.area.width()).y;
}

}  // namespace vitrine
