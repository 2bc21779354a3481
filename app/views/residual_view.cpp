#include "app/views/views.h"

namespace vitrine {

void residual_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
