#include "core/vit/image_size.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/vit/token_places.h"

namespace vitrine {

namespace {

int scaled(int pixels, double factor) { return static_cast<int>(std::lround(pixels * factor)); }

/// Adapts the preprocessing's resize to another image size. If it keeps the aspect ratio, both edges grow by the larger
/// of the two factors, so that the resized image is never smaller than the crop.
Preprocessing resized(Preprocessing how, ImageSize before, ImageSize after) {
    double down = static_cast<double>(after.height) / before.height;
    double across = static_cast<double>(after.width) / before.width;
    if (how.resize != Preprocessing::Resize::squash) down = across = std::max(down, across);
    how.resize_height = scaled(how.resize_height, down);
    how.resize_width = scaled(how.resize_width, across);
    return how;
}

void check(const Config& c, ImageSize size) {
    const int p = c.patch_size;
    if (size.height % p != 0 || size.width % p != 0 || size.height < p || size.width < p)
        throw Error("images of " + words_of(size) + " pixels cannot be cut into patches of " + std::to_string(p) +
                    " × " + std::to_string(p) + "; give multiples of " + std::to_string(p) + ", such as " +
                    std::to_string(std::max(1, (size.width + p / 2) / p) * p) + "x" +
                    std::to_string(std::max(1, (size.height + p / 2) / p) * p));
    if (static_cast<long>(size.height / p) * (size.width / p) > most_patches)
        throw Error("images of " + words_of(size) + " pixels have more than " + std::to_string(most_patches) +
                    " patches; give a smaller size");
}

/// The grid of a block's table of relative positions: one entry for each offset between two patches.
PositionGrid offsets_of(PositionGrid grid) { return {2 * grid.rows - 1, 2 * grid.columns - 1}; }

/// A block's table of relative positions, interpolated for another grid. The entries of tokens before the patches are
/// copied.
Parameter interpolated_bias(PositionRule rule, const Parameter& table, PositionGrid before, PositionGrid after) {
    const std::size_t heads = table.shape()[1];
    const Tensor2 rows = interpolate_positions(rule, table.data(), heads, offsets_of(before), offsets_of(after));
    const auto own = static_cast<std::size_t>(offsets_of(before).patches()) * heads, kept = table.size() - own;
    const std::shared_ptr<float[]> all(new float[rows.size() + kept]);
    std::copy_n(rows.data(), rows.size(), all.get());
    std::copy_n(table.data() + own, kept, all.get() + rows.size());
    return {std::shared_ptr<const float>(all, all.get()), {(rows.size() + kept) / heads, heads}};
}

}  // namespace

StoredPositions stored_positions(const Model& model) {
    if (!model.stored.table.empty()) return model.stored;
    return {model.weights.position,
            {model.config.grid_height(), model.config.grid_width()},
            model.stored.rule,
            model.stored.bias_rule};
}

void interpolate_positions_for(Model& model, ImageSize size) {
    const StoredPositions stored = stored_positions(model);
    Config& c = model.config;
    model.stored = stored;
    const PositionGrid before{c.grid_height(), c.grid_width()};
    c.image_height = size.height;
    c.image_width = size.width;
    const PositionGrid grid{c.grid_height(), c.grid_width()};
    if (c.position_bias > 0) {
        for (BlockWeights& block : model.weights.blocks)
            block.position_bias = interpolated_bias(stored.bias_rule, block.position_bias, before, grid);
        c.position_bias = rows_of_position_bias(c);
    }
    if (stored.table.empty()) return;
    const auto width = static_cast<std::size_t>(c.embedding_dim);
    const auto kept = static_cast<std::size_t>(c.first_patch_position()) * width;
    const Tensor2 rows = interpolate_positions(stored.rule, stored.table.data() + kept, width, stored.grid, grid);
    const std::shared_ptr<float[]> table(new float[kept + rows.size()]);
    std::copy_n(stored.table.data(), kept, table.get());
    std::copy_n(rows.data(), rows.size(), table.get() + kept);
    model.weights.position = {std::shared_ptr<const float>(table, table.get()),
                              {static_cast<std::size_t>(c.position_rows()), width}};
}

std::shared_ptr<const Model> at_size(const std::shared_ptr<const Model>& model, ImageSize size) {
    const std::shared_ptr<const Model>& usual = model->usual ? model->usual : model;
    const ImageSize before{usual->config.image_height, usual->config.image_width};
    if (size == before) return usual;
    check(usual->config, size);
    auto other = std::make_shared<Model>(*usual);
    other->usual = usual;
    other->preprocessing = resized(usual->preprocessing, before, size);
    interpolate_positions_for(*other, size);
    return other;
}

ImageSize parse_image_size(const std::string& words) {
    const std::size_t x = words.find('x');
    const auto edge = [&](std::string_view digits) {
        const auto pixels = number_from<int>(digits);
        if (!pixels || *pixels < 1 || *pixels > most_edge_pixels)
            throw Error("the image size '" + words + "' is not one such as 518 or 448x224 (width x height, at most " +
                        std::to_string(most_edge_pixels) + " pixels); correct it");
        return *pixels;
    };
    const int width = edge(std::string_view(words).substr(0, x));
    return {x == std::string::npos ? width : edge(std::string_view(words).substr(x + 1)), width};
}

std::string option_of(ImageSize size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

std::string words_of(ImageSize size) { return std::to_string(size.width) + " × " + std::to_string(size.height); }

}  // namespace vitrine
