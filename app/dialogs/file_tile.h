#pragma once

#include <memory>
#include <string>

#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/icons.h"
#include "core/files/image.h"

namespace vitrine {

/// A thumbnail, or an icon where there is none, with a name under it.
struct FileTile {
    std::string id, name;
    std::shared_ptr<const Image> picture;
    Icon icon = Icon::picture;
};

/// Draws it; true when clicked.
bool file_tile(const Ui& ui, const FileTile& tile, Rect rect);

}  // namespace vitrine
