#pragma once

#include <optional>
#include <string>

#include "app/library/library.h"
#include "app/rooms/room.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

/// The logo's nine patches, `cell` pixels each.
void draw_logo(Canvas& canvas, const Theme& theme, Point at, float cell);

struct TrainingAside;

/// The top bar: rooms, image, model, the focus as a sentence, and tools. `training`: runs that are not in view, marked
/// on the tab of Train.
void top_bar(const Frame& frame, const std::optional<TrainingAside>& training);

}  // namespace vitrine
