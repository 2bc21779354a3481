#include "core/vit/checkpoint/other_parts.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/base/error.h"

namespace vitrine {

namespace {

/// A family that is recognised by pieces of its tensors' names.
struct OtherFamily {
    const char *piece, *second;  // names that hold them; the second may be empty
    const char* words;
};

constexpr OtherFamily other_families[] = {
    {"relative_position_bias_table", "layers.0.blocks.0.", "a Swin Transformer, whose blocks lie in stages of windows"},
    {"dwconv.weight", "", "a ConvNeXt, a convolutional net"},
    {"conv_dw.weight", "", "a ConvNeXt, a convolutional net"},
    {"layer1.0.conv1.weight", "", "a ResNet, a convolutional net"},
    {"resnet.embedder.", "", "a ResNet, a convolutional net"},
    {"conv_stem.weight", "", "an EfficientNet or MobileNet, a convolutional net"},
    {"attention.self.sr.weight", "", "a SegFormer, whose blocks lie in stages"},
    {"detection_tokens", "", "YOLOS, a detector of objects"},
    {"rel_pos_h", "", "the encoder of Segment Anything, which attends within windows"},
    {"t_embedder.mlp.", "", "a diffusion Transformer, which makes pictures"},
    {"time_embedding.linear_1.", "", "a diffusion model, which makes pictures"},
    {"word_embeddings.weight", "", "a language model"},
    {"embed_tokens.weight", "", "a language model"},
    {"wte.weight", "", "a language model"},
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

/// The part beside the encoder that a tensor belongs to; "" for none.
std::string other_part(std::string_view name, bool towers, bool open_towers) {
    if (towers && !has_segment(name, "vision_model") && !has_segment(name, "visual_projection") &&
        !has_segment(name, "classifier"))
        return "text tower";
    if (open_towers && !has_segment(name, "visual")) return "text tower";
    if (has_beginning(name, "decoder")) return "decoder";
    if (has_segment(name, "predictor")) return "predictor";
    if (has_segment(name, "dino_head") || has_segment(name, "ibot_head")) return "head of self-distillation";
    return "";
}

}  // namespace

void refuse_other_families(const TensorReader& reader) {
    const bool pictures = any_holds(reader, "vision_model.") || any_holds(reader, "visual.");
    if (!pictures && (any_holds(reader, "text_model.") || any_holds(reader, "token_embedding.weight")))
        refuse_family(reader, "the text tower of CLIP or SigLIP without the tower of images");
    if (pictures) return;
    for (const OtherFamily& family : other_families)
        if (any_holds(reader, family.piece) && any_holds(reader, family.second)) refuse_family(reader, family.words);
}

void set_other_parts_aside(TensorReader& reader, Provenance& provenance) {
    const bool towers = any_name(reader, [](std::string_view name) { return has_segment(name, "vision_model"); });
    const bool open_towers = any_name(reader, [](std::string_view name) {
        return ends_with(name, "visual.conv1.weight") || ends_with(name, "visual.trunk.patch_embed.proj.weight");
    });
    std::map<std::string, int> counts;
    for (const auto& [name, entry] : reader.file().entries()) {
        const std::string part = other_part(name, towers, open_towers);
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
