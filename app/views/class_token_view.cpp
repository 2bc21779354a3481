#include "app/views/views.h"

namespace vitrine {

void class_token_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
