#include "core/measures/text/text_occlusion.h"

#include <cmath>

#include "core/measures/analysis.h"
#include "core/text/text_forward.h"

namespace vitrine {

namespace {

/// log p of each row's prediction.
std::vector<double> log_probabilities(const TextTrace& trace, std::span<const int> said) {
    const Tensor2& logits = trace.generator->logits;
    std::vector<double> values;
    for (std::size_t row = 0; row < said.size(); ++row)
        values.push_back(-cross_entropy({&logits(row, 0), logits.shape()[1]}, said[row]));
    return values;
}

std::vector<ReadWord> words_of(const TextTrace& trace) {
    std::vector<ReadWord> words;
    const auto add = [&](Stack stack, const std::vector<int>& ids) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] == unknown_id || ids[i] >= static_cast<int>(special_words.size()))
                words.push_back({stack, static_cast<int>(i)});
    };
    add(Stack::encoder, trace.batch->source.ids);
    add(Stack::decoder, trace.batch->target.ids);
    return words;
}

/// The run with a word covered.
TextTrace covered(const TextOcclusionOf& of, const ReadWord& word, WordCover cover) {
    const auto place = static_cast<std::size_t>(word.place);
    if (cover == WordCover::nothing) {
        std::vector<Intervention> all(of.what_ifs.begin(), of.what_ifs.end());
        all.push_back({Site::embedded, {{}, {}, word.place, word.stack, {}}, Scale{0}});
        return text_forward(of.model, of.trace.batch, all);
    }
    TextBatch batch = *of.trace.batch;
    (word.stack == Stack::encoder ? batch.source : batch.target).ids[place] = unknown_id;
    batch.it.clear();
    return text_forward(of.model, std::move(batch), of.what_ifs);
}

}  // namespace

TextOcclusion text_occlusion(const TextOcclusionOf& of, WordCover cover, const Progress& progress) {
    TextOcclusion map;
    map.covered = words_of(of.trace);
    map.log_probability = log_probabilities(of.trace, of.said);
    map.drop = tensor2(map.covered.size(), of.said.size());
    for (std::size_t i = 0; i < map.covered.size(); ++i) {
        const std::vector<double> without = log_probabilities(covered(of, map.covered[i], cover), of.said);
        for (std::size_t row = 0; row < of.said.size(); ++row)
            map.drop(i, row) = static_cast<float>(map.log_probability[row] - without[row]);
        report(progress, static_cast<double>(i + 1) / static_cast<double>(map.covered.size()));
    }
    return map;
}

}  // namespace vitrine
