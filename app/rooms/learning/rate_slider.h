#pragma once

#include "app/ui/ui.h"
#include "core/training/families.h"

namespace vitrine {

/// Slider of the peak learning rate, with stops at 1, 2, 3, 5 times powers of ten.
void rate_slider(const Ui& ui, ChosenRate& rate);

}  // namespace vitrine
