#include "app/views/views.h"

namespace vitrine {

void layer_norm_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
