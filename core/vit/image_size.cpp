#include "core/vit/image_size.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/numbers.h"

namespace vitrine {

namespace {

constexpr int most_pixels = 1 << 14;  // of an edge

int scaled(int pixels, double factor) { return static_cast<int>(std::lround(pixels * factor)); }

/// Resizes by the factor of the size. An edge that keeps the aspect goes by the larger factor, so that no crop lacks
/// pixels.
Preprocessing resized(Preprocessing how, ImageSize before, ImageSize after) {
    double down = static_cast<double>(after.height) / before.height;
    double across = static_cast<double>(after.width) / before.width;
    if (how.resize != Preprocessing::Resize::squash) down = across = std::max(down, across);
    how.resize_height = scaled(how.resize_height, down);
    how.resize_width = scaled(how.resize_width, across);
    return how;
}

void check(const Config& c, ImageSize size) {
    if (c.position_bias != 0)
        throw Error(
            "this model has a table of relative positions for its own grid alone, which Vitrine does not "
            "interpolate; leave the image size as it is");
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

}  // namespace

StoredPositions stored_positions(const Model& model) {
    if (!model.stored.table.empty()) return model.stored;
    return {model.weights.position, {model.config.grid_height(), model.config.grid_width()}, model.stored.rule};
}

void interpolate_positions_for(Model& model, ImageSize size) {
    const StoredPositions stored = stored_positions(model);
    Config& c = model.config;
    model.stored = stored;
    c.image_height = size.height;
    c.image_width = size.width;
    if (stored.table.empty()) return;
    const auto width = static_cast<std::size_t>(c.embedding_dim);
    const auto kept = static_cast<std::size_t>(c.first_patch_position()) * width;
    const PositionGrid grid{c.grid_height(), c.grid_width()};
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
        if (!pixels || *pixels < 1 || *pixels > most_pixels)
            throw Error("the image size '" + words + "' is not one such as 518 or 448x224 (width x height, at most " +
                        std::to_string(most_pixels) + " pixels); correct it");
        return *pixels;
    };
    const int width = edge(std::string_view(words).substr(0, x));
    return {x == std::string::npos ? width : edge(std::string_view(words).substr(x + 1)), width};
}

std::string option_of(ImageSize size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

std::string words_of(ImageSize size) { return std::to_string(size.width) + " × " + std::to_string(size.height); }

}  // namespace vitrine
