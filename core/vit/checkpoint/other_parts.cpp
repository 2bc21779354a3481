#include "core/vit/checkpoint/other_parts.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/base/error.h"

namespace vitrine {

namespace {

/// A family that is recognised by pieces of its tensors' names.
struct OtherFamily {
    const char *piece, *second;  // pieces that must occur in the file's names; the second may be empty
    const char* words;
};

constexpr const char* perception_encoder = "a Perception Encoder, whose rotary positions and head are of its own kind";

constexpr OtherFamily other_families[] = {
    {"relative_position_bias_table", "layers.0.blocks.0.", "a Swin Transformer, whose blocks lie in stages of windows"},
    {"dwconv.weight", "", "a ConvNeXt, a convolutional net"},
    {"conv_dw.weight", "", "a ConvNeXt, a convolutional net"},
    {"layer1.0.conv1.weight", "", "a ResNet, a convolutional net"},
    {"resnet.embedder.", "", "a ResNet, a convolutional net"},
    {"conv_stem.weight", "", "an EfficientNet or MobileNet, a convolutional net"},
    {"attention.self.sr.weight", "", "a SegFormer, whose blocks lie in stages"},
    {"detection_tokens", "", "YOLOS, a detector of objects"},
    {"encoder.stages.0.layers.", "attn.qkv", "Hiera, whose blocks lie in stages"},
    {"blocks_token_only.", "", "CaiT, which mixes the heads' attention and has blocks of the class token alone"},
    {"cls_attn_blocks.", "", "XCiT, which attends between features instead of tokens"},
    {"patch_embed.backbone.", "", "a hybrid, whose patches are those of a convolutional net"},
    {"lambda_q1", "", "a Transformer with differential attention, the difference of two softmaxes"},
    {"blocks.0.in_proj.", "", "a Transformer whose attention and MLP work side by side (parallel scaling blocks)"},
    {"blocks.0.attns.0.", "", "a Transformer with several attentions side by side in a block (parallel branches)"},
    {"rel_pos.mlp.", "", "a Transformer whose relative positions come from an MLP (timm's relpos)"},
    {"embeds.proj.weight", "", "a NaFlexViT, which takes images of any shape"},
    {"rope.freqs", "", "a RoPE-ViT whose rotary positions have learned frequencies (mixed)"},
    {"attn.norm.weight", "", "a Transformer with a norm inside its attention (BEiT-3, the CLIP models of EVA-02)"},
    {"attn_pool.latent", "norm_pre.weight", perception_encoder},
    {"vision_model.pre_layrnorm.", "classifier.weight",
     "CLIP with a classifier of its own, which reads the patches without the final norm"},
    {"rel_pos_h", "", "the encoder of Segment Anything, which attends within windows"},
    {"t_embedder.mlp.", "", "a diffusion Transformer, which makes pictures"},
    {"time_embedding.linear_1.", "", "a diffusion model, which makes pictures"},
};

/// Tensor names of a language model; the text tower beside a tower of images may have them, too.
constexpr const char* language_models[] = {"word_embeddings.weight", "embed_tokens.weight", "wte.weight"};

/// A family that no tensor shows: a piece of timm's name of the architecture, or Hugging Face's model_type.
struct FamilyByName {
    const char *piece, *words;
};

constexpr FamilyByName families_by_name[] = {
    {"_rpn_", "a Transformer that normalises what its branches give instead of what they read (timm's res-post-norm)"},
    {"eva02_enormous",
     "a Transformer that normalises what its branches give instead of what they read (EVA-02 enormous)"},
    {"_pe_", perception_encoder},
    {"_intern", "InternViT, which has no norm after its last block"},
    {"relpos_", "a Transformer of timm's relpos family, whose relative positions are of its own kind"},
    {"test_vit3", "a test model of timm, whose pooling reads the register, too"},
    {"audio-spectrogram-transformer", "an Audio Spectrogram Transformer, which reads sound"},
};

/// Whether a name, cut at its dots, has this piece as one of its parts.
bool has_segment(std::string_view name, std::string_view segment) {
    for (std::size_t at = name.find(segment); at != std::string_view::npos; at = name.find(segment, at + 1)) {
        const std::size_t end = at + segment.size();
        if ((at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.')) return true;
    }
    return false;
}

/// Whether one of a name's parts begins with this piece.
bool has_beginning(std::string_view name, std::string_view piece) {
    for (std::size_t at = name.find(piece); at != std::string_view::npos; at = name.find(piece, at + 1))
        if (at == 0 || name[at - 1] == '.') return true;
    return false;
}

template <class Holds>
bool any_name(const TensorReader& reader, const Holds& holds) {
    return std::ranges::any_of(reader.file().entries(), [&](const auto& entry) { return holds(entry.first); });
}

bool any_holds(const TensorReader& reader, std::string_view piece) {
    return any_name(reader, [&](std::string_view name) { return name.find(piece) != std::string_view::npos; });
}

[[noreturn]] void refuse_family(const TensorReader& reader, const std::string& words) {
    throw Error(
        reader.file().name() + ": this is " + words +
        "; Vitrine opens plain Vision Transformers, such as google/vit-base-patch16-224 or facebook/dinov2-small");
}

/// Whether a file's patches span several frames.
bool has_clips(const TensorReader& reader) {
    constexpr std::size_t axes = 5;
    return std::ranges::any_of(reader.file().entries(), [](const auto& entry) {
        return entry.second.shape.size() == axes && (ends_with(entry.first, "patch_embeddings.projection.weight") ||
                                                     ends_with(entry.first, "patch_embed.proj.weight"));
    });
}

/// Whether the norms of blocks have no bias.
bool has_rms_norm(const TensorReader& reader) {
    return any_name(reader, [&](const std::string& name) {
        const std::size_t weight = name.size() - std::string_view("weight").size();
        return ends_with(name, "0.norm1.weight") && !reader.has(name.substr(0, weight) + "bias");
    });
}

/// How a file is divided into towers.
struct Towers {
    bool hugging_face = false, open_clip = false;
    bool classified_siglip = false;  // the classifier reads the patches' mean, and the pooling is unused
};

Towers towers_of(const TensorReader& reader) {
    Towers towers;
    for (const auto& [name, entry] : reader.file().entries()) {
        towers.hugging_face |= has_segment(name, "vision_model");
        towers.open_clip |=
            ends_with(name, "visual.conv1.weight") || ends_with(name, "visual.trunk.patch_embed.proj.weight");
    }
    towers.classified_siglip =
        towers.hugging_face && any_holds(reader, "head.probe") && reader.has("classifier.weight");
    return towers;
}

/// The part to which a tensor outside the encoder belongs; "" for a tensor of the encoder.
std::string other_part(std::string_view name, const Towers& towers) {
    if (towers.hugging_face && !has_segment(name, "vision_model") && !has_segment(name, "visual_projection") &&
        !has_segment(name, "classifier"))
        return "text tower";
    if (towers.classified_siglip && has_segment(name, "head")) return "pooling head";
    if (towers.open_clip && !has_segment(name, "visual")) return "text tower";
    if (has_beginning(name, "decoder")) return "decoder";
    if (has_segment(name, "predictor")) return "predictor";
    if (has_segment(name, "dino_head") || has_segment(name, "ibot_head")) return "head of self-distillation";
    return "";
}

}  // namespace

void refuse_other_families(const TensorReader& reader, const std::string& architecture, const std::string& model_type) {
    const bool pictures = any_holds(reader, "vision_model.") || any_holds(reader, "visual.");
    if (!pictures && (any_holds(reader, "text_model.") || any_holds(reader, "token_embedding.weight")))
        refuse_family(reader, "the text tower of CLIP or SigLIP without the tower of images");
    for (const OtherFamily& family : other_families)
        if (any_holds(reader, family.piece) && any_holds(reader, family.second)) refuse_family(reader, family.words);
    for (const char* const piece : language_models)
        if (!pictures && any_holds(reader, piece)) refuse_family(reader, "a language model");
    for (const FamilyByName& family : families_by_name)
        if (architecture.find(family.piece) != std::string::npos || model_type == family.piece)
            refuse_family(reader, family.words);
    if (has_clips(reader)) refuse_family(reader, "a Transformer of videos, whose patches span several frames");
    if (has_rms_norm(reader)) refuse_family(reader, "a Transformer with RMSNorm, a norm without mean and bias");
}

void set_other_parts_aside(TensorReader& reader, Provenance& provenance) {
    const Towers towers = towers_of(reader);
    std::map<std::string, int> counts;
    for (const auto& [name, entry] : reader.file().entries()) {
        const std::string part = other_part(name, towers);
        if (part.empty()) continue;
        reader.set_aside(name);
        ++counts[part];
    }
    for (const auto& [part, count] : counts)
        provenance.notes.push_back("The file's " + part + " (" + std::to_string(count) +
                                   (count == 1 ? " tensor" : " tensors") +
                                   ") is passed over: Vitrine shows the encoder of images" +
                                   (part == "text tower" ? "; vitrine words reads it." : "."));
}

}  // namespace vitrine
