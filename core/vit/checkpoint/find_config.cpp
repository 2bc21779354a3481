#include "core/vit/checkpoint/find_config.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <tuple>

#include "core/base/error.h"
#include "core/vit/token_places.h"

namespace vitrine {

namespace {

constexpr std::size_t most = 1 << 20;  // no Vision Transformer has larger sizes

/// Throws Error if the configuration states a value that differs from the tensors'.
void check(const TensorReader& reader, const char* key, std::optional<int> stated, std::size_t found) {
    if (stated && static_cast<std::size_t>(*stated) != found)
        throw Error(reader.file().name() + ": config.json says " + key + " " + std::to_string(*stated) +
                    " but the tensors have " + std::to_string(found) + "; use both files of the same model");
}

/// Number of heads from timm's name of the architecture; 0 if the name does not show it.
int heads_by_name(const std::string& architecture) {
    struct Row {
        const char* piece;
        int heads;
    };
    static constexpr Row rows[] = {{"_tiny_", 3},       {"_small_", 6}, {"_base_", 12},   {"_large_", 16},
                                   {"_huge_plus_", 20}, {"_huge_", 16}, {"_so400m_", 16}, {"_giantopt_", 16},
                                   {"_7b_", 32},        {"test_vit", 2}};
    for (const Row& row : rows)
        if (architecture.find(row.piece) != std::string::npos) return row.heads;
    return 0;
}

/// The number of heads of length 64, or the 16 heads of ViT-Huge (length 80), ViT-giant (88), ViT-gigantic (104) and
/// SigLIP's So400m (72); 0 if no number fits the width, or only 1, which no published model has.
int heads_by_width(int d) {
    for (const int of_sixteen : {1280, 1408, 1664, 1152})
        if (d == of_sixteen) return 16;
    return d % 64 == 0 && d > 64 ? d / 64 : 0;
}

/// The number of heads: from the user, the configuration, the architecture's name or the width, in this order.
int find_heads(const TensorReader& reader, const Configuration& stated, std::optional<int> asked, Model& model) {
    const int d = model.config.embedding_dim;
    const int named = heads_by_name(stated.architecture);
    if (asked && stated.heads && *asked != *stated.heads)
        throw Error(reader.file().name() + ": the model's files say that there are " + std::to_string(*stated.heads) +
                    " heads, but --heads says " + std::to_string(*asked) +
                    "; leave --heads out, which is for files that do not say it");
    const int heads = asked ? *asked : stated.heads ? *stated.heads : named > 0 ? named : heads_by_width(d);
    if (heads == 0 && !asked)
        throw Error(reader.file().name() +
                    ": the files do not say how many heads there are, and D = " + std::to_string(d) +
                    " does not tell; give the number with --heads, or as num_attention_heads in a "
                    "config.json beside the weights");
    if (!asked && !stated.heads && named == 0)
        model.provenance.notes.push_back("The files do not say how many heads there are: " + std::to_string(heads) +
                                         " inferred from D = " + std::to_string(d) + ", " + std::to_string(d / heads) +
                                         " numbers a head; --heads sets it.");
    if (heads < 1 || d % heads != 0)
        throw Error(reader.file().name() + ": " + std::to_string(heads) +
                    " heads do not divide D = " + std::to_string(d) + "; give the right number with --heads");
    return heads;
}

void find_image_size(const TensorReader& reader, const Configuration& stated, std::size_t positions, Model& model) {
    Config& c = model.config;
    const auto leading = static_cast<std::size_t>(c.first_patch_position()), patches = positions - leading;
    if (stated.image_size) {
        std::tie(c.image_height, c.image_width) = *stated.image_size;
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
    if (c.image_height % c.patch_size != 0 || c.image_width % c.patch_size != 0 || needed != patches)
        throw Error(reader.file().name() + ": an image of " + std::to_string(c.image_height) + " × " +
                    std::to_string(c.image_width) + " in patches of " + std::to_string(c.patch_size) + " needs " +
                    std::to_string(needed + leading) + " positions but the file has " + std::to_string(positions) +
                    "; use both files of the same model");
}

/// Finds which of query, key and value have a bias, from the first block's tensors; if each has its own tensor, the
/// configuration's list takes precedence.
void find_biases(const TensorReader& reader, const TensorPlaces& p, const Configuration& stated, Config& c) {
    const Layout& l = *p.layout;
    const bool separate = *l.qkv_weight == '\0';
    const bool separate_biases = *l.query_bias != '\0' && !separate && reader.has(p.block(0, l.query_bias));
    const bool biased =
        separate_biases || reader.has(p.block(0, separate ? std::string(l.query) + ".bias" : l.qkv_bias));
    // DINOv3, BEiT and EVA-02 have no bias of keys; our own files list the biases.
    const bool no_key_bias =
        separate_biases || (separate && biased && !reader.has(p.block(0, std::string(l.key) + ".bias")));
    const auto has_bias = [&](const char* part) {
        if (stated.biased && separate) return std::ranges::find(*stated.biased, part) != stated.biased->end();
        return biased && !(no_key_bias && std::string_view(part) == "key");
    };
    c.query_bias = has_bias("query");
    c.key_bias = has_bias("key");
    c.value_bias = has_bias("value");
}

/// Takes the image size from the configuration, for tensors without a table of positions, which would show it.
void take_image_size(const TensorReader& reader, const Configuration& stated, Config& c) {
    if (!stated.image_size)
        throw Error(reader.file().name() +
                    ": these tensors do not say how large images are; put the model's config.json beside the weights");
    std::tie(c.image_height, c.image_width) = *stated.image_size;
    if (c.image_height % c.patch_size != 0 || c.image_width % c.patch_size != 0)
        throw Error(reader.file().name() + ": an image of " + std::to_string(c.image_height) + " × " +
                    std::to_string(c.image_width) + " cannot be cut into patches of " + std::to_string(c.patch_size) +
                    "; use both files of the same model");
}

/// Recognises RoPE-ViT (Heo et al. 2024) by timm's name, with or without a table of positions.
bool is_rope_vit(const Configuration& stated) { return stated.architecture.find("_rope_") != std::string::npos; }

/// Recognises EVA-02 by its name, or else by timm's tensor names, a gate, and biases of queries and values only; rotary
/// positions leave no tensor to recognise them by.
bool is_eva02(const TensorPlaces& p, const Configuration& stated, const Config& c) {
    if (!stated.architecture.empty()) return stated.architecture.starts_with("eva02");
    return *p.layout->query_bias != '\0' && c.gated_mlp && c.position_table && c.query_bias && !c.key_bias;
}

/// The rotation of queries and keys, which no tensor shows: from the family, the configuration or timm's name
/// (timm/models/eva.py). None without rotary positions.
std::optional<Rotary> find_rotary(const TensorPlaces& p, const Configuration& stated, const Config& c) {
    std::optional<Rotary> rotary = p.layout->rotary;
    const bool fixed_grid = stated.architecture.find("_rope_reg") != std::string::npos;
    if (fixed_grid || is_eva02(p, stated, c))
        rotary = Rotary{.base = 10000, .neighbours = true, .grid = 16};
    else if (is_rope_vit(stated))
        rotary = Rotary{.base = 100, .neighbours = true, .grid = Rotary::own_grid, .columns_first = true};
    if (stated.rotary) rotary = *stated.rotary;
    if (rotary && stated.rope_theta) rotary->base = *stated.rope_theta;
    return rotary;
}

/// Finds the settings of the steps between q, k and the scores.
void find_attention(const TensorReader& reader, const TensorPlaces& p, const Configuration& stated, Config& c) {
    c.qk_norm = !p.in_block({p.layout->query_norm}).empty() && !p.in_block({p.layout->key_norm}).empty();
    const std::optional<Rotary> rotary = find_rotary(p, stated, c);
    if (stated.positions)
        c.positions = *stated.positions;
    else if (rotary)
        c.positions = Positions::rotary;
    else if (!c.position_table)
        c.positions = Positions::none;
    c.rotary = rotary.value_or(c.rotary);
    if (c.positions == Positions::rotary && c.head_dim() % 4 != 0)
        throw Error(reader.file().name() + ": rotary positions need heads of a length that 4 divides, and d = " +
                    std::to_string(c.head_dim()) + "; use both files of the same model");
    if (p.table_of(0).empty()) return;
    const TensorShape& table = reader.shape(p.table_of(0));
    c.position_bias = rows_of_position_bias(c);
    if (table.size() != 2 || table[0] != static_cast<std::size_t>(c.position_bias))
        throw Error(reader.file().name() + ": \"" + p.table_of(0) + "\" has the shape " + words_of(table) +
                    " where this grid of patches needs " + std::to_string(c.position_bias) +
                    " rows; use both files of the same model");
}

/// Whether a number of patches fits the configured image size, or is a square number if none is configured.
bool can_be_patches(const Configuration& stated, int patch_size, std::size_t patches) {
    if (stated.image_size)
        return patches == static_cast<std::size_t>(stated.image_size->first / patch_size) *
                              static_cast<std::size_t>(stated.image_size->second / patch_size);
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(patches))));
    return patches > 0 && side * side == patches;
}

/// Finds the tokens before the patches that have a position, from the number of positions: all but registers (DINOv2),
/// none (timm's no_embed_class), or all.
void find_placed_tokens(const Configuration& stated, std::size_t positions, Config& c) {
    const std::vector<LeadingTokens> usual = c.leading;
    const auto placed = [&](bool others, bool registers) {
        for (LeadingTokens& group : c.leading) group.placed = is_counted(group.kind) ? registers : others;
        const auto leading = static_cast<std::size_t>(c.first_patch_position());
        return positions > leading && can_be_patches(stated, c.patch_size, positions - leading);
    };
    if (placed(true, false) || placed(false, false) || placed(true, true)) return;
    c.leading = usual;
}

/// Number of outputs of a linear layer, from its weight (outputs, inputs).
std::size_t outputs_of(const TensorReader& reader, const std::string& name) {
    const TensorShape& shape = reader.shape(name);
    if (shape.size() != 2 || shape[0] == 0 || shape[0] > most)
        throw Error(reader.file().name() + ": \"" + name + "\" has the shape " + words_of(shape) +
                    " where Vitrine reads a matrix (outputs, inputs); get the file from the model's page again");
    return shape[0];
}

/// Finds the readout from the head's tensors: a pooling by attention, two classifiers, a classifier of 2D numbers, or
/// average pooling.
void find_readout(const TensorReader& reader, const TensorPlaces& p, const Configuration& stated, Config& c) {
    const bool class_token = c.first_of(TokenKind::class_token).has_value();
    const auto d = static_cast<std::size_t>(c.embedding_dim);
    if (stated.readout) {
        c.readout = *stated.readout;
        c.norm_before_mean = c.readout == Readout::mean && stated.norm_before_mean.value_or(false);
    } else if (p.pooling_prefix) {
        c.readout = Readout::attention;
    } else if (!p.second_classifier.empty() && class_token && c.first_of(TokenKind::distillation)) {
        c.readout = Readout::class_and_distillation;
    } else if (!p.classifier.empty() && class_token && reader.shape(p.classifier + ".weight").size() == 2 &&
               reader.shape(p.classifier + ".weight")[1] == 2 * d) {
        c.readout = Readout::class_and_mean;
    } else if (p.norm_is_pooled || (!class_token && !stated.leading) || stated.pooling == "avg") {
        c.readout = Readout::mean;
        c.norm_before_mean = !p.norm_is_pooled;
    }
    if (c.pools() != p.pooling_prefix.has_value())
        throw Error(reader.file().name() + ": config.json says that the head reads \"" + name_of(c.readout) +
                    "\" (\"vitrine_readout\") but the tensors have " + (c.pools() ? "no" : "a") +
                    " pooling by attention; take both files from the same model");
    if (c.pools())
        c.pooling_dim = static_cast<int>(outputs_of(reader, *p.pooling_prefix + p.layout->pooling.mlp_in + ".weight"));
    const bool needs_class = c.readout == Readout::class_token || c.reads_two();
    const bool needs_second = c.readout == Readout::class_and_distillation;
    if ((needs_class && !class_token) || (needs_second && !c.first_of(TokenKind::distillation)))
        throw Error(reader.file().name() + ": config.json lists no " + (class_token ? "distillation" : "class") +
                    " token (\"vitrine_tokens\"), which the head would read; add one, or give \"vitrine_readout\" as "
                    "\"mean\" or \"last\"");
    if (needs_second && (p.classifier.empty() || p.second_classifier.empty()))
        throw Error(reader.file().name() +
                    ": the head has two classifiers (\"vitrine_readout\"), of which the file lacks one; save the whole "
                    "model");
}

/// Number of outputs of a projection at the end: (features, D) as a layer's weight, (D, features) as a bare matrix.
std::size_t find_features(const TensorReader& reader, const TensorPlaces& p) {
    if (p.features.empty()) return 0;
    if (p.features.ends_with(".weight")) return outputs_of(reader, p.features);
    outputs_of(reader, p.features);
    return reader.shape(p.features)[1];
}

/// Finds the kind of output: classes, features of a projection, estimated values, or labels of which several may hold.
void find_ending(const TensorReader& reader, const TensorPlaces& p, const Configuration& stated, Config& c) {
    const int outputs = p.classifier.empty() ? 0 : static_cast<int>(outputs_of(reader, p.classifier + ".weight"));
    const std::string& problem = stated.problem_type;
    if (outputs > 0 && !problem.empty() && problem != "single_label_classification" &&
        problem != "multi_label_classification" && problem != "regression")
        throw Error(reader.file().name() + ": config.json gives problem_type \"" + problem +
                    "\", which Vitrine does not know; use a model of \"single_label_classification\"");
    const int projected = static_cast<int>(find_features(reader, p));
    const bool several = problem == "multi_label_classification", values = problem == "regression" || outputs == 1;
    if (outputs > 0 && !stated.projects && !several && !values) {
        c.classes = outputs;
        c.features = projected;
        return;
    }
    c.features = outputs > 0 ? outputs : projected;
    if (c.features == 0) return;
    const bool own = problem == "regression" || several;  // our own files store these outputs as a projection, too
    c.ending = stated.projects || (outputs == 0 && !own) ? HeadKind::features
               : several                                 ? HeadKind::several
                                                         : HeadKind::values;
    const std::string layer = p.features.empty() ? p.classifier : p.features.substr(0, p.features.rfind(".weight"));
    c.feature_bias = reader.has(layer + ".bias");
    if (!p.second_classifier.empty())
        throw Error(reader.file().name() + ": this distilled model chooses no class (problem_type \"" + problem +
                    "\"), which Vitrine does not read yet; use one that chooses a class");
}

/// Checks those statements of the configuration about the tensors that no shape confirms.
void check_claims(const TensorReader& reader, const Configuration& stated, const Config& c) {
    const bool biased = c.query_bias || c.key_bias || c.value_bias;
    if (stated.qkv_bias && *stated.qkv_bias != biased)
        throw Error(reader.file().name() + ": config.json says that qkv_bias is " + (biased ? "false" : "true") +
                    " but the tensors have " + (biased ? "" : "no ") +
                    "biases of queries, keys and values; use both files of the same model");
    const bool known = stated.pooling == "token" || stated.pooling == "avg" || stated.pooling.empty() ||
                       (stated.pooling == "map" && c.pools());
    if (!known)
        throw Error(reader.file().name() + ": this model's classifier reads global_pool \"" + stated.pooling +
                    "\", which Vitrine does not do yet; use one with \"token\", \"avg\" or \"map\"");
    const int named = c.classes > 0 || c.ending == HeadKind::features ? c.classes : c.features;
    if (named > 0 && !stated.labels.empty() && stated.labels.size() != static_cast<std::size_t>(named))
        throw Error(reader.file().name() + ": config.json gives " + std::to_string(stated.labels.size()) +
                    " labels but the classifier has " + std::to_string(named) +
                    " classes; use both files of the same model");
}

/// Notes the settings that are defaults, since neither a shape nor a file gives them.
void note_defaults(const Configuration& stated, Model& model) {
    char epsilon[32];
    std::snprintf(epsilon, sizeof epsilon, "ε = %g", static_cast<double>(model.config.layer_norm_epsilon));
    std::string words;
    if (!stated.layer_norm_epsilon) words = epsilon;
    if (!stated.activation) words += (words.empty() ? "" : " and ") + std::string(name_of(model.config.activation));
    if (!words.empty())
        model.provenance.notes.push_back("The files do not say all of the layer norms and the activation: " + words +
                                         ", as is usual for this family.");
}

}  // namespace

void find_config(const TensorReader& reader, const TensorPlaces& p, const Claims& claims, Model& model) {
    const Configuration& stated = claims.said;
    Config& c = model.config;
    const TensorShape& patch = reader.shape(p.patch_weight);
    if (patch.size() == 2)
        throw Error(
            reader.file().name() + ": this model takes images of any shape (NaFlex, \"" + p.patch_weight +
            "\"), which Vitrine does not read; use one of a fixed size, such as google/siglip2-base-patch16-224");
    if (patch.size() != 4 || patch[2] != patch[3] || (patch[1] != 1 && patch[1] != 3) || patch[0] == 0 || patch[2] == 0)
        throw Error(reader.file().name() + ": \"" + p.patch_weight + "\" has the shape " + words_of(patch) +
                    " where Vitrine reads (D, 3, P, P) or (D, 1, P, P)");
    c.position_table = !p.position.empty();
    const TensorShape position = c.position_table ? reader.shape(p.position) : TensorShape();
    const bool needs_no_table = !p.table_of(0).empty() || p.layout->rotary || stated.positions == Positions::rotary ||
                                stated.positions == Positions::none || is_rope_vit(stated);
    if (!c.position_table && !needs_no_table)
        throw Error(reader.file().name() + ": the tensor \"" + p.layout->position +
                    "\" is missing; save the whole model");
    const std::size_t positions = position.size() < 2 ? 0 : position[position.size() - 2];
    if (patch[0] > most || patch[2] > most || positions > most || (c.position_table && position.size() < 2))
        throw Error(reader.file().name() +
                    ": its shapes are not those of a Vision Transformer; get the file from the model's page again");
    c.patch_size = static_cast<int>(patch[2]);
    c.leading = p.groups;
    if (!stated.leading && c.position_table) find_placed_tokens(stated, positions, c);
    if (c.position_table && positions <= static_cast<std::size_t>(c.first_patch_position()))
        throw Error(reader.file().name() +
                    ": its shapes are not those of a Vision Transformer; get the file from the model's page again");
    check(reader, "hidden_size", stated.embedding_dim, patch[0]);
    check(reader, "num_channels", stated.channels, patch[1]);
    check(reader, "patch_size", stated.patch_size, patch[2]);
    check(reader, "num_hidden_layers", stated.blocks, static_cast<std::size_t>(p.blocks));
    const char* const mlp_in = p.gated_mlp ? p.gated_mlp->gate : p.layout->mlp_in;
    const bool both = p.gated_mlp && *p.gated_mlp->value == '\0';
    const std::size_t hidden = outputs_of(reader, p.block(0, std::string(mlp_in) + ".weight")) / (both ? 2 : 1);
    const std::size_t classes = p.classifier.empty() ? 0 : outputs_of(reader, p.classifier + ".weight");
    // timm's mlp_ratio counts both halves of a gate, rounded in each family's own way.
    if (!p.gated_mlp) check(reader, "intermediate_size", stated.mlp_dim, hidden);
    check(reader, "num_classes", stated.classes, classes);
    c.embedding_dim = static_cast<int>(patch[0]);
    c.channels = static_cast<int>(patch[1]);
    c.blocks = p.blocks;
    c.mlp_dim = static_cast<int>(hidden);
    find_ending(reader, p, stated, c);
    c.patch_bias = !p.patch_bias.empty();
    c.embedding_norm = !p.embedding_norm.empty();
    find_readout(reader, p, stated, c);
    find_biases(reader, p, stated, c);
    c.layer_norm_epsilon = stated.layer_norm_epsilon.value_or(p.layout->layer_norm_epsilon);
    if (!stated.layer_norm_epsilon && c.embedding_norm) c.layer_norm_epsilon = 1e-5F;  // as in all models like CLIP
    const auto by_size = p.layout->activation_by_size;
    c.activation = stated.activation ? *stated.activation
                   : by_size         ? by_size(c.embedding_dim, c.patch_size, positions)
                                     : p.layout->activation;
    c.gated_mlp = p.gated_mlp.has_value();
    c.mlp_norm = !p.in_block(p.layout->mlp_norm).empty();
    // DINOv2's configuration says "gelu" although its gates are SiLU.
    if (c.gated_mlp && !stated.gated_mlp) c.activation = Activation::silu;
    note_defaults(stated, model);
    c.norm = stated.norm.value_or(Norm::before);
    c.skips = stated.skips.value_or(true);
    const std::string layer_scale = p.in_block(p.layout->layer_scale_1);
    c.layer_scale = !layer_scale.empty() && !p.in_block(p.layout->layer_scale_2).empty();
    c.positions = stated.positions.value_or(Positions::learned);
    if (c.position_table)
        find_image_size(reader, stated, positions, model);
    else
        take_image_size(reader, stated, c);
    c.heads = find_heads(reader, stated, claims.heads, model);
    find_attention(reader, p, stated, c);
    if (stated.architecture.empty() && is_eva02(p, stated, c))
        model.provenance.notes.emplace_back(
            "The parts are those of EVA-02, so rotary positions are inferred, which no tensor tells.");
    if (stated.architecture.empty() && layer_scale == "gamma_1" && c.position_table && c.position_rows() == c.patches())
        model.provenance.notes.emplace_back(
            "These are DeiT III's tensors, and those of timm's RoPE-ViT with a table, which also turns queries and "
            "keys; if "
            "it is the latter, put its config.json beside the weights.");
    if (!p.shared_position_bias.empty())
        model.provenance.notes.emplace_back("All blocks share one table of relative positions; each is shown with it.");
    check_claims(reader, stated, c);
    if (c.classes > 0 || c.ending == HeadKind::values || c.ending == HeadKind::several) c.labels = stated.labels;
    if (c.ending == HeadKind::values)
        model.provenance.notes.push_back("The model estimates " + std::to_string(c.features) +
                                         (c.features == 1 ? " number" : " numbers") +
                                         " (regression); it has no classes.");
    if (c.ending == HeadKind::several)
        model.provenance.notes.push_back("The model gives each of its " + std::to_string(c.features) +
                                         " labels a probability of its own, a sigmoid each; it chooses no class.");
    if (c.ending == HeadKind::features)
        model.provenance.notes.push_back("The model ends with a projection to " + std::to_string(c.features) +
                                         " features, which are compared with those of texts; it has no classifier.");
}

}  // namespace vitrine
