#include "app/views/views.h"

namespace vitrine {

void dropout_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
