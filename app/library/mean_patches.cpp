#include "app/library/mean_patches.h"

#include <memory>
#include <optional>
#include <string>

#include "app/library/image_set.h"
#include "app/library/library.h"
#include "core/measures/set_means.h"
#include "core/transformer/edits.h"
#include "core/vit/embedding.h"

namespace vitrine {

namespace {

std::shared_ptr<const std::vector<float>> mean_patch_over(const std::string& folder, const Model& model,
                                                          Colours colours, const Progress& progress) {
    const std::vector<ImageSource> images = image_set(folder, model).images;
    MeanPatch mean(model.config);
    for (std::size_t i = 0; i < images.size(); ++i) {
        report(progress, static_cast<double>(i) / static_cast<double>(images.size()));
        const auto image = open_image(images[i], {}, colours);
        mean.add(embed(model, preprocess(image->full, model.preprocessing, model.config).pixels).tokens);
    }
    return mean.numbers();
}

}  // namespace

void fill_in_means(std::vector<Intervention>& what_ifs, const Model& model, Colours colours, MeanPatches& known,
                   const Progress& progress) {
    for (Intervention& each : what_ifs) {
        const std::optional<NeededMean> needed = needed_mean(each.edit);
        if (!needed) continue;
        auto mean = known.find(needed->folder);
        if (mean == known.end())
            mean = known.emplace(needed->folder, mean_patch_over(needed->folder, model, colours, progress)).first;
        needed->numbers = mean->second;
    }
}

}  // namespace vitrine
