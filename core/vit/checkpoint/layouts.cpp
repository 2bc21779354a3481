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

/// DINOv2's own: the shortest edge is made a seventh larger than the picture.
Preprocessing as_dino(const Config& c) {
    Preprocessing pre;
    pre.resize = Preprocessing::Resize::shortest_edge;
    pre.filter = Preprocessing::Filter::bicubic;
    pre.resize_height = pre.resize_width = static_cast<int>(std::floor(c.image_height * 256.0 / 224.0));
    pre.mean = {0.485, 0.456, 0.406};
    pre.std = {0.229, 0.224, 0.225};
    return pre;
}

/// CLIP's own mean and deviation, of openai/CLIP, clip/clip.py.
Preprocessing as_clip(const Config& c) {
    Preprocessing pre;
    pre.resize = Preprocessing::Resize::shortest_edge;
    pre.filter = Preprocessing::Filter::bicubic;
    pre.resize_height = pre.resize_width = c.image_height;
    pre.mean = {0.48145466, 0.4578275, 0.40821073};
    pre.std = {0.26862954, 0.26130258, 0.27577711};
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
         .classifier = {"classifier", "cls_classifier"},
         .layer_norm_epsilon = 1e-12F,
         .embedding_norm = "embeddings.norm_pre",
         .pooled_norm = "pooler.layernorm",
         .second_classifier = "distillation_classifier",
         .features = "visual_projection",
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
         .classifier = {"classifier", "cls_classifier"},
         .layer_norm_epsilon = 1e-12F,
         .embedding_norm = "embeddings.norm_pre",
         .pooled_norm = "pooler.layernorm",
         .second_classifier = "distillation_classifier",
         .features = "visual_projection",
         .preprocessing = squashed},
        // huggingface/transformers, models/dinov2/modeling_dinov2.py and models/dinov2_with_registers: registers are put
        // after the class token once positions are added; the classifier reads the class token and the patches' mean.
        {.name = "Hugging Face DINOv2",
         .class_token = "embeddings.cls_token",
         .distillation_token = "",
         .register_tokens = "embeddings.register_tokens",
         .position = "embeddings.position_embeddings",
         .patch_embedding = "embeddings.patch_embeddings.projection",
         .ln1 = "norm1",
         .query = "attention.attention.query",
         .key = "attention.attention.key",
         .value = "attention.attention.value",
         .qkv_weight = "",
         .qkv_bias = "",
         .projection = "attention.output.dense",
         .ln2 = "norm2",
         .mlp_in = "mlp.fc1",
         .mlp_out = "mlp.fc2",
         .norm = {"layernorm"},
         .classifier = {"classifier"},
         .layer_scale_1 = {"layer_scale1.lambda1"},
         .layer_scale_2 = {"layer_scale2.lambda1"},
         .layer_norm_epsilon = 1e-6F,
         .preprocessing = as_dino},
        {.name = "Hugging Face DINOv2 (transformers 5)",
         .class_token = "embeddings.cls_token",
         .distillation_token = "",
         .register_tokens = "embeddings.register_tokens",
         .position = "embeddings.position_embeddings",
         .patch_embedding = "embeddings.patch_embeddings.projection",
         .ln1 = "norm1",
         .query = "attention.q_proj",
         .key = "attention.k_proj",
         .value = "attention.v_proj",
         .qkv_weight = "",
         .qkv_bias = "",
         .projection = "attention.o_proj",
         .ln2 = "norm2",
         .mlp_in = "mlp.fc1",
         .mlp_out = "mlp.fc2",
         .norm = {"layernorm"},
         .classifier = {"classifier"},
         .layer_scale_1 = {"layer_scale1.lambda1"},
         .layer_scale_2 = {"layer_scale2.lambda1"},
         .layer_norm_epsilon = 1e-6F,
         .preprocessing = as_dino},
        // huggingface/transformers, models/clip/modeling_clip.py (the misspelt name is the published one) and
        // models/siglip/modeling_siglip.py.
        {.name = "Hugging Face CLIP",
         .class_token = "embeddings.class_embedding",
         .distillation_token = "",
         .register_tokens = "",
         .position = "embeddings.position_embedding.weight",
         .patch_embedding = "embeddings.patch_embedding",
         .ln1 = "layer_norm1",
         .query = "self_attn.q_proj",
         .key = "self_attn.k_proj",
         .value = "self_attn.v_proj",
         .qkv_weight = "",
         .qkv_bias = "",
         .projection = "self_attn.out_proj",
         .ln2 = "layer_norm2",
         .mlp_in = "mlp.fc1",
         .mlp_out = "mlp.fc2",
         .norm = {"post_layernorm"},
         .classifier = {},
         .layer_norm_epsilon = 1e-5F,
         .embedding_norm = "pre_layrnorm",
         .features = "visual_projection",
         .activation = Activation::quick_gelu,
         .preprocessing = as_clip},
        // mlfoundations/open_clip, src/open_clip/transformer.py; OpenAI's own names. The projection is (D, features).
        {.name = "OpenCLIP",
         .class_token = "class_embedding",
         .distillation_token = "",
         .register_tokens = "",
         .position = "positional_embedding",
         .patch_embedding = "conv1",
         .ln1 = "ln_1",
         .query = "",
         .key = "",
         .value = "",
         .qkv_weight = "attn.in_proj_weight",
         .qkv_bias = "attn.in_proj_bias",
         .projection = "attn.out_proj",
         .ln2 = "ln_2",
         .mlp_in = "mlp.c_fc",
         .mlp_out = "mlp.c_proj",
         .norm = {"ln_post"},
         .classifier = {},
         .layer_norm_epsilon = 1e-5F,
         .embedding_norm = "ln_pre",
         .features = "proj",
         .preprocessing = as_clip},
        // huggingface/pytorch-image-models, timm/models/vision_transformer.py and deit.py; facebookresearch/dinov2,
        // dinov2/models/vision_transformer.py has its own name for registers.
        {.name = "timm",
         .class_token = "cls_token",
         .distillation_token = "dist_token",
         .register_tokens = "reg_token",
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
         .layer_scale_1 = {"ls1.gamma"},
         .layer_scale_2 = {"ls2.gamma"},
         .layer_norm_epsilon = 1e-6F,
         .embedding_norm = "norm_pre",
         .pooled_norm = "fc_norm",
         .second_classifier = "head_dist",
         .other_register_tokens = "register_tokens",
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
    static constexpr const char* ends[] = {"pooler.dense.weight", "pooler.dense.bias",    "mask_token",
                                           "position_ids",        "pre_logits.fc.weight", "pre_logits.fc.bias"};
    return ends;
}

std::span<const UnsupportedPart> unsupported_parts() {
    static constexpr UnsupportedPart parts[] = {
        {"layer_scale", "layer scale"},
        {"ls1.gamma", "layer scale"},
        {"ls2.gamma", "layer scale"},
        {"gamma_1", "layer scale"},
        {"head.probe", "attention pooling (SigLIP)"},
        {"attn_pool", "attention pooling (SigLIP)"},
        {"q_norm", "normalised queries"},
        {"k_norm", "normalised keys"},
        {"mlp.weights_in", "a SwiGLU MLP"},
        {"mlp.w12", "a SwiGLU MLP"},
    };
    return parts;
}

}  // namespace vitrine
