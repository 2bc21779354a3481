#pragma once

#include <span>
#include <string>

#include "app/ui/ui.h"

namespace vitrine {

/// Shows a tooltip for the last item after the mouse or the keyboard has rested on it for a moment.
void tooltip(const Ui& ui, const std::string& words, const std::string& key = {});

/// A box with lines of text at the mouse or at the keyboard's cursor, for a figure's values; markup as in rich_text.h.
void readout(const Ui& ui, std::span<const std::string> lines);

}  // namespace vitrine
