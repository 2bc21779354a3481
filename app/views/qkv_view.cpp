#include "app/views/views.h"

namespace vitrine {

void qkv_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
