#include "core/checkpoint/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <system_error>

#include "core/checkpoint/configuration.h"
#include "core/checkpoint/layouts.h"
#include "core/error.h"
#include "core/run_memory.h"

namespace vitrine {

namespace {

using Shape = std::vector<std::size_t>;

constexpr std::size_t most = 1 << 20;  // larger sizes are no Vision Transformer's

std::string words_of(const Shape& shape) {
    std::string words = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) words += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    return words + ")";
}

/// Whether `name` is `end`, or ends with it behind a dot.
bool ends_with(std::string_view name, std::string_view end) {
    return name.ends_with(end) && (name.size() == end.size() || name[name.size() - end.size() - 1] == '.');
}

/// Takes tensors out of a file one by one, checks their shapes and knows what is left over.
class Reader {
public:
    Reader(const Safetensors& file, const Progress& progress) : file_(file), progress_(progress) {}

    /// The one tensor whose name ends so; "" for none. Error for two.
    std::string find(const std::string& end) const {
        std::string found;
        for (const auto& [name, entry] : file_.entries()) {
            if (!ends_with(name, end)) continue;
            if (!found.empty())
                throw Error(file_.name() + ": both \"" + found + "\" and \"" + name + "\" could be the model's " + end +
                            "; save one model only");
            found = name;
        }
        return found;
    }

    bool has(const std::string& name) const { return file_.entries().contains(name); }

    const Shape& shape(const std::string& name) const {
        const auto found = file_.entries().find(name);
        if (found == file_.entries().end())
            throw Error(file_.name() + ": the tensor \"" + name +
                        "\" is missing; save the whole model, or give one that Vitrine reads");
        return found->second.shape;
    }

    Parameter take(const std::string& name, const Shape& expected) {
        const Shape& stored = shape(name);
        if (without_ones(stored) != without_ones(expected))
            throw Error(file_.name() + ": \"" + name + "\" has the shape " + words_of(stored) +
                        " where this model needs " + words_of(expected) +
                        "; the file and its configuration do not belong together");
        taken_.insert(name);
        report(progress_, static_cast<double>(taken_.size()) / static_cast<double>(file_.entries().size()));
        return {file_.floats(name), expected};
    }

    void pass_over(const std::string& name) { taken_.insert(name); }

    std::vector<std::string> left_over() const {
        std::vector<std::string> names;
        for (const auto& [name, entry] : file_.entries())
            if (!taken_.contains(name)) names.push_back(name);
        return names;
    }

    const Safetensors& file() const { return file_; }

private:
    static Shape without_ones(const Shape& shape) {
        Shape rest;
        std::copy_if(shape.begin(), shape.end(), std::back_inserter(rest), [](std::size_t n) { return n != 1; });
        return rest;
    }

    const Safetensors& file_;
    const Progress& progress_;
    std::set<std::string> taken_;
};

/// Where a layout's tensors stand in this file.
struct Places {
    const Layout* layout = nullptr;
    std::string class_token, position, patch_weight, patch_bias;
    std::string block_prefix;  // "vit.encoder.layer.": a number follows
    int blocks = 0;
    std::string norm, classifier;  // without ".weight"; classifier "" where there is none

    std::string block(int index, const std::string& name) const {
        return block_prefix + std::to_string(index) + "." + name;
    }
};

/// The prefix and count of the blocks, told by the tensor that every block of the layout has.
void find_blocks(const Safetensors& file, Places& places) {
    const std::string end = std::string(".") + places.layout->ln1 + ".weight";
    std::set<int> numbers;
    for (const auto& [name, entry] : file.entries()) {
        if (!name.ends_with(end)) continue;
        const std::string front = name.substr(0, name.size() - end.size());
        const std::size_t digits = front.find_last_not_of("0123456789") + 1;
        if (digits == front.size() || front.size() - digits > 4) continue;
        const std::string prefix = front.substr(0, digits);
        if (!numbers.empty() && prefix != places.block_prefix)
            throw Error(file.name() + ": both \"" + places.block_prefix + "\" and \"" + prefix +
                        "\" hold encoder blocks; save one model only");
        places.block_prefix = prefix;
        numbers.insert(std::stoi(front.substr(digits)));
    }
    places.blocks = static_cast<int>(numbers.size());
    if (!numbers.empty() && (*numbers.begin() != 0 || *numbers.rbegin() != places.blocks - 1))
        throw Error(file.name() + ": the blocks \"" + places.block_prefix + "0\" to \"" + places.block_prefix +
                    std::to_string(*numbers.rbegin()) + "\" are not all there; save the whole model");
}

std::string first_found(const Reader& reader, const std::vector<const char*>& names) {
    for (const char* const name : names) {
        const std::string found = reader.find(std::string(name) + ".weight");
        if (!found.empty()) return found.substr(0, found.size() - std::string_view(".weight").size());
    }
    return "";
}

/// The places of a layout, or none where the file is of another one.
std::optional<Places> places_of(const Layout& layout, const Reader& reader) {
    Places p;
    p.layout = &layout;
    p.class_token = reader.find(layout.class_token);
    p.patch_weight = reader.find(std::string(layout.patch_embedding) + ".weight");
    if (p.class_token.empty() || p.patch_weight.empty()) return {};
    find_blocks(reader.file(), p);
    const std::string projection = p.block(0, std::string(layout.projection) + ".weight");
    const std::string mlp = p.block(0, std::string(layout.mlp_in) + ".weight");
    if (p.blocks == 0 || (!reader.has(projection) && !reader.has(mlp))) return {};
    if (!reader.has(mlp)) return {};  // another generation of the same family
    p.position = reader.find(layout.position);
    p.patch_bias = p.patch_weight.substr(0, p.patch_weight.size() - std::string_view("weight").size()) + "bias";
    p.norm = first_found(reader, layout.norm);
    p.classifier = first_found(reader, layout.classifier);
    if (p.position.empty() || p.norm.empty())
        throw Error(reader.file().name() + ": the tensor \"" + (p.position.empty() ? layout.position : layout.norm[0]) +
                    "\" is missing; save the whole model");
    return p;
}

void refuse_unsupported(const Safetensors& file) {
    for (const UnsupportedPart& part : unsupported_parts())
        for (const auto& [name, entry] : file.entries())
            if (name.find(part.piece) != std::string::npos)
                throw Error(file.name() + ": this model has " + part.words + " (\"" + name +
                            "\"), which Vitrine does not read yet; use a plain Vision Transformer");
}

Places find_places(const Reader& reader) {
    refuse_unsupported(reader.file());
    for (const Layout& layout : layouts())
        if (std::optional<Places> places = places_of(layout, reader)) return *places;
    throw Error(reader.file().name() +
                ": these are not the tensors of a Vision Transformer that Vitrine knows; it reads the names of " +
                families_in_words());
}

/// Both must agree where the configuration speaks at all.
void check(const Reader& reader, const char* key, std::optional<int> said, std::size_t found) {
    if (said && static_cast<std::size_t>(*said) != found)
        throw Error(reader.file().name() + ": config.json says " + key + " " + std::to_string(*said) +
                    " but the tensors have " + std::to_string(found) + "; take both files from the same model");
}

/// Told by timm's name of the architecture; 0 where it does not tell.
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

/// As many as are 64 long, or ViT-Huge's 16, which are 80 long; 0 where the width tells nothing.
int heads_by_width(int d) {
    constexpr int huge = 1280;
    if (d == huge) return 16;
    return d % 64 == 0 ? d / 64 : 0;
}

/// By the user, the configuration, the architecture's name, the width, in this order.
int find_heads(const Reader& reader, const Configuration& said, std::optional<int> asked, Model& model) {
    const int d = model.config.embedding_dim;
    const int named = heads_by_name(said.architecture);
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

void find_image_size(const Reader& reader, const Configuration& said, std::size_t positions, Model& model) {
    Config& c = model.config;
    const auto patches = positions - 1;
    if (said.image_size) {
        std::tie(c.image_height, c.image_width) = *said.image_size;
    } else {
        const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(patches))));
        if (side * side != patches)
            throw Error(reader.file().name() + ": " + std::to_string(patches) +
                        " positions are no square grid; say the image's size in config.json");
        c.image_height = c.image_width = static_cast<int>(side) * c.patch_size;
        model.provenance.notes.push_back("The image size " + std::to_string(c.image_height) +
                                         " is inferred from the number of positions.");
    }
    const std::size_t needed = static_cast<std::size_t>(c.grid_height()) * static_cast<std::size_t>(c.grid_width());
    if (needed == positions)
        throw Error(reader.file().name() +
                    ": its positions leave out the class token (timm's no_embed_class), which Vitrine does not read "
                    "yet; use a plain Vision Transformer");
    if (c.image_height % c.patch_size != 0 || c.image_width % c.patch_size != 0 || needed != patches)
        throw Error(reader.file().name() + ": an image of " + std::to_string(c.image_height) + " × " +
                    std::to_string(c.image_width) + " in patches of " + std::to_string(c.patch_size) + " needs " +
                    std::to_string(needed + 1) + " positions but the file has " + std::to_string(positions) +
                    "; take both files from the same model");
}

/// The outputs of a linear layer, from its weight (outputs, inputs).
std::size_t outputs_of(const Reader& reader, const std::string& name) {
    const Shape& shape = reader.shape(name);
    if (shape.size() != 2 || shape[0] == 0 || shape[0] > most)
        throw Error(reader.file().name() + ": \"" + name + "\" has the shape " + words_of(shape) +
                    " where Vitrine reads a matrix (outputs, inputs); take the file from the model's page again");
    return shape[0];
}

/// Vitrine lets the classes compete (softmax); what was trained for something else would be shown as what it is not.
void check_problem(const Reader& reader, const Configuration& said, int classes) {
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

/// What the configuration says of the tensors beyond their shapes.
void check_claims(const Reader& reader, const Places& p, const Configuration& said, const Config& c) {
    const Layout& l = *p.layout;
    const bool biased = reader.has(p.block(0, *l.qkv_weight == '\0' ? std::string(l.query) + ".bias" : l.qkv_bias));
    if (said.qkv_bias && *said.qkv_bias != biased)
        throw Error(reader.file().name() + ": config.json says that qkv_bias is " + (biased ? "false" : "true") +
                    " but the tensors have " + (biased ? "" : "no ") +
                    "biases of queries, keys and values; take both files from the same model");
    if (c.classes > 0 && said.pooling != "token" && !said.pooling.empty())
        throw Error(reader.file().name() + ": this model's classifier reads global_pool \"" + said.pooling +
                    "\" instead of the class token, which Vitrine does not do yet; use one with \"token\"");
    if (c.classes > 0 && !said.labels.empty() && said.labels.size() != static_cast<std::size_t>(c.classes))
        throw Error(reader.file().name() + ": config.json gives " + std::to_string(said.labels.size()) +
                    " labels but the classifier has " + std::to_string(c.classes) +
                    " classes; take both files from the same model");
}

/// Every number of the configuration, from the shapes and checked against what the configuration says.
void find_config(const Reader& reader, const Places& p, const Configuration& said, const LoadOptions& options,
                 Model& model) {
    Config& c = model.config;
    const Shape& patch = reader.shape(p.patch_weight);
    if (patch.size() != 4 || patch[2] != patch[3] || (patch[1] != 1 && patch[1] != 3) || patch[0] == 0 || patch[2] == 0)
        throw Error(reader.file().name() + ": \"" + p.patch_weight + "\" has the shape " + words_of(patch) +
                    " where Vitrine reads (D, 3, P, P) or (D, 1, P, P)");
    const Shape& position = reader.shape(p.position);
    if (position.size() < 2 || position[position.size() - 2] < 2 || patch[0] > most || patch[2] > most ||
        position[position.size() - 2] > most)
        throw Error(reader.file().name() +
                    ": its shapes are not those of a Vision Transformer; take the file from the model's page again");
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
    c.qkv_bias = reader.has(
        p.block(0, *p.layout->qkv_weight == '\0' ? std::string(p.layout->query) + ".bias" : p.layout->qkv_bias));
    c.layer_norm_epsilon = said.layer_norm_epsilon.value_or(said.is_timm ? 1e-6F : p.layout->layer_norm_epsilon);
    c.activation = said.activation.value_or(Activation::gelu);
    c.norm = said.norm.value_or(Norm::before);
    c.skips = said.skips.value_or(true);
    c.positions = said.positions.value_or(true);
    find_image_size(reader, said, position[position.size() - 2], model);
    c.heads = find_heads(reader, said, options.heads, model);
    check_claims(reader, p, said, c);
    check_problem(reader, said, c.classes);
    if (c.classes > 0) c.labels = said.labels;
}

LinearWeights take_linear(Reader& reader, const std::string& name, std::size_t outputs, std::size_t inputs) {
    return {reader.take(name + ".weight", {outputs, inputs}), reader.take(name + ".bias", {outputs}), {}};
}

/// Queries, keys and values may do without a bias: in every block or in none.
LinearWeights take_projection(Reader& reader, const std::string& name, std::size_t d, bool biased) {
    if (biased) return take_linear(reader, name, d, d);
    return {reader.take(name + ".weight", {d, d}), {}, {}};
}

LayerNormWeights take_norm(Reader& reader, const std::string& name, std::size_t features) {
    return {reader.take(name + ".weight", {features}), reader.take(name + ".bias", {features})};
}

/// One third of a fused tensor, sharing its memory.
Parameter third(const Parameter& whole, std::size_t part, const Shape& shape) {
    const auto owner = std::make_shared<Parameter>(whole);
    return {std::shared_ptr<const float>(owner, whole.data() + part * (whole.size() / 3)), shape};
}

void take_qkv(Reader& reader, const Places& p, int index, BlockWeights& b, std::size_t d) {
    const Layout& l = *p.layout;
    if (*l.qkv_weight == '\0') {
        const bool biased = reader.has(p.block(0, std::string(l.query) + ".bias"));
        b.query = take_projection(reader, p.block(index, l.query), d, biased);
        b.key = take_projection(reader, p.block(index, l.key), d, biased);
        b.value = take_projection(reader, p.block(index, l.value), d, biased);
        return;
    }
    const Parameter weight = reader.take(p.block(index, l.qkv_weight), {3 * d, d});
    const bool biased = reader.has(p.block(0, l.qkv_bias));
    const Parameter bias = biased ? reader.take(p.block(index, l.qkv_bias), {3 * d}) : Parameter();
    LinearWeights* const parts[] = {&b.query, &b.key, &b.value};
    for (std::size_t i = 0; i < 3; ++i) {
        parts[i]->weight = third(weight, i, {d, d});
        if (!bias.empty()) parts[i]->bias = third(bias, i, {d});
    }
}

BlockWeights take_block(Reader& reader, const Places& p, int index, const Config& c) {
    const Layout& l = *p.layout;
    const auto d = static_cast<std::size_t>(c.embedding_dim), m = static_cast<std::size_t>(c.mlp_dim);
    BlockWeights b;
    b.ln1 = take_norm(reader, p.block(index, l.ln1), d);
    take_qkv(reader, p, index, b, d);
    b.projection = take_linear(reader, p.block(index, l.projection), d, d);
    b.ln2 = take_norm(reader, p.block(index, l.ln2), d);
    b.mlp_in = take_linear(reader, p.block(index, l.mlp_in), m, d);
    b.mlp_out = take_linear(reader, p.block(index, l.mlp_out), d, m);
    return b;
}

Weights take_weights(Reader& reader, const Places& p, const Config& c) {
    const auto d = static_cast<std::size_t>(c.embedding_dim), side = static_cast<std::size_t>(c.patch_size);
    const auto channels = static_cast<std::size_t>(c.channels);
    Weights w;
    const Parameter filters = reader.take(p.patch_weight, {d, channels, side, side});
    const auto owner = std::make_shared<Parameter>(filters);
    w.patch_embedding.weight = {std::shared_ptr<const float>(owner, filters.data()), {d, channels * side * side}};
    w.patch_embedding.bias = reader.take(p.patch_bias, {d});
    w.class_token = reader.take(p.class_token, {d});
    w.position = reader.take(p.position, {static_cast<std::size_t>(c.tokens()), d});
    for (int i = 0; i < c.blocks; ++i) w.blocks.push_back(take_block(reader, p, i, c));
    w.norm = take_norm(reader, p.norm, d);
    if (c.classes > 0) w.classifier = take_linear(reader, p.classifier, static_cast<std::size_t>(c.classes), d);
    return w;
}

void refuse_leftovers(Reader& reader, Model& model) {
    for (const std::string& name : reader.left_over())
        if (model.config.classes > 0 && ends_with(name, "pre_logits.fc.weight"))
            throw Error(reader.file().name() + ": this model has a layer before its classifier (\"" + name +
                        "\"), which Vitrine does not read yet; use a plain Vision Transformer");
    for (const std::string& name : reader.left_over())
        for (const char* const end : ends_passed_over())
            if (ends_with(name, end)) {
                reader.pass_over(name);
                model.provenance.passed_over.push_back(name);
                break;
            }
    const std::vector<std::string> rest = reader.left_over();
    if (rest.empty()) return;
    constexpr std::size_t listed = 4;
    std::string names;
    for (std::size_t i = 0; i < std::min(rest.size(), listed); ++i) names += (i > 0 ? ", \"" : "\"") + rest[i] + "\"";
    if (rest.size() > listed) names += " and " + std::to_string(rest.size() - listed) + " more";
    throw Error(reader.file().name() + ": the file holds tensors that Vitrine does not know (" + names +
                "); it reads plain Vision Transformers, so save only those parts");
}

/// A preprocessor that makes pictures of another size belongs to another model: padding or cutting them would hide it.
void check_picture_size(const Configuration& said, const Preprocessing& pre, const Config& c,
                        const std::string& folder) {
    const bool squashed = pre.resize == Preprocessing::Resize::squash && !pre.crop;
    const std::pair<int, int> resized{pre.resize_height, pre.resize_width}, wanted{c.image_height, c.image_width};
    const std::pair<int, int> made = said.crop_size ? *said.crop_size : squashed ? resized : wanted;
    if (made == wanted) return;
    const auto words = [](std::pair<int, int> size) {
        return std::to_string(size.second) + " × " + std::to_string(size.first);
    };
    throw Error(folder + "/" + said.preprocessor_name + ": it makes pictures of " + words(made) +
                " pixels but the model takes " + words(wanted) + "; take both files from the same model");
}

/// The checkpoint's own preprocessing, or its family's where it has none.
Preprocessing find_preprocessing(const Configuration& said, const Places& p, const std::string& folder, Model& model) {
    const Config& c = model.config;
    const std::string family = p.layout->name;
    Preprocessing pre;
    if (said.preprocessing) {
        pre = *said.preprocessing;
    } else {
        model.provenance.notes.push_back("No preprocessor is given: the one usual for " + family + " is used.");
        pre = p.layout->preprocessing(c);
        pre.crop = pre.resize != Preprocessing::Resize::squash;
        if (pre.crop) pre.crop_rounding = Preprocessing::Rounding::half_to_even;
    }
    if (pre.resize_height == 0) {
        pre.resize_height = static_cast<int>(std::floor(c.image_height / said.crop_share));
        pre.resize_width = static_cast<int>(std::floor(c.image_width / said.crop_share));
    }
    check_picture_size(said, pre, c, folder);
    const bool exact = pre.resize == Preprocessing::Resize::squash && pre.resize_height == c.image_height &&
                       pre.resize_width == c.image_width;
    if (!exact) pre.crop = true;  // the model takes its own size only
    const auto channels = static_cast<std::size_t>(c.channels);
    if (pre.mean.size() != channels) pre.mean.assign(channels, pre.mean.empty() ? 0.5 : pre.mean[0]);
    pre.grey = pre.grey && channels == 3;  // one channel is grey already
    if (pre.std.size() != channels) pre.std.assign(channels, pre.std.empty() ? 0.5 : pre.std[0]);
    return pre;
}

/// The folder of the configuration, for messages.
std::string folder_of(const CheckpointFiles& files) {
    const std::filesystem::path path = files.path;
    std::error_code ignored;
    if (path.empty()) return files.name;
    if (std::filesystem::is_directory(path, ignored)) return path.string();
    return path.has_parent_path() ? path.parent_path().string() : ".";
}

}  // namespace

Model load_model(const CheckpointFiles& files, const LoadOptions& options) {
    constexpr double share_of_reading = 0.6;
    const Progress reading = [&](double f) { report(options.progress, f * share_of_reading); };
    const Progress preparing = [&](double f) {
        report(options.progress, share_of_reading + f * (1 - share_of_reading));
    };

    Model model;
    model.provenance.name = files.name;
    model.provenance.path = files.path;
    model.provenance.files = files.stamps;
    const std::string folder = folder_of(files);
    const Configuration said =
        read_configuration({files.config_json, files.preprocessor_json, files.processor_json}, folder);
    Reader reader(files.weights, reading);
    const Places places = find_places(reader);
    model.provenance.layout = places.layout->name;
    if (model.provenance.layout == "the course book")
        model.provenance.notes.push_back("Read by the ends of the course book's names: blocks under \"" +
                                         places.block_prefix + "\", classifier \"" + places.classifier + "\".");
    find_config(reader, places, said, options, model);
    require_memory_for_weights(model);
    model.weights = take_weights(reader, places, model.config);
    refuse_leftovers(reader, model);
    model.preprocessing = find_preprocessing(said, places, folder, model);
    prepare(model, preparing);
    return model;
}

Model load_model(const std::filesystem::path& path, const LoadOptions& options) {
    return load_model(find_checkpoint(path), options);
}

}  // namespace vitrine
