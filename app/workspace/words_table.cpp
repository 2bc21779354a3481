#include "app/workspace/words_table.h"

#include <algorithm>

#include "app/workspace/laboratory_state.h"
#include "core/base/error.h"
#include "core/files/table.h"
#include "core/vit/model.h"
#include "core/words/nearness.h"
#include "core/words/text_tower.h"

namespace vitrine {

bool is_words_measure(const std::string& name) {
    return std::ranges::any_of(words_measures, [&](const WordsMeasure& m) { return name == m.name; });
}

std::shared_ptr<const ComparedTexts> compared_texts(const Model& model, const std::string& typed,
                                                    const Progress& progress) {
    ComparedTexts compared;
    compared.texts = texts_in(typed);
    if (compared.texts.empty())
        throw Error("lab.texts: there is no text to compare images with; give some, with | between them");
    compared.tower = std::make_shared<const TextTower>(open_text_tower(model, progress));
    compared.features = features_of_texts(*compared.tower, compared.texts, progress);
    return std::make_shared<const ComparedTexts>(std::move(compared));
}

Table words_table(const Model& model, const Trace& trace, const ComparedTexts& texts, const std::string& measure) {
    const Nearness near = nearness_of(model, trace, *texts.tower, texts.features);
    const std::size_t count = texts.texts.size(), patches = near.patches.shape()[1];
    if (measure == words_measures[0].name) return {measure, {"text"}, {count}, near.cosine, {texts.texts}};
    return {
        measure, {"text", "patch"}, {count, patches}, {near.patches.begin(), near.patches.end()}, {texts.texts, {}}};
}

}  // namespace vitrine
