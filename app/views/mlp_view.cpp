#include "app/views/views.h"

namespace vitrine {

void mlp_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
