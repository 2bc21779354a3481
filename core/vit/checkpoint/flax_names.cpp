#include "core/vit/checkpoint/flax_names.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace vitrine {

namespace {

using FlaxShape = std::vector<std::size_t>;

/// The source of a tensor: an array, or one block's row of an array of all blocks.
struct FlaxSource {
    std::string array;
    std::optional<std::size_t> row;
    FlaxShape shape;  // as stored, of the row
};

/// The new order of a kernel's axes; empty if the order stays.
std::vector<std::size_t> order_of_axes(const FlaxSource& source) {
    const std::size_t axes = source.shape.size();
    if (!source.array.ends_with("/kernel")) return {};
    if (axes == 4) return {3, 2, 0, 1};  // (height, width, inputs, outputs)
    if (axes == 3)
        return source.array.ends_with("/out/kernel") ? std::vector<std::size_t>{2, 0, 1}   // (heads, d, D)
                                                     : std::vector<std::size_t>{1, 2, 0};  // (D, heads, d)
    if (axes == 2) return {1, 0};                                                          // (inputs, outputs)
    return {};
}

/// The shape after the axes are reordered, with heads joined.
FlaxShape shape_as_layer(const FlaxSource& source) {
    const FlaxShape& s = source.shape;
    if (source.array.ends_with("/kernel")) {
        if (s.size() == 4) return {s[3], s[2], s[0], s[1]};
        if (s.size() == 3 && source.array.ends_with("/out/kernel")) return {s[2], s[0] * s[1]};
        if (s.size() == 3) return {s[1] * s[2], s[0]};
        if (s.size() == 2) return {s[1], s[0]};
    }
    if (source.array.ends_with("/bias") && s.size() == 2) return {s[0] * s[1]};
    return s;
}

/// Copies numbers with their axes in another order.
std::shared_ptr<const float> reordered(const std::shared_ptr<const float>& numbers, const FlaxShape& shape,
                                       const std::vector<std::size_t>& order) {
    const std::size_t count = count_of(shape).value_or(0);
    const std::shared_ptr<float[]> out(new float[count]);
    FlaxShape strides(shape.size(), 1), index(shape.size(), 0);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    std::size_t at = 0;
    for (std::size_t n = 0; n < count; ++n) {
        out[n] = numbers.get()[at];
        for (std::size_t i = order.size(); i-- > 0;) {
            const std::size_t axis = order[i];
            at += strides[axis];
            if (++index[i] < shape[axis]) break;
            at -= strides[axis] * shape[axis];
            index[i] = 0;
        }
    }
    return {out, out.get()};
}

/// The prefix of the parameters in a training checkpoint, which may also hold an optimiser's state or a text tower.
std::string_view prefix_of_parameters(const TensorFile& file) {
    for (const std::string_view prefix : {"opt/target/img/", "opt/target/", "params/img/", "params/", "img/"})
        if (std::ranges::any_of(file.entries(), [&](const auto& row) { return row.first.starts_with(prefix); }))
            return prefix;
    return "";
}

/// Whether an array's path is this name or ends with "/name".
bool is_named(std::string_view array, std::string_view end) {
    return array.ends_with(end) && (array.size() == end.size() || array[array.size() - end.size() - 1] == '/');
}

std::string replaced(std::string words, std::string_view from, std::string_view to) {
    for (std::size_t at = words.find(from); at != std::string::npos; at = words.find(from, at + to.size()))
        words.replace(at, from.size(), to);
    return words;
}

/// "Transformer/encoderblock_3/LayerNorm_0/scale" -> "Transformer.encoderblock.3.LayerNorm_0.weight". The pooling's
/// number is removed, since it would be taken for a block's.
std::string name_as_layer(std::string_view array) {
    std::string name(array);
    for (const std::string_view end : {"kernel", "scale"})
        if (is_named(name, end)) name.replace(name.size() - end.size(), end.size(), "weight");
    return replaced(replaced(replaced(name, "encoderblock_", "encoderblock/"), "MAPHead_0", "MAPHead"), "/", ".");
}

class FlaxTensors : public TensorFile {
public:
    explicit FlaxTensors(const std::shared_ptr<const TensorFile>& file)
        : TensorFile(file->name(), file->container()), file_(file) {
        notes_ = file->notes();
        const std::string_view prefix = prefix_of_parameters(*file);
        std::size_t beside = 0;
        for (const auto& [array, entry] : file->entries())
            if (array.starts_with(prefix))
                add(array, entry);
            else
                ++beside;
        if (beside > 0)
            notes_.push_back("The weights are under \"" + std::string(prefix) + "\"; " + std::to_string(beside) +
                             (beside == 1 ? " array" : " arrays") + " beside them passed over.");
    }
    std::shared_ptr<const float> floats(const std::string& tensor) const override {
        const FlaxSource& source = sources_.at(tensor);
        const std::shared_ptr<const float> stored =
            source.row ? file_->row(source.array, *source.row) : file_->floats(source.array);
        const std::vector<std::size_t> order = order_of_axes(source);
        return order.empty() ? stored : reordered(stored, source.shape, order);
    }

private:
    void add(const std::string& array, const TensorEntry& entry) {
        constexpr std::string_view scanned = "encoderblock/";
        constexpr std::size_t most_blocks = 1000;
        const std::size_t at = array.find(scanned);
        if (at == std::string::npos) return add_one(name_as_layer(array), {array, {}, entry.shape}, entry.type);
        if (entry.shape.empty() || entry.shape[0] > most_blocks)
            throw Error(name_ + ": the array \"" + array +
                        "\" should hold one row for each block; save the whole model");
        const FlaxShape inner(entry.shape.begin() + 1, entry.shape.end());
        for (std::size_t i = 0; i < entry.shape[0]; ++i)
            add_one(name_as_layer(array.substr(0, at + scanned.size()) + std::to_string(i) + "/" +
                                  array.substr(at + scanned.size())),
                    {array, i, inner}, entry.type);
    }
    void add_one(const std::string& name, const FlaxSource& source, TensorType type) {
        if (entries_.size() >= most_tensors || !sources_.emplace(name, source).second)
            throw Error(name_ + ": the array \"" + source.array +
                        "\" stands for a tensor that another array stands for; save one model only");
        const FlaxShape shape = shape_as_layer(source);
        entries_.emplace(name, TensorEntry{type, shape, 0, count_of(shape).value_or(0) * bytes_of(type)});
    }

    std::shared_ptr<const TensorFile> file_;
    std::map<std::string, FlaxSource> sources_;
};

}  // namespace

std::optional<FlaxModel> as_flax_model(const std::shared_ptr<const TensorFile>& file) {
    bool found = false;
    FlaxModel model;
    std::size_t positions = 0;
    const std::string_view prefix = prefix_of_parameters(*file);
    for (const auto& [array, entry] : file->entries()) {
        if (!array.starts_with(prefix)) continue;
        if (is_named(array, "embedding/kernel")) found = true;
        if (is_named(array, "cls")) model.has_class_token = true;
        if (array.find("posembed_input/") != std::string::npos) model.class_has_position = true;
        if (is_named(array, "pos_embedding") && entry.shape.size() >= 2)
            positions = entry.shape[entry.shape.size() - 2];
        if (array.find("query/kernel") != std::string::npos && array.find("encoderblock") != std::string::npos &&
            entry.shape.size() >= 3 && entry.shape[entry.shape.size() - 2] < 1000)
            model.heads = static_cast<int>(entry.shape[entry.shape.size() - 2]);
    }
    if (!found) return {};
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(positions))));
    model.class_has_position = model.class_has_position || side * side != positions;
    model.tensors = std::make_shared<const FlaxTensors>(file);
    return model;
}

void complete(Configuration& configuration, const FlaxModel& model) {
    if (!configuration.heads) configuration.heads = model.heads;
    if (!configuration.leading && model.has_class_token && !model.class_has_position)
        configuration.leading = std::vector<LeadingTokens>{{TokenKind::class_token, 1, false}};
}

}  // namespace vitrine
