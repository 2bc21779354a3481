#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/transformer/intervention.h"
#include "core/vit/model.h"

namespace vitrine {

/// Which image: one of ours by name, or a file.
struct ImageSource {
    std::string sample;          // "cat" of the open model's set, "picturebook:cat"; "" where `path` says
    std::filesystem::path path;  // empty where `sample` says
    int reload = 0;              // another number: read again where the file has changed

    bool operator==(const ImageSource&) const = default;
    /// Whether both name the same image, however often it was chosen.
    bool same_image(const ImageSource& other) const { return sample == other.sample && path == other.path; }
};

/// Which model: a bundled one, or a folder or weight file.
struct ModelSource {
    std::filesystem::path path;                 // empty: bundled
    std::optional<int> heads;                   // the user's --heads
    std::shared_ptr<const Model> learned = {};  // goes before the path: a model that was trained in the window
    int reload = 0;                             // another number: read again where the files have changed
    std::string bundled = {};                   // by its name, where no path says; "": the first of them

    bool operator==(const ModelSource&) const = default;
    /// Whether both name the same model, however often it was chosen.
    bool same_model(const ModelSource& other) const {
        return path == other.path && heads == other.heads && learned == other.learned && bundled == other.bundled;
    }
};

/// What a user means who chooses `chosen` while `before` is open: the same one again asks for its files again.
ModelSource chosen_again(ModelSource chosen, const ModelSource& before);

/// What is computed: the first of the two things a user changes (the other is what is looked at). A trace is a pure
/// function of it.
struct Experiment {
    ModelSource model;
    ImageSource image;
    std::vector<Intervention> what_ifs;  // in the order they were made; each at most once

    bool operator==(const Experiment&) const = default;
};

/// Switches a part off, or on again where it was off.
void toggle(std::vector<Intervention>& what_ifs, const Intervention& intervention);
/// Adds an intervention in the place of one of the same kind (another temperature, another activation) at the same
/// site.
void put(std::vector<Intervention>& what_ifs, const Intervention& intervention);
bool contains(const std::vector<Intervention>& what_ifs, const Intervention& intervention);

}  // namespace vitrine
