#include "core/words/text_tower.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/error.h"
#include "core/tensor/matmul.h"
#include "core/tensor/memory.h"
#include "core/transformer/encoder_block.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/checkpoint/configuration.h"
#include "core/vit/checkpoint/tensor_reader.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

/// The tensor names of one family of text towers. Block names follow the block's number; a layer's weight and bias are
/// "<name>.weight" and "<name>.bias".
struct TowerNames {
    const char* beginning;  // of all names, except those of the scale, the bias and CLIP's projection
    const char* words;
    const char* position;
    const char* blocks;  // before a block's number
    const char *ln1, *query = "", *key = "", *value = "";
    const char* qkv = "";  // before "_weight" (3D, D) and "_bias" (3D), rows Q, K, V; empty: separate layers
    const char *projection, *ln2, *mlp_in, *mlp_out, *norm;
    const char* features;               // the projection: a layer, or a bare matrix (D, features)
    const char* features_of_clip = "";  // the projection of a causal tower, outside the tower; empty: `features`
    Activation activation, of_clip;     // defaults without a configuration; `of_clip` for a causal tower
};

/// huggingface/transformers, models/clip/modeling_clip.py and models/siglip/modeling_siglip.py.
constexpr TowerNames hugging_face_tower = {.beginning = "text_model.",
                                           .words = "embeddings.token_embedding.weight",
                                           .position = "embeddings.position_embedding.weight",
                                           .blocks = "encoder.layers.",
                                           .ln1 = "layer_norm1",
                                           .query = "self_attn.q_proj",
                                           .key = "self_attn.k_proj",
                                           .value = "self_attn.v_proj",
                                           .projection = "self_attn.out_proj",
                                           .ln2 = "layer_norm2",
                                           .mlp_in = "mlp.fc1",
                                           .mlp_out = "mlp.fc2",
                                           .norm = "final_layer_norm",
                                           .features = "head",
                                           .features_of_clip = "text_projection",
                                           .activation = Activation::gelu_tanh,
                                           .of_clip = Activation::quick_gelu};
/// mlfoundations/open_clip, src/open_clip/model.py and transformer.py: names of CLIP's tower do not begin with "text.".
constexpr TowerNames open_clip_tower = {.beginning = "",
                                        .words = "token_embedding.weight",
                                        .position = "positional_embedding",
                                        .blocks = "transformer.resblocks.",
                                        .ln1 = "ln_1",
                                        .qkv = "attn.in_proj",
                                        .projection = "attn.out_proj",
                                        .ln2 = "ln_2",
                                        .mlp_in = "mlp.c_fc",
                                        .mlp_out = "mlp.c_proj",
                                        .norm = "ln_final",
                                        .features = "text_projection",
                                        .activation = Activation::gelu,
                                        .of_clip = Activation::gelu};
constexpr std::string_view open_clip_part = "text.";

/// Reads the tensors of one tower.
class TowerReader {
public:
    /// Throws Error if the file has no text tower.
    explicit TowerReader(TensorReader& reader) : reader_(reader) {
        for (const TowerNames* const family : {&hugging_face_tower, &open_clip_tower}) {
            const std::string end = std::string(family->beginning) + family->words, found = reader.find(end);
            if (found.empty()) continue;
            names = family;
            prefix_ = above_ = found.substr(0, found.size() - end.size());
            if (family == &open_clip_tower && above_.ends_with(open_clip_part))
                above_.resize(above_.size() - open_clip_part.size());
            return;
        }
        throw Error(reader.file().name() +
                    ": this model has no text tower in Hugging Face's or OpenCLIP's names, so words cannot be compared "
                    "with its images; use a whole CLIP or SigLIP, such as google/siglip-base-patch16-224");
    }

    std::string named(const std::string& name) const { return prefix_ + names->beginning + name; }
    std::string block(int index, const std::string& name) const {
        return named(names->blocks + std::to_string(index) + "." + name);
    }
    std::string above(const std::string& name) const { return above_ + name; }
    /// Whether a tensor belongs to the tower; in OpenCLIP's files, the tower of images may share the tower's prefix.
    bool is_below(std::string_view name) const {
        return name.starts_with(named("")) && !name.starts_with(above("visual."));
    }
    bool has(const std::string& name) const { return reader_.has(name); }
    int axis(const std::string& name, std::size_t axis) const {
        const TensorShape& shape = reader_.shape(name);
        if (axis >= shape.size() || shape[axis] == 0 || shape[axis] > most_axis)
            throw Error(reader_.file().name() + ": \"" + name + "\" has the shape " + words_of(shape) +
                        ", which no text tower has; download the file again");
        return static_cast<int>(shape[axis]);
    }

    LayerNormWeights norm(const std::string& name) {
        return {reader_.take(name + ".weight", {width}), reader_.take(name + ".bias", {width})};
    }
    LinearWeights linear(const std::string& name, std::size_t outputs, std::size_t inputs, bool biased = true) {
        LinearWeights w{reader_.take(name + ".weight", {outputs, inputs}), {}, {}};
        if (biased) w.bias = reader_.take(name + ".bias", {outputs});
        w.varied_rows = true;
        return w;
    }
    /// Reads queries, keys and values, from separate layers or fused.
    void take_qkv(int index, BlockWeights& b) {
        const bool fused = *names->qkv != '\0';
        const std::string together = block(index, names->qkv);
        const Parameter weight = fused ? reader_.take(together + "_weight", {3 * width, width}) : Parameter(),
                        bias = fused ? reader_.take(together + "_bias", {3 * width}) : Parameter();
        const auto third = [&](std::size_t part) {
            LinearWeights w{part_of(weight, part, 3, {width, width}), part_of(bias, part, 3, {width}), {}};
            w.varied_rows = true;
            return w;
        };
        b.query = fused ? third(0) : linear(block(index, names->query), width, width);
        b.key = fused ? third(1) : linear(block(index, names->key), width, width);
        b.value = fused ? third(2) : linear(block(index, names->value), width, width);
    }
    /// The last layer; its weight may be stored transposed, as a bare matrix (D, features).
    LinearWeights projection(bool causal) {
        const bool beside = causal && *names->features_of_clip != '\0';
        const std::string name = beside ? above(names->features_of_clip) : named(names->features);
        if (!has(name))
            return linear(name, static_cast<std::size_t>(axis(name + ".weight", 0)), width, has(name + ".bias"));
        LinearWeights w{transposed(reader_.take(name, {width, static_cast<std::size_t>(axis(name, 1))})), {}, {}};
        w.varied_rows = true;
        return w;
    }
    Parameter table(const std::string& name, int rows) {
        return reader_.take(name, {static_cast<std::size_t>(rows), width});
    }
    /// A single number.
    float number(const std::string& name) {
        const float value = reader_.take(name, {1})(0);
        if (!std::isfinite(value))
            throw Error(reader_.file().name() + ": \"" + name + "\" is not a number; download the file again");
        return value;
    }

    const TowerNames* names = nullptr;
    std::size_t width = 0;  // D

private:
    static constexpr std::size_t most_axis = std::size_t{1} << 24;
    TensorReader& reader_;
    std::string prefix_, above_;
};
BlockWeights tower_block(TowerReader& in, int index, std::size_t m) {
    const TowerNames& names = *in.names;
    const std::size_t d = in.width;
    BlockWeights b;
    b.ln1 = in.norm(in.block(index, names.ln1));
    in.take_qkv(index, b);
    b.projection = in.linear(in.block(index, names.projection), d, d);
    b.ln2 = in.norm(in.block(index, names.ln2));
    b.mlp_in = in.linear(in.block(index, names.mlp_in), m, d);
    b.mlp_out = in.linear(in.block(index, names.mlp_out), d, m);
    return b;
}

/// Width, depth and settings, from the tensors' shapes and the configuration.
TransformerConfig tower_config(const TowerReader& in, const TextConfiguration& configuration, bool causal,
                               const std::string& folder) {
    constexpr int usual_head_dim = 64;  // of every tower whose configuration does not give the number of heads
    const TowerNames& names = *in.names;
    TransformerConfig c;
    c.embedding_dim = in.axis(in.named(names.words), 1);
    while (in.has(in.block(c.blocks, std::string(names.ln1) + ".weight"))) ++c.blocks;
    c.mlp_dim = in.axis(in.block(0, std::string(names.mlp_in) + ".weight"), 0);
    c.heads =
        configuration.heads.value_or(c.embedding_dim % usual_head_dim == 0 ? c.embedding_dim / usual_head_dim : 0);
    if (c.heads == 0 || c.embedding_dim % c.heads != 0)
        throw Error(folder + "/config.json: \"num_attention_heads\" of \"text_config\" should divide the width " +
                    std::to_string(c.embedding_dim) + "; use both files of the same model");
    c.activation = configuration.activation.value_or(causal ? names.of_clip : names.activation);
    c.layer_norm_epsilon = configuration.layer_norm_epsilon.value_or(causal ? 1e-5F : 1e-6F);
    return c;
}

void pack_tower(TextTowerWeights& w) {
    static constexpr std::size_t usual_rows = 16;
    const auto pack = [](LinearWeights& linear) {
        linear.packed = std::make_shared<PackedLinear>(linear, usual_rows);
        linear.weight = {linear.packed, linear.weight.shape()};
    };
    for (BlockWeights& b : w.blocks)
        for (LinearWeights* const linear : {&b.query, &b.key, &b.value, &b.projection, &b.mlp_in, &b.mlp_out})
            pack(*linear);
    pack(w.projection);
}

/// The folder with a model's files.
std::string folder_beside(const Model& model) {
    const std::vector<std::filesystem::path> files = files_of_checkpoint(model.provenance.path);
    return files.empty() ? model.provenance.path : files.front().parent_path().string();
}

}  // namespace

TextTower load_text_tower(const CheckpointFiles& files, const std::string& folder, const Progress& progress) {
    const TensorFile& file = *files.weights;
    TensorReader reader(file, progress);
    TowerReader in(reader);
    if (in.has(in.named("cls_emb")))
        throw Error(file.name() +
                    ": this text tower reads a class token after the words, as CoCa's, which Vitrine does "
                    "not read yet; use a CLIP or SigLIP");
    const std::string words = in.named(in.names->words), position = in.named(in.names->position);
    TextTower t;
    t.causal = !in.has(in.above("logit_bias"));
    t.config = tower_config(in, read_text_configuration(files.config_json, folder), t.causal, folder);
    in.width = static_cast<std::size_t>(t.config.embedding_dim);
    t.vocabulary = in.axis(words, 0);
    t.context = in.axis(position, 0);
    if (t.context < 2) throw Error(file.name() + ": \"" + position + "\" has a single row; download the file again");
    double bytes = 0;
    for (const auto& [name, entry] : file.entries())
        if (in.is_below(name)) bytes += static_cast<double>(entry.bytes);
    require_memory({"the text tower of " + files.name, bytes});

    t.weights.words = in.table(words, t.vocabulary);
    t.weights.position = in.table(position, t.context);
    for (int i = 0; i < t.config.blocks; ++i)
        t.weights.blocks.push_back(tower_block(in, i, static_cast<std::size_t>(t.config.mlp_dim)));
    t.weights.norm = in.norm(in.named(in.names->norm));
    t.weights.projection = in.projection(t.causal);
    t.features = static_cast<int>(t.weights.projection.weight.shape()[0]);
    t.scale = std::exp(in.number(in.above("logit_scale")));
    if (!t.causal) t.bias = in.number(in.above("logit_bias"));
    pack_tower(t.weights);
    return t;
}

TextTower open_text_tower(const Model& model, const Progress& progress) {
    if (model.provenance.path.empty())
        throw Error(model.provenance.name +
                    ": this model has no text tower, so words cannot be compared with its images; use a whole CLIP or "
                    "SigLIP, such as google/siglip-base-patch16-224");
    const std::string folder = folder_beside(model);
    TextTower t = load_text_tower(find_checkpoint(model.provenance.path), folder, progress);
    const int features = model.config.features > 0 ? model.config.features : model.config.read_dim();
    if (features != t.features)
        throw Error(model.provenance.path + ": its texts end with " + std::to_string(t.features) +
                    " features and its images with " + std::to_string(features) + "; use a whole CLIP or SigLIP");
    t.read = Tokeniser::of_folder(folder, t.causal);
    if (t.read->size() > t.vocabulary)
        throw Error(folder + ": the tokeniser knows " + std::to_string(t.read->size()) +
                    " pieces and the text tower reads " + std::to_string(t.vocabulary) +
                    "; use the files of the same model");
    return t;
}

TowerTrace run_text_tower(const TextTower& tower, const TowerTokens& tokens) {
    const TextTowerWeights& w = tower.weights;
    const std::size_t rows = tokens.numbers.size(), d = static_cast<std::size_t>(tower.config.embedding_dim);
    assert(rows >= 1 && rows <= static_cast<std::size_t>(tower.context));
    TowerEmbeddingTrace embedding{tensor2(rows, d), tensor2(rows, d)};
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < d; ++k) {
            embedding.words(i, k) = w.words(static_cast<std::size_t>(tokens.numbers[i]), k);
            embedding.z(i, k) = embedding.words(i, k) + w.position(i, k);
        }
    TowerTrace t;
    t.embedding = std::make_shared<const TowerEmbeddingTrace>(std::move(embedding));
    const Batch batch{1, static_cast<int>(rows)};
    const Editor nothing;
    const Tensor3 mask = tower.causal ? causal_mask(batch.tokens) : Tensor3();
    for (int block = 1; block <= tower.config.blocks; ++block)
        t.add_block(std::make_shared<BlockTrace>(encoder_block({tower.config, block, batch, nothing},
                                                               w.blocks[static_cast<std::size_t>(block - 1)],
                                                               t.z(block - 1), tower.causal ? &mask : nullptr)));
    t.norm = layer_norm(w.norm, t.z(tower.config.blocks), tower.config.layer_norm_epsilon);
    Tensor2 read = tensor2(1, d);
    std::copy_n(&t.norm.out(static_cast<std::size_t>(tokens.read), 0), d, &read(0, 0));
    t.features = linear(w.projection, read);
    return t;
}

Tensor2 features_of_texts(const TextTower& tower, const std::vector<std::string>& texts, const Progress& progress) {
    assert(tower.read);
    Tensor2 features = tensor2(texts.size(), static_cast<std::size_t>(tower.features));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const Tensor2 one = run_text_tower(tower, (*tower.read)(texts[i], tower.context)).features;
        std::copy_n(&one(0, 0), one.size(), &features(i, 0));
        report(progress, static_cast<double>(i + 1) / static_cast<double>(texts.size()));
    }
    return features;
}

}  // namespace vitrine
