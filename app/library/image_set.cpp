#include "app/library/image_set.h"

#include <algorithm>
#include <optional>

#include "app/library/library.h"
#include "app/library/samples.h"
#include "core/base/error.h"
#include "core/training/own_pictures.h"
#include "core/training/pictures/picture_set.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

constexpr int drawn_of_a_class = 3;

/// The class with this name, as it is written or before its first comma ("tabby, tabby cat").
std::optional<int> class_named(const std::string& name, const Config& config) {
    for (int i = 0; i < config.classes; ++i) {
        const std::string label = config.label(i);
        if (label == name || label.substr(0, label.find(',')) == name) return i;
    }
    return std::nullopt;
}

/// Whether the model answers with the classes of the drawn pictures.
bool knows_drawn_pictures(const Config& config) {
    std::vector<std::string> labels;
    for (int i = 0; i < config.classes; ++i) labels.push_back(config.label(i));
    return set_with_classes(labels).has_value();
}

ImageSet of_classes(const OwnPictures& pictures, const fs::path& folder, const Config& config) {
    std::vector<int> known;
    for (const std::string& name : pictures.labels) {
        const std::optional<int> index = class_named(name, config);
        if (!index)
            throw Error((folder / name).string() + ": is not a class of this model, whose first ones are " +
                        config.label(0) + " and " + config.label(std::min(1, config.classes - 1)) +
                        "; name the subfolders after its classes, or put all pictures into one folder");
        known.push_back(*index);
    }
    ImageSet set;
    for (const OwnPictures::File& file : pictures.files) {
        set.images.push_back({"", file.path});
        set.classes.push_back(known[static_cast<std::size_t>(file.label)]);
    }
    return set;
}

}  // namespace

ImageSet image_set(const fs::path& folder, const Model& model) {
    if (folder.empty()) {
        const PictureSet drawn = pictures_of(model);
        std::vector<ImageSource> images;
        for (int number = 0; number < drawn_of_a_class; ++number)
            for (const std::string& name : sample_names(drawn))
                images.push_back(with_set({name + ":" + std::to_string(number), {}}, drawn.scenes));
        return image_set(std::move(images), model);
    }
    std::error_code unreachable;
    if (!fs::is_directory(folder, unreachable))
        throw Error(folder.string() + ": this folder of images is not there; choose another one");
    const std::vector<fs::path> own = pictures_in(folder);
    if (own.empty()) {
        const OwnPictures pictures = own_pictures_in(folder);
        if (pictures.files.empty())
            throw Error(folder.string() + ": this folder contains no pictures; choose one that does");
        return of_classes(pictures, folder, model.config);
    }
    ImageSet set;
    for (const fs::path& picture : own) set.images.push_back({"", picture});
    return set;
}

ImageSet image_set(std::vector<ImageSource> images, const Model& model) {
    ImageSet set{std::move(images), {}};
    if (!knows_drawn_pictures(model.config)) return set;
    for (const ImageSource& image : set.images) {
        const auto index = image.path.empty() ? class_named(class_of_sample(image.sample), model.config) : std::nullopt;
        if (!index) {
            set.classes.clear();
            break;
        }
        set.classes.push_back(*index);
    }
    return set;
}

}  // namespace vitrine
