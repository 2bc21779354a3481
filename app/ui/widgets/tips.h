#pragma once

#include <string>

#include "app/ui/ui.h"

namespace vitrine {

/// As `tooltip` (controls.h), but over the part of the window that the last item is in, as wide as it at most: what a
/// word of a panel means does not cover the picture that it is about.
void tooltip_in_zone(const Ui& ui, const std::string& words);

}  // namespace vitrine
