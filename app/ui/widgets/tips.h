#pragma once

#include <string>

#include "app/ui/ui.h"

namespace vitrine {

/// As `tooltip` (controls.h), but within the part of the window that contains the last item, so that the explanation of
/// a word in a panel does not cover the picture that it describes.
void tooltip_in_zone(const Ui& ui, const std::string& words);

/// True if a tooltip or a readout has been drawn in this frame.
bool tip_is_drawn();

}  // namespace vitrine
