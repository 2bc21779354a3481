#include "core/text/text_writer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/text/text_embedding.h"
#include "core/transformer/decoder_block.h"
#include "core/transformer/edits.h"

namespace vitrine {

namespace {

/// The last row of each sentence.      (R, columns)  ->  (B, columns)
Tensor2 last_rows(const Tensor2& x, const PackedSentences& sentences) {
    const std::size_t columns = x.shape()[1];
    Tensor2 rows = tensor2(sentences.lengths.size(), columns);
    std::size_t end = 0;
    for (std::size_t b = 0; b < sentences.lengths.size(); ++b) {
        end += static_cast<std::size_t>(sentences.lengths[b]);
        std::copy_n(&x(end - 1, 0), columns, &rows(b, 0));
    }
    return rows;
}

}  // namespace

bool can_cache(const TextConfig& config, std::span<const Intervention> interventions) {
    const auto keeps_earlier_rows = [](const Intervention& i) {
        return i.where.stack == Stack::encoder || acts_by_row(i);
    };
    return config.causal && std::all_of(interventions.begin(), interventions.end(), keeps_earlier_rows);
}

TextWriter::TextWriter(const TextModel& model, const TextTrace& encoded, int texts, Caching caching,
                       std::span<const Intervention> interventions)
    : model_(&model),
      encoded_(&encoded),
      interventions_(interventions),
      caching_(caching),
      self_(static_cast<std::size_t>(model.config.decoder_blocks)),
      cross_(static_cast<std::size_t>(model.config.decoder_blocks)),
      texts_(static_cast<std::size_t>(texts)) {}

Tensor2 TextWriter::read(std::span<const int> words) {
    const std::size_t per_text = words.size() / texts_.size();
    assert(per_text * texts_.size() == words.size() && per_text > 0);
    PackedSentences added;
    for (std::size_t b = 0; b < texts_.size(); ++b) {
        const auto next = words.subspan(b * per_text, per_text);
        added.add(next);
        texts_[b].insert(texts_[b].end(), next.begin(), next.end());
        rows_recomputed_ += static_cast<std::int64_t>(texts_[b].size());
    }
    if (caching_ == Caching::on) return read_cached(added);
    PackedSentences all;
    for (const std::vector<int>& text : texts_) all.add(text);
    return read_uncached(all);
}

Tensor2 TextWriter::read_cached(const PackedSentences& words) {
    const TextConfig& c = model_->config;
    const TextWeights& w = model_->weights;
    const Editor edit(interventions_, words.batch(), Stack::decoder);
    const int first = static_cast<int>(texts_.front().size()) - words.longest;
    rows_ += static_cast<std::int64_t>(words.ids.size());
    auto z =
        std::make_shared<const Tensor2>(embed_words({c, w.target_embedding, w.target_position}, words, edit, first).z);
    for (int block = 1; block <= c.decoder_blocks; ++block) {
        const auto i = static_cast<std::size_t>(block - 1);
        DecoderInput in{.z = *z, .causal = c.causal, .self_cache = &self_[i]};
        if (c.has_cross()) {
            in.memory = &encoded_->memory();
            in.memory_batch = encoded_->batch->source.batch();
            in.cross_cache = &cross_[i];
        }
        z = decoder_block({c, block, words.batch(), edit}, w.decoder[i], in).z;
    }
    Tensor2 last = last_rows(*z, words);
    if (!w.decoder_norm.gamma.empty()) last = layer_norm(w.decoder_norm, last, c.layer_norm_epsilon).out;
    return linear(w.generator, last);
}

Tensor2 TextWriter::read_uncached(const PackedSentences& words) {
    rows_ += static_cast<std::int64_t>(words.ids.size());
    return last_rows(decode_text(*model_, *encoded_, words, interventions_).generator->logits, words);
}

}  // namespace vitrine
