#include "core/vit/checkpoint/layouts.h"

#include <algorithm>
#include <cmath>

#include "core/vit/checkpoint/siglip.h"

namespace vitrine {

namespace {

Preprocessing squashed(const Config&) { return {}; }

/// SigLIP's preprocessing (huggingface/transformers, models/siglip/image_processing_siglip.py).
Preprocessing squashed_bicubic(const Config& c) {
    Preprocessing pre;
    pre.filter = Preprocessing::Filter::bicubic;
    pre.resize_height = c.image_height;
    pre.resize_width = c.image_width;
    return pre;
}

Preprocessing as_timm(const Config& c) {
    Preprocessing pre;
    pre.resize = Preprocessing::Resize::shortest_edge;
    pre.filter = Preprocessing::Filter::bicubic;
    pre.resize_height = static_cast<int>(std::floor(c.image_height / 0.9));
    pre.resize_width = static_cast<int>(std::floor(c.image_width / 0.9));
    return pre;
}

/// DINOv2's preprocessing: resizes the shortest edge to 8/7 of the image size.
Preprocessing as_dino(const Config& c) {
    Preprocessing pre;
    pre.resize = Preprocessing::Resize::shortest_edge;
    pre.filter = Preprocessing::Filter::bicubic;
    pre.resize_height = pre.resize_width = static_cast<int>(std::floor(c.image_height * 256.0 / 224.0));
    pre.mean = {0.485, 0.456, 0.406};
    pre.std = {0.229, 0.224, 0.225};
    return pre;
}

/// CLIP's preprocessing, with its mean and deviation (openai/CLIP, clip/clip.py).
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

/// A copy of a layout with a few changes.
Layout varied(Layout row, void (*change)(Layout&)) {
    change(row);
    return row;
}

std::vector<Layout> all_layouts() {
    const Layout hugging_face = {
        .name = "Hugging Face",
        .class_token = "embeddings.cls_token",
        .distillation_token = "embeddings.distillation_token",
        .register_tokens = "embeddings.register_tokens",
        .position = "embeddings.position_embeddings",
        .patch_embedding = "embeddings.patch_embeddings.projection",
        .ln1 = "layernorm_before",
        .query = "attention.attention.query",
        .key = "attention.attention.key",
        .value = "attention.attention.value",
        .projection = "attention.output.dense",
        .ln2 = "layernorm_after",
        .mlp_in = "intermediate.dense",
        .mlp_out = "output.dense",
        .norm = {"layernorm"},
        .classifier = {"classifier", "cls_classifier"},
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
        .shared_position_bias = "encoder.relative_position_bias.relative_position_bias_table",
        .layer_norm_epsilon = 1e-12F,
        .embedding_norm = "embeddings.norm_pre",
        .pooled_norm = "pooler.layernorm",
        .second_classifier = "distillation_classifier",
        .features = "visual_projection",
        .preprocessing = squashed,
        .pooling = {.probe = "vitrine_pooling.probe",  // our own
                    .query = "vitrine_pooling.query",
                    .key = "vitrine_pooling.key",
                    .value = "vitrine_pooling.value",
                    .projection = "vitrine_pooling.output",
                    .ln = "vitrine_pooling.layernorm",
                    .mlp_in = "vitrine_pooling.intermediate",
                    .mlp_out = "vitrine_pooling.mlp_output"}};
    const Layout hugging_face_5 = varied(hugging_face, [](Layout& l) {
        l.name = "Hugging Face (transformers 5)";
        l.query = "attention.q_proj";
        l.key = "attention.k_proj";
        l.value = "attention.v_proj";
        l.projection = "attention.o_proj";
        l.mlp_in = "mlp.fc1";
        l.mlp_out = "mlp.fc2";
    });
    // huggingface/transformers, models/dinov2/modeling_dinov2.py and models/dinov2_with_registers: registers are
    // inserted after the class token when positions have been added; the classifier reads the class token and the
    // patches' mean.
    const Layout dinov2 = {.name = "Hugging Face DINOv2",
                           .class_token = "embeddings.cls_token",
                           .register_tokens = "embeddings.register_tokens",
                           .position = "embeddings.position_embeddings",
                           .patch_embedding = "embeddings.patch_embeddings.projection",
                           .ln1 = "norm1",
                           .query = "attention.attention.query",
                           .key = "attention.attention.key",
                           .value = "attention.attention.value",
                           .projection = "attention.output.dense",
                           .ln2 = "norm2",
                           .mlp_in = "mlp.fc1",
                           .mlp_out = "mlp.fc2",
                           .norm = {"layernorm"},
                           .classifier = {"classifier"},
                           .layer_scale_1 = {"layer_scale1.lambda1"},
                           .layer_scale_2 = {"layer_scale2.lambda1"},
                           .gated_mlp = {{"mlp.weights_in", "", "mlp.weights_out"}},  // modeling_dinov2.py
                           .layer_norm_epsilon = 1e-6F,
                           .preprocessing = as_dino,
                           .rule_with_registers = PositionRule::antialiased,
                           .runs_at_crop = true};
    const Layout dinov2_5 = varied(dinov2, [](Layout& l) {
        l.name = "Hugging Face DINOv2 (transformers 5)";
        l.query = "attention.q_proj";
        l.key = "attention.k_proj";
        l.value = "attention.v_proj";
        l.projection = "attention.o_proj";
    });
    // huggingface/transformers, models/clip/modeling_clip.py (the misspelt name is the published one).
    const Layout clip = {.name = "Hugging Face CLIP",
                         .class_token = "embeddings.class_embedding",
                         .position = "embeddings.position_embedding.weight",
                         .patch_embedding = "embeddings.patch_embedding",
                         .ln1 = "layer_norm1",
                         .query = "self_attn.q_proj",
                         .key = "self_attn.k_proj",
                         .value = "self_attn.v_proj",
                         .projection = "self_attn.out_proj",
                         .ln2 = "layer_norm2",
                         .mlp_in = "mlp.fc1",
                         .mlp_out = "mlp.fc2",
                         .norm = {"post_layernorm"},
                         .layer_norm_epsilon = 1e-5F,
                         .embedding_norm = "pre_layrnorm",
                         .features = "visual_projection",
                         .activation = Activation::quick_gelu,
                         .preprocessing = as_clip};
    // huggingface/transformers, models/siglip/modeling_siglip.py, also for SigLIP 2 with a fixed image size.
    const Layout siglip = varied(clip, [](Layout& l) {
        l.name = "Hugging Face SigLIP";
        l.class_token = "";
        l.without = {"embeddings.class_embedding"};
        l.embedding_norm = "";
        l.features = "";
        l.classifier = {"classifier"};
        l.layer_norm_epsilon = 1e-6F;
        l.activation = Activation::gelu_tanh;
        l.preprocessing = squashed_bicubic;
        l.pooling = {.probe = "head.probe",
                     .qkv_weight = "head.attention.in_proj_weight",
                     .qkv_bias = "head.attention.in_proj_bias",
                     .projection = "head.attention.out_proj",
                     .ln = "head.layernorm",
                     .mlp_in = "head.mlp.fc1",
                     .mlp_out = "head.mlp.fc2"};
    });
    // mlfoundations/open_clip, src/open_clip/transformer.py; OpenAI's own names. The projection is (D, features).
    const Layout open_clip = {.name = "OpenCLIP",
                              .class_token = "class_embedding",
                              .position = "positional_embedding",
                              .patch_embedding = "conv1",
                              .ln1 = "ln_1",
                              .qkv_weight = "attn.in_proj_weight",
                              .qkv_bias = "attn.in_proj_bias",
                              .projection = "attn.out_proj",
                              .ln2 = "ln_2",
                              .mlp_in = "mlp.c_fc",
                              .mlp_out = "mlp.c_proj",
                              .norm = {"ln_post"},
                              .layer_norm_epsilon = 1e-5F,
                              .embedding_norm = "ln_pre",
                              .features = "proj",
                              .preprocessing = as_clip,
                              .position_rule = PositionRule::antialiased};
    // huggingface/pytorch-image-models, timm/models/vision_transformer.py and deit.py; facebookresearch/dinov2,
    // dinov2/models/vision_transformer.py has its own name for registers.
    const Layout timm = {
        .name = "timm",
        .class_token = "cls_token",
        .distillation_token = "dist_token",
        .register_tokens = "reg_token",
        .position = "pos_embed",
        .patch_embedding = "patch_embed.proj",
        .ln1 = "norm1",
        .qkv_weight = "attn.qkv.weight",
        .qkv_bias = "attn.qkv.bias",
        .query_bias = "attn.q_bias",  // timm/models/eva.py and beit.py
        .value_bias = "attn.v_bias",
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
        .position_bias = "attn.relative_position_bias_table",  // timm/models/beit.py; microsoft/unilm, beit
        .shared_position_bias = "rel_pos_bias.relative_position_bias_table",
        .layer_norm_epsilon = 1e-6F,
        .embedding_norm = "norm_pre",
        .pooled_norm = "fc_norm",
        .second_classifier = "head_dist",
        .other_register_tokens = "register_tokens",
        .preprocessing = as_timm,
        .position_rule = PositionRule::antialiased,
        .bias_rule = PositionRule::geometric,
        // timm/layers/attention_pool.py
        .pooling = {.probe = "attn_pool.latent",
                    .query = "attn_pool.q",
                    .key_and_value = "attn_pool.kv",
                    .projection = "attn_pool.proj",
                    .ln = "attn_pool.norm",
                    .mlp_in = "attn_pool.mlp.fc1",
                    .mlp_out = "attn_pool.mlp.fc2"}};
    // mlfoundations/open_clip, src/open_clip/timm_model.py, around timm's tower; preprocessing as in SigLIP's files
    const Layout open_clip_siglip = varied(timm, [](Layout& l) {
        l.name = "OpenCLIP (SigLIP)";
        l.with = {"trunk.attn_pool.latent"};
        l.activation_by_size = activation_of_siglip;
        l.preprocessing = squashed_bicubic;
    });
    // huggingface/pytorch-image-models, timm/models/eva.py, `vit_small_patch16_dinov3` and similar models
    const Layout timm_dinov3 = varied(timm, [](Layout& l) {
        l.name = "timm (DINOv3)";
        l.with = {"reg_token"};
        l.without = {"pos_embed"};
        l.position = "";
        l.rotary = Rotary();
        l.position_bias = l.shared_position_bias = "";
        l.layer_norm_epsilon = 1e-5F;
        l.runs_at_crop = true;
    });
    // The same file, `vit_medium_patch16_rope_reg1_gap_256` and similar models, which normalise the mean of the patches
    const Layout timm_rotary = varied(timm_dinov3, [](Layout& l) {
        l.name = "timm (rotary)";
        l.with = {"reg_token", "fc_norm.weight"};
        l.rotary = Rotary{.base = 10000, .neighbours = true, .grid = 16};
        l.layer_norm_epsilon = 1e-6F;
        l.runs_at_crop = false;
    });
    const Layout dinov3 = {
        .name = "Hugging Face (DINOv3)",  // huggingface/transformers, models/dinov3_vit/modular_dinov3_vit.py
        .class_token = "embeddings.cls_token",
        .register_tokens = "embeddings.register_tokens",
        .patch_embedding = "embeddings.patch_embeddings",
        .ln1 = "norm1",
        .query = "attention.q_proj",
        .key = "attention.k_proj",
        .value = "attention.v_proj",
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
        .preprocessing = squashed,
        .runs_at_crop = true,
        .rotary = Rotary()};
    // huggingface/pytorch-image-models, timm/models/eva.py, without a fused qkv
    const Layout timm_eva = varied(timm, [](Layout& l) {
        l.name = "timm (EVA-02)";
        l.query = "attn.q_proj";
        l.key = "attn.k_proj";
        l.value = "attn.v_proj";
        l.qkv_weight = "";
        l.qkv_bias = "";
    });
    const Layout torchvision = {.name = "torchvision",
                                .class_token = "class_token",
                                .position = "encoder.pos_embedding",
                                .patch_embedding = "conv_proj",
                                .ln1 = "ln_1",
                                .qkv_weight = "self_attention.in_proj_weight",
                                .qkv_bias = "self_attention.in_proj_bias",
                                .projection = "self_attention.out_proj",
                                .ln2 = "ln_2",
                                .mlp_in = "mlp.0",
                                .mlp_out = "mlp.3",
                                .norm = {"encoder.ln"},
                                .classifier = {"heads.head"},
                                .layer_norm_epsilon = 1e-6F,
                                .preprocessing = as_torchvision,
                                .position_rule = PositionRule::corners};
    const Layout torchvision_12 = varied(torchvision, [](Layout& l) {
        l.name = "torchvision (before 0.13)";
        l.mlp_in = "mlp.linear_1";
        l.mlp_out = "mlp.linear_2";
    });
    const Layout book = {.name = "the course book",
                         .class_token = "cls_token",
                         .position = "pos_emb",
                         .patch_embedding = "patch_emb_layer",
                         .ln1 = "ln1",
                         .query = "msa.w_q",
                         .key = "msa.w_k",
                         .value = "msa.w_v",
                         .projection = "msa.w_o.0",
                         .ln2 = "ln2",
                         .mlp_in = "mlp.0",
                         .mlp_out = "mlp.3",
                         .norm = {"mlp_head.0", "mlp_header.0"},
                         .classifier = {"mlp_head.1", "mlp_header.1"},
                         .layer_norm_epsilon = 1e-5F,
                         .preprocessing = squashed,
                         .matched_by_ends = true};
    // Names as `as_flax_model` gives them (google-research/vision_transformer: vit_jax/models_vit.py;
    // google-research/ big_vision: big_vision/models/vit.py). nn.gelu is the tanh form; pixels run from -1 to 1
    // (input_pipeline.py).
    const Layout jax = {.name = "JAX",
                        .class_token = "cls",
                        .position = "pos_embedding",
                        .patch_embedding = "embedding",
                        .ln1 = "LayerNorm_0",
                        .query = "MultiHeadDotProductAttention_1.query",
                        .key = "MultiHeadDotProductAttention_1.key",
                        .value = "MultiHeadDotProductAttention_1.value",
                        .projection = "MultiHeadDotProductAttention_1.out",
                        .ln2 = "LayerNorm_2",
                        .mlp_in = "MlpBlock_3.Dense_0",
                        .mlp_out = "MlpBlock_3.Dense_1",
                        .norm = {"encoder_norm"},
                        .classifier = {"head"},
                        .layer_norm_epsilon = 1e-6F,
                        .activation = Activation::gelu_tanh,
                        .preprocessing = squashed,
                        .position_rule = PositionRule::linear};
    const Layout big_vision = varied(jax, [](Layout& l) {
        l.name = "JAX (big_vision)";
        l.query = "MultiHeadDotProductAttention_0.query";
        l.key = "MultiHeadDotProductAttention_0.key";
        l.value = "MultiHeadDotProductAttention_0.value";
        l.projection = "MultiHeadDotProductAttention_0.out";
        l.ln2 = "LayerNorm_1";
        l.mlp_in = "MlpBlock_0.Dense_0";
        l.mlp_out = "MlpBlock_0.Dense_1";
        l.pooling = {.probe = "MAPHead.probe",
                     .query = "MAPHead.MultiHeadDotProductAttention_0.query",
                     .key = "MAPHead.MultiHeadDotProductAttention_0.key",
                     .value = "MAPHead.MultiHeadDotProductAttention_0.value",
                     .projection = "MAPHead.MultiHeadDotProductAttention_0.out",
                     .ln = "MAPHead.LayerNorm_0",
                     .mlp_in = "MAPHead.MlpBlock_0.Dense_0",
                     .mlp_out = "MAPHead.MlpBlock_0.Dense_1"};
    });
    return {hugging_face, hugging_face_5,   dinov2,         dinov2_5,    siglip, clip,
            open_clip,    open_clip_siglip, timm_rotary,    timm_dinov3, timm,   dinov3,
            timm_eva,     torchvision,      torchvision_12, book,        jax,    big_vision};
}

}  // namespace

std::span<const Layout> layouts() {
    static const std::vector<Layout> rows = all_layouts();
    return rows;
}

std::vector<const char*> names_of(const Layout& layout, TokenKind kind) {
    switch (kind) {
        case TokenKind::class_token: return {layout.class_token};
        case TokenKind::distillation: return {layout.distillation_token};
        case TokenKind::register_token: return {layout.register_tokens, layout.other_register_tokens};
        case TokenKind::patch: break;
    }
    return {};
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
                                           "position_ids",        "pre_logits.fc.weight", "pre_logits.fc.bias",
                                           "pre_logits.weight",   "pre_logits.bias",      "relative_position_index"};
    return ends;
}

std::span<const UnsupportedPart> unsupported_parts() {
    static constexpr UnsupportedPart parts[] = {
        {"attn_pool.query", "attention pooling by several queries (CoCa)"},
    };
    return parts;
}

}  // namespace vitrine
