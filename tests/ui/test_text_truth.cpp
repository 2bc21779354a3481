#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "app/jobs/text_running.h"
#include "app/library/claim_figures.h"
#include "app/library/library.h"
#include "app/library/text_library.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/text_result.h"
#include "core/claims/claims.h"
#include "core/measures/text/story_owners.h"
#include "core/measures/text/text_heads.h"
#include "core/text/sentences.h"
#include "core/text/text_samples.h"
#include "core/text/text_what_ifs.h"
#include "core/text/typed_words.h"
#include "tests/ui/text_room.h"

// What the Text room's words say of its pictures, held against the picture of every sample that is offered.

namespace vitrine {
namespace {

struct ModelOfSamples {
    TextTask task;
    TextLanguage to;
};
constexpr ModelOfSamples translators[] = {{TextTask::translate, TextLanguage::japanese},
                                          {TextTask::translate, TextLanguage::english}};
constexpr ModelOfSamples reviewer = {TextTask::sentiment, TextLanguage::english};
constexpr ModelOfSamples storyteller = {TextTask::story, TextLanguage::english};

std::shared_ptr<const TextResult> result_of(const ModelOfSamples& m, const std::string& source,
                                            std::vector<std::string> what_ifs = {}) {
    TextRequest request;
    request.task = m.task;
    request.to = m.to;
    request.text = source;
    request.what_ifs = std::move(what_ifs);
    return run_request(request, {});
}

/// Means over heads and rows of masked self-attention that see more than one word.
struct Rows {
    double own = 0, first = 0, even = 0;
};
Rows masked_rows(const TextTrace& trace, int heads) {
    Rows r;
    double rows = 0;
    for (int block = 1; block <= trace.decoder.blocks(); ++block) {
        const auto a = attention_of(trace, TextAttention::decoder, block);
        for (int head = 0; head < heads; ++head)
            for (int query = 1; query < static_cast<int>(a->attention.shape()[1]); ++query, ++rows) {
                const auto row = attention_row(*a, head, query);
                r.own += static_cast<double>(row[static_cast<std::size_t>(query)]);
                r.first += static_cast<double>(row[0]);
                r.even += 1.0 / (query + 1);
            }
    }
    return {r.own / rows, r.first / rows, r.even / rows};
}

TEST(TextTruth, MaskedRowsRestOnTheirOwnWordInATranslatorAndOnTheBeginningOfAStory) {
    for (const ModelOfSamples& m : translators)
        for (const TextSample& sample : text_samples(m.task, m.to)) {
            const auto now = result_of(m, sample.source);
            const Rows rows = masked_rows(now->run.trace, now->model->config.heads);
            EXPECT_GT(rows.own, rows.even) << sample.name;
            EXPECT_GT(rows.own, rows.first) << sample.name;
        }
    for (const TextSample& sample : text_samples(storyteller.task, storyteller.to)) {
        const auto now = result_of(storyteller, sample.source);
        const Rows rows = masked_rows(now->run.trace, now->model->config.heads);
        EXPECT_GT(rows.first, rows.even) << sample.name;
        EXPECT_GT(rows.first, rows.own) << sample.name;
    }
}

/// Weight on the full stop and [EOS] in a translator's encoder, and what an even spread would give: means over its
/// samples.
struct Rest {
    double share = 0, even = 0;
};
Rest rest_of(const ModelOfSamples& m) {
    Rest r;
    const auto samples = text_samples(m.task, m.to);
    for (const TextSample& sample : samples) {
        const auto now = result_of(m, sample.source);
        const TextTrace& trace = now->run.trace;
        const int heads = now->model->config.heads, blocks = trace.encoder.blocks();
        for (int block = 1; block <= blocks; ++block) {
            const auto a = attention_of(trace, TextAttention::encoder, block);
            // Every sample ends in its full stop and [EOS].
            const int words = static_cast<int>(a->attention.shape()[1]);
            for (int head = 0; head < heads; ++head)
                for (int query = 0; query < words; ++query) {
                    const auto row = attention_row(*a, head, query);
                    const double rows = static_cast<double>(samples.size()) * blocks * heads * words;
                    r.share += static_cast<double>(row[row.size() - 1] + row[row.size() - 2]) / rows;
                    r.even += 2.0 / words / rows;
                }
        }
    }
    return r;
}

TEST(TextTruth, TheEncoderFromEnglishRestsOnTheEndOfTheSentenceAndThatFromJapaneseDoesNot) {
    const Rest english = rest_of(translators[0]), japanese = rest_of(translators[1]);
    EXPECT_GT(english.share, 0.5);
    EXPECT_GT(english.share, 2 * english.even);
    EXPECT_NEAR(japanese.share, japanese.even, 0.25 * japanese.even);
}

/// Largest difference between the last rows of two runs' masked self-attention in a block.
double last_row_moves(const TextTrace& a, const TextTrace& b, int block, int heads) {
    const auto x = attention_of(a, TextAttention::decoder, block), y = attention_of(b, TextAttention::decoder, block);
    const int last = static_cast<int>(x->attention.shape()[1]) - 1;
    double most = 0;
    for (int head = 0; head < heads; ++head) {
        const auto one = attention_row(*x, head, last), other = attention_row(*y, head, last);
        for (std::size_t i = 0; i < one.size(); ++i)
            most = std::max(most, std::abs(static_cast<double>(one[i]) - static_cast<double>(other[i])));
    }
    return most;
}

TEST(TextTruth, WithoutTheMaskTheLastRowChangesInTheSecondBlockAlone) {
    for (const ModelOfSamples& m : {translators[0], translators[1], storyteller})
        for (const TextSample& sample : text_samples(m.task, m.to)) {
            const auto with = result_of(m, sample.source), without = result_of(m, sample.source, {"no-mask"});
            const TextTrace &a = with->taught->trace, &b = without->taught->trace;
            const int heads = with->model->config.heads;
            EXPECT_LT(last_row_moves(a, b, 1, heads), 1e-5) << sample.name;
            if (a.batch->gold.size() < 3) continue;
            EXPECT_GT(last_row_moves(a, b, 2, heads), 1e-3) << sample.name;
        }
}

/// Largest σ of a sentence's rows divided by the smallest.
double spread_of(const Tensor2& z) {
    double low = 1e30, high = 0;
    for (std::size_t row = 0; row < z.shape()[0]; ++row) {
        const auto d = static_cast<double>(z.shape()[1]);
        const std::span<const float> x(&z(row, 0), z.shape()[1]);
        const double mean = std::accumulate(x.begin(), x.end(), 0.0) / d;
        double sum = 0;
        for (const float v : x) sum += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean);
        low = std::min(low, std::sqrt(sum / d));
        high = std::max(high, std::sqrt(sum / d));
    }
    return high / low;
}

TEST(TextTruth, BehindAPostNormBlockAllWordsHaveNearlyOneSpread) {
    for (const ModelOfSamples& m : translators)
        for (const TextSample& sample : text_samples(m.task, m.to)) {
            const auto now = result_of(m, sample.source);
            const double before = spread_of(now->run.trace.encoder.z(0));
            for (int block = 1; block <= now->model->config.blocks; ++block) {
                EXPECT_LT(spread_of(now->run.trace.encoder.z(block)), 1.3) << sample.name;
                EXPECT_LT(spread_of(now->run.trace.encoder.z(block)), before) << sample.name;
            }
        }
}

TEST(TextTruth, SomeHeadOfTheClassTokenLooksAtWhatDecidesEveryReview) {
    const std::map<std::string, std::vector<std::string>> deciding = {{"good", {"good"}},
                                                                      {"not_good", {"not", "good"}},
                                                                      {"not_bad", {"not", "bad"}},
                                                                      {"far_not", {"not", "good"}},
                                                                      {"they_first", {"good"}},
                                                                      {"i_first", {"bad"}},
                                                                      {"although", {"not", "fresh"}},
                                                                      {"but", {"wonderful"}},
                                                                      {"thought", {"funny"}},
                                                                      {"two_nots", {"not", "beautiful"}}};
    for (const TextSample& sample : text_samples(reviewer.task, reviewer.to)) {
        ASSERT_TRUE(deciding.contains(sample.name)) << sample.name;
        const auto now = result_of(reviewer, sample.source);
        bool found = false;
        for (int block = 1; block <= now->model->config.blocks; ++block)
            for (int head = 0; head < now->model->config.heads; ++head) {
                const auto row = attention_row(*now->run.trace.encoder.block(block), head, 0);
                const auto at = std::ranges::max_element(row) - row.begin();
                if (at == 0) continue;
                const std::string& word = now->words[static_cast<std::size_t>(at) - 1];
                found = found || std::ranges::find(deciding.at(sample.name), word) != deciding.at(sample.name).end();
            }
        EXPECT_TRUE(found) << sample.name;
    }
}

TEST(TextTruth, TheMarkedHeadOfAReviewIsTheOneWithoutWhichTheVerdictLosesMost) {
    for (const TextSample& sample : text_samples(reviewer.task, reviewer.to)) {
        const auto now = result_of(reviewer, sample.source);
        ASSERT_TRUE(now->deciding_head) << sample.name;
        const double lead = lead_of(now->run.trace, now->run.label);
        for (int block = 1; block <= now->model->config.blocks; ++block)
            for (int head = 0; head < now->model->config.heads; ++head) {
                const auto off =
                    result_of(reviewer, sample.source, {word_of_head(TextAttention::encoder, block, head)});
                const double loss = lead - lead_of(off->run.trace, now->run.label);
                EXPECT_LE(loss, now->deciding_head->change + 1e-3) << sample.name << block << head;
                if (block == now->deciding_head->block && head == now->deciding_head->head) {
                    EXPECT_NEAR(loss, now->deciding_head->change, 1e-3) << sample.name;
                }
            }
    }
    EXPECT_FALSE(result_of(storyteller, "Tom has a")->deciding_head);
}

TEST(TextTruth, TheAnswerOnTheVerdictIsThatOfTheHeadThatIsSwitchedOff) {
    Harness h(in_the_text_room(TextChapter::cls));
    h.door().state.answer_shown = true;
    for (const TextSample& sample : text_samples(reviewer.task, reviewer.to)) {
        h.change()->text_experiment.what_ifs = {};
        h.change().text().read(sample.source);
        h.settle();
        h.frame(3);
        const VerdictHead carries = *text(h).deciding_head;
        const std::string answer = h.item("answer").text;
        h.change()->text_experiment.what_ifs = {word_of_head(TextAttention::encoder, carries.block, carries.head)};
        h.settle();
        const bool flips = text(h).run.label != text(h).plain.label;
        EXPECT_EQ(answer.find("verdict flips") != std::string::npos, flips) << sample.name << ": " << answer;
        EXPECT_NE(answer.find(number_text(lead_of(text(h).run.trace, text(h).plain.label))), std::string::npos)
            << answer;
    }
}

TEST(TextTruth, TheStoryModelHasToChooseAndTheTranslatorsHaveNot) {
    const auto least_of = [](const ModelOfSamples& m, const TextSample& sample) {
        double least = 1;
        for (const DecodingStep& step : result_of(m, sample.source)->run.decoded.steps)
            least = std::min(least, step.taken.probability);
        return least;
    };
    for (const TextSample& sample : text_samples(storyteller.task, storyteller.to))
        EXPECT_LT(least_of(storyteller, sample), 0.6) << sample.name;
    for (const TextSample& sample : text_samples(translators[0].task, translators[0].to))
        EXPECT_GT(least_of(translators[0], sample), 0.9) << sample.name;
}

TEST(TextTruth, AStorysLossIsOfItsOwnWordsAlone) {
    const auto now = result_of(storyteller, "Tom has a red hat. Amy saw the red");
    EXPECT_EQ(now->taught->wanted, now->words) << "what follows an unfinished story is not known";
    EXPECT_EQ(now->taught->trace.batch->gold.size(), now->words.size());
}

TEST(TextTruth, AClaimsFiguresAreThoseOfTheBundledModels) {
    const ClaimLog& log = claim_log();
    const std::shared_ptr<const Model> model_of_pictures = open_model({});
    const ClaimGround ground{
        .model = *model_of_pictures, .run = {}, .text_model = [](TextTask task, TextLanguage to) -> const TextModel& {
            static std::map<std::pair<TextTask, TextLanguage>, std::shared_ptr<const TextModel>> kept;
            std::shared_ptr<const TextModel>& model = kept[{task, to}];
            if (model == nullptr) model = open_text_model(bundled_text_model(task, to));
            return *model;
        }};
    for (const Claim& claim : text_model_claims()) {
        const auto logged = std::ranges::find(log.verdicts, claim.id, &Verdict::id);
        ASSERT_NE(logged, log.verdicts.end()) << claim.id;
        const Trial again = claim.check(ground, 1);
        const std::vector<Figure>& before = logged->trials.front().figures;
        ASSERT_EQ(again.figures.size(), before.size()) << claim.id;
        for (std::size_t i = 0; i < before.size(); ++i)
            EXPECT_NEAR(again.figures[i].value, before[i].value, 0.02)
                << claim.id << "." << before[i].name << ": logged of other models; vitrine claims --seeds 10 --only "
                << claim.id << " --log assets/claims/log.json";
    }
}

TEST(StoryOwners, FindsWhatIsGivenToSomeoneWhoDoesNotHaveIt) {
    const Vocabulary words = target_vocabulary(TextTask::story, TextLanguage::english);
    const auto wrong = [&](const char* story) {
        return wrong_owners(split_words(story, TextLanguage::english, words));
    };
    EXPECT_TRUE(wrong("Tom has a red hat. Amy has a blue ball. Tom lost his red hat. Amy saw the red hat.").empty());
    EXPECT_TRUE(wrong("Leo lost his red hat.").empty()) << "nothing is known of Leo";
    EXPECT_TRUE(wrong("Tom has a red hat. Tom lost his").empty()) << "nothing is said yet";
    const auto found =
        wrong("Tom has a red hat. Amy has a blue ball. Tom lost his blue ball. Amy said \"my green hat\".");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].owner, "Tom");
    EXPECT_EQ(found[0].possessive + " " + found[0].colour + " " + found[0].thing, "his blue ball");
    EXPECT_EQ(found[0].whose, "Amy");
    EXPECT_EQ(found[0].at, 15U);
    EXPECT_EQ(found[1].owner, "Amy");
    EXPECT_EQ(found[1].possessive, "my");
    EXPECT_EQ(found[1].whose, "") << "nobody has it";
}

TEST(StoryOwners, FindNothingInDrawnStories) {
    for (std::uint64_t i = 0; i < 2000; ++i)
        EXPECT_TRUE(wrong_owners(draw_example({TextTask::story}, TextStream::learning, i).source).empty()) << i;
}

TEST(TextTruth, AStoryThatGivesAThingToTheWrongPersonSaysSo) {
    Harness h(in_the_text_room(TextChapter::gpt));
    h.change().text().read("Tom has a red hat. Amy has a blue ball. Tom lost");
    h.change()->text_experiment.forced = {"his", "blue", "ball"};
    h.settle();
    h.frame(3);
    EXPECT_NE(h.item("text.whose").text.find("Amy"), std::string::npos);
    const double wrong = h.item("text.whose").value;
    h.change()->text_experiment.forced = {"his", "red", "hat"};
    h.settle();
    h.frame(3);
    EXPECT_LT(h.shows("text.whose") ? h.item("text.whose").value : 0, wrong);
    h.change().text().read("Tom has a red hat. Amy has a blue ball. Tom said \"my red");
    h.settle();
    EXPECT_TRUE(h.item("text.said").text.starts_with("hat\". ")) << h.item("text.said").text;
}

}  // namespace
}  // namespace vitrine
