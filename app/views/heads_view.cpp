#include "app/views/views.h"

namespace vitrine {

void heads_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
