#include "app/library/text_library.h"

#include <algorithm>
#include <string>

#include "app/platform/embedded.h"
#include "core/text/text_checkpoint.h"
#include "embedded/text_models.h"

namespace vitrine {

namespace {

constexpr BundledTextModel bundled[] = {{"translate-en-ja", TextTask::translate, TextLanguage::japanese},
                                        {"translate-ja-en", TextTask::translate, TextLanguage::english},
                                        {"sentiment", TextTask::sentiment, TextLanguage::english},
                                        {"story", TextTask::story, TextLanguage::english}};

const Embedded& text_file_of(const BundledTextModel& model, const char* name) {
    return embedded(text_models(), std::string(model.name) + "/" + name);
}

}  // namespace

std::span<const BundledTextModel> bundled_text_models() { return bundled; }

const BundledTextModel& bundled_text_model(TextTask task, TextLanguage to) {
    return *std::find_if(std::begin(bundled), std::end(bundled), [&](const BundledTextModel& m) {
        return m.task == task && (task != TextTask::translate || m.to == to);
    });
}

TextConfig text_config_of(const BundledTextModel& model) {
    return text_config_from_json(std::string(text_file_of(model, "config.json").text()), model.name);
}

std::shared_ptr<const TextModel> open_text_model(const BundledTextModel& model) {
    const std::string name = model.name;
    return std::make_shared<TextModel>(load_text_model(
        {name, Safetensors::from_bytes(text_file_of(model, "model.safetensors").bytes, "the bundled model " + name),
         std::string(text_file_of(model, "config.json").text()),
         std::string(text_file_of(model, "vocabulary.json").text())}));
}

std::shared_ptr<const TextModel> open_text_model(const std::filesystem::path& folder) {
    return std::make_shared<TextModel>(load_text_model(folder));
}

}  // namespace vitrine
