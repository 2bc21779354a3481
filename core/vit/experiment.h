#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/transformer/intervention.h"
#include "core/vit/model.h"

namespace vitrine {

struct Image;

/// An image: a bundled one by name, a file, or one frame of a stream.
struct ImageSource {
    std::string sample;                       // "cat" of the open model's set, "picturebook:cat"; "" if `path` is set
    std::filesystem::path path;               // empty for a bundled image
    int reload = 0;                           // changed to read a changed file again
    std::shared_ptr<const Image> frame = {};  // of a stream, used instead of the file; `path` names the stream

    bool operator==(const ImageSource&) const = default;
    /// Whether it can be opened again, so that history, sessions and recent files name it; a stream's frame cannot.
    bool lasts() const { return frame == nullptr; }
    /// The file from which it can be opened again; empty if there is none.
    std::filesystem::path file() const { return lasts() ? path : std::filesystem::path(); }
    /// Whether both name the same image; `reload` does not count.
    bool same_image(const ImageSource& other) const {
        return sample == other.sample && path == other.path && frame == other.frame;
    }
};

/// A model: a bundled one, or a folder or weight file.
struct ModelSource {
    std::filesystem::path path;                 // empty for the bundled model
    std::optional<int> heads;                   // the user's --heads
    std::shared_ptr<const Model> learned = {};  // a model trained in the window; used instead of `path`
    int reload = 0;                             // changed to read changed files again
    std::string bundled = {};                   // name of the bundled model, if `path` is empty; "": the first one
    std::optional<ImageSize> image_size = {};   // of its images; none: the usual one
    std::filesystem::path labels = {};          // the user's --labels: names of its classes; "": the model's own
    std::optional<float> epsilon = {};          // the user's --eps, of its layer norms; none: the model's own

    bool operator==(const ModelSource&) const = default;
    /// The members that name the weights, except `learned`.
    static auto weights_of(auto& source) {
        return std::tie(source.path, source.heads, source.bundled, source.labels, source.epsilon);
    }
    /// Those members and the settings that do not change the weights, in the order of recordings.
    static auto parts_of(auto& source) { return std::tuple_cat(weights_of(source), std::tie(source.image_size)); }
    /// Whether both name the same model; `reload` does not count.
    bool same_model(const ModelSource& other) const {
        return learned == other.learned && parts_of(*this) == parts_of(other);
    }
    /// Whether both have the same weights, whatever the other settings.
    bool same_weights(const ModelSource& other) const {
        return learned == other.learned && weights_of(*this) == weights_of(other);
    }
};

/// The source to open when the user chooses `chosen` while `before` is open: choosing the open model reloads its files.
ModelSource chosen_again(ModelSource chosen, const ModelSource& before);

/// The inputs of a run, which alone determine its trace; the user's view is in Selection.
struct Experiment {
    ModelSource model;
    ImageSource image;
    std::vector<Intervention> what_ifs;  // in the order in which they were added, each at most once

    bool operator==(const Experiment&) const = default;
};

/// Adds an intervention, or removes it if the list has it.
void toggle(std::vector<Intervention>& what_ifs, const Intervention& intervention);
/// Adds an intervention, replacing one of the same kind (another temperature, another activation) at the same site.
void put(std::vector<Intervention>& what_ifs, const Intervention& intervention);
bool contains(const std::vector<Intervention>& what_ifs, const Intervention& intervention);

}  // namespace vitrine
