#include "core/measures/text/text_catalogue.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "core/base/error.h"
#include "core/files/table.h"
#include "core/measures/text/text_measures.h"

namespace vitrine {

namespace {

using Words = std::vector<std::string>;

Words numbers_from(int first, std::size_t count) {
    Words words;
    for (std::size_t i = 0; i < count; ++i) words.push_back(std::to_string(first + static_cast<int>(i)));
    return words;
}

Words words_by_id(const std::vector<int>& ids, const Vocabulary& vocabulary) {
    Words words;
    for (const int id : ids) words.push_back(vocabulary.word(id));
    return words;
}

Words source_words(const TextMeasureOf& of) { return words_by_id(of.run.trace.batch->source.ids, of.model.source); }
Words target_words(const TextMeasureOf& of) { return words_by_id(of.run.trace.batch->target.ids, of.model.target); }

/// All possible predictions: the words of the target, or the classes.
Words answers(const TextMeasureOf& of) {
    if (!of.model.config.has_decoder()) return of.model.labels;
    Words words;
    for (int id = 0; id < of.model.target.size(); ++id) words.push_back(of.model.target.word(id));
    return words;
}

/// The prediction of each row: a word or a class.
Words said_words(const TextMeasureOf& of) {
    const Words all = answers(of);
    Words words;
    for (const int said : of.measures.said) words.push_back(all[static_cast<std::size_t>(said)]);
    return words;
}

Words queries_of(const TextMeasureOf& of, TextAttention kind) {
    return kind == TextAttention::encoder ? source_words(of) : target_words(of);
}
Words keys_of(const TextMeasureOf& of, TextAttention kind) {
    return kind == TextAttention::decoder ? target_words(of) : source_words(of);
}

/// Matrices of one shape, stacked along a new first axis.
Table stacked(Table table, const std::vector<Tensor2>& matrices) {
    table.shape = {matrices.size(), matrices.front().shape()[0], matrices.front().shape()[1]};
    for (const Tensor2& m : matrices) table.values.insert(table.values.end(), m.begin(), m.end());
    return table;
}

Table attention(const TextMeasureOf& of, TextAttention kind) {
    const auto blocks = static_cast<std::size_t>(blocks_of(of.model.config, kind));
    const Words queries = queries_of(of, kind), keys = keys_of(of, kind);
    Table t{"",
            {"block", "head", "query", "key"},
            {blocks, static_cast<std::size_t>(of.model.config.heads), queries.size(), keys.size()},
            {},
            {numbers_from(1, blocks), {}, queries, keys}};
    for (std::size_t block = 1; block <= blocks; ++block) {
        const auto trace = attention_of(of.run.trace, kind, static_cast<int>(block));
        t.values.insert(t.values.end(), trace->attention.begin(), trace->attention.end());
    }
    return t;
}

Table statistic(const TextMeasureOf& of, TextAttention kind, const char* name) {
    const auto blocks = static_cast<std::size_t>(blocks_of(of.model.config, kind)),
               heads = static_cast<std::size_t>(of.model.config.heads);
    Table t{"", {"block", "head"}, {blocks, heads}, {}, {numbers_from(1, blocks), {}}};
    if (const HeadStatistics::Column* const column = of.measures.of(kind)->column(name))
        t.values.assign(column->values.begin(), column->values.end());
    else
        t.values.assign(blocks * heads, std::numeric_limits<float>::quiet_NaN());
    return t;
}

Table rollout(const TextMeasureOf& of, TextAttention kind) {
    const TextRollout& r = of.measures.rollout;
    const std::vector<Tensor2>& matrices = kind == TextAttention::encoder   ? r.encoder
                                           : kind == TextAttention::decoder ? r.own
                                                                            : r.source;
    return stacked({"",
                    {"block", "query", "key"},
                    {},
                    {},
                    {numbers_from(1, matrices.size()), queries_of(of, kind), keys_of(of, kind)}},
                   matrices);
}

Table lens(const TextMeasureOf& of) {
    return stacked({"", {"level", "row", "answer"}, {}, {}, {{}, said_words(of), answers(of)}}, of.measures.lens);
}

Table ledger(const TextMeasureOf& of) {
    Words parts;
    for (const TextLedgerEntry& entry : of.measures.ledgers.front().entries) parts.push_back(name_of(entry));
    std::vector<Tensor2> rows;
    for (const TextLedger& row : of.measures.ledgers) rows.push_back(row.contributions);
    return stacked({"", {"row", "part", "answer"}, {}, {}, {said_words(of), parts, answers(of)}}, rows);
}

Table occlusion(const TextMeasureOf& of, WordCover cover) {
    const TextOcclusion& map = of.measures.under(cover);
    const Words source = source_words(of), target = target_words(of);
    Words covered;
    for (const ReadWord& word : map.covered)
        covered.push_back((word.stack == Stack::encoder ? source : target)[static_cast<std::size_t>(word.place)]);
    return {"",
            {"covered", "row"},
            {map.drop.shape()[0], map.drop.shape()[1]},
            {map.drop.begin(), map.drop.end()},
            {covered, said_words(of)}};
}

Table log_probability(const TextMeasureOf& of) {
    const std::vector<double>& values = of.measures.unknown.log_probability;
    return {"", {"row"}, {values.size()}, {values.begin(), values.end()}, {said_words(of)}};
}

struct CatalogueRow {
    TextMeasureEntry entry;
    std::function<Table(const TextMeasureOf&)> measure;
};

/// The rows of a kind of attention.
void add_rows(std::vector<CatalogueRow>& rows, TextAttention kind) {
    const std::string suffix = std::string(".") + name_of(kind);
    const auto add = [&](const std::string& name, const char* axes, const char* words, auto measure) {
        rows.push_back({{name + suffix, axes, words}, measure});
    };
    add("attention", "block, head, query, key", "attention of every head",
        [kind](const TextMeasureOf& of) { return attention(of, kind); });
    for (const HeadStatistic& s : text_head_statistics_table())
        add(s.name, "block, head", s.words,
            [kind, name = s.name](const TextMeasureOf& of) { return statistic(of, kind, name); });
    add("rollout", "block, query, key", "attention rollout after every block",
        [kind](const TextMeasureOf& of) { return rollout(of, kind); });
}

std::vector<CatalogueRow> rows_of(const TextConfig* config) {
    const std::vector<TextAttention> kinds =
        config != nullptr ? attentions_of(*config)
                          : std::vector{TextAttention::encoder, TextAttention::decoder, TextAttention::cross};
    std::vector<CatalogueRow> rows;
    for (const TextAttention kind : kinds) add_rows(rows, kind);
    rows.push_back({{"lens", "level, row, answer", "probabilities of the generator after every block"}, lens});
    rows.push_back({{"ledger", "row, part, answer", "what every part adds to every logit"}, ledger});
    for (const Named<WordCover>& cover : word_cover_names)
        rows.push_back({{std::string("occlusion.") + cover.name, "covered, row",
                         "fall of each answer's log probability when a word is covered, in nats"},
                        [kind = cover.value](const TextMeasureOf& of) { return occlusion(of, kind); }});
    rows.push_back({{"log_probability", "row", "log probability of each answer, in nats"}, log_probability});
    return rows;
}

}  // namespace

std::vector<TextMeasureEntry> text_measure_catalogue(const TextConfig* config) {
    std::vector<TextMeasureEntry> entries;
    for (CatalogueRow& row : rows_of(config)) entries.push_back(std::move(row.entry));
    return entries;
}

Table text_measure(const TextMeasureOf& of, const std::string& name) {
    const std::vector<CatalogueRow> rows = rows_of(&of.model.config);
    const auto row = std::ranges::find(rows, name, [](const CatalogueRow& r) { return r.entry.name; });
    if (row == rows.end())
        throw Error("'" + name + "' is not a measure of this text model; vitrine export --help lists them");
    Table table = row->measure(of);
    table.name = name;
    return table;
}

}  // namespace vitrine
