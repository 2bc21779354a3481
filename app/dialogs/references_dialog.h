#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// All cited papers: search, open or copy by click, export as BibTeX.
void references_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
