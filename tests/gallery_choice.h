#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "app/library/library.h"
#include "app/library/samples.h"
#include "core/training/confidence.h"
#include "core/training/pictures/pictures.h"
#include "core/vit/forward.h"

// Choice of each class's picture in the gallery: ./dev model writes assets/gallery.json, a test reads it.

namespace vitrine {

inline constexpr float sure = 0.9F;

using Gallery = std::map<std::string, std::map<std::string, std::uint64_t>>;  // set, class -> number

/// The trained model's confidence in a picture of a class, if it is plain enough to represent the class: little
/// occluded, neither too small nor too large. 0 if it is not.
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

/// The first number of which the model is sure, starting at another number for each class, since pictures of one number
/// are alike; if none of sixty is, the one with the highest confidence.
inline std::uint64_t plainest(const Model& model, const PictureSet& set, const std::string& name) {
    const auto first = static_cast<std::uint64_t>(10 * *sample_request(name, set.scenes)->label);
    std::uint64_t best = first;
    float most = 0;
    for (std::uint64_t number = first; number < first + 60 && most < sure; ++number)
        if (const float now = plainness(model, set, name, number); now > most) most = now, best = number;
    return best;
}

/// True if a picture is plain and one head still matters: the model classifies the picture as shown in the window, and
/// removing that head changes the top probability by 10 points.
inline bool tells(const Model& model, const PictureSet& set, const std::string& name, std::uint64_t number) {
    constexpr float named = 0.6F;
    if (plainness(model, set, name, number) < named) return false;
    const DrawnPicture picture = draw_picture(*sample_request(name + ":" + std::to_string(number), set.scenes));
    const Trace trace = forward(model, preprocess(picture.image, model.preprocessing, model.config).pixels);
    return trace.head->probabilities.data()[picture.label] >= named &&
           change_by_one_head(model, trace, decisive_change) >= decisive_change;
}

/// The first of sixty for which `tells` holds; the plainest if there is none.
inline std::uint64_t most_telling(const Model& model, const PictureSet& set, const std::string& name) {
    const auto first = static_cast<std::uint64_t>(10 * *sample_request(name, set.scenes)->label);
    for (std::uint64_t number = first; number < first + 60; ++number)
        if (tells(model, set, name, number)) return number;
    return plainest(model, set, name);
}

/// Choices for the set a model was trained on. Pictures for the model that is open first must show an effect of
/// what-ifs; for other sets, existing choices of which the model is sure stay.
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
