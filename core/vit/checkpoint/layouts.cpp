#include "core/vit/checkpoint/layouts.h"

#include <algorithm>
#include <cmath>

namespace vitrine {

namespace {

Preprocessing squashed(const Config&) { return {}; }

Preprocessing as_timm(const Config& c) {
    Preprocessing pre;
    pre.resize = Preprocessing::Resize::shortest_edge;
    pre.filter = Preprocessing::Filter::bicubic;
    pre.resize_height = static_cast<int>(std::floor(c.image_height / 0.9));
    pre.resize_width = static_cast<int>(std::floor(c.image_width / 0.9));
    return pre;
}

Preprocessing as_torchvision(const Config& c) {
    Preprocessing pre;
    pre.resize = Preprocessing::Resize::shortest_edge;
    pre.resize_height = pre.resize_width = static_cast<int>(std::floor(c.image_height * 256.0 / 224.0));
    pre.mean = {0.485, 0.456, 0.406};
    pre.std = {0.229, 0.224, 0.225};
    return pre;
}

}  // namespace

std::span<const Layout> layouts() {
    static const std::vector<Layout> rows = {
        {.name = "Hugging Face",
         .class_token = "embeddings.cls_token",
         .distillation_token = "embeddings.distillation_token",
         .register_tokens = "embeddings.register_tokens",
         .position = "embeddings.position_embeddings",
         .patch_embedding = "embeddings.patch_embeddings.projection",
         .ln1 = "layernorm_before",
         .query = "attention.attention.query",
         .key = "attention.attention.key",
         .value = "attention.attention.value",
         .qkv_weight = "",
         .qkv_bias = "",
         .projection = "attention.output.dense",
         .ln2 = "layernorm_after",
         .mlp_in = "intermediate.dense",
         .mlp_out = "output.dense",
         .norm = {"layernorm"},
         .classifier = {"classifier"},
         .layer_scale_1 = {"layer_scale1.lambda1",
                           "lambda_1"},  // models/dinov2 and models/beit of huggingface/transformers
         .layer_scale_2 = {"layer_scale2.lambda1", "lambda_2"},
         .gated_mlp = {{"mlp.weights_in", "", "mlp.weights_out"},          // modeling_dinov2.py
                       {"mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"},  // models/dinov3_vit/modular_dinov3_vit.py
                       {"intermediate.dense", "intermediate.vitrine_value", "output.dense"}},  // our own
         .mlp_norm = {"intermediate.vitrine_norm"},
         .query_norm = "attention.attention.vitrine_query_norm",  // our own
         .key_norm = "attention.attention.vitrine_key_norm",
         // huggingface/transformers, models/beit/modeling_beit.py
         .position_bias = "attention.attention.relative_position_bias.relative_position_bias_table",
         .layer_norm_epsilon = 1e-12F,
         .preprocessing = squashed},
        {.name = "Hugging Face (transformers 5)",
         .class_token = "embeddings.cls_token",
         .distillation_token = "embeddings.distillation_token",
         .register_tokens = "embeddings.register_tokens",
         .position = "embeddings.position_embeddings",
         .patch_embedding = "embeddings.patch_embeddings.projection",
         .ln1 = "layernorm_before",
         .query = "attention.q_proj",
         .key = "attention.k_proj",
         .value = "attention.v_proj",
         .qkv_weight = "",
         .qkv_bias = "",
         .projection = "attention.o_proj",
         .ln2 = "layernorm_after",
         .mlp_in = "mlp.fc1",
         .mlp_out = "mlp.fc2",
         .norm = {"layernorm"},
         .classifier = {"classifier"},
         .layer_scale_1 = {"layer_scale1.lambda1",
                           "lambda_1"},  // models/dinov2 and models/beit of huggingface/transformers
         .layer_scale_2 = {"layer_scale2.lambda1", "lambda_2"},
         .gated_mlp = {{"mlp.weights_in", "", "mlp.weights_out"},          // modeling_dinov2.py
                       {"mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"},  // models/dinov3_vit/modular_dinov3_vit.py
                       {"intermediate.dense", "intermediate.vitrine_value", "output.dense"}},  // our own
         .mlp_norm = {"intermediate.vitrine_norm"},
         .query_norm = "attention.attention.vitrine_query_norm",  // our own
         .key_norm = "attention.attention.vitrine_key_norm",
         // huggingface/transformers, models/beit/modeling_beit.py
         .position_bias = "attention.attention.relative_position_bias.relative_position_bias_table",
         .layer_norm_epsilon = 1e-12F,
         .preprocessing = squashed},
        {.name = "timm",
         .class_token = "cls_token",
         .distillation_token = "",
         .register_tokens = "",
         .position = "pos_embed",
         .patch_embedding = "patch_embed.proj",
         .ln1 = "norm1",
         .query = "",
         .key = "",
         .value = "",
         .qkv_weight = "attn.qkv.weight",
         .qkv_bias = "attn.qkv.bias",
         .projection = "attn.proj",
         .ln2 = "norm2",
         .mlp_in = "mlp.fc1",
         .mlp_out = "mlp.fc2",
         .norm = {"norm"},
         .classifier = {"head"},
         // huggingface/pytorch-image-models, timm/models/vision_transformer.py; those of DeiT III and
         // timm/models/eva.py
         .layer_scale_1 = {"ls1.gamma", "gamma_1"},
         .layer_scale_2 = {"ls2.gamma", "gamma_2"},
         // timm/layers/mlp.py: SwiGLU and GluMlp with its gate first; facebookresearch/dinov2, layers/swiglu_ffn.py:
         // w12
         .gated_mlp = {{"mlp.w12", "", "mlp.w3"}, {"mlp.fc1_g", "mlp.fc1_x", "mlp.fc2"}, {"mlp.fc1", "", "mlp.fc2"}},
         .mlp_norm = {"mlp.norm"},
         .query_norm = "attn.q_norm",  // timm/models/vision_transformer.py
         .key_norm = "attn.k_norm",
         .layer_norm_epsilon = 1e-6F,
         .preprocessing = as_timm},
        {.name = "Hugging Face (DINOv3)",  // huggingface/transformers, models/dinov3_vit/modular_dinov3_vit.py
         .class_token = "embeddings.cls_token",
         .distillation_token = "",
         .register_tokens = "embeddings.register_tokens",
         .position = "",
         .patch_embedding = "embeddings.patch_embeddings",
         .ln1 = "norm1",
         .query = "attention.q_proj",
         .key = "attention.k_proj",
         .value = "attention.v_proj",
         .qkv_weight = "",
         .qkv_bias = "",
         .projection = "attention.o_proj",
         .ln2 = "norm2",
         .mlp_in = "mlp.up_proj",
         .mlp_out = "mlp.down_proj",
         .norm = {"norm"},
         .classifier = {"classifier"},
         .layer_scale_1 = {"layer_scale1.lambda1"},
         .layer_scale_2 = {"layer_scale2.lambda1"},
         .gated_mlp = {{"mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"}},
         .layer_norm_epsilon = 1e-5F,
         .preprocessing = squashed},
        {.name = "timm (EVA-02)",  // huggingface/pytorch-image-models, timm/models/eva.py, without a fused qkv
         .class_token = "cls_token",
         .distillation_token = "",
         .register_tokens = "reg_token",
         .position = "pos_embed",
         .patch_embedding = "patch_embed.proj",
         .ln1 = "norm1",
         .query = "attn.q_proj",
         .key = "attn.k_proj",
         .value = "attn.v_proj",
         .qkv_weight = "",
         .qkv_bias = "",
         .projection = "attn.proj",
         .ln2 = "norm2",
         .mlp_in = "mlp.fc1",
         .mlp_out = "mlp.fc2",
         .norm = {"norm"},
         .classifier = {"head"},
         .layer_scale_1 = {"gamma_1"},
         .layer_scale_2 = {"gamma_2"},
         .gated_mlp = {{"mlp.fc1_g", "mlp.fc1_x", "mlp.fc2"}, {"mlp.fc1", "", "mlp.fc2"}},
         .mlp_norm = {"mlp.norm"},
         .layer_norm_epsilon = 1e-6F,
         .preprocessing = as_timm},
        {.name = "torchvision",
         .class_token = "class_token",
         .distillation_token = "",
         .register_tokens = "",
         .position = "encoder.pos_embedding",
         .patch_embedding = "conv_proj",
         .ln1 = "ln_1",
         .query = "",
         .key = "",
         .value = "",
         .qkv_weight = "self_attention.in_proj_weight",
         .qkv_bias = "self_attention.in_proj_bias",
         .projection = "self_attention.out_proj",
         .ln2 = "ln_2",
         .mlp_in = "mlp.0",
         .mlp_out = "mlp.3",
         .norm = {"encoder.ln"},
         .classifier = {"heads.head"},
         .layer_norm_epsilon = 1e-6F,
         .preprocessing = as_torchvision},
        {.name = "torchvision (before 0.13)",
         .class_token = "class_token",
         .distillation_token = "",
         .register_tokens = "",
         .position = "encoder.pos_embedding",
         .patch_embedding = "conv_proj",
         .ln1 = "ln_1",
         .query = "",
         .key = "",
         .value = "",
         .qkv_weight = "self_attention.in_proj_weight",
         .qkv_bias = "self_attention.in_proj_bias",
         .projection = "self_attention.out_proj",
         .ln2 = "ln_2",
         .mlp_in = "mlp.linear_1",
         .mlp_out = "mlp.linear_2",
         .norm = {"encoder.ln"},
         .classifier = {"heads.head"},
         .layer_norm_epsilon = 1e-6F,
         .preprocessing = as_torchvision},
        {.name = "the course book",
         .class_token = "cls_token",
         .distillation_token = "",
         .register_tokens = "",
         .position = "pos_emb",
         .patch_embedding = "patch_emb_layer",
         .ln1 = "ln1",
         .query = "msa.w_q",
         .key = "msa.w_k",
         .value = "msa.w_v",
         .qkv_weight = "",
         .qkv_bias = "",
         .projection = "msa.w_o.0",
         .ln2 = "ln2",
         .mlp_in = "mlp.0",
         .mlp_out = "mlp.3",
         .norm = {"mlp_head.0", "mlp_header.0"},
         .classifier = {"mlp_head.1", "mlp_header.1"},
         .layer_norm_epsilon = 1e-5F,
         .preprocessing = squashed},
    };
    return rows;
}

const char* name_of(const Layout& layout, TokenKind kind) {
    switch (kind) {
        case TokenKind::class_token: return layout.class_token;
        case TokenKind::distillation: return layout.distillation_token;
        case TokenKind::register_token: return layout.register_tokens;
        case TokenKind::patch: return "";
    }
    return "";
}

std::string families_in_words() {
    std::vector<std::string> families;
    for (const Layout& layout : layouts()) {
        const std::string name = layout.name, family = name.substr(0, name.find(" ("));
        if (std::find(families.begin(), families.end(), family) == families.end()) families.push_back(family);
    }
    std::string words;
    for (std::size_t i = 0; i < families.size(); ++i)
        words += (i == 0 ? "" : i + 1 == families.size() ? " and " : ", ") + families[i];
    return words;
}

std::span<const char* const> ends_passed_over() {
    static constexpr const char* ends[] = {"pooler.dense.weight",
                                           "pooler.dense.bias",
                                           "mask_token",
                                           "position_ids",
                                           "pre_logits.fc.weight",
                                           "pre_logits.fc.bias",
                                           "relative_position_bias.relative_position_index"};
    return ends;
}

std::span<const UnsupportedPart> unsupported_parts() {
    static constexpr UnsupportedPart parts[] = {
        {"distillation_token", "a distillation token", TokenKind::distillation},
        {"dist_token", "a distillation token", TokenKind::distillation},
        {"register_token", "register tokens", TokenKind::register_token},
        {"reg_token", "register tokens", TokenKind::register_token},
        {"norm_pre", "a layer norm before the blocks"},
        {"fc_norm", "average pooling"},
    };
    return parts;
}

}  // namespace vitrine
