#pragma once

#include <span>
#include <string>

#include "app/ui/ui.h"

namespace vitrine {

/// Explains the last item while the mouse or the keyboard has pointed at it for a moment.
void tooltip(const Ui& ui, const std::string& words, const std::string& key = {});

/// A box at the mouse, or at the keyboard's cursor, with lines of words, for what a figure shows there; markup as in
/// rich_text.h.
void readout(const Ui& ui, std::span<const std::string> lines);

}  // namespace vitrine
