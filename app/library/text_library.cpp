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

}  // namespace

std::span<const BundledTextModel> bundled_text_models() { return bundled; }

const BundledTextModel& bundled_text_model(TextTask task, TextLanguage to) {
    return *std::find_if(std::begin(bundled), std::end(bundled), [&](const BundledTextModel& m) {
        return m.task == task && (task != TextTask::translate || m.to == to);
    });
}

std::shared_ptr<const TextModel> open_text_model(const BundledTextModel& model) {
    const std::string folder = model.name;
    const auto file = [&](const char* name) -> const Embedded& { return embedded(text_models(), folder + "/" + name); };
    return std::make_shared<TextModel>(load_text_model(
        {folder, Safetensors::from_bytes(file("model.safetensors").bytes, "the bundled model " + folder),
         std::string(file("config.json").text()), std::string(file("vocabulary.json").text())}));
}

std::shared_ptr<const TextModel> open_text_model(const std::filesystem::path& folder) {
    return std::make_shared<TextModel>(load_text_model(folder));
}

}  // namespace vitrine
