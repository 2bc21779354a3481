#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/words/contrast.h"

namespace vitrine {

struct Image;
struct TextTower;

// Results of the chapter on image and text towers, made by app/jobs/comparing_words.

/// The selectable temperatures: the learned one times √2 to the power of coldest … hottest.
inline constexpr int coldest = -6, hottest = 14;
inline constexpr int temperature_count = hottest - coldest + 1;
/// The index of a temperature in lists by temperature.
constexpr std::size_t place_of_temperature(int power) { return static_cast<std::size_t>(power - coldest); }
/// The learned scale at this temperature.
LogitScale at_temperature(const LogitScale& learned, int power);

/// A batch of images with their names as texts, compared as in the towers' training.
struct WordsBatch {
    std::vector<std::shared_ptr<const Image>> images;  // as the model sees them
    std::vector<std::string> names;                    // their texts, in English
    Tensor2 cosine;                                    // (B, B)  [image, text]
    std::vector<Contrast> contrast;                    // by temperature
};

/// The image of a run compared with texts.
struct WordsBeside {
    std::string typed;               // the list as it was typed
    std::vector<std::string> texts;  // its texts
    std::string refused = {};        // why the model cannot compare texts with images; "" if it can, then also:
    std::shared_ptr<const TextTower> tower = {};
    std::shared_ptr<const WordsBatch> batch = {};
    LogitScale learned = {};
    Tensor2 text_features = {};                        // (texts, features)
    std::vector<float> cosine = {};                    // (texts)
    std::vector<std::vector<float>> probability = {};  // by temperature, (texts)

    bool each_alone() const { return learned.bias.has_value(); }
    const Contrast& contrast_at(int power) const { return batch->contrast[place_of_temperature(power)]; }
    /// The temperature at which the batch has the least loss.
    int best_temperature() const;
};

}  // namespace vitrine
