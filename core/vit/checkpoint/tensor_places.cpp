#include "core/vit/checkpoint/tensor_places.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/base/error.h"

namespace vitrine {

namespace {

/// Finds the prefix and number of the blocks, from a tensor that every block of the layout has.
void find_blocks(const TensorReader& reader, TensorPlaces& places) {
    const TensorFile& file = reader.file();
    const std::string end = std::string(".") + places.layout->ln1 + ".weight";
    std::set<int> numbers;
    for (const auto& [name, entry] : file.entries()) {
        if (!name.ends_with(end) || reader.is_aside(name)) continue;
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

/// The prefix of the pooling's tensor names; "" without a pooling.
std::string pooling_part(const TensorPlaces& p) {
    if (!p.pooling_prefix) return "";
    const std::string_view probe = p.layout->pooling.probe;
    return *p.pooling_prefix + std::string(probe.substr(0, probe.rfind('.') + 1));
}

/// The first layer of these names outside the blocks and a pooling, without ".weight"; "" if there is none.
std::string first_found(const TensorReader& reader, const TensorPlaces& p, const std::vector<const char*>& names) {
    for (const char* const name : names) {
        const std::string found = reader.find(std::string(name) + ".weight", {p.block_prefix, pooling_part(p)});
        if (!found.empty()) return found.substr(0, found.size() - std::string_view(".weight").size());
    }
    return "";
}

/// The names of a gated MLP; none if the blocks' MLP has no gate. A gate fused with the value has twice as many rows.
std::optional<GatedNames> gated_mlp_of(const TensorReader& reader, const TensorPlaces& p) {
    const auto shape = [&](const char* name) {
        const std::string whole = p.block(0, std::string(name) + ".weight");
        const TensorShape found = reader.has(whole) ? reader.shape(whole) : TensorShape();
        return found.size() == 2 ? found : TensorShape{0, 0};
    };
    for (const GatedNames& names : p.layout->gated_mlp) {
        const TensorShape gate = shape(names.gate), out = shape(names.out);
        if (gate[0] == 0 || out[0] == 0) continue;
        if (*names.value == '\0' ? gate[0] == 2 * out[1] : shape(names.value)[0] == gate[0]) return names;
    }
    return {};
}

/// True if block 0 has the layout's tensor of queries, separate or fused with keys and values.
bool attends_as(const TensorReader& reader, const TensorPlaces& p, const Layout& layout) {
    return reader.has(p.block(0, *layout.query == '\0' ? layout.qkv_weight : std::string(layout.query) + ".weight"));
}

/// The name of a kind of tokens in the file; "" if it has none.
std::string name_in_file(const TensorReader& reader, const Layout& layout, TokenKind kind) {
    for (const char* const name : names_of(layout, kind))
        if (const std::string found = *name == '\0' ? "" : reader.find(name); !found.empty()) return found;
    return "";
}

/// Number of vectors in a tensor of tokens: (1, n, D), (n, D) or (D).
int vectors_in(const TensorReader& reader, const std::string& name) {
    const TensorShape& shape = reader.shape(name);
    std::size_t vectors = 1;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) vectors *= shape[i];
    constexpr std::size_t most = 1024;
    if (vectors == 0 || vectors > most)
        throw Error(reader.file().name() + ": \"" + name + "\" has the shape " + words_of(shape) +
                    " where Vitrine reads 1 to 1,024 tokens; get the file from the model's page again");
    return static_cast<int>(vectors);
}

/// Finds the tokens before the patches: those that the configuration lists, else the file's. False if one is missing.
bool find_leading(const TensorReader& reader, const std::optional<std::vector<LeadingTokens>>& configured,
                  TensorPlaces& p) {
    if (configured) {
        p.groups = *configured;
        for (const LeadingTokens& group : *configured) {
            p.leading.push_back(name_in_file(reader, *p.layout, group.kind));
            if (p.leading.back().empty()) return false;
        }
        return true;
    }
    for (const auto& [kind, word] : token_kinds) {
        const std::string name = name_in_file(reader, *p.layout, kind);
        if (name.empty()) continue;
        p.groups.push_back({kind, vectors_in(reader, name), !is_counted(kind)});
        p.leading.push_back(name);
    }
    return true;
}

/// Finds the parts outside the blocks that only some models have.
void find_optional_parts(const TensorReader& reader, TensorPlaces& p) {
    const Layout& layout = *p.layout;
    const auto found = [&](const char* name) { return *name == '\0' ? "" : first_found(reader, p, {name}); };
    if (const std::string_view end = layout.pooling.probe; !end.empty())
        if (const std::string probe = reader.find(std::string(end)); !probe.empty())
            p.pooling_prefix = probe.substr(0, probe.size() - end.size());
    p.patch_bias = p.patch_weight.substr(0, p.patch_weight.size() - std::string_view("weight").size()) + "bias";
    p.embedding_norm = found(layout.embedding_norm);
    if (!p.embedding_norm.empty() && !reader.has(p.patch_bias)) p.patch_bias.clear();  // CLIP has none
    p.norm = found(layout.pooled_norm);
    p.norm_is_pooled = !p.norm.empty();
    if (!p.norm_is_pooled) p.norm = first_found(reader, p, layout.norm);
    p.classifier = first_found(reader, p, layout.classifier);
    p.second_classifier = found(layout.second_classifier);
    if (*layout.features == '\0') return;
    p.features = reader.find(std::string(layout.features) + ".weight");
    if (p.features.empty()) p.features = reader.find(layout.features);
}

/// Names of the tensors in a layout, or none if the file has another layout.
std::optional<TensorPlaces> places_of(const Layout& layout, const TensorReader& reader,
                                      const std::optional<std::vector<LeadingTokens>>& leading) {
    TensorPlaces p;
    p.reader = &reader;
    p.layout = &layout;
    find_blocks(reader, p);
    if (p.blocks == 0) return {};
    const auto there = [&](const char* name) { return !reader.find(name).empty(); };
    if (std::ranges::any_of(layout.without, there) || !std::ranges::all_of(layout.with, there)) return {};
    p.patch_weight = reader.find(std::string(layout.patch_embedding) + ".weight");
    if (p.patch_weight.empty()) return {};
    const bool separate = *layout.qkv_weight == '\0';
    const std::string queries = p.block(0, separate ? std::string(layout.query) + ".weight" : layout.qkv_weight);
    const std::string projection = p.block(0, std::string(layout.projection) + ".weight");
    p.gated_mlp = gated_mlp_of(reader, p);
    const std::string mlp = p.block(0, std::string(p.gated_mlp ? p.gated_mlp->gate : layout.mlp_in) + ".weight");
    // Without these the file has another layout, such as that of another generation of the same family.
    if (!reader.has(mlp) || (!reader.has(queries) && !reader.has(projection))) return {};
    if (!attends_as(reader, p, layout) &&
        std::ranges::any_of(layouts(), [&](const Layout& other) { return attends_as(reader, p, other); }))
        return {};
    if (!find_leading(reader, leading, p)) return {};
    if (*layout.shared_position_bias != '\0') p.shared_position_bias = reader.find(layout.shared_position_bias);
    p.position = *layout.position != '\0' ? reader.find(layout.position) : "";
    find_optional_parts(reader, p);
    if (p.norm.empty())
        throw Error(reader.file().name() + ": the tensor \"" + layout.norm[0] + "\" is missing; save the whole model");
    return p;
}

void refuse_unsupported(const TensorReader& reader) {
    for (const UnsupportedPart& part : unsupported_parts())
        for (const auto& [name, entry] : reader.file().entries())
            if (name.find(part.piece) != std::string::npos && !reader.is_aside(name))
                throw Error(reader.file().name() + ": this model has " + part.words + " (\"" + name +
                            "\"), which Vitrine does not read yet; use a plain Vision Transformer");
}

}  // namespace

std::string TensorPlaces::in_block(const std::vector<const char*>& names) const {
    for (const char* const name : names)
        if (const std::string whole = block(0, name); reader->has(whole) || reader->has(whole + ".weight")) return name;
    return "";
}

std::string TensorPlaces::table_of(int index) const {
    const std::string own = in_block({layout->position_bias});
    return own.empty() ? shared_position_bias : block(index, own);
}

TensorPlaces find_places(const TensorReader& reader, const std::optional<std::vector<LeadingTokens>>& configured) {
    refuse_unsupported(reader);
    for (const Layout& layout : layouts())
        if (std::optional<TensorPlaces> places = places_of(layout, reader, configured)) return *places;
    if (configured)
        throw Error(reader.file().name() +
                    ": config.json lists tokens (\"vitrine_tokens\") that these tensors do not have; take both files "
                    "from the same model");
    throw Error(reader.file().name() +
                ": these are not the tensors of a Vision Transformer that Vitrine knows; it reads the names of " +
                families_in_words());
}

}  // namespace vitrine
