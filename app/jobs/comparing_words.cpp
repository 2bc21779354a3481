#include "app/jobs/comparing_words.h"

#include <algorithm>

#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/workspace/laboratory_state.h"
#include "app/workspace/words_beside.h"
#include "core/base/error.h"
#include "core/files/image.h"
#include "core/vit/forward.h"
#include "core/words/nearness.h"
#include "core/words/text_tower.h"

namespace vitrine {

namespace {

constexpr std::size_t images_in_batch = 6;

/// Compares a few samples with their names, without the run's what-ifs.
std::shared_ptr<const WordsBatch> batch_of_words(const WordsAsked& asked, const TextTower& tower,
                                                 const Progress& progress) {
    const Model& model = *asked.of.model;
    auto batch = std::make_shared<WordsBatch>();
    const std::size_t count = std::min(asked.samples.size(), images_in_batch);
    Tensor2 images = tensor2(count, static_cast<std::size_t>(tower.features));
    for (std::size_t i = 0; i < count; ++i) {
        report(progress, static_cast<double>(i) / static_cast<double>(count));
        const auto sample = open_image(asked.samples[i]);
        Preprocessed input = preprocess(sample->full, model.preprocessing, model.config);
        const HeadTrace head = head_of(model, std::move(input.pixels));
        std::ranges::copy(features_of_image(model, head), &images(i, 0));
        batch->images.push_back(std::make_shared<const Image>(std::move(input.seen)));
        batch->names.push_back(class_of_sample(asked.samples[i].sample));
    }
    batch->cosine = cosines_between(images, features_of_texts(tower, batch->names, progress));
    for (int power = coldest; power <= hottest; ++power)
        batch->contrast.push_back(contrast_of(batch->cosine, at_temperature(scale_of(tower), power)));
    return batch;
}

}  // namespace

std::shared_ptr<const WordsBeside> words_beside(const WordsAsked& asked, const Progress& progress) {
    auto words = std::make_shared<WordsBeside>(WordsBeside{.typed = asked.typed, .texts = texts_in(asked.typed)});
    const WordsBeside* const before = asked.before.get();
    const Model& model = *asked.of.model;
    try {
        words->tower =
            before != nullptr ? before->tower : std::make_shared<const TextTower>(open_text_tower(model, progress));
        words->learned = scale_of(*words->tower);
        words->batch = before != nullptr ? before->batch : batch_of_words(asked, *words->tower, progress);
        words->text_features = before != nullptr && before->typed == words->typed
                                   ? before->text_features
                                   : features_of_texts(*words->tower, words->texts, progress);
    } catch (const Error& error) {
        return std::make_shared<WordsBeside>(
            WordsBeside{.typed = words->typed, .texts = words->texts, .refused = error.what()});
    }
    const Tensor2 cosine = cosines_between(features_of_image(model, *asked.of.trace.head), words->text_features);
    words->cosine.assign(cosine.begin(), cosine.end());
    for (int power = coldest; power <= hottest; ++power) {
        const LogitScale scale = at_temperature(words->learned, power);
        words->probability.push_back(probabilities_of(logits_of(words->cosine, scale), scale));
    }
    return words;
}

}  // namespace vitrine
