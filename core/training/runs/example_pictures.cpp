#include "core/training/runs/example_pictures.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>

#include "core/files/image.h"
#include "core/training/pictures/pictures.h"

namespace vitrine {

namespace {

constexpr int large_picture = 192;

/// A set of scenes and the classes of its example pictures; for the picture book, classes that look alike.
struct ExampleSet {
    Scenes scenes;
    std::array<const char*, 6> things;
};
constexpr ExampleSet example_sets[] = {{Scenes::pictograms, {"cat", "car", "rocket", "flower", "key", "tree"}},
                                       {Scenes::picturebook, {"cat", "dog", "rabbit", "car", "truck", "house"}}};

std::vector<ExamplePicture> draw_examples(const ExampleSet& set, int size) {
    std::vector<ExamplePicture> pictures;
    const std::vector<std::string> names = picture_classes(false, set.scenes);
    for (const char* const thing : set.things) {
        const int label = static_cast<int>(std::find(names.begin(), names.end(), thing) - names.begin());
        const auto index = static_cast<std::uint64_t>(label);
        const PictureRequest request{{.seed = 77, .scenes = set.scenes}, index, size, label};
        PictureRequest for_display = request;
        for_display.size = large_picture;
        pictures.push_back({label, std::make_shared<Image>(draw_picture(request).image),
                            std::make_shared<Image>(draw_picture(for_display).image)});
    }
    return pictures;
}

}  // namespace

const std::vector<ExamplePicture>& example_pictures(Scenes scenes) {
    static const auto all = [] {
        std::array<std::vector<ExamplePicture>, std::size(scenes_names)> sets;
        for (const ExampleSet& set : example_sets) sets[static_cast<std::size_t>(set.scenes)] = draw_examples(set, 64);
        return sets;
    }();
    return all[static_cast<std::size_t>(scenes)];
}

}  // namespace vitrine
