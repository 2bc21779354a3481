#include "app/library/source_words.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/vit/experiment.h"
#include "core/vit/image_size.h"

namespace vitrine {

namespace {

constexpr int most_heads = 10000;

constexpr SourceWord words[] = {
    {"heads", "INT", "Number of attention heads, if the files do not say",
     [](const ModelSource& s) { return s.heads ? std::to_string(*s.heads) : std::string(); },
     [](ModelSource& s, const std::string& word) {
         s.heads = number_from<int>(word);
         if (!s.heads || *s.heads < 1 || *s.heads > most_heads)
             throw Error("'heads' is " + word + "; write how many the model has");
     }},
    {"image_size", "TEXT", "Run at images of this size, PIXELS or WIDTHxHEIGHT, with interpolated positions",
     [](const ModelSource& s) { return s.image_size ? option_of(*s.image_size) : std::string(); },
     [](ModelSource& s, const std::string& word) { s.image_size = parse_image_size(word); },
     [](const ModelSource& s, const std::shared_ptr<const Model>& model) {
         if (s.image_size) return at_size(model, *s.image_size);
         return model->usual ? model->usual : model;
     }},
    {"labels", "TEXT", "Names of the classes: a file with one a line, or JSON (default: the model's own)",
     [](const ModelSource& s) { return s.labels.string(); },
     [](ModelSource& s, const std::string& word) { s.labels = word; }},
    {"eps", "FLOAT", "ε of the layer norms (default: as the files say, or as inferred)",
     [](const ModelSource& s) { return s.epsilon ? nlohmann::json(*s.epsilon).dump() : std::string(); },
     [](ModelSource& s, const std::string& word) {
         s.epsilon = number_from<float>(word);
         if (!s.epsilon || !std::isfinite(*s.epsilon) || !(*s.epsilon > 0))
             throw Error("'eps' is not a number above 0; leave it out for the model's own");
     }},
};

}  // namespace

std::string SourceWord::option(const std::string& prefix) const {
    std::string name = key;
    std::ranges::replace(name, '_', '-');
    return "--" + prefix + name;
}

std::span<const SourceWord> source_words() { return words; }

ModelSource with_setting(const ModelSource& source, const std::string& key, const std::string& value) {
    if (std::ranges::none_of(words, [&](const SourceWord& word) { return word.key == key; }))
        throw Error("'" + key + "' is not a setting of models in this version; record again with it");
    ModelSource changed{source.path, {}, source.learned, source.reload, source.bundled};
    for (const SourceWord& word : words)
        if (const std::string now = word.key == key ? value : word.write(source); !now.empty()) word.read(changed, now);
    return changed;
}

std::shared_ptr<const Model> with_settings_of(const ModelSource& source, std::shared_ptr<const Model> model) {
    for (const SourceWord& word : words)
        if (word.apply != nullptr) model = word.apply(source, model);
    return model;
}

}  // namespace vitrine
