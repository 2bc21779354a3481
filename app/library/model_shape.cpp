#include "app/library/model_shape.h"

#include <algorithm>

#include "core/vit/model.h"

namespace vitrine {

Shape shape_of(const Config& c) {
    return {.blocks = c.blocks,
            .width = c.embedding_dim,
            .heads = c.heads,
            .hidden = c.mlp_dim,
            .patch = c.patch_size,
            .image = c.image_height,
            .classes = c.classes,
            .channels = c.channels,
            .qkv_biases = c.query_bias + c.key_bias + c.value_bias,
            .image_width = c.image_width == c.image_height ? 0 : c.image_width,
            .leading = c.leading_tokens(),
            .placed = c.first_patch_position()};
}

Config config_of(const Shape& shape) { return resized({}, shape); }

Config resized(Config c, const Shape& s) {
    const Shape before = shape_of(c);
    c.blocks = s.blocks;
    c.embedding_dim = s.width;
    c.heads = s.heads;
    c.mlp_dim = s.hidden;
    c.patch_size = s.patch;
    c.image_height = s.image;
    c.image_width = s.image_width > 0 ? s.image_width : s.image;
    c.classes = s.classes;
    c.channels = s.channels;
    if (s.qkv_biases != before.qkv_biases) {
        c.query_bias = s.qkv_biases > 0;
        c.key_bias = s.qkv_biases > 1;
        c.value_bias = s.qkv_biases > 2;
    }
    if (s.leading != before.leading || s.placed != before.placed) {
        const int placed = std::min(s.placed, s.leading);
        c.leading = {{TokenKind::class_token, placed, true}, {TokenKind::register_token, s.leading - placed, false}};
    }
    return c;
}

}  // namespace vitrine
