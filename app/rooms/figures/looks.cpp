#include <imgui.h>

#include <algorithm>

#include "app/rooms/figures/figures.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/result.h"

// Where tokens look, and who looks at them.

namespace vitrine {

namespace {

/// The column of A: the weight that every query gives to a token.
std::vector<float> column_of(const Tensor3& attention, int head, int token) {
    std::vector<float> column;
    for (int query = 0; query < static_cast<int>(attention.shape()[1]); ++query)
        column.push_back(row_of(attention, head, query)[static_cast<std::size_t>(token)]);
    return column;
}

std::vector<Control> curve_controls(const Scene& scene) {
    const Text& text = scene.ui.text;
    return {{"curve.linear", "a", text("curve.linear_tip"), {}}, {"curve.root", "√a", text("curve.root_tip"), "U"}};
}

}  // namespace

void looks_both_ways(const Scene& scene, Rect rect, const std::string& id, Selection& selection) {
    const Text& text = scene.ui.text;
    const auto block = block_of(scene, selection);
    const int head = selection.focus.head, token = selection.token_in_view();
    const std::span<const float> row = row_of(block->attention, head, token);
    const std::vector<float> column = column_of(block->attention, head, token);
    const float high = std::max(reach_of(row), reach_of(column));  // of both, so that they can be compared
    const ColourScale scale{ColourMap::sequential, 0, high, selection.focus.lab.curve};
    const std::string name = short_token_name(scene.ui, token);
    const float gap = scene.ui.theme.px(12), height = (rect.height() - gap) / 2;
    RectStack stack(rect, gap);
    token_map(scene, stack.next(height),
              {id + ".looks", text("matrix.looks", {{"token", name}}), row, scale, text("matrix.weight"), {}, true},
              selection);
    token_map(
        scene, stack.next(height),
        {id + ".looked", text("matrix.looked", {{"token", name}}), column, scale, text("matrix.weight"), {}, true},
        selection);
}

void who_looks_here(const Scene& scene, Rect rect, const std::string& id, Selection& selection) {
    const auto block = block_of(scene, selection);
    const int head = selection.focus.head, token = selection.token_in_view();
    const std::vector<float> column = column_of(block->attention, head, token);
    const std::string title = scene.ui.text("matrix.looked", {{"token", short_token_name(scene.ui, token)}});
    token_map(scene, rect,
              {id + ".looked",
               title,
               column,
               ColourScale{ColourMap::sequential, 0, reach_of(column), selection.focus.lab.curve},
               scene.ui.text("matrix.weight"),
               {},
               true},
              selection);
}

float curve_choice_width(const Scene& scene) { return scene.ui.theme.px(124); }

void curve_choice(const Scene& scene, Point at, Selection& selection) {
    Curve& curve = selection.focus.lab.curve;
    ImGui::SetCursorScreenPos({at.x, at.y});
    int chosen = curve == Curve::linear ? 0 : curve == Curve::root ? 1 : -1;
    if (segmented(scene.ui, curve_controls(scene), chosen)) curve = chosen == 0 ? Curve::linear : Curve::root;
}

bool few_set_the_range(std::span<const float> weights, float high) {
    const auto bright = std::count_if(weights.begin(), weights.end(), [&](float w) { return w > high / 4; });
    return bright > 0 && static_cast<std::size_t>(bright) * 50 <= weights.size();
}

}  // namespace vitrine
