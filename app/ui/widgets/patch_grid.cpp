#include "app/ui/widgets/patch_grid.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {
namespace {

int token_of(const PatchGrid& grid, GridCell cell) {
    return grid.first_token + cell.row * grid.size.columns + cell.column;
}

/// The rectangle of a token's patch; none for the class token, which has no place in the picture.
std::optional<Rect> rect_of(Rect rect, const PatchGrid& grid, int token) {
    const int patch = token - grid.first_token;
    if (patch < 0 || patch >= grid.size.rows * grid.size.columns) return std::nullopt;
    return cell_rect(rect, grid.size, {patch / grid.size.columns, patch % grid.size.columns});
}

void draw_lines(Canvas& canvas, const Ui& ui, Rect rect, GridSize size) {
    const Color dark = Color{0, 0, 0, 255}.with_alpha(0.45F);
    for (int column = 1; column < size.columns; ++column) {
        const float x = std::round(cell_rect(rect, size, {0, column}).x0);
        canvas.line({x, rect.y0}, {x, rect.y1}, dark, ui.theme.px(1));
    }
    for (int row = 1; row < size.rows; ++row) {
        const float y = std::round(cell_rect(rect, size, {row, 0}).y0);
        canvas.line({rect.x0, y}, {rect.x1, y}, dark, ui.theme.px(1));
    }
}

void draw_off(Canvas& canvas, const Ui& ui, Rect cell) {
    const Palette& palette = ui.theme.palette;
    canvas.fill(cell, palette.background.with_alpha(0.72F));
    hatch(canvas, cell, palette.text.with_alpha(0.7F), ui.theme.px(8));
}

void draw(Canvas& canvas, const Ui& ui, Rect rect, const PatchGrid& grid) {
    const float smallest = std::min(rect.width() / static_cast<float>(grid.size.columns),
                                    rect.height() / static_cast<float>(grid.size.rows));
    if (grid.lines && smallest >= ui.theme.px(6)) draw_lines(canvas, ui, rect, grid.size);
    for (const int token : grid.off) {
        if (const auto cell = rect_of(rect, grid, token)) draw_off(canvas, ui, *cell);
    }
    if (grid.query) {
        if (const auto cell = rect_of(rect, grid, *grid.query)) outline_cell(canvas, ui, *cell, ui.theme.palette.query);
    }
    if (grid.hovered && grid.hovered != grid.query) {
        if (const auto cell = rect_of(rect, grid, *grid.hovered)) outline_cell(canvas, ui, *cell, {255, 255, 255, 255});
    }
}

void mark_cells(const Ui& ui, Rect rect, const PatchGrid& grid) {
    if (!ui.probe.on) return;
    for (int row = 0; row < grid.size.rows; ++row) {
        for (int column = 0; column < grid.size.columns; ++column) {
            const int token = token_of(grid, {row, column});
            ui.probe.mark(grid.id + ".cell." + std::to_string(token), cell_rect(rect, grid.size, {row, column}), token);
        }
    }
}

GridHit read_mouse(Rect rect, const PatchGrid& grid) {
    GridHit hit;
    if (!ImGui::IsItemHovered()) return hit;
    const ImVec2 pointer = ImGui::GetMousePos();
    const std::optional<GridCell> cell = cell_at(rect, grid.size, {pointer.x, pointer.y});
    if (!cell) return hit;
    const int token = token_of(grid, *cell);
    hit.hovered = token;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) hit.clicked = token;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) hit.double_clicked = token;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) hit.menu = token;
    return hit;
}

}  // namespace

GridHit patch_grid(Canvas& canvas, const Ui& ui, Rect rect, const PatchGrid& grid) {
    if (rect.empty() || grid.size.rows < 1 || grid.size.columns < 1) return {};
    const ImVec2 before = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    ImGui::InvisibleButton(grid.id.c_str(), {rect.width(), rect.height()});
    ui.probe.mark_item(grid.id, grid.query.value_or(-1));
    mark_cells(ui, rect, grid);
    GridHit hit;
    if (ui.keyboard == nullptr || !ui.keyboard->leads()) hit = read_mouse(rect, grid);
    if (ui.keyboard != nullptr) {
        ui.keyboard->announce(grid.id, rect);
        const int at = ui.keyboard->cursor_on_last(grid.size.rows * grid.size.columns, grid.size.columns);
        if (at >= 0) hit.hovered = token_of(grid, {at / grid.size.columns, at % grid.size.columns});
        if (at >= 0 && ui.keyboard->pressed_last()) hit.clicked = hit.hovered;
        if (ui.keyboard->context_on_last()) hit.switched = hit.hovered;
    }
    draw(canvas, ui, rect, grid);
    focus_ring(ui, canvas, rect, 0);
    ImGui::SetCursorScreenPos(before);
    return hit;
}

}  // namespace vitrine
