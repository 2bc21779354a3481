#include "app/workspace/measured.h"

#include <algorithm>

#include "app/library/library.h"
#include "app/library/samples.h"
#include "core/measures/analysis.h"
#include "core/measures/relevance.h"
#include "core/training/pictures/pictures.h"
#include "core/transformer/equations.h"
#include "core/vit/model.h"

namespace vitrine {

Target target_of(const Laboratory& lab, const Result& result) {
    const int classes = result.model->config.classes;
    if (classes == 0) return {};
    Target target{lab.target.value_or(top_predictions(*result.trace.head, 1).front().index), lab.against};
    target.index = std::clamp(target.index, 0, classes - 1);
    if (target.against) target.against = std::clamp(*target.against, 0, classes - 1);
    return target;
}

std::optional<std::vector<float>> object_cover(const Result& result) {
    const std::optional<PictureRequest> request = sample_request(result.image->source.sample, {});
    if (!request) return std::nullopt;
    const DrawnPicture drawn = draw_picture(*request);
    if (std::all_of(drawn.object.begin(), drawn.object.end(), [](std::uint8_t seen) { return seen == 0; }))
        return std::nullopt;
    const Config& c = result.model->config;
    const int size = drawn.image.width;
    std::vector<float> cover;
    for (int y = 0; y < c.grid_height(); ++y)
        for (int x = 0; x < c.grid_width(); ++x) {
            // The patch's area in the picture: the model sees the crop, possibly squashed.
            const auto place = [&](double low, double high, double part, int of) {
                return std::clamp(static_cast<int>(low + (high - low) * part / of), 0, size);
            };
            const int left = place(result.crop.left, result.crop.right, x, c.grid_width()),
                      right = place(result.crop.left, result.crop.right, x + 1, c.grid_width()),
                      top = place(result.crop.top, result.crop.bottom, y, c.grid_height()),
                      bottom = place(result.crop.top, result.crop.bottom, y + 1, c.grid_height());
            double sum = 0;
            for (int row = top; row < bottom; ++row)
                for (int column = left; column < right; ++column)
                    sum += drawn.object[static_cast<std::size_t>(row) * static_cast<std::size_t>(size) +
                                        static_cast<std::size_t>(column)];
            cover.push_back(static_cast<float>(sum / 255 / std::max(1, (right - left) * (bottom - top))));
        }
    const std::vector<int> order = equations_of(c, result.experiment.what_ifs).order(c.patches());
    if (order.empty()) return cover;
    std::vector<float> of_tokens;
    for (const int patch : order) of_tokens.push_back(cover[static_cast<std::size_t>(patch)]);
    return of_tokens;
}

}  // namespace vitrine
