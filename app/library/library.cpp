#include "app/library/library.h"

#include <algorithm>
#include <sstream>

#include "app/hub/hub_cache.h"
#include "app/library/colours.h"
#include "app/library/samples.h"
#include "app/library/source_words.h"
#include "app/platform/embedded.h"
#include "core/base/error.h"
#include "core/files/safetensors.h"
#include "core/tensor/recycling_allocator.h"
#include "core/training/pictures/pictures.h"
#include "core/vit/checkpoint/configuration.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

constexpr BundledModel models[] = {{"model", "Picture book"}, {"pictograms-small", "Pictograms"}};

/// A file of a bundled model.
const Embedded& file_of(const BundledModel& model, const char* file) {
    return embedded(assets(), std::string(model.name) + "/" + file);
}

Model load_bundled(const BundledModel& model, const LoadOptions& options) {
    return load_model(
        CheckpointFiles{model.title, "",
                        std::make_shared<const Safetensors>(Safetensors::from_bytes(
                            file_of(model, "model.safetensors").bytes, std::string("the bundled model ") + model.name)),
                        std::string(file_of(model, "config.json").text()),
                        std::string(file_of(model, "preprocessor_config.json").text())},
        options);
}

/// The model with the user's ε in its layer norms, if there is one.
Model with_epsilon(const ModelSource& source, Model model) {
    if (!source.epsilon) return model;
    if (!(*source.epsilon > 0)) throw Error("ε of the layer norms is not above 0; write a small number, such as 1e-6");
    float& epsilon = model.config.layer_norm_epsilon;
    std::ostringstream note;
    note << "layer norm ε " << *source.epsilon << ", as --eps says; without it " << epsilon;
    model.provenance.notes.push_back(note.str());
    epsilon = *source.epsilon;
    return model;
}

/// ImageNet-1k's classes in their usual order.
std::vector<std::string> imagenet_labels() {
    std::vector<std::string> labels;
    const std::string_view text = embedded(assets(), "imagenet_1k.txt").text();
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        labels.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return labels;
}

/// Configuration of the first bundled model.
const Configuration& bundled_configuration() {
    static const Configuration said = [] {
        const std::string config(file_of(models[0], "config.json").text()), none;
        return read_configuration({config, none, none}, models[0].name);
    }();
    return said;
}

/// The picture set with these class names, or the one named as training data.
std::optional<PictureSet> set_of(const std::vector<std::string>& labels, const std::string& scenes) {
    if (const auto set = set_with_classes(labels)) return set;
    if (const auto said = value_in(scenes_names, scenes)) return PictureSet{.scenes = *said};
    return {};
}

}  // namespace

std::span<const BundledModel> bundled_models() { return models; }

const BundledModel& bundled_model(const std::string& name) {
    if (name.empty()) return models[0];
    const auto* const found =
        std::find_if(std::begin(models), std::end(models), [&](const BundledModel& m) { return m.name == name; });
    if (found == std::end(models)) throw Error("'" + name + "' is not a bundled model; vitrine --help names them");
    return *found;
}

ModelSource source_of(const BundledModel& model) {
    ModelSource source;
    source.bundled = model.name;
    return source;
}

PictureSet bundled_pictures() {
    static const PictureSet set = set_of(bundled_labels(), bundled_configuration().scenes).value_or(PictureSet{});
    return set;
}

const std::vector<std::string>& bundled_labels() { return bundled_configuration().labels; }

PictureSet pictures_of(const Model& model) {
    return set_of(model.config.labels, model.provenance.scenes).value_or(bundled_pictures());
}

std::shared_ptr<const OpenImage> open_image(const ImageSource& source, const Progress& progress, Colours colours) {
    auto image = std::make_shared<OpenImage>();
    image->bundled = source.path.empty();
    image->source = with_set(source, bundled_pictures().scenes);
    const std::string& word = image->source.sample;
    if (source.frame) {
        image->name = source.path.filename().string();
        image->full = *source.frame;
    } else if (!image->bundled) {
        image->name = source.path.filename().string();
        image->stamp = stamp_of(source.path);  // taken before reading, so that a change meanwhile is detected
        ManagedImage read = decode_managed(read_file(source.path), source.path.string(), progress);
        if (read.managed) {
            image->display = std::make_shared<Image>(shrink_to_fit(*read.managed, display_edge));
            image->colours = colours;
        }
        image->full = std::move(image->colours == Colours::managed ? *read.managed : read.stored);
    } else if (const auto request = sample_request(word, {})) {
        image->name = class_of_sample(word);
        image->full = draw_picture(*request).image;
    } else {
        throw Error("'" + source.sample + "' is not a sample; write one such as cat");
    }
    if (image->display == nullptr) image->display = std::make_shared<Image>(shrink_to_fit(image->full, display_edge));
    return image;
}

bool changed_on_disk(const OpenImage& image) {
    return !image.source.file().empty() && stamp_of(image.stamp.path) != image.stamp;
}

namespace {

/// A source's model, with the user's heads, labels and ε, at the usual image size.
Model read_model(const ModelSource& source, const Progress& progress, bool header_only) {
    const LoadOptions options{source.heads, progress, {source.labels, imagenet_labels()}, header_only};
    return with_epsilon(source, source.path.empty() ? load_bundled(bundled_model(source.bundled), options)
                                                    : load_model(source.path, options));
}

}  // namespace

std::shared_ptr<const Model> open_model(const ModelSource& source, const Progress& progress) {
    if (source.learned) return with_settings_of(source, source.learned);
    auto model = with_settings_of(source, std::make_shared<const Model>(read_model(source, progress, false)));
    memory_pool::trim();  // a run's tensors have other sizes than those of reading
    return model;
}

Model open_header(const ModelSource& source) { return read_model(source, {}, true); }

ImageSource image_source(const std::string& word) {
    std::error_code unreachable;
    if (is_sample(word) && !std::filesystem::exists(word, unreachable)) return {word, {}};
    return {"", word};
}

ModelSource model_source(const std::filesystem::path& word, std::optional<int> heads) {
    ModelSource source{word, heads};
    std::error_code unreachable;
    const auto named = [&](const BundledModel& m) { return word == m.name; };
    if (word.empty() || std::filesystem::exists(word, unreachable)) return source;
    if (std::any_of(std::begin(models), std::end(models), named)) {
        source.path.clear();
        source.bundled = word.string();
    } else if (const auto name = hub_name(word.generic_string())) {
        const auto snapshot = cached_snapshot(*name);
        if (!snapshot)
            throw Error(
                word.string() +
                ": there is no such file or folder, and no such model in the hub's cache; fetch it with: vitrine "
                "fetch " +
                word.generic_string());
        source.path = *snapshot;
    }
    return source;
}

}  // namespace vitrine
