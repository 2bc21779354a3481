#include "app/views/views.h"

namespace vitrine {

void attention_matrix_view(const Scene&, Selection&, WhatIfs&) {}

}  // namespace vitrine
