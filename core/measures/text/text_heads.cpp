#include "core/measures/text/text_heads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/tensor/entropy.h"
#include "core/text/vocabulary.h"

namespace vitrine {

namespace {

using Told = std::optional<double>;

constexpr std::array table = {
    // H / ln n over the n words that the query may see: 0 for a single word, 1 for a uniform row.
    TextHeadStatistic{.name = "entropy",
                      .words = "entropy over ln of the words seen, mean over queries that see two at least",
                      .of = [](const TextAttentionRow& row) -> Told {
                          if (row.weights.size() < 2) return std::nullopt;
                          return static_cast<double>(entropy(row.weights)) /
                                 std::log(static_cast<double>(row.weights.size()));
                      }},
    TextHeadStatistic{.name = "confidence",
                      .words = "largest weight, mean over queries",
                      .of = [](const TextAttentionRow& row) -> Told {
                          return static_cast<double>(*std::ranges::max_element(row.weights));
                      }},
    TextHeadStatistic{.name = "first",
                      .words = "weight on the first word, mean over queries",
                      .of = [](const TextAttentionRow& row) -> Told { return row.on(0); }},
    TextHeadStatistic{
        .name = "own",
        .words = "weight on the query's own place, mean over queries",
        .of = [](const TextAttentionRow& row) -> Told { return row.self ? Told(row.on(row.query)) : std::nullopt; }},
    TextHeadStatistic{.name = "previous",
                      .words = "weight on the word before, mean over all queries but the first",
                      .of = [](const TextAttentionRow& row) -> Told {
                          return row.self && row.query > 0 ? Told(row.on(row.query - 1)) : std::nullopt;
                      }},
    TextHeadStatistic{
        .name = "end",
        .words = "weight on [EOS], mean over queries",
        .of = [](const TextAttentionRow& row) -> Told { return row.end >= 0 ? Told(row.on(row.end)) : std::nullopt; }},
};

/// A query's weights on the keys it may see, and their positions.
struct SeenRow {
    std::vector<float> weights;
    std::vector<int> keys;
};
SeenRow seen_row(const AttentionTrace& t, std::size_t head, std::size_t query) {
    SeenRow row;
    for (std::size_t key = 0; key < t.attention.shape()[2]; ++key) {
        if (std::isinf(t.scores(head, query, key))) continue;
        row.weights.push_back(t.attention(head, query, key));
        row.keys.push_back(static_cast<int>(key));
    }
    return row;
}

/// The position of [EOS] among the keys of a kind of attention.
int end_of(const TextTrace& trace, TextAttention kind) {
    if (kind == TextAttention::decoder) return -1;
    const std::vector<int>& ids = trace.batch->source.ids;
    const auto at = std::ranges::find(ids, eos_id);
    return at == ids.end() ? -1 : static_cast<int>(at - ids.begin());
}

/// Mean over the queries for which a statistic is defined.
struct Mean {
    double sum = 0;
    int count = 0;
    void add(const Told& value) {
        if (value) sum += *value, ++count;
    }
    double value() const { return count > 0 ? sum / count : 0; }
};

}  // namespace

double TextAttentionRow::on(int place) const {
    const auto at = std::ranges::find(keys, place);
    return at == keys.end() ? 0.0 : static_cast<double>(weights[static_cast<std::size_t>(at - keys.begin())]);
}

const AttentionTrace* attention_of(const TextTrace& trace, TextAttention kind, int block) {
    const auto at = static_cast<std::size_t>(block - 1);
    if (kind == TextAttention::encoder) return at < trace.encoder.size() ? trace.encoder[at].get() : nullptr;
    if (at >= trace.decoder.size()) return nullptr;
    const DecoderTrace& t = *trace.decoder[at];
    if (kind == TextAttention::decoder) return &t.self;
    return t.cross.attention.size() > 0 ? &t.cross : nullptr;
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

std::span<const TextHeadStatistic> text_head_statistics_table() { return table; }

const TextHeadStatistic* text_head_statistic_named(std::string_view name) {
    const auto row = std::ranges::find_if(table, [&](const TextHeadStatistic& s) { return name == s.name; });
    return row == table.end() ? nullptr : &*row;
}

const TextHeadStatistics::Column* TextHeadStatistics::of(std::string_view name) const {
    const auto at = std::ranges::find_if(columns, [&](const Column& c) { return name == c.statistic->name; });
    return at == columns.end() ? nullptr : &*at;
}

TextHeadStatistics text_head_statistics(const TextTrace& trace, TextAttention kind) {
    TextHeadStatistics all{kind, {}};
    const AttentionTrace* const first = attention_of(trace, kind, 1);
    if (first == nullptr) return all;
    const std::size_t heads = first->attention.shape()[0], queries = first->attention.shape()[1];
    const std::size_t blocks = kind == TextAttention::encoder ? trace.encoder.size() : trace.decoder.size();
    const bool self = kind != TextAttention::cross;
    const int end = end_of(trace, kind);
    for (const TextHeadStatistic& statistic : table) {
        TextHeadStatistics::Column column{&statistic, tensor2(blocks, heads), 0, 0};
        Mean even;
        for (std::size_t l = 0; l < blocks; ++l) {
            const AttentionTrace& t = *attention_of(trace, kind, static_cast<int>(l) + 1);
            for (std::size_t head = 0; head < heads; ++head) {
                Mean own;
                for (std::size_t i = 0; i < queries; ++i) {
                    const SeenRow row = seen_row(t, head, i);
                    if (row.keys.empty()) continue;
                    const int query = static_cast<int>(i);
                    own.add(statistic.of({query, row.weights, row.keys, self, end}));
                    const std::vector<float> spread(row.keys.size(), 1.0F / static_cast<float>(row.keys.size()));
                    even.add(statistic.of({query, spread, row.keys, self, end}));
                }
                column.values(l, head) = static_cast<float>(own.value());
                column.counted = own.count;
            }
        }
        column.even = even.value();
        if (column.counted > 0) all.columns.push_back(std::move(column));
    }
    return all;
}

}  // namespace vitrine
