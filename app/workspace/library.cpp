#include "app/workspace/library.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <sstream>

#include "app/platform/embedded.h"
#include "core/base/error.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

constexpr std::uint64_t sample_seed = 2026;
constexpr int sample_side = 512;

/// A class's own sample: the one that stands in the gallery.
struct Sample {
    int label;
    std::uint64_t index;
};
constexpr std::array<Sample, nothing_class + 1> samples = {
    {{0, 3}, {1, 4}, {2, 2}, {3, 5}, {4, 8}, {5, 7}, {6, 5}, {7, 4}, {8, 3}, {9, 9}, {10, 7}, {11, 3}, {12, 8}}};

/// The whole number that a part of a word is.
std::optional<std::uint64_t> number_in(std::string_view digits) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool whole = error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
    return whole ? std::optional(number) : std::nullopt;
}

std::vector<std::string> parts_of(const std::string& word) {
    std::vector<std::string> parts;
    std::istringstream stream(word);
    for (std::string part; std::getline(stream, part, ':');) parts.push_back(part);
    return parts;
}

Model bundled_model(const LoadOptions& options) {
    const auto files = assets();
    return load_model(
        CheckpointFiles{"Pictograms", "",
                        Safetensors::from_bytes(embedded(files, "model/model.safetensors").bytes, "the bundled model"),
                        std::string(embedded(files, "model/config.json").text()),
                        std::string(embedded(files, "model/preprocessor_config.json").text())},
        options);
}

}  // namespace

std::vector<std::string> sample_names() { return picture_classes(false); }

std::optional<PictureRequest> sample_request(const std::string& word) {
    const std::vector<std::string> parts = parts_of(word), names = picture_classes(true);
    if (parts.empty() || parts.size() > 4 || word.back() == ':') return {};
    const auto name = std::find(names.begin(), names.end(), parts[0]);
    if (name == names.end()) return {};
    const int label = static_cast<int>(name - names.begin());
    PictureRequest request{{sample_seed, Difficulty::normal, label > nothing_class}, 0, sample_side, label};
    if (parts.size() == 1 && label <= nothing_class) request.index = samples[static_cast<std::size_t>(label)].index;
    if (parts.size() > 1) {
        const auto index = number_in(parts[1]);
        if (!index) return {};
        request.index = *index;
    }
    if (parts.size() > 2) {
        const std::optional<Difficulty> difficulty = value_in(difficulty_names, parts[2]);
        if (!difficulty) return {};
        request.set.difficulty = *difficulty;
    }
    if (parts.size() > 3) {
        const auto side = number_in(parts[3]);
        if (!side || *side < 8 || *side > 4096) return {};
        request.size = static_cast<int>(*side);
    }
    return request;
}

std::string sample_word(const PictureRequest& r) {
    return picture_classes(true)[static_cast<std::size_t>(r.label.value_or(0))] + ":" + std::to_string(r.index) + ":" +
           name_of(r.set.difficulty) + ":" + std::to_string(r.size);
}

Image sample_image(const std::string& word) {
    const auto request = sample_request(word);
    assert(request);
    return draw_picture(*request).image;
}

std::shared_ptr<const OpenImage> open_image(const ImageSource& source, const Progress& progress) {
    auto image = std::make_shared<OpenImage>();
    const bool sample = source.path.empty();
    if (sample && !sample_request(source.sample))
        throw Error("'" + source.sample + "' is no sample; write one such as cat");
    image->name = sample ? parts_of(source.sample)[0] : source.path.filename().string();
    image->bundled = sample;
    image->full =
        sample ? sample_image(source.sample) : decode_image(read_file(source.path), source.path.string(), progress);
    image->display = std::make_shared<Image>(shrink_to_fit(image->full, display_edge));
    return image;
}

std::shared_ptr<const Model> open_model(const ModelSource& source, const Progress& progress) {
    if (source.learned) return source.learned;
    const LoadOptions options{source.heads, progress};
    return std::make_shared<Model>(source.path.empty() ? bundled_model(options) : load_model(source.path, options));
}

ImageSource image_source(const std::string& word) {
    std::error_code unreachable;
    if (sample_request(word) && !std::filesystem::exists(word, unreachable)) return {word, {}};
    return {"", word};
}

}  // namespace vitrine
