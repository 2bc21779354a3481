#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "app/workspace/library.h"
#include "core/training/confidence.h"
#include "core/vit/forward.h"

// Which picture of each class stands in the gallery: ./dev model writes assets/gallery.json, a test reads it.

namespace vitrine {

inline constexpr float sure = 0.9F;

using Gallery = std::map<std::string, std::map<std::string, std::uint64_t>>;  // set, class -> number

/// How sure the model that learned a set is of a class's picture, where that is plain, so that it may stand for its
/// class: little lies over the thing, which is neither small nor too large. 0 where it is not.
inline float plainness(const Model& model, const PictureSet& set, const std::string& name, std::uint64_t number) {
    PictureRequest request = *sample_request(name + ":" + std::to_string(number), set.scenes);
    request.size = model.config.image_height;
    const DrawnPicture picture = draw_picture(request);
    const auto share = [&](const std::vector<std::uint8_t>& mask) {
        double sum = 0;
        for (const std::uint8_t part : mask) sum += part;
        return sum / 255 / static_cast<double>(mask.size());
    };
    const double thing = share(picture.object);
    const bool has_thing = picture.label != class_numbers(set.scenes).nothing;
    if (share(picture.occluder) > 0.06 || (has_thing && (thing < 0.08 || thing > 0.46))) return 0;
    const Trace trace = forward(model, preprocess(picture.image, model.preprocessing, model.config).pixels);
    return trace.head->probabilities.data()[picture.label];
}

/// The first number of which the model is sure, each class from another on, since pictures of one number are alike; of
/// sixty of which it is not, the one that it is surest of.
inline std::uint64_t plainest(const Model& model, const PictureSet& set, const std::string& name) {
    const auto first = static_cast<std::uint64_t>(10 * *sample_request(name, set.scenes)->label);
    std::uint64_t best = first;
    float most = 0;
    for (std::uint64_t number = first; number < first + 60 && most < sure; ++number)
        if (const float now = plainness(model, set, name, number); now > most) most = now, best = number;
    return best;
}

/// Whether a picture is plain and yet some one head matters: the model names it as the window shows it, and taking that
/// head away changes the top probability by 10 points.
inline bool tells(const Model& model, const PictureSet& set, const std::string& name, std::uint64_t number) {
    constexpr float named = 0.6F;
    if (plainness(model, set, name, number) < named) return false;
    const DrawnPicture picture = draw_picture(*sample_request(name + ":" + std::to_string(number), set.scenes));
    const Trace trace = forward(model, preprocess(picture.image, model.preprocessing, model.config).pixels);
    return trace.head->probabilities.data()[picture.label] >= named &&
           change_by_one_head(model, trace, decisive_change) >= decisive_change;
}

/// The first of sixty that tells; the plainest where none does.
inline std::uint64_t most_telling(const Model& model, const PictureSet& set, const std::string& name) {
    const auto first = static_cast<std::uint64_t>(10 * *sample_request(name, set.scenes)->label);
    for (std::uint64_t number = first; number < first + 60; ++number)
        if (tells(model, set, name, number)) return number;
    return plainest(model, set, name);
}

/// The choices for the set that a model learned. Those of the model that is open first are to tell something when its
/// parts are switched off; of the others' sets those that the model is sure of stay.
inline void choose_gallery(const Model& model, Gallery& gallery) {
    const PictureSet set = pictures_of(model);
    const bool first = set.scenes == bundled_pictures().scenes;
    auto& numbers = gallery[name_of(set.scenes)];
    for (const std::string& name : sample_names(set)) {
        const auto had = numbers.find(name);
        if (first && (had == numbers.end() || !tells(model, set, name, had->second)))
            numbers[name] = most_telling(model, set, name);
        else if (!first && (had == numbers.end() || plainness(model, set, name, had->second) < sure))
            numbers[name] = plainest(model, set, name);
    }
}

}  // namespace vitrine
