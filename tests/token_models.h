#pragma once

#include "core/vit/model.h"

namespace vitrine {

/// 2 × 3 patches after a class token, a distillation token and two registers without positions.
inline Config with_every_kind_of_token() {
    Config c;
    c.image_height = 16;
    c.image_width = 24;
    c.patch_size = 8;
    c.embedding_dim = 12;
    c.heads = 3;
    c.blocks = 2;
    c.mlp_dim = 20;
    c.classes = 5;
    c.leading = {{TokenKind::class_token}, {TokenKind::distillation}, {TokenKind::register_token, 2, false}};
    return c;
}

/// Only patches; the head reads their mean.
inline Config without_class_token() {
    Config c = with_every_kind_of_token();
    c.leading.clear();
    c.readout = Readout::mean;
    return c;
}

}  // namespace vitrine
