#include "app/commands/describe.h"

namespace vitrine {

nlohmann::ordered_json describe(const Model& model) {
    const Config& c = model.config;
    return {{"name", model.provenance.name},
            {"path", model.provenance.path},
            {"layout", model.provenance.layout},
            {"image_size", {c.image_height, c.image_width}},
            {"patch_size", c.patch_size},
            {"num_channels", c.channels},
            {"hidden_size", c.embedding_dim},
            {"num_hidden_layers", c.blocks},
            {"num_attention_heads", c.heads},
            {"intermediate_size", c.mlp_dim},
            {"hidden_act", name_of(c.activation)},
            {"layer_norm_eps", static_cast<double>(c.layer_norm_epsilon)},
            {"num_classes", c.classes},
            {"tokens", c.tokens()},
            {"parameters", model.weights.parameter_count()}};
}

std::string summary_of(const Config& c) {
    const auto number = [](int n) { return std::to_string(n); };
    return number(c.image_height) + " × " + number(c.image_width) + " pixels, patches of " + number(c.patch_size) +
           ": N = " + number(c.tokens()) + ", D = " + number(c.embedding_dim) + ", L = " + number(c.blocks) +
           ", h = " + number(c.heads) + ", M = " + number(c.mlp_dim) + ", " + number(c.classes) + " classes, " +
           name_of(c.activation);
}

}  // namespace vitrine
