#pragma once

#include <memory>
#include <string>

#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "core/files/image.h"

namespace vitrine {

/// A thumbnail, or an icon if there is none, with a name below.
struct FileTile {
    std::string id, name;
    std::shared_ptr<const Image> picture;
    Icon icon = Icon::picture;
};

/// Draws the tile; true if it was clicked.
bool file_tile(const Ui& ui, const FileTile& tile, Rect rect);

}  // namespace vitrine
