#include "app/views/views.h"

namespace vitrine {

void depth_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
