#include "app/library.h"

#include <algorithm>
#include <cassert>

#include "app/embedded.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

constexpr std::string_view sample_folder = "images/";
constexpr std::string_view sample_ending = ".png";

bool is_sample(const Embedded& file) { return file.name.starts_with(sample_folder); }

std::string sample_name(const Embedded& file) {
    return std::string(
        file.name.substr(sample_folder.size(), file.name.size() - sample_folder.size() - sample_ending.size()));
}

/// Whether a file is, byte for byte, one of the samples.
bool is_copy_of_a_sample(std::span<const std::uint8_t> bytes) {
    const auto files = assets();
    return std::any_of(files.begin(), files.end(), [&](const Embedded& file) {
        return is_sample(file) && std::equal(bytes.begin(), bytes.end(), file.bytes.begin(), file.bytes.end());
    });
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

std::vector<std::string> sample_names() {
    std::vector<std::string> names;
    for (const Embedded& file : assets())
        if (is_sample(file)) names.push_back(sample_name(file));
    return names;
}

std::span<const std::uint8_t> sample_bytes(const std::string& name) {
    return embedded(assets(), std::string(sample_folder) + name + std::string(sample_ending)).bytes;
}

std::shared_ptr<const OpenImage> open_image(const ImageSource& source, const Progress& progress) {
    auto image = std::make_shared<OpenImage>();
    const bool sample = source.path.empty();
    std::vector<std::uint8_t> file;
    if (!sample) file = read_file(source.path);
    const std::span<const std::uint8_t> bytes =
        sample ? sample_bytes(source.sample) : std::span<const std::uint8_t>(file);

    image->name = sample ? source.sample : source.path.filename().string();
    image->bundled = sample || is_copy_of_a_sample(bytes);
    image->full = decode_image(bytes, sample ? source.sample : source.path.string(), progress);
    image->display = std::make_shared<Image>(shrink_to_fit(image->full, display_edge));
    return image;
}

std::shared_ptr<const Model> open_model(const ModelSource& source, const Progress& progress) {
    if (source.learned) return source.learned;
    const LoadOptions options{source.heads, progress};
    return std::make_shared<Model>(source.path.empty() ? bundled_model(options) : load_model(source.path, options));
}

ImageSource image_source(const std::string& word) {
    const std::vector<std::string> names = sample_names();
    const bool sample = std::find(names.begin(), names.end(), word) != names.end();
    if (sample && !std::filesystem::exists(word)) return {word, {}};
    return {"", word};
}

}  // namespace vitrine
