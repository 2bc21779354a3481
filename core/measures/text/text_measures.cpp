#include "core/measures/text/text_measures.h"

#include <algorithm>

#include "core/measures/text/text_lens.h"

namespace vitrine {

const TextHeadStatistics* TextMeasures::of(TextAttention kind) const {
    const auto at = std::ranges::find(statistics, kind, &TextHeadStatistics::kind);
    return at == statistics.end() ? nullptr : &*at;
}

std::vector<int> words_said(const TextRun& run) {
    if (run.label >= 0) return {run.label};
    const std::vector<int>& read = run.trace.batch->target.ids;
    const std::size_t begun =
        1 + (run.trace.encoder.embedding ? 0 : run.input.size());  // number of given words: [BOS], a prompt
    std::vector<int> said(read.begin() + 1, read.end());
    const Tensor2& logits = run.trace.generator->logits;
    const float* const last = &logits(logits.shape()[0] - 1, 0);
    if (read.size() - begun < run.decoded.words.size())  // the last word, produced when no position was left to read it
        said.push_back(run.decoded.words[read.size() - begun]);
    else if (run.decoded.ended)
        said.push_back(eos_id);
    else
        said.push_back(static_cast<int>(std::max_element(last, last + logits.shape()[1]) - last));
    return said;
}

TextMeasures measure_text(const TextModel& model, const TextRun& run, std::span<const Intervention> what_ifs,
                          const Progress& progress) {
    constexpr double ledgers = 0.2, half = 0.6;  // done after the ledgers, and after the first kind of cover
    const auto between = [&](double from, double to) {
        return [&progress, from, to](double fraction) { report(progress, from + (to - from) * fraction); };
    };
    TextMeasures m;
    m.said = words_said(run);
    for (const TextAttention kind : attentions_of(model.config))
        m.statistics.push_back(text_head_statistics(run.trace, kind));
    m.rollout = text_rollout(run.trace);
    m.lens = text_lens(model, run.trace);
    for (std::size_t row = 0; row < m.said.size(); ++row) {
        m.ledgers.push_back(text_ledger({model, run.trace, what_ifs, static_cast<int>(row)}));
        report(progress, ledgers * static_cast<double>(row + 1) / static_cast<double>(m.said.size()));
    }
    const TextOcclusionOf of{model, run.trace, m.said, what_ifs};
    m.unknown = text_occlusion(of, WordCover::unknown, between(ledgers, half));
    m.nothing = text_occlusion(of, WordCover::nothing, between(half, 1));
    return m;
}

}  // namespace vitrine
