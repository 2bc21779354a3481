#include "app/views/views.h"

namespace vitrine {

void scores_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
