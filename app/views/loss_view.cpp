#include "app/views/views.h"

namespace vitrine {

void loss_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
