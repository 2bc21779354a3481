#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/workspace/result.h"
#include "core/base/progress.h"

namespace vitrine {

struct ImageSource;
struct WordsBeside;

/// A run, the texts to compare its image with (one a line), images for the batch, and what is known of the model.
struct WordsAsked {
    const Result& of;
    const std::string& typed;
    const std::vector<ImageSource>& samples;
    std::shared_ptr<const WordsBeside> before;  // of the same model, which has a text tower; null: nothing
};

/// Compares the run's image with the texts, and a few samples with their names. A model that cannot says why.
std::shared_ptr<const WordsBeside> words_beside(const WordsAsked& asked, const Progress& progress);

}  // namespace vitrine
