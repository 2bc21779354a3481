#include "app/views/views.h"

namespace vitrine {

void models_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
