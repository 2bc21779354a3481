#include "core/text/text_batch.h"

#include <algorithm>
#include <utility>

#include "core/text/text_model.h"

namespace vitrine {

namespace {

using Ids = std::vector<int>;

Ids ids_of(const Vocabulary& vocabulary, std::span<const std::string> words) {
    Ids ids;
    for (const std::string& word : words) ids.push_back(vocabulary.id(word));
    return ids;
}

/// [front, ids …, back], without those that are absent.
Ids framed(std::optional<int> front, Ids ids, std::optional<int> back) {
    if (front) ids.insert(ids.begin(), *front);
    if (back) ids.push_back(*back);
    return ids;
}

/// Adds a target: the decoder's input, and the gold word for each row.
void add_target(TextBatch& batch, const Ids& words) {
    batch.target.add(framed(bos_id, words, {}));
    const Ids next = framed({}, words, eos_id);
    batch.gold.insert(batch.gold.end(), next.begin(), next.end());
}

/// A source with its special words, as the encoder reads it.
Ids framed_source(const TextModel& model, std::span<const std::string> words) {
    const bool classifies = model.config.shape == TextShape::classifier;
    return classifies ? framed(cls_id, ids_of(model.source, words), {})
                      : framed({}, ids_of(model.source, words), eos_id);
}

void add_example(TextBatch& batch, const TextModel& model, const TextExample& example) {
    const int first = static_cast<int>(batch.source.ids.size());
    switch (model.config.shape) {
        case TextShape::encoder_decoder:
            batch.source.add(framed_source(model, example.source));
            add_target(batch, ids_of(model.target, example.target));
            if (example.it && model.config.names_it)
                batch.it.push_back({.row = first + example.it->it,
                                    .noun = model.source.id(example.source[static_cast<std::size_t>(example.it->noun)]),
                                    .sentence = batch.source.batch().sequences - 1,
                                    .place = example.it->it,
                                    .noun_place = example.it->noun});
            break;
        case TextShape::classifier:
            batch.source.add(framed_source(model, example.source));
            batch.gold.push_back(example.label.value_or(0));
            break;
        case TextShape::language_model: add_target(batch, ids_of(model.target, example.source)); break;
    }
}

}  // namespace

void PackedSentences::add(std::span<const int> sentence) {
    const int length = static_cast<int>(sentence.size());
    ids.insert(ids.end(), sentence.begin(), sentence.end());
    lengths.push_back(length);
    longest = std::max(longest, length);
}

int TextBatch::sentences() const { return static_cast<int>(std::max(source.lengths.size(), target.lengths.size())); }

TextBatch text_batch(const TextModel& model, std::span<const TextExample> examples) {
    TextBatch batch;
    for (const TextExample& example : examples) add_example(batch, model, example);
    return batch;
}

TextBatch text_batch(const TextModel& model, std::span<const std::string> source, std::span<const std::string> target) {
    TextBatch batch;
    const TextShape shape = model.config.shape;
    if (shape != TextShape::language_model) batch.source.add(framed_source(model, source));
    if (shape == TextShape::encoder_decoder) batch.target.add(framed(bos_id, ids_of(model.target, target), {}));
    if (shape == TextShape::language_model) batch.target.add(framed(bos_id, ids_of(model.target, source), {}));
    return batch;
}

}  // namespace vitrine
