#include "core/measures/text/text_heads.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text/vocabulary.h"

namespace vitrine {

namespace {

using Value = std::optional<double>;

constexpr std::array table = {
    // H / ln n over the n words that the query may see: 0 if one has all the weight, 1 for a uniform row.
    HeadStatistic{.name = "entropy",
                  .words = "entropy over ln of the words seen, mean over queries that see at least two words",
                  .of = [](const AttentionRow& row) -> Value {
                      if (row.weights.size() < 2) return std::nullopt;
                      return row.entropy / std::log(static_cast<double>(row.weights.size()));
                  }},
    HeadStatistic{.name = "confidence",
                  .words = "largest weight, mean over queries",
                  .of = [](const AttentionRow& row) -> Value {
                      return static_cast<double>(*std::ranges::max_element(row.weights));
                  }},
    HeadStatistic{.name = "first",
                  .words = "weight on the first word, mean over queries",
                  .of = [](const AttentionRow& row) -> Value { return row.on(0); }},
    HeadStatistic{
        .name = "own",
        .words = "weight on the query's own position, mean over queries",
        .of = [](const AttentionRow& row) -> Value { return row.self ? Value(row.on(row.query)) : std::nullopt; }},
    HeadStatistic{.name = "previous",
                  .words = "weight on the previous word, mean over all queries but the first",
                  .of = [](const AttentionRow& row) -> Value {
                      return row.self && row.query > 0 ? Value(row.on(row.query - 1)) : std::nullopt;
                  }},
    HeadStatistic{
        .name = "end",
        .words = "weight on [EOS], mean over queries",
        .of = [](const AttentionRow& row) -> Value { return row.end ? Value(row.on(*row.end)) : std::nullopt; }},
};

/// The position of [EOS] among the keys of a kind of attention.
std::optional<int> end_of(const TextTrace& trace, TextAttention kind) {
    if (kind == TextAttention::decoder) return std::nullopt;
    const std::vector<int>& ids = trace.batch->source.ids;
    const auto at = std::ranges::find(ids, eos_id);
    return at == ids.end() ? std::nullopt : std::optional(static_cast<int>(at - ids.begin()));
}

}  // namespace

std::shared_ptr<const AttentionTrace> attention_of(const TextTrace& trace, TextAttention kind, int block) {
    if (kind == TextAttention::encoder) return block <= trace.encoder.blocks() ? trace.encoder.block(block) : nullptr;
    if (block > trace.decoder.blocks()) return nullptr;
    const auto t = trace.decoder.block(block);
    if (kind == TextAttention::decoder) return {t, &t->self};
    return t->cross.attention.size() > 0 ? std::shared_ptr<const AttentionTrace>(t, &t->cross) : nullptr;
}

std::vector<TextAttention> attentions_of(const TextConfig& config) {
    std::vector<TextAttention> kinds;
    if (config.has_encoder()) kinds.push_back(TextAttention::encoder);
    if (config.has_decoder()) kinds.push_back(TextAttention::decoder);
    if (config.has_cross()) kinds.push_back(TextAttention::cross);
    return kinds;
}

int blocks_of(const TextConfig& config, TextAttention kind) {
    return kind == TextAttention::encoder ? config.blocks : config.decoder_blocks;
}

std::span<const HeadStatistic> text_head_statistics_table() { return table; }

TextHeadStatistics text_head_statistics(const TextTrace& trace, TextAttention kind) {
    if (attention_of(trace, kind, 1) == nullptr) return {{}, kind};
    return {head_statistics(table,
                            {.blocks = kind == TextAttention::encoder ? trace.encoder.blocks() : trace.decoder.blocks(),
                             .at = [&](int block) { return attention_of(trace, kind, block); },
                             .visible = Visible::unmasked,
                             .describe =
                                 [self = kind != TextAttention::cross, end = end_of(trace, kind)](AttentionRow& row) {
                                     row.self = self;
                                     row.end = end;
                                 }}),
            kind};
}

}  // namespace vitrine
