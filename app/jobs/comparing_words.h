#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/workspace/result.h"
#include "core/base/progress.h"

namespace vitrine {

struct ImageSource;
struct WordsBeside;

/// A run, the texts to compare its image with (one a line), images for the batch, and an earlier result.
struct WordsAsked {
    const Result& of;
    const std::string& typed;
    const std::vector<ImageSource>& samples;
    std::shared_ptr<const WordsBeside> before;  // result of the same model, whose text tower is reused; null: none
};

/// Compares the run's image with the texts, and a few samples with their names. If the model cannot compare texts,
/// `refused` in the result says why.
std::shared_ptr<const WordsBeside> words_beside(const WordsAsked& asked, const Progress& progress);

}  // namespace vitrine
