#include <imgui.h>

#include <algorithm>

#include "app/rooms/explore/panels/button_row.h"
#include "app/rooms/explore/panels/explore_panels.h"
#include "app/rooms/room.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"
#include "app/workspace/result.h"
#include "core/vit/image_size.h"

namespace vitrine {

namespace {

/// The number of patches by which a click changes an edge of `patches` patches.
int step_of(int patches) { return std::max(1, patches / 8); }

void change_size(const Frame& frame, const std::string& size) {
    frame.commands().add(command::ChangeModelSetting{"image_size", size});
}

/// Draws "− 224 +" for an edge in pixels; its buttons request another size.
void edge(const Frame& frame, ButtonRow& row, const char* name, int ImageSize::*pixels, ImageSize size, int patch) {
    const Text& text = frame.ui.text;
    const std::string id = std::string("image.") + name;
    const int step = step_of(size.*pixels / patch) * patch;
    const auto ask = [&](int change) {
        ImageSize other = size;
        other.*pixels += change;
        change_size(frame, option_of(other));
    };
    const bool can_shrink = size.*pixels - step >= patch;
    const bool can_grow =
        size.height / patch * (size.width / patch) < most_patches / 2 && size.*pixels + step <= most_edge_pixels;
    if (row.press({id + "_less", "−", text(id + "_less"), {}, can_shrink})) ask(-step);
    row.words(std::to_string(size.*pixels), frame.ui.theme.palette.text);
    if (row.press({id + "_more", "+", text(id + "_more"), {}, can_grow})) ask(step);
}

}  // namespace

float image_size_row(const Frame& frame, Rect area) {
    const Ui& ui = frame.ui;
    const Config& c = frame.shown().result->model->config;
    const std::shared_ptr<const Model>& usual = frame.shown().result->model->usual;
    const ImageSize size{c.image_height, c.image_width};
    const Palette& palette = ui.theme.palette;
    ButtonRow row(ui, area);
    row.words(ui.text("image.size"), palette.muted);
    edge(frame, row, "width", &ImageSize::width, size, c.patch_size);
    row.words("×", palette.muted);
    edge(frame, row, "height", &ImageSize::height, size, c.patch_size);
    row.words(ui.text("image.size_patches",
                      {{"columns", std::to_string(c.grid_width())}, {"rows", std::to_string(c.grid_height())}}),
              palette.muted);
    if (usual) {
        const ImageSize back{usual->config.image_height, usual->config.image_width};
        if (row.press({"image.usual_size", ui.text("image.usual_size"),
                       ui.text("image.usual_size_tip", {{"size", words_of(back)}})}))
            change_size(frame, "");
    }
    return row.height();
}

}  // namespace vitrine
