#include "core/vit/checkpoint/tensor_places.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/base/error.h"

namespace vitrine {

namespace {

/// The prefix and number of the blocks, from a tensor that every block of the layout has.
void find_blocks(const Safetensors& file, TensorPlaces& places) {
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

/// The first layer of these names outside the blocks, without ".weight"; "" if there is none.
std::string first_found(const TensorReader& reader, const TensorPlaces& p, const std::vector<const char*>& names) {
    for (const char* const name : names) {
        const std::string found = reader.find(std::string(name) + ".weight", p.block_prefix);
        if (!found.empty()) return found.substr(0, found.size() - std::string_view(".weight").size());
    }
    return "";
}

/// The first name that block 0 has; "" if it has none of them.
std::string first_in_block(const TensorReader& reader, const TensorPlaces& p, const std::vector<const char*>& names,
                           const std::string& end = "") {
    for (const char* const name : names)
        if (reader.has(p.block(0, name + end))) return name;
    return "";
}

/// The names of a gated MLP; none if the blocks have another. A gate that holds the value, too, is known by its rows.
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

/// Whether block 0 has the queries of a layout, alone or with keys and values.
bool attends_as(const TensorReader& reader, const TensorPlaces& p, const Layout& layout) {
    return reader.has(p.block(0, *layout.query == '\0' ? layout.qkv_weight : std::string(layout.query) + ".weight"));
}

/// Names of the tensors in a layout, or none if the file has another layout.
std::optional<TensorPlaces> places_of(const Layout& layout, const TensorReader& reader,
                                      const std::vector<LeadingTokens>& leading) {
    TensorPlaces p;
    p.layout = &layout;
    for (const LeadingTokens& group : leading) {
        const std::string name = name_of(layout, group.kind);
        p.leading.push_back(name.empty() ? "" : reader.find(name));
        if (p.leading.back().empty()) return {};
    }
    p.patch_weight = reader.find(std::string(layout.patch_embedding) + ".weight");
    if (p.patch_weight.empty()) return {};
    find_blocks(reader.file(), p);
    const std::string projection = p.block(0, std::string(layout.projection) + ".weight");
    p.gated_mlp = gated_mlp_of(reader, p);
    const std::string mlp = p.block(0, std::string(p.gated_mlp ? p.gated_mlp->gate : layout.mlp_in) + ".weight");
    if (p.blocks == 0 || (!reader.has(projection) && !reader.has(mlp))) return {};
    if (!attends_as(reader, p, layout) &&
        std::ranges::any_of(layouts(), [&](const Layout& other) { return attends_as(reader, p, other); }))
        return {};
    if (!reader.has(mlp)) return {};  // another generation of the same family
    p.position_bias = first_in_block(reader, p, {layout.position_bias});
    p.query_norm = first_in_block(reader, p, {layout.query_norm}, ".weight");
    p.key_norm = first_in_block(reader, p, {layout.key_norm}, ".weight");
    p.position = *layout.position != '\0' ? reader.find(layout.position) : "";
    p.mlp_norm = first_in_block(reader, p, layout.mlp_norm, ".weight");
    p.layer_scale_1 = first_in_block(reader, p, layout.layer_scale_1);
    p.layer_scale_2 = first_in_block(reader, p, layout.layer_scale_2);
    p.patch_bias = p.patch_weight.substr(0, p.patch_weight.size() - std::string_view("weight").size()) + "bias";
    p.norm = first_found(reader, p, layout.norm);
    p.classifier = first_found(reader, p, layout.classifier);
    if (p.norm.empty())
        throw Error(reader.file().name() + ": the tensor \"" + layout.norm[0] + "\" is missing; save the whole model");
    return p;
}

void refuse_unsupported(const Safetensors& file, const std::vector<LeadingTokens>& leading) {
    for (const UnsupportedPart& part : unsupported_parts()) {
        if (std::ranges::any_of(leading, [&](const LeadingTokens& group) { return group.kind == part.token; }))
            continue;
        for (const auto& [name, entry] : file.entries())
            if (name.find(part.piece) != std::string::npos)
                throw Error(file.name() + ": this model has " + part.words + " (\"" + name +
                            "\"), which Vitrine does not read yet; use a plain Vision Transformer");
    }
}

}  // namespace

TensorPlaces find_places(const TensorReader& reader, const std::optional<std::vector<LeadingTokens>>& said) {
    const std::vector<LeadingTokens> leading = said.value_or(Config().leading);
    refuse_unsupported(reader.file(), leading);
    for (const Layout& layout : layouts())
        if (std::optional<TensorPlaces> places = places_of(layout, reader, leading)) return *places;
    if (said)
        throw Error(reader.file().name() +
                    ": config.json lists tokens (\"vitrine_tokens\") that these tensors do not have; take both files "
                    "from the same model");
    throw Error(reader.file().name() +
                ": these are not the tensors of a Vision Transformer that Vitrine knows; it reads the names of " +
                families_in_words());
}

}  // namespace vitrine
