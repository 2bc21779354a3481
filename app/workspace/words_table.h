#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/tensor/tensor.h"

namespace vitrine {

struct Model;
struct Table;
struct TextTower;
class Trace;

/// A measure that compares an image with texts; needs a model with a text tower.
struct WordsMeasure {
    const char *name, *shape, *words;  // as in the catalogue of measures
};
inline constexpr WordsMeasure words_measures[] = {
    {"words", "(texts)", "cosine of the image and each text of lab.texts"},
    {"words_patches", "(texts, N_p)", "cosine of each patch and each text"}};
bool is_words_measure(const std::string& name);

/// Texts and their features in a model's text tower.
struct ComparedTexts {
    std::vector<std::string> texts;
    std::shared_ptr<const TextTower> tower;
    Tensor2 features;  // (texts, features)
};

/// The typed texts, one a line. Throws Error for none, and for a model without a text tower.
std::shared_ptr<const ComparedTexts> compared_texts(const Model& model, const std::string& typed,
                                                    const Progress& progress = {});

/// The table of a measure of `words_measures` for one image's run.
Table words_table(const Model& model, const Trace& trace, const ComparedTexts& texts, const std::string& measure);

}  // namespace vitrine
