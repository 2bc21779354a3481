#include "app/views/views.h"

namespace vitrine {

void activation_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
