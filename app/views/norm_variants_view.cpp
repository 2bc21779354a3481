#include "app/views/views.h"

namespace vitrine {

void norm_variants_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
