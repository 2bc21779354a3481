#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/claims/claims.h"
#include "core/measures/analysis.h"
#include "core/measures/text/text_heads.h"
#include "core/measures/text/verdict_head.h"
#include "core/text/bag_of_words.h"
#include "core/text/text_forward.h"
#include "core/text/text_what_ifs.h"
#include "core/training/head_tally.h"
#include "core/training/text/text_passes.h"
#include "core/training/text/text_score.h"
#include "core/transformer/block_trace.h"

// Claims about the bundled text models, each on texts drawn with the trial's seed, which no model was trained on.

namespace vitrine {

namespace {

constexpr int texts_of_a_trial = 200;

/// Texts drawn with the trial's seed: half contain a pair of words held out from training, half do not.
std::vector<TextExample> texts_drawn(const TextModel& model, std::uint64_t seed, int count = texts_of_a_trial) {
    const TextSet set = measured_set(model.task, model.to, seed);
    std::vector<TextExample> all = draw_examples({set, TextStream::held_out, 0}, 0, count / 2);
    for (TextExample& example : draw_examples({set, TextStream::fresh, 0}, 0, count - count / 2))
        all.push_back(std::move(example));
    return all;
}

TextTrace run_of(const TextModel& model, const TextExample& example, std::span<const Intervention> edits = {}) {
    return text_forward(model, text_batch(model, {&example, 1}), edits);
}

/// Rows of the words that settle a review, after [CLS]: the deciding adjective and its negation.
std::vector<int> settling_rows(const TextExample& review) {
    std::vector<int> rows = review.deciding;
    rows.insert(rows.end(), review.negation.begin(), review.negation.end());
    for (int& row : rows) ++row;
    return rows;
}

/// Share of reviews in which the largest weight of [CLS] is on a settling word: in any head (the margin), in the head
/// that carries the verdict, and in the first head of block 1.
Trial class_token_looks(const ClaimGround& ground, std::uint64_t seed) {
    const TextModel& model = ground.text_model(TextTask::sentiment, TextLanguage::english);
    const std::vector<TextExample> reviews = texts_drawn(model, seed);
    TextScore any, star, first;
    for (const TextExample& review : reviews) {
        const TextTrace trace = run_of(model, review);
        const std::vector<int> settling = settling_rows(review);
        const VerdictHead carries = verdict_head(model, trace);
        bool found = false;
        for (int block = 1; block <= model.config.blocks; ++block)
            for (int head = 0; head < model.config.heads; ++head) {
                const bool on = points_at(attention_row(*trace.encoder.block(block), head, 0), settling);
                found = found || on;
                if (block == 1 && head == 0) first += {1, on ? 1 : 0};
                if (block == carries.block && head == carries.head) star += {1, on ? 1 : 0};
            }
        any += {1, found ? 1 : 0};
    }
    return {any.share(), {{"any", any.share()}, {"star", star.share()}, {"one", first.share()}}};
}

/// Shares of reviews judged correctly by the model, and by a sum of one weight for each word. The margin is the
/// difference.
Trial reviews_by_order(const ClaimGround& ground, std::uint64_t seed) {
    const TextModel& model = ground.text_model(TextTask::sentiment, TextLanguage::english);
    TextScore score;
    for (const TextExample& review : texts_drawn(model, seed))
        for (const TextScore& s : scores_of(model, run_of(model, review), {&review, 1})) score += s;
    const double bag = bag_of_words_accuracy({.seed = seed});
    return {score.share() - bag, {{"right", score.share()}, {"bag", bag}}};
}

/// Mean weights in masked self-attention, over all heads and all rows that see more than one word.
struct MaskedRows {
    double own = 0, first = 0, even = 0;  // summed: on the row's own word, on [BOS], and if spread evenly
    int rows = 0;

    void add(const TextModel& model, const TextTrace& trace) {
        for (int block = 1; block <= model.config.decoder_blocks; ++block) {
            const auto a = attention_of(trace, TextAttention::decoder, block);
            for (int head = 0; head < model.config.heads; ++head)
                for (int query = 1; query < static_cast<int>(a->attention.shape()[1]); ++query, ++rows) {
                    const std::span<const float> row = attention_row(*a, head, query);
                    own += static_cast<double>(row[static_cast<std::size_t>(query)]);
                    first += static_cast<double>(row[0]);
                    even += 1.0 / (query + 1);
                }
        }
    }
    std::vector<Figure> figures() const {
        return {{"own", own / rows}, {"first", first / rows}, {"even", even / rows}};
    }
};

/// The margin is the weight on the row's own word minus the larger of that on [BOS] and the even share; the smaller
/// margin of both translators.
Trial masked_own(const ClaimGround& ground, std::uint64_t seed) {
    MaskedRows rows;
    double margin = 1;
    for (const TextLanguage to : {TextLanguage::japanese, TextLanguage::english}) {
        const TextModel& model = ground.text_model(TextTask::translate, to);
        MaskedRows here;
        for (const TextExample& e : texts_drawn(model, seed, texts_of_a_trial / 2)) {
            const TextTrace trace = run_of(model, e);
            rows.add(model, trace);
            here.add(model, trace);
        }
        margin = std::min(margin, (here.own - std::max(here.first, here.even)) / here.rows);
    }
    return {margin, rows.figures()};
}

/// The margin is the weight on [BOS] minus the larger of that on the row's own word and the even share.
Trial masked_first(const ClaimGround& ground, std::uint64_t seed) {
    const TextModel& model = ground.text_model(TextTask::story, TextLanguage::english);
    MaskedRows rows;
    for (const TextExample& e : texts_drawn(model, seed)) rows.add(model, run_of(model, e));
    return {(rows.first - std::max(rows.own, rows.even)) / rows.rows, rows.figures()};
}

double deviation_of(const Tensor2& z, std::size_t row) {
    const std::size_t width = z.shape()[1];
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < width; ++i) {
        const auto x = static_cast<double>(z(row, i));
        sum += x;
        squares += x * x;
    }
    const double mean = sum / static_cast<double>(width);
    return std::sqrt(std::max(0.0, squares / static_cast<double>(width) - mean * mean));
}

/// Largest σ of a sentence's rows divided by the smallest.
double spread_ratio(const Tensor2& z) {
    double low = std::numeric_limits<double>::max(), high = 0;
    for (std::size_t row = 0; row < z.shape()[0]; ++row) {
        low = std::min(low, deviation_of(z, row));
        high = std::max(high, deviation_of(z, row));
    }
    return high / low;
}

/// Mean ratio of spreads before block 1, and after all blocks, of the translators' encoders. The margin is the second.
Trial post_norm_spread(const ClaimGround& ground, std::uint64_t seed) {
    double before = 0, after = 0;
    int sentences = 0, blocks = 0;
    for (const TextLanguage to : {TextLanguage::japanese, TextLanguage::english}) {
        const TextModel& model = ground.text_model(TextTask::translate, to);
        for (const TextExample& e : texts_drawn(model, seed, texts_of_a_trial / 2)) {
            const TextTrace trace = run_of(model, e);
            before += spread_ratio(trace.encoder.z(0));
            ++sentences;
            for (int block = 1; block <= model.config.blocks; ++block, ++blocks)
                after += spread_ratio(trace.encoder.z(block));
        }
    }
    after /= blocks;
    return {after, {{"before", before / sentences, FigureKind::number}, {"behind", after, FigureKind::number}}};
}

constexpr std::size_t kinds = std::size(far_kind_names);

/// How often the model predicts those words of stories that earlier words determine, by kind.
std::array<TextScore, kinds> fixed_words(const TextModel& model, std::span<const TextExample> stories,
                                         std::span<const Intervention> edits = {}) {
    std::array<TextScore, kinds> scores = {};
    for (const TextExample& story : stories) {
        const TextTrace trace = run_of(model, story, edits);
        for (const FarWord& far : story.far) {
            const auto row = static_cast<std::size_t>(far.position);
            scores[static_cast<std::size_t>(far.kind)] +=
                {1, predicted_word(trace, row) == trace.batch->gold[row] ? 1 : 0};
        }
    }
    return scores;
}

double share_of(const std::array<TextScore, kinds>& scores, FarKind kind) {
    return scores[static_cast<std::size_t>(kind)].share();
}

/// The margin is how much less often the colour of the owner's thing is correct than the object, the pronoun and the
/// quote.
Trial whose_thing(const ClaimGround& ground, std::uint64_t seed) {
    const TextModel& model = ground.text_model(TextTask::story, TextLanguage::english);
    const auto scores = fixed_words(model, texts_drawn(model, seed));
    const double object = share_of(scores, FarKind::object), pronoun = share_of(scores, FarKind::pronoun),
                 quote = share_of(scores, FarKind::quote), colour = share_of(scores, FarKind::colour);
    return {std::min({object, pronoun, quote}) - colour,
            {{"object", object}, {"pronoun", pronoun}, {"quote", quote}, {"colour", colour}}};
}

/// The induction head: the one that most often attends from a colour to the word that followed the colour before.
TalliedHead induction_head_of(const TextModel& model, std::span<const TextExample> stories) {
    HeadTally tally;
    for (const TextExample& story : stories) {
        const TextTrace trace = run_of(model, story);
        for (const FarWord& far : story.far) {
            if (far.kind != FarKind::object) continue;
            std::vector<int> keys = far.deciding;
            for (int& key : keys) ++key;
            for (int block = 1; block <= trace.decoder.blocks(); ++block)
                tally.add(block, trace.decoder.block(block)->self.attention, model.config.heads,
                          {0, static_cast<std::size_t>(far.position), keys});
        }
    }
    return tally.best();
}

/// The margin is how much less often the object is correct without the induction head.
Trial without_induction(const ClaimGround& ground, std::uint64_t seed) {
    const TextModel& model = ground.text_model(TextTask::story, TextLanguage::english);
    const std::vector<TextExample> stories = texts_drawn(model, seed);
    const TalliedHead head = induction_head_of(model, stories);
    const Intervention off = remove_head_of({Stack::decoder, Attention::self, head.block}, head.head);
    const double with = share_of(fixed_words(model, stories), FarKind::object),
                 without = share_of(fixed_words(model, stories, {&off, 1}), FarKind::object);
    return {with - without, {{"with", with}, {"without", without}}};
}

/// Perplexity: e to the power of the mean cross-entropy of the next word.
double perplexity_of(const TextModel& model, std::uint64_t seed) {
    double sum = 0;
    int rows = 0;
    for (const TextExample& e : texts_drawn(model, seed)) {
        const TextTrace trace = run_of(model, e);
        const Tensor2& logits = trace.generator->logits;
        for (std::size_t row = 0; row < trace.batch->gold.size(); ++row, ++rows)
            sum += cross_entropy({&logits(row, 0), logits.shape()[1]}, trace.batch->gold[row]);
    }
    return std::exp(sum / rows);
}

/// The margin is the story model's perplexity minus the translator's.
Trial perplexities(const ClaimGround& ground, std::uint64_t seed) {
    const double story = perplexity_of(ground.text_model(TextTask::story, TextLanguage::english), seed),
                 translate = perplexity_of(ground.text_model(TextTask::translate, TextLanguage::japanese), seed);
    return {story - translate, {{"story", story, FigureKind::number}, {"translate", translate, FigureKind::number}}};
}

}  // namespace

std::vector<Claim> text_model_claims() {
    return {
        {.id = "class_token",
         .words = "in nearly every review some head's largest weight from [CLS] is on a word that settles the verdict",
         .keys = {"text.cls.words"},
         .least = 0.95,
         .check = class_token_looks},
        {.id = "reviews",
         .words = "the model judges far more reviews correctly than a sum of one weight for each word",
         .keys = {"text.cls.words"},
         .least = 0.3,
         .check = reviews_by_order},
        {.id = "masked_own",
         .words = "in the translators a masked row gives its own word more weight than [BOS], and than the even share",
         .keys = {"text.masked_attention.words"},
         .least = 0.05,
         .check = masked_own},
        {.id = "masked_first",
         .words = "in the story model a masked row gives [BOS] more weight than its own word, and than the even share",
         .keys = {"text.masked_attention.words"},
         .least = 0.02,
         .check = masked_first},
        {.id = "post_norm_spread",
         .words = "after a post-norm block all words of a sentence have nearly the same spread",
         .keys = {"text.encoder.words"},
         .most = 1.3,
         .check = post_norm_spread},
        {.id = "whose_thing",
         .words = "the story model gets objects, pronouns and quotes correct, the colour of the owner's thing far less "
                  "often",
         .keys = {"text.gpt.words"},
         .least = 0.3,
         .check = whose_thing},
        {.id = "induction",
         .words = "without the induction head the story model names fewer objects correctly",
         .keys = {"text.gpt.words"},
         .least = 0.1,
         .check = without_induction},
        {.id = "perplexities",
         .words = "the story model's perplexity is well above the translator's, which is nearly 1",
         .keys = {"text.loss.words"},
         .least = 0.5,
         .check = perplexities},
    };
}

}  // namespace vitrine
