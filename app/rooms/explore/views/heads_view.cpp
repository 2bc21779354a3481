#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// Draws the heads' outputs for the token side by side; the animation concatenates them.
void draw_joined(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const auto t = block_of(scene, selection);
    const int token = selection.focus.token, d = c.head_dim(), block = selection.focus.block;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(3);
    const std::string title = scene.ui.text("heads.joined", {{"last", std::to_string(c.heads - 1)},
                                                             {"token", short_token_name(scene.ui, scene.now, token)},
                                                             {"count", count_text(c.embedding_dim)}});
    text_line(scene, {rect.x0, rect.y0}, rect.width(), title, Font::caption, theme.palette.value);
    float reach = 0;
    for (int head = 0; head < c.heads; ++head) reach = std::max(reach, reach_of(row_of(t->heads, head, token)));
    reach = selection.reach("heads.joined", reach);
    const auto count = static_cast<float>(c.heads);
    const float gap = theme.px(12) * (1 - phase(scene.time, 0, 0.4F)) + theme.px(2),
                width = (rect.width() - gap * (count - 1)) / count;
    for (int head = 0; head < c.heads; ++head) {
        const float x = rect.x0 + (width + gap) * static_cast<float>(head);
        const Rect part{x, rect.y0 + line, x + width, rect.y1};
        feature_bars(scene.canvas, scene.ui, part, {row_of(t->heads, head, token), reach, {}, theme.palette.value});
        if (head == selection.focus.head && !scene.ui.bare)
            scene.canvas.stroke(part, theme.palette.accent, theme.px(2), theme.px(3));
        point_at_cells(
            scene, part,
            {"heads.out." + std::to_string(head), row_region(Quantity::heads, block, head, token, d), {1, d}},
            selection);
    }
}

/// Contributions of heads and bias to a token.
struct Contributions {
    std::vector<float> norms, cosines;  // by head, then the bias, if there is one
    int heads = 0;

    int rows() const { return static_cast<int>(norms.size()); }
};
Contributions contributions_of(const Scene& scene, const Selection& selection) {
    const auto t = block_of(scene, selection);
    const int token = selection.focus.token;
    const LinearWeights& projection = weights_of(scene, selection).projection;
    const Tensor2 added = head_contributions(*t, projection, token);
    const std::span<const float> total = row_of(t->msa, token);
    Contributions all{row_norms(added), {}, scene.now.model->config.heads};
    for (int head = 0; head < all.heads; ++head) all.cosines.push_back(cosine(row_of(added, head), total));
    if (projection.bias.empty()) return all;
    const std::span<const float> bias{projection.bias.data(), projection.bias.size()};
    all.norms.push_back(summarise(bias).norm);
    all.cosines.push_back(cosine(bias, total));
    return all;
}

/// Draws a head's chip, which chooses the head or switches it off.
void draw_head_chip(const Scene& scene, int head, float width, Selection& selection, WhatIfs& what_ifs) {
    const Text& text = scene.ui.text;
    Focus& f = selection.focus;
    const Intervention removal = remove_head(f.block, head);
    const std::string number = scene.ui.ordinal(head);
    const ChipClick click = chip(
        scene.ui,
        {"heads.row." + std::to_string(head), chip_words(scene, text("heads.head", {{"head", number}}), number, width),
         text("attention.head_tip"), number},
        {scene.ui.theme.palette.accent, f.head == head, contains(what_ifs, removal), true, width});
    if (click == ChipClick::chosen) f.head = head;
    if (click == ChipClick::switched) toggle(what_ifs, removal);
}

/// Draws a row for each head: chip, length of its contribution, and its cosine with the sum.
void draw_contributions(const Scene& scene, Rect rect, Selection& selection, WhatIfs& what_ifs) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Contributions all = contributions_of(scene, selection);
    const std::string token = short_token_name(scene.ui, scene.now, selection.focus.token);
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(6);
    const int rows = all.rows();
    // Two columns if one would squeeze the rows; then the cosine is left out.
    const int across = line + theme.px(36) * static_cast<float>(rows) > rect.height() ? 2 : 1;
    const int down = (rows + across - 1) / across;
    text_line(scene, {rect.x0, rect.y0}, rect.width(),
              text(across > 1 ? "heads.adds" : "heads.adds_cos", {{"token", token}}), Font::caption,
              theme.palette.muted);
    const float width = rect.width() / static_cast<float>(across) - (across > 1 ? theme.px(10) : 0);
    // Rows of few heads are further apart, so that they reach down as far as the map beside them.
    const float pitch = std::min(theme.px(60), (rect.height() - line) / static_cast<float>(down)),
                height = std::min(theme.px(40), pitch);
    const float chip_width = std::min(theme.px(130), width * 0.52F);
    const std::span<const float> of_heads = std::span(all.norms).first(static_cast<std::size_t>(all.heads));
    const float most = std::max(reach_of(of_heads), all.norms.back()), shown = phase(scene.time, 0.5F, 1);
    const float cosine_width = across > 1 ? 0.0F : scene.canvas.measure("  cos −0.000", Font::mono).x,
                words_width = scene.canvas.measure("0.000", Font::mono).x + cosine_width;
    for (int row = 0; row < rows; ++row) {
        const bool is_bias = row == all.heads;
        const float x = rect.x0 + (width + theme.px(20)) * static_cast<float>(row / down);
        const float y = rect.y0 + line + pitch * static_cast<float>(row % down);
        const float norm = all.norms[static_cast<std::size_t>(row)], cos = all.cosines[static_cast<std::size_t>(row)];
        if (is_bias) {
            text_block(scene, {x + theme.px(4), y + theme.px(4), x + chip_width, y + height}, text("heads.bias"),
                       Font::caption);
        } else {
            ImGui::SetCursorScreenPos({x, y});
            draw_head_chip(scene, row, chip_width, selection, what_ifs);
        }
        const std::string length = number_text(static_cast<double>(norm)),
                          angle = across > 1 ? "" : "cos " + fixed_text(static_cast<double>(cos), 3);
        const Rect track{x + chip_width + theme.px(10), y + theme.px(6), x + width - words_width - theme.px(10),
                         y + height - theme.px(8)};
        scene.canvas.fill(track, theme.palette.raised, theme.px(3));
        scene.canvas.fill({track.x0, track.y0, track.x0 + track.width() * norm / most * shown, track.y1},
                          is_bias ? theme.palette.residual : theme.palette.accent, theme.px(3));
        const TextStyle style{Font::mono, theme.palette.text, Align::right};
        scene.canvas.text({x + width - cosine_width, y + theme.px(5)}, length, style);
        scene.canvas.text({x + width, y + theme.px(5)}, angle, style);
        scene.ui.probe.mark("heads.row." + std::to_string(row) + ".norm", track, static_cast<double>(norm),
                            length + (angle.empty() ? "" : "   " + angle));
    }
}

}  // namespace

void heads_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const auto t = block_of(scene, selection);
    const int token = selection.focus.token, block = selection.focus.block, head = selection.focus.head;
    const float strip = std::clamp(a.height() * 0.16F, theme.px(64), theme.px(110)), arrow = theme.px(30),
                gap = theme.px(6);
    RectStack stack(a, gap);
    draw_joined(scene, stack.next(strip), selection);
    const Rect between = stack.next(arrow);
    arrow_down(scene, {between.x0 + theme.px(10), between.y0}, arrow, "");
    const std::string map = "W{sub|O} " + shape_words("", {c.embedding_dim, c.embedding_dim});
    text_block(scene, {between.x0 + theme.px(24), between.y0 + theme.px(4), between.x1, between.y1}, map,
               Font::caption);
    std::vector<float> msa(row_of(t->msa, token).begin(), row_of(t->msa, token).end());
    const float reach = reach_of(msa), shown = phase(scene.time, 0.4F, 0.8F);
    for (float& x : msa) x *= shown;
    vector_figure(scene, stack.next(strip),
                  {"heads.msa",
                   text("heads.msa", {{"count", count_text(c.embedding_dim)}}),
                   msa,
                   row_region(Quantity::msa, block, 0, token, c.embedding_dim),
                   theme.palette.accent,
                   reach,
                   {}},
                  selection);
    stack.next(theme.px(2));
    const Rect rest = stack.rest();
    draw_contributions(scene, columns(rest, 0, 0.58F), selection, what_ifs);
    const std::vector<float> norms = head_contribution_norms(*t, weights_of(scene, selection).projection, head);
    token_map(scene, columns(rest, 0.64F, 1),
              {"heads.map",
               text("heads.map", {{"head", scene.ui.ordinal(head)}}),
               norms,
               {ColourMap::sequential, 0, reach_of(norms)},
               text("scope.tokens"),
               {},
               false},
              selection);
}

}  // namespace vitrine
