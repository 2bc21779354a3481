#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/vit/model.h"
#include "core/vit/token_places.h"

namespace vitrine {

/// 2 × 3 patches and a class token, in blocks of a plain Vision Transformer.
inline Config plain_blocks() {
    Config c;
    c.image_height = 8;
    c.image_width = 12;
    c.patch_size = 4;
    c.embedding_dim = 16;
    c.heads = 2;
    c.blocks = 2;
    c.mlp_dim = 12;
    c.classes = 3;
    return c;
}

/// 2 × 2 patches and a class token, in blocks of a plain Vision Transformer.
inline Config four_patches() {
    Config c;
    c.image_height = c.image_width = 16;
    c.patch_size = 8;
    c.embedding_dim = 16;
    c.heads = 2;
    c.blocks = 2;
    c.mlp_dim = 24;
    c.classes = 3;
    return c;
}

/// A model for each part that not every block has, and one with all of them; by name.
inline std::vector<std::pair<std::string, Config>> with_every_block_part() {
    std::vector<std::pair<std::string, Config>> list;
    const auto add = [&](const char* name, auto change) {
        Config c = plain_blocks();
        change(c);
        list.emplace_back(name, c);
    };
    const auto layer_scale = [](Config& c) { c.layer_scale = true; };
    const auto gated_mlp = [](Config& c) {
        c.gated_mlp = true;
        c.activation = Activation::silu;
    };
    const auto mlp_norm = [](Config& c) { c.mlp_norm = true; };
    add("layer scale", layer_scale);
    add("gated MLP", gated_mlp);
    add("norm in the MLP", mlp_norm);
    const auto rotary = [](Config& c) { c.positions = Positions::rotary; };
    const auto qk_norm = [](Config& c) { c.qk_norm = true; };
    const auto position_bias = [](Config& c) { c.position_bias = rows_of_position_bias(c); };
    add("rotary positions", rotary);
    add("rotary positions as rows and columns are counted, the columns first", [&](Config& c) {
        rotary(c);
        c.rotary = {100, true, Rotary::own_grid, true};
    });
    add("rotary positions of neighbours, and no E_pos", [&](Config& c) {
        rotary(c);
        c.rotary = {10000, true, 16};
        c.position_table = false;
        c.leading.push_back({TokenKind::register_token, 2, false});
        c.key_bias = false;
    });
    add("norm of queries and keys", qk_norm);
    add("table of relative positions", [&](Config& c) {
        position_bias(c);
        c.positions = Positions::none;
        c.position_table = false;
        c.readout = Readout::mean;
    });
    const auto pooling = [](Config& c) {
        c.leading.clear();
        c.readout = Readout::attention;
        c.pooling_dim = 20;
    };
    add("attention pooling", pooling);
    add("attention pooling of patches alone, beside other tokens", [&](Config& c) {
        pooling(c);
        rotary(c);
        c.leading = {{TokenKind::class_token}, {TokenKind::register_token, 2, false}};
    });
    add("all parts", [&](Config& c) {
        rotary(c);
        qk_norm(c);
        position_bias(c);
        layer_scale(c);
        gated_mlp(c);
        mlp_norm(c);
    });
    return list;
}

}  // namespace vitrine
