#include "app/workspace/photo_model.h"

#include <algorithm>
#include <array>
#include <exception>

#include "app/hub/hub_cache.h"
#include "app/library/hub_models.h"
#include "app/library/library.h"
#include "app/workspace/recent.h"
#include "core/base/input_file.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/checkpoint/configuration.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// True for the number of classes of ImageNet-1k, or of ImageNet-21k without or with its classes that have no images.
bool is_of_imagenet(int classes) {
    constexpr std::array sizes = {1000, 21'841, 21'843};
    return std::ranges::find(sizes, classes) != sizes.end();
}

/// True if a model opens and names ImageNet's classes. A folder's weights are opened only if its configuration has such
/// classes, since the cache may contain large models of other kinds.
bool names_imagenet(const fs::path& path) {
    try {
        std::error_code unreachable;
        if (fs::is_directory(path, unreachable)) {
            constexpr std::size_t most_bytes = 16U << 20;
            const std::string config = words_of_file(path / "config.json", most_bytes), none;
            const Configuration said = read_configuration({config, none, none}, path.string());
            const int labels = static_cast<int>(said.labels.size());
            if (!is_of_imagenet(said.labels.empty() ? said.classes.value_or(0) : labels)) return false;
        }
        return is_of_imagenet(open_header({path, {}}).config.classes);
    } catch (const std::exception&) {
        return false;  // one that does not open
    }
}

const HubModel* listed(const std::string& name) {
    const auto found = std::ranges::find(hub_models(), name, &HubModel::model);
    return found == hub_models().end() ? nullptr : &*found;
}

}  // namespace

std::string short_name(const PhotoModel& model) {
    const std::string name = model.name.substr(model.name.rfind('/') + 1);
    return model.name.starts_with("timm/") ? name.substr(0, name.find('.')) : name;
}

std::shared_ptr<const PhotoModel> photo_model(const Settings& settings) {
    std::shared_ptr<const PhotoModel> without_classes;
    const auto consider = [&](const fs::path& folder, const std::string& name) -> std::shared_ptr<const PhotoModel> {
        const HubModel* const row = listed(name);
        if (row != nullptr && !row->names_classes) {
            if (!without_classes) without_classes = std::make_shared<PhotoModel>(PhotoModel{folder, name});
            return {};
        }
        if (row == nullptr && !names_imagenet(folder)) return {};
        return std::make_shared<PhotoModel>(PhotoModel{folder, name});
    };
    for (const fs::path& recent : recent_files(settings, FileKind::model))
        if (auto found = consider(recent, name_of_checkpoint(recent))) return found;
    for (const HubModel& row : hub_models())
        if (const auto snapshot = cached_snapshot({row.model}))
            if (auto found = consider(*snapshot, row.model)) return found;
    for (const CachedModel& model : cached_models())
        if (auto found = consider(model.folder, model.model)) return found;
    return without_classes;
}

}  // namespace vitrine
