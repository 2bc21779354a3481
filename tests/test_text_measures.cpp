#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "core/measures/text/text_lens.h"
#include "core/measures/text/text_measures.h"
#include "core/measures/text/text_patching.h"
#include "core/text/text_forward.h"
#include "core/text/text_what_ifs.h"
#include "core/transformer/edits.h"
#include "tests/text_golden_model.h"

namespace vitrine {
namespace {

constexpr const char* models[] = {"text_post", "text_pre", "text_class", "text_story"};

/// A golden model with the run of the script's first sentence.
struct Measured {
    explicit Measured(const std::string& name, const std::vector<std::string>& words = {})
        : golden(name), what_ifs(text_interventions(words, golden.model.config)) {
        TextBatch batch = golden.batch(1);
        said = batch.gold;
        if (!golden.model.config.has_decoder()) said.resize(1);
        trace = text_forward(golden.model, std::move(batch), what_ifs);
    }
    const TextConfig& config() const { return golden.model.config; }
    int rows() const { return static_cast<int>(said.size()); }
    TextLedger ledger(int row) const { return text_ledger({golden.model, trace, what_ifs, row}); }
    TextOcclusion occlusion(WordCover cover) const {
        return text_occlusion({golden.model, trace, said, what_ifs}, cover);
    }

    GoldenTextModel golden;
    std::vector<Intervention> what_ifs;
    TextTrace trace;
    std::vector<int> said;
};

double sum_of(const float* values, std::size_t count) { return std::accumulate(values, values + count, 0.0); }

/// Measures against the script's, which finds each by another way.
class TextMeasuresGolden : public testing::TestWithParam<const char*> {
protected:
    void expect(const Tensor2& got, const std::string& name) {
        const std::span<const float> expected = file[std::string(GetParam()) + "." + name];
        ASSERT_EQ(got.size(), expected.size()) << name;
        EXPECT_LT(difference(got.data(), expected.data(), expected.size()), 2e-5) << name;
    }
    GoldenFile file{"values/text_measures.safetensors"};
    Measured m{GetParam()};
};

TEST_P(TextMeasuresGolden, StatisticsAreTheirDefinitions) {
    for (const TextAttention kind : attentions_of(m.config())) {
        const char* const part = kind == TextAttention::encoder   ? "encoder."
                                 : kind == TextAttention::decoder ? "decoder.self."
                                                                  : "decoder.cross.";
        const std::span<const float> expected =
            file[std::string(GetParam()) + ".statistics." + (part[0] == 'e' ? "encoder." : part)];
        const TextHeadStatistics s = text_head_statistics(m.trace, kind);
        const std::size_t each = static_cast<std::size_t>(blocks_of(m.config(), kind) * m.config().heads);
        std::size_t at = 0;
        for (const HeadStatistic& row : text_head_statistics_table()) {
            const TextHeadStatistics::Column* const column = s.column(row.name);
            const float* const wanted = &expected[at++ * each];
            if (column == nullptr)
                EXPECT_EQ(sum_of(wanted, each), 0) << row.name << " can be told of " << name_of(kind);
            else
                EXPECT_LT(difference(column->values.data(), wanted, each), 2e-5) << row.name << " of " << name_of(kind);
        }
    }
}

TEST_P(TextMeasuresGolden, RolloutIsOneProductOverTheWordsOfBothSides) {
    const TextRollout r = text_rollout(m.trace);
    if (!r.encoder.empty()) expect(r.encoder.back(), "rollout.encoder");
    if (!r.own.empty()) expect(r.own.back(), "rollout.own");
    if (!r.source.empty()) expect(r.source.back(), "rollout.source");
}

TEST_P(TextMeasuresGolden, TheLensIsTheGeneratorBehindEveryBlock) {
    const std::vector<Tensor2> lens = text_lens(m.golden.model, m.trace);
    Tensor2 all = tensor2(lens.size(), lens[0].size());
    for (std::size_t l = 0; l < lens.size(); ++l) std::copy_n(lens[l].data(), lens[l].size(), &all(l, 0));
    expect(all, "lens");
}

TEST_P(TextMeasuresGolden, ALedgersPartIsWhatItAloneBringsThroughTheFrozenNorms) {
    for (int row = 0; row < m.rows(); ++row) expect(m.ledger(row).contributions, "ledger." + std::to_string(row));
}

TEST_P(TextMeasuresGolden, ACoveredWordIsAnotherRun) {
    expect(m.occlusion(WordCover::unknown).drop, "occlusion.unknown");
    expect(m.occlusion(WordCover::nothing).drop, "occlusion.nothing");
}

INSTANTIATE_TEST_SUITE_P(Models, TextMeasuresGolden, testing::ValuesIn(models));

TEST(TextHeadStatistics, AreBetweenNothingAndOneAndEvenAttentionIsWhatItWouldBeBehindTheMask) {
    const Measured m("text_story");
    const TextHeadStatistics s = text_head_statistics(m.trace, TextAttention::decoder);
    for (const TextHeadStatistics::Column& column : s.columns)
        for (const float v : column.values) EXPECT_TRUE(v >= 0 && v <= 1.0F + 1e-6F) << column.statistic->name;
    EXPECT_NEAR(s.column("entropy")->even, 1, 1e-6) << "whatever a mask hides";
    EXPECT_NEAR(s.column("first")->even, (1.0 + 1.0 / 2 + 1.0 / 3) / 3, 1e-6) << "rows see one, two, three words";
    EXPECT_NEAR(s.column("previous")->even, (1.0 / 2 + 1.0 / 3) / 2, 1e-6) << "the first row has no word before it";
    EXPECT_EQ(s.column("entropy")->counted, 2) << "the first row sees itself alone";
    EXPECT_EQ(s.column("end"), nullptr) << "a decoder reads no [EOS]";
}

TEST(TextHeadStatistics, OfCrossAttentionKnowNoOwnPlace) {
    const Measured m("text_post");
    const TextHeadStatistics s = text_head_statistics(m.trace, TextAttention::cross);
    EXPECT_EQ(s.column("own"), nullptr);
    EXPECT_EQ(s.column("previous"), nullptr);
    ASSERT_NE(s.column("end"), nullptr);
    EXPECT_NEAR(s.column("end")->even, 1.0 / 4, 1e-6) << "four words are read, [EOS] one of them";
}

TEST(TextHeadStatistics, WithoutTheMaskCountWhatIsSeenThen) {
    const Measured m("text_story", {"no-mask"});
    EXPECT_NEAR(text_head_statistics(m.trace, TextAttention::decoder).column("first")->even, 1.0 / 3, 1e-6);
}

TEST(TextRollouts, RowsSumToOneOverBothSidesAndNothingComesFromBehindTheMask) {
    for (const char* const name : models) {
        SCOPED_TRACE(name);
        const TextRollout r = text_rollout(Measured(name).trace);
        for (const Tensor2& e : r.encoder)
            for (std::size_t i = 0; i < e.shape()[0]; ++i) EXPECT_NEAR(sum_of(&e(i, 0), e.shape()[1]), 1, 1e-5);
        for (std::size_t l = 0; l < r.own.size(); ++l) {
            const Tensor2& own = r.own[l];
            for (std::size_t i = 0; i < own.shape()[0]; ++i) {
                const double source = r.source.empty() ? 0 : sum_of(&r.source[l](i, 0), r.source[l].shape()[1]);
                EXPECT_NEAR(sum_of(&own(i, 0), own.shape()[1]) + source, 1, 1e-5);
                for (std::size_t j = i + 1; j < own.shape()[1]; ++j) EXPECT_EQ(own(i, j), 0) << i << ", " << j;
            }
        }
    }
}

TEST(TextLens, EndsInWhatTheModelSays) {
    for (const char* const name : models) {
        SCOPED_TRACE(name);
        const Measured m(name);
        const std::vector<Tensor2> lens = text_lens(m.golden.model, m.trace);
        const Tensor2& said = m.trace.generator->probabilities;
        EXPECT_EQ(lens.size(), 3u);
        EXPECT_LT(difference(lens.back().data(), said.data(), said.size()), 1e-6);
    }
}

TEST(TextLedgers, SumToTheLogitsUnderEveryWhatIf) {
    const std::vector<std::vector<std::string>> runs = {
        {},         {"no-mask"},         {"no-root"},          {"no-positions"},    {"no-scale"},
        {"k=q"},    {"no-cross"},        {"pre-norm"},         {"post-norm"},       {"no-norm"},
        {"only:1"}, {"temperature:0.5"}, {"head:decoder.1.0"}, {"layer:decoder.2"}, {"layer:encoder.1", "post-norm"}};
    for (const char* const name : models)
        for (const std::vector<std::string>& words : runs) {
            SCOPED_TRACE(std::string(name) + " " + (words.empty() ? "" : words[0]));
            const Measured m(name, words);
            for (int row = 0; row < m.rows(); ++row) {
                const TextLedger ledger = m.ledger(row);
                const Tensor2& logits = m.trace.generator->logits;
                ASSERT_EQ(ledger.contributions.shape()[0], ledger.entries.size());
                for (std::size_t word = 0; word < logits.shape()[1]; ++word) {
                    double sum = 0;
                    for (std::size_t e = 0; e < ledger.entries.size(); ++e)
                        sum += static_cast<double>(ledger.contributions(e, word));
                    const double logit = static_cast<double>(logits(static_cast<std::size_t>(row), word));
                    EXPECT_NEAR(sum, logit, 2e-4 * (1 + std::abs(logit)));
                }
            }
        }
}

TEST(TextLedgers, NameEveryPartWhereverNormsStandAndWhateverSkipsBring) {
    const std::vector<std::vector<Intervention>> all = {
        {without_skips(1)},
        {{Site::skip, {.stack = Stack::decoder}, Scale{0.5F}}},
        {{Site::norm, {.stack = Stack::decoder}, Normalise{Norm::before}}},
        {{Site::norm, {.stack = Stack::encoder}, Normalise{Norm::after}}},
        {normalise(Norm::before), carry_normed()},
        {remove_attention({Stack::decoder, Attention::cross, 1})},
        {{Site::msa, {.stack = Stack::decoder}, Scale{0.5F}}}};
    for (const char* const name : {"text_post", "text_pre", "text_class"})
        for (const std::vector<Intervention>& what_ifs : all) {
            Measured m(name);
            m.what_ifs = what_ifs;
            m.trace = text_forward(m.golden.model, m.golden.batch(1), what_ifs);
            for (const TextLedgerEntry& e : m.ledger(0).entries)
                EXPECT_NE(e.part, TextLedgerEntry::Part::rest) << name << ", " << describe(what_ifs.back());
        }
}

TEST(TextLedgers, ARemovedHeadAddsNothingNoPartIsNamedTwiceAndAPlainRunLeavesNoRest) {
    for (const char* const name : models) {
        const Measured plain(name), m(name, {"head:decoder.2.1"});
        std::set<std::string> names;
        for (const TextLedgerEntry& e : plain.ledger(0).entries) {
            EXPECT_TRUE(names.insert(name_of(e)).second) << name_of(e);
            EXPECT_NE(e.part, TextLedgerEntry::Part::rest);
        }
        const TextLedger ledger = m.ledger(0);
        for (std::size_t e = 0; e < ledger.entries.size(); ++e)
            for (std::size_t word = 0; word < ledger.contributions.shape()[1]; ++word)
                EXPECT_TRUE(name_of(ledger.entries[e]) != "decoder.2.head.1" || ledger.contributions(e, word) == 0);
    }
}

TEST(TextOcclusion, OfALaterWordChangesNoEarlierOneAndSpecialWordsStay) {
    for (const char* const name : {"text_post", "text_story"}) {
        const Measured m(name);
        for (const WordCover cover : {WordCover::unknown, WordCover::nothing}) {
            const TextOcclusion map = m.occlusion(cover);
            double moved = 0;
            for (std::size_t i = 0; i < map.covered.size(); ++i) {
                const ReadWord& word = map.covered[i];
                const PackedSentences& side =
                    word.stack == Stack::encoder ? m.trace.batch->source : m.trace.batch->target;
                EXPECT_GE(side.ids[static_cast<std::size_t>(word.place)], static_cast<int>(special_words.size()));
                for (int row = 0; row < m.rows(); ++row) {
                    const double drop = static_cast<double>(map.drop(i, static_cast<std::size_t>(row)));
                    moved += std::abs(drop);
                    EXPECT_TRUE(word.stack == Stack::encoder || row >= word.place || drop == 0) << "row " << row;
                }
            }
            EXPECT_GT(moved, 0.01);
        }
    }
}

TEST(TextOcclusion, ByNothingIsSomethingWithoutTheFactorRootDToo) {
    const Measured m("text_open");
    ASSERT_FALSE(m.config().scaled);
    const TextOcclusion map = m.occlusion(WordCover::nothing);
    EXPECT_TRUE(std::ranges::any_of(map.drop, [](float drop) { return std::abs(drop) > 1e-4F; }));
}

TEST(TextOcclusion, OfAWordThatIsUnknownAlreadyByItIsNothing) {
    const Measured m("text_post");
    TextBatch batch = m.golden.batch(1);
    batch.source.ids[1] = unknown_id;
    const TextTrace trace = text_forward(m.golden.model, std::move(batch));
    const TextOcclusion map = text_occlusion({m.golden.model, trace, m.said, {}}, WordCover::unknown);
    ASSERT_EQ(map.covered[1], (ReadWord{Stack::encoder, 1}));
    for (int row = 0; row < m.rows(); ++row) EXPECT_EQ(map.drop(1, static_cast<std::size_t>(row)), 0);
}

/// Runs of the script's first sentence, and of the same with the word that the script changes.
struct PatchedPair {
    explicit PatchedPair(const std::string& name) : golden(name) {
        TextBatch batch = golden.batch(1);
        batch.it.clear();
        into = text_forward(golden.model, batch);
        const std::span<const float> changed = file[name + ".patching.changed"];
        (golden.model.config.has_encoder() ? batch.source : batch.target).ids[static_cast<std::size_t>(changed[0])] =
            static_cast<int>(changed[1]);
        from = text_forward(golden.model, std::move(batch));
    }
    TextPatchingMap map(PatchSite site) const { return text_patching({golden.model, from, into, {}, site}); }

    GoldenFile file{"values/text_measures.safetensors"};
    GoldenTextModel golden;
    TextTrace from, into;
};

class TextPatchingGolden : public testing::TestWithParam<const char*> {};

TEST_P(TextPatchingGolden, EverySiteIsTheScripts) {
    PatchedPair pair(GetParam());
    for (const Named<PatchSite>& site : patch_site_names) {
        const Tensor2 got = pair.map(site.value).returned;
        const std::span<const float> expected = pair.file[std::string(GetParam()) + ".patching." + site.name];
        ASSERT_EQ(got.size(), expected.size()) << site.name;
        EXPECT_LT(difference(got.data(), expected.data(), expected.size()), 1e-4) << site.name;
    }
}
INSTANTIATE_TEST_SUITE_P(Models, TextPatchingGolden, testing::ValuesIn(models));

TEST(TextPatching, RefusesTextsOfOneAnswerAndOfOtherLengths) {
    PatchedPair pair("text_class");
    EXPECT_EQ(pair.map(PatchSite::stream).stack, Stack::encoder);
    EXPECT_THROW(text_patching({pair.golden.model, pair.into, pair.into}), Error) << "one answer alone";
    TextBatch longer;
    longer.source.add(std::vector<int>{4, 6, 8, 9});
    EXPECT_THROW(text_patching({pair.golden.model, text_forward(pair.golden.model, longer), pair.into}), Error);
}

TEST(TextPatching, TheLastStreamOfTheAnsweringWordIsTheWholeAnswer) {
    const PatchedPair pair("text_story");
    const TextPatchingMap map = pair.map(PatchSite::stream);
    EXPECT_EQ(map.stack, Stack::decoder) << "a language model has no other";
    EXPECT_EQ(map.row + 1, static_cast<int>(pair.into.batch->target.ids.size())) << "the prompt's last word answers";
    const std::size_t last = map.returned.shape()[0] - 1, row = map.returned.shape()[1] - 1;
    EXPECT_NEAR(map.returned(last, row), 1, 1e-5) << "the last stream of the answering word is the answer";
}

}  // namespace
}  // namespace vitrine
