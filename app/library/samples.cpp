#include "app/library/samples.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/platform/embedded.h"
#include "core/base/numbers.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

constexpr std::uint64_t sample_seed = 2026;
constexpr int sample_side = 512;

/// The number of a class's picture in the gallery; 0 if none was selected for it.
std::uint64_t own_number(Scenes scenes, const std::string& name) {
    static const auto chosen = nlohmann::json::parse(embedded(assets(), "gallery.json").text())
                                   .get<std::map<std::string, std::map<std::string, std::uint64_t>>>();
    const auto& numbers = chosen.at(name_of(scenes));
    const auto number = numbers.find(name);
    return number == numbers.end() ? 0 : number->second;
}

/// A word split at its colons.
struct SampleParts {
    std::optional<Scenes> scenes;
    std::vector<std::string> rest;  // class, number, difficulty, side
};

SampleParts parts_of(const std::string& word) {
    SampleParts parts;
    std::istringstream stream(word);
    for (std::string part; std::getline(stream, part, ':');) parts.rest.push_back(part);
    if (parts.rest.empty()) return parts;
    parts.scenes = value_in(scenes_names, parts.rest.front());
    if (parts.scenes) parts.rest.erase(parts.rest.begin());
    return parts;
}

/// The class of that name in a set, including pairs.
std::optional<int> label_in(Scenes scenes, const std::string& name) {
    const std::vector<std::string> names = picture_classes(true, scenes);
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<int>(found - names.begin()));
}

/// Parses the details after the class. False if they are invalid.
bool take_details(const std::vector<std::string>& parts, PictureRequest& request) {
    if (parts.size() > 1) {
        const auto index = number_from<std::uint64_t>(parts[1]);
        if (!index) return false;
        request.index = *index;
    }
    if (parts.size() > 2) {
        const std::optional<Difficulty> difficulty = value_in(difficulty_names, parts[2]);
        if (!difficulty) return false;
        request.set.difficulty = *difficulty;
    }
    if (parts.size() > 3) {
        const auto side = number_from<std::uint64_t>(parts[3]);
        if (!side || *side < 8 || *side > 4096) return false;
        request.size = static_cast<int>(*side);
    }
    return true;
}

}  // namespace

std::vector<std::string> sample_names(const PictureSet& set) { return picture_classes(set.pairs, set.scenes); }

std::optional<PictureRequest> sample_request(const std::string& word, Scenes own) {
    const auto [said, parts] = parts_of(word);
    if (parts.empty() || parts.size() > 4 || word.back() == ':') return {};
    std::vector<Scenes> sets = {said.value_or(own)};
    if (!said)
        for (const auto& [scenes, name] : scenes_names) sets.push_back(scenes);
    for (const Scenes scenes : sets) {
        const std::optional<int> label = label_in(scenes, parts[0]);
        if (!label) continue;
        PictureRequest request;
        request.set.seed = sample_seed;
        request.set.pairs = *label > class_numbers(scenes).nothing;
        request.set.scenes = scenes;
        request.size = sample_side;
        request.label = label;
        if (parts.size() == 1) request.index = own_number(scenes, parts[0]);
        return take_details(parts, request) ? std::optional(request) : std::nullopt;
    }
    return {};
}

std::string sample_word(const PictureRequest& r) {
    const std::vector<std::string> names = picture_classes(true, r.set.scenes);
    return std::string(name_of(r.set.scenes)) + ":" + names[static_cast<std::size_t>(r.label.value_or(0))] + ":" +
           std::to_string(r.index) + ":" + name_of(r.set.difficulty) + ":" + std::to_string(r.size);
}

bool is_sample(const std::string& word) { return sample_request(word, Scenes::pictograms).has_value(); }

std::string class_of_sample(const std::string& word) {
    const SampleParts parts = parts_of(word);
    return parts.rest.empty() ? word : parts.rest.front();
}

ImageSource with_set(ImageSource source, Scenes own) {
    if (!source.path.empty() || parts_of(source.sample).scenes) return source;
    if (const auto request = sample_request(source.sample, own))
        source.sample = std::string(name_of(request->set.scenes)) + ":" + source.sample;
    return source;
}

}  // namespace vitrine
