#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/files/image.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/checkpoint/configuration.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

namespace {

/// config.json, preprocessor_config.json and processor_config.json in one, with a line of --- between them.
std::array<std::string, 3> files_of(std::string_view text) {
    constexpr std::string_view between = "\n---\n";
    std::array<std::string, 3> files;
    for (std::string& file : files) {
        const std::size_t end = std::min(text.find(between), text.size());
        file = text.substr(0, end);
        text.remove_prefix(std::min(end + between.size(), text.size()));
    }
    return files;
}

/// The weights that configurations are held against.
const CheckpointFiles& weights() {
    static const CheckpointFiles files = find_checkpoint(VITRINE_SOURCE "/tests/golden/models/tiny_hf");
    return files;
}

}  // namespace

void configurations(Bytes bytes) {
    const auto [config, preprocessor, processor] = files_of(text_of(bytes));
    try {
        read_configuration({config, preprocessor, processor}, "folder");
        CheckpointFiles files = weights();
        files.config_json = config;
        files.preprocessor_json = preprocessor;
        files.processor_json = processor;
        const Model model = load_model(files);
        const Preprocessing& how = model.preprocessing;
        demand(how.mean.size() == static_cast<std::size_t>(model.config.channels), "each channel has its mean");
        const std::int64_t pixels = std::int64_t{how.resize_height} * how.resize_width;
        if (pixels > 128 * 128) return;
        const Image dot{3, 2, std::vector<std::uint8_t>(18, 77)};
        const Preprocessed seen = preprocess(dot, how, model.config);
        demand(seen.seen.width == model.config.image_width, "the model sees pictures of its own size");
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
