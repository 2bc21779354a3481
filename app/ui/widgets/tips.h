#pragma once

#include <string>

#include "app/ui/ui.h"

namespace vitrine {

/// As `tooltip` (controls.h), but over the part of the window that the last item is in, at most as wide as it: so the
/// explanation of a word in a panel does not cover the picture it is about.
void tooltip_in_zone(const Ui& ui, const std::string& words);

/// True if a tooltip or a readout has been drawn in this frame.
bool tip_is_drawn();

}  // namespace vitrine
