#include "app/views/views.h"

namespace vitrine {

void explanation_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
