#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "app/rooms/explore/panels/button_row.h"
#include "app/rooms/explore/panels/explore_panels.h"
#include "app/rooms/figures/brush.h"
#include "app/rooms/room.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/command.h"
#include "app/workspace/selection.h"
#include "app/workspace/workspace.h"
#include "core/training/own_pictures.h"
#include "core/transformer/equations.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

constexpr int sizes[] = {1, 3, 5};

/// Draws the choice of a stroke's effect.
void draw_paint_kinds(const Frame& frame, ButtonRow& row, Brush& brush) {
    const Ui& ui = frame.ui;
    std::vector<Control> kinds;
    float width = 0;
    int chosen = 0;
    for (const auto& [paint, name] : paint_names) {
        if (paint == brush.paint) chosen = static_cast<int>(kinds.size());
        const std::string id = std::string("brush.") + name;
        kinds.push_back({id, ui.text(id), ui.text(id + "_tip")});
        width += measure_text(ui.theme, kinds.back().words, Font::strong).x + ui.theme.px(2 * 10);
    }
    row.place(width, [&] {
        if (segmented(ui, kinds, chosen)) brush.paint = paint_names[chosen].value;
    });
}

/// Draws the choice of a stroke's shape: one patch, 3 × 3, 5 × 5, or a rectangle.
void draw_shapes(const Frame& frame, ButtonRow& row, Brush& brush) {
    const Ui& ui = frame.ui;
    std::vector<Control> shapes;
    float width = 0;
    int chosen = 0;
    for (const int size : sizes) {
        if (size == brush.size) chosen = static_cast<int>(shapes.size());
        const std::string side = std::to_string(size);
        shapes.push_back({"brush.size." + side, side + " × " + side, ui.text("brush.size_tip", {{"size", side}})});
    }
    shapes.push_back({"brush.rectangle", ui.text("brush.rectangle"), ui.text("brush.rectangle_tip")});
    if (brush.rectangle) chosen = static_cast<int>(std::size(sizes));
    for (const Control& each : shapes)
        width += measure_text(ui.theme, each.words, Font::strong).x + ui.theme.px(2 * 10);
    row.place(width, [&] {
        if (!segmented(ui, shapes, chosen)) return;
        brush.rectangle = chosen == static_cast<int>(std::size(sizes));
        if (!brush.rectangle) brush.size = sizes[chosen];
    });
}

/// Draws the choice of the images whose mean replaces a patch: drawn ones, or those of a folder, as in the laboratory.
void draw_images_of_mean(const Frame& frame, ButtonRow& row) {
    const Ui& ui = frame.ui;
    std::string& folder = frame.selection.focus.lab.images;
    const std::string name =
        folder.empty() ? ui.text("images.label_drawn") : ui.text("images.label", {{"folder", name_of_folder(folder)}});
    if (row.press({"brush.images", name, ui.text("brush.images_tip"), {}}, {Emphasis::plain, Icon::folder}))
        frame.commands().add(command::ShowDialog{"image_folder"});
    if (!folder.empty() && row.press({"brush.drawn", ui.text("images.use_drawn"), ui.text("brush.drawn_tip"), {}}))
        folder.clear();
}

/// Draws the button that paints a random share of the patches, and "−" and "+", which change the share by 10 %.
void draw_random_share(const Frame& frame, ButtonRow& row, Brush& brush) {
    const Ui& ui = frame.ui;
    constexpr float step = 0.1F, least = 0.1F, most = 0.9F;
    const auto change = [&](float by) { brush.share = std::round((brush.share + by) * 10) / 10; };
    if (row.press({"brush.random",
                   ui.text("brush.random", {{"share", std::to_string(std::lround(100 * brush.share)) + " %"}}),
                   ui.text("brush.random_tip", {{"seed", std::to_string(brush.seed + 1)}}),
                   {},
                   brush.paint != Paint::erase})) {
        const Config& c = frame.workspace.config();
        paint(frame.what_ifs, c, {Paint::erase}, painted(frame.what_ifs, c, brush.paint));
        paint(frame.what_ifs, c, paint_of(frame.selection), random_patches(c, brush.share, ++brush.seed));
    }
    if (row.press({"brush.fewer", "−", ui.text("brush.fewer"), {}, brush.share > least + step / 2})) change(-step);
    if (row.press({"brush.more", "+", ui.text("brush.more"), {}, brush.share < most - step / 2})) change(step);
}

}  // namespace

float brush_row(const Frame& frame, Rect area) {
    const Ui& ui = frame.ui;
    const Config& c = frame.workspace.config();
    Brush& brush = frame.selection.brush;
    std::vector<Intervention>& what_ifs = frame.what_ifs;
    ButtonRow row(ui, area);
    // A shuffle moves tokens, so a stroke would paint other patches than those that it touches.
    const bool shuffled = !equations_of(c, what_ifs).shuffles.empty();
    brush.in_hand = !shuffled;
    if (shuffled) row.words(ui.text("brush.shuffled"), ui.theme.palette.danger);
    draw_paint_kinds(frame, row, brush);
    if (brush.paint == Paint::mean_set) draw_images_of_mean(frame, row);
    draw_shapes(frame, row, brush);
    draw_random_share(frame, row, brush);
    const bool some = !painted(what_ifs, c, brush.paint).empty();
    if (row.press({"brush.others", ui.text("brush.others"), ui.text("brush.others_tip"), {}, some}))
        paint_the_others(what_ifs, c, paint_of(frame.selection));
    const std::vector<int> all = painted_in_any_way(what_ifs, c);
    if (row.press({"brush.clear", ui.text("brush.clear"), ui.text("brush.clear_tip"), {}, !all.empty()}))
        paint(what_ifs, c, {Paint::erase}, all);
    if (row.press({"brush.done", ui.text("brush.done"), ui.text("brush.done_tip"), frame.key_of("brush")},
                  {Emphasis::primary}))
        brush.on = brush.in_hand = false;
    return row.height();
}

}  // namespace vitrine
