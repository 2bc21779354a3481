#include "core/vit/checkpoint/find_config.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <tuple>

#include "core/base/error.h"

namespace vitrine {

namespace {

constexpr std::size_t most = 1 << 20;  // no Vision Transformer has larger sizes

/// Both must agree if the configuration has the value.
void check(const TensorReader& reader, const char* key, std::optional<int> said, std::size_t found) {
    if (said && static_cast<std::size_t>(*said) != found)
        throw Error(reader.file().name() + ": config.json says " + key + " " + std::to_string(*said) +
                    " but the tensors have " + std::to_string(found) + "; use both files of the same model");
}

/// Number of heads from timm's name of the architecture; 0 if the name does not tell.
int heads_by_name(const std::string& architecture) {
    struct Row {
        const char* piece;
        int heads;
    };
    static constexpr Row rows[] = {{"_tiny_", 3}, {"_small_", 6}, {"_base_", 12}, {"_large_", 16}, {"_huge_", 16}};
    for (const Row& row : rows)
        if (architecture.find(row.piece) != std::string::npos) return row.heads;
    return 0;
}

/// Heads of length 64, or ViT-Huge's 16 heads of length 80; 0 if the width fits neither.
int heads_by_width(int d) {
    constexpr int huge = 1280;
    if (d == huge) return 16;
    return d % 64 == 0 ? d / 64 : 0;
}

/// From the configuration, the user, the architecture's name or the width, in this order.
int find_heads(const TensorReader& reader, const Configuration& said, std::optional<int> asked, Model& model) {
    const int d = model.config.embedding_dim;
    const int named = heads_by_name(said.architecture);
    if (asked && said.heads && *asked != *said.heads)
        throw Error(reader.file().name() + ": config.json says that there are " + std::to_string(*said.heads) +
                    " heads, but --heads says " + std::to_string(*asked) +
                    "; leave --heads out, which is for files that do not say it");
    const int heads = asked ? *asked : said.heads ? *said.heads : named > 0 ? named : heads_by_width(d);
    if (heads == 0 && !asked)
        throw Error(reader.file().name() +
                    ": the files do not say how many heads there are, and D = " + std::to_string(d) +
                    " does not tell; give the number with --heads, or as num_attention_heads in a "
                    "config.json beside the weights");
    if (!asked && !said.heads && named == 0)
        model.provenance.notes.push_back("The files do not say how many heads there are: " + std::to_string(heads) +
                                         " inferred from D = " + std::to_string(d) + ", " + std::to_string(d / heads) +
                                         " numbers a head; --heads sets it.");
    if (heads < 1 || d % heads != 0)
        throw Error(reader.file().name() + ": " + std::to_string(heads) +
                    " heads do not divide D = " + std::to_string(d) + "; give the right number with --heads");
    return heads;
}

void find_image_size(const TensorReader& reader, const Configuration& said, std::size_t positions, Model& model) {
    Config& c = model.config;
    const auto leading = static_cast<std::size_t>(c.first_patch_position()), patches = positions - leading;
    if (said.image_size) {
        std::tie(c.image_height, c.image_width) = *said.image_size;
    } else {
        const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(patches))));
        if (side * side != patches)
            throw Error(reader.file().name() + ": " + std::to_string(patches) +
                        " positions do not form a square grid; give the image's size in config.json");
        c.image_height = c.image_width = static_cast<int>(side) * c.patch_size;
        model.provenance.notes.push_back("The image size " + std::to_string(c.image_height) +
                                         " is inferred from the number of positions.");
    }
    const std::size_t needed = static_cast<std::size_t>(c.grid_height()) * static_cast<std::size_t>(c.grid_width());
    if (needed == positions && !said.leading)
        throw Error(reader.file().name() +
                    ": its positions leave out the class token (timm's no_embed_class), which Vitrine does not read "
                    "yet; use a plain Vision Transformer");
    if (c.image_height % c.patch_size != 0 || c.image_width % c.patch_size != 0 || needed != patches)
        throw Error(reader.file().name() + ": an image of " + std::to_string(c.image_height) + " × " +
                    std::to_string(c.image_width) + " in patches of " + std::to_string(c.patch_size) + " needs " +
                    std::to_string(needed + leading) + " positions but the file has " + std::to_string(positions) +
                    "; use both files of the same model");
}

/// Taken from the first block; a configuration may state that only some of the three have one.
void find_biases(const TensorReader& reader, const TensorPlaces& p, const Configuration& said, Config& c) {
    const Layout& l = *p.layout;
    const bool parted = *l.qkv_weight == '\0';
    const bool biased = reader.has(p.block(0, parted ? std::string(l.query) + ".bias" : l.qkv_bias));
    const auto has_bias = [&](const char* part) {
        return said.biased && parted ? std::ranges::find(*said.biased, part) != said.biased->end() : biased;
    };
    c.query_bias = has_bias("query");
    c.key_bias = has_bias("key");
    c.value_bias = has_bias("value");
}

/// The tokens before the patches, and those the head reads.
void find_tokens(const TensorReader& reader, const Configuration& said, Config& c) {
    if (said.leading) c.leading = *said.leading;
    c.readout = said.readout.value_or(Readout::class_token);
    if (c.readout == Readout::class_token && !c.first_of(TokenKind::class_token))
        throw Error(reader.file().name() +
                    ": config.json lists no class token (\"vitrine_tokens\"), which the head would read; add one, or "
                    "give \"vitrine_readout\" as \"mean\" or \"last\"");
}

/// Number of outputs of a linear layer, from its weight (outputs, inputs).
std::size_t outputs_of(const TensorReader& reader, const std::string& name) {
    const TensorShape& shape = reader.shape(name);
    if (shape.size() != 2 || shape[0] == 0 || shape[0] > most)
        throw Error(reader.file().name() + ": \"" + name + "\" has the shape " + words_of(shape) +
                    " where Vitrine reads a matrix (outputs, inputs); get the file from the model's page again");
    return shape[0];
}

/// Rejects classifiers trained for anything but softmax over classes, which Vitrine would misrepresent.
void check_problem(const TensorReader& reader, const Configuration& said, int classes) {
    if (classes == 0) return;
    const std::string& problem = said.problem_type;
    if (classes == 1 || problem == "regression")
        throw Error(reader.file().name() + ": this model answers with " +
                    (classes == 1 ? "a single output" : "numbers (problem_type \"regression\")") +
                    " and not with a choice of one class, and softmax would make 100 % of it; use a model that tells "
                    "two or more classes apart");
    if (problem == "multi_label_classification")
        throw Error(reader.file().name() +
                    ": this model gives every label a probability of its own (problem_type "
                    "\"multi_label_classification\", a sigmoid each), and Vitrine's softmax would show other numbers; "
                    "use a model that chooses one class");
    if (!problem.empty() && problem != "single_label_classification")
        throw Error(reader.file().name() + ": config.json gives problem_type \"" + problem +
                    "\", which Vitrine does not know; use a model of \"single_label_classification\"");
}

/// Checks the configuration's statements about the tensors that shapes cannot tell.
void check_claims(const TensorReader& reader, const Configuration& said, const Config& c) {
    const bool biased = c.query_bias || c.key_bias || c.value_bias;
    if (said.qkv_bias && *said.qkv_bias != biased)
        throw Error(reader.file().name() + ": config.json says that qkv_bias is " + (biased ? "false" : "true") +
                    " but the tensors have " + (biased ? "" : "no ") +
                    "biases of queries, keys and values; use both files of the same model");
    if (c.classes > 0 && said.pooling != "token" && !said.pooling.empty())
        throw Error(reader.file().name() + ": this model's classifier reads global_pool \"" + said.pooling +
                    "\" instead of the class token, which Vitrine does not do yet; use one with \"token\"");
    if (c.classes > 0 && !said.labels.empty() && said.labels.size() != static_cast<std::size_t>(c.classes))
        throw Error(reader.file().name() + ": config.json gives " + std::to_string(said.labels.size()) +
                    " labels but the classifier has " + std::to_string(c.classes) +
                    " classes; use both files of the same model");
}

/// Notes the settings that no shape tells and no file says.
void note_defaults(const Configuration& said, Model& model) {
    char epsilon[32];
    std::snprintf(epsilon, sizeof epsilon, "ε = %g", static_cast<double>(model.config.layer_norm_epsilon));
    std::string words;
    if (!said.layer_norm_epsilon) words = epsilon;
    if (!said.activation) words += (words.empty() ? "" : " and ") + std::string(name_of(model.config.activation));
    if (!words.empty())
        model.provenance.notes.push_back(
            "The files do not say all of the layer norms and the activation: " + words + ", as is usual for this family.");
}

}  // namespace

void find_config(const TensorReader& reader, const TensorPlaces& p, const Claims& claims, Model& model) {
    const Configuration& said = claims.said;
    Config& c = model.config;
    const TensorShape& patch = reader.shape(p.patch_weight);
    if (patch.size() != 4 || patch[2] != patch[3] || (patch[1] != 1 && patch[1] != 3) || patch[0] == 0 || patch[2] == 0)
        throw Error(reader.file().name() + ": \"" + p.patch_weight + "\" has the shape " + words_of(patch) +
                    " where Vitrine reads (D, 3, P, P) or (D, 1, P, P)");
    find_tokens(reader, said, c);
    const TensorShape& position = reader.shape(p.position);
    if (position.size() < 2 || position[position.size() - 2] <= static_cast<std::size_t>(c.first_patch_position()) ||
        patch[0] > most || patch[2] > most || position[position.size() - 2] > most)
        throw Error(reader.file().name() +
                    ": its shapes are not those of a Vision Transformer; get the file from the model's page again");
    check(reader, "hidden_size", said.embedding_dim, patch[0]);
    check(reader, "num_channels", said.channels, patch[1]);
    check(reader, "patch_size", said.patch_size, patch[2]);
    check(reader, "num_hidden_layers", said.blocks, static_cast<std::size_t>(p.blocks));
    const std::size_t hidden = outputs_of(reader, p.block(0, std::string(p.layout->mlp_in) + ".weight"));
    const std::size_t classes = p.classifier.empty() ? 0 : outputs_of(reader, p.classifier + ".weight");
    check(reader, "intermediate_size", said.mlp_dim, hidden);
    check(reader, "num_classes", said.classes, classes);
    c.embedding_dim = static_cast<int>(patch[0]);
    c.channels = static_cast<int>(patch[1]);
    c.patch_size = static_cast<int>(patch[2]);
    c.blocks = p.blocks;
    c.mlp_dim = static_cast<int>(hidden);
    c.classes = static_cast<int>(classes);
    find_biases(reader, p, said, c);
    c.layer_norm_epsilon = said.layer_norm_epsilon.value_or(said.is_timm ? 1e-6F : p.layout->layer_norm_epsilon);
    c.activation = said.activation.value_or(Activation::gelu);
    note_defaults(said, model);
    c.norm = said.norm.value_or(Norm::before);
    c.skips = said.skips.value_or(true);
    c.positions = said.positions.value_or(Positions::learned);
    find_image_size(reader, said, position[position.size() - 2], model);
    c.heads = find_heads(reader, said, claims.heads, model);
    check_claims(reader, said, c);
    check_problem(reader, said, c.classes);
    if (c.classes > 0) c.labels = said.labels;
}

}  // namespace vitrine
