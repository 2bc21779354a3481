#include "core/text/grammar/sentiment.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace vitrine {

namespace {

/// Positive and negative adjectives for the same things, equally many, so that the thing alone does not show the
/// sentiment.
struct Opinions {
    std::vector<const char*> glad, sad;
};
enum class Thing { tale, sound, room, food };

struct ReviewTables {
    Opinions any = {{"good", "great", "wonderful", "perfect"}, {"bad", "awful", "terrible", "poor"}};
    std::vector<Opinions> by_thing = {{{"exciting", "funny"}, {"boring", "dull"}},
                                      {{"beautiful", "lovely"}, {"boring", "noisy"}},
                                      {{"clean", "beautiful"}, {"dirty", "ugly"}},
                                      {{"delicious", "fresh"}, {"tasteless", "stale"}}};
};
const ReviewTables& review_tables() {
    static const ReviewTables tables;
    return tables;
}

struct ThingRow {
    const char* word;
    Thing thing;
};
constexpr ThingRow things[] = {{"movie", Thing::tale},  {"book", Thing::tale},  {"story", Thing::tale},
                               {"show", Thing::tale},   {"game", Thing::tale},  {"trip", Thing::tale},
                               {"music", Thing::sound}, {"song", Thing::sound}, {"room", Thing::room},
                               {"hotel", Thing::room},  {"food", Thing::food},  {"cake", Thing::food}};

constexpr const char* openings[] = {"the", "this", "my"};
constexpr const char* degrees[] = {"very", "really", "so"};
/// These take "really" and "so", but not "very".
constexpr std::string_view strong[] = {"great", "wonderful", "perfect", "awful", "terrible", "delicious", "tasteless"};
constexpr const char* strong_degrees[] = {"really", "so"};
constexpr const char* strangers[] = {"they", "people", "others"};
constexpr const char* pattern_words[] = {"I",   "it",    "do", "not",      "think", "thought", "say",
                                         "was", "would", "be", "although", "but",   ",",       "."};

constexpr double negated = 0.3;  // probability of a negation

struct Opinion {
    const char* adjective;
    bool glad;
    bool held_out;
};

/// An adjective that fits the thing. One adjective in eight, different for each thing, is held out from training.
Opinion draw_opinion(Random& random, int thing) {
    const ReviewTables& t = review_tables();
    const Opinions& own = t.by_thing[static_cast<std::size_t>(things[thing].thing)];
    const bool glad = chance(random, 0.5);
    const std::vector<const char*>&common = glad ? t.any.glad : t.any.sad, &special = glad ? own.glad : own.sad;
    const int number = random.below(static_cast<int>(common.size() + special.size()));
    const auto at = static_cast<std::size_t>(number);
    const char* const adjective = at < common.size() ? common[at] : special[at - common.size()];
    return {adjective, glad, (number + 3 * (glad ? 0 : 1) + thing) % 8 == 0};
}

/// A clause about a thing, "was not very good", and its sentiment.
struct Clause {
    Phrase words;
    std::string_view adjective;
    bool glad;
    bool held_out;
};

struct ClausePlan {
    int thing;
    bool negative;
    Keys keys;      // keys of the adjective
    Keys not_keys;  // keys of its negation
};

Clause draw_opinion_clause(Random& random, const ClausePlan& plan) {
    const Opinion opinion = draw_opinion(random, plan.thing);
    const bool is_strong = std::find(std::begin(strong), std::end(strong), opinion.adjective) != std::end(strong);
    Clause clause{{}, opinion.adjective, opinion.glad != plan.negative, opinion.held_out};
    clause.words.add(other("was"));
    if (plan.negative) clause.words.add(other("not", plan.not_keys));
    if (chance(random, 0.3))
        clause.words.add(other(is_strong ? one_of(random, strong_degrees) : one_of(random, degrees)));
    clause.words.add(other(opinion.adjective, plan.keys));
    return clause;
}

Phrase joined(const auto&... parts) {
    Phrase all;
    (all.add(parts), ...);
    return all;
}

/// Parameters of a review: its thing, and whether the deciding adjective is negated.
struct ReviewPlan {
    int thing;
    Phrase the_thing;
    bool negative;
};

/// "The movie was not good."
Review draw_plain(Random& random, const ReviewPlan& plan) {
    const Clause clause = draw_opinion_clause(random, {plan.thing, plan.negative, deciding_key, negation_key});
    return {joined(plan.the_thing, clause.words, other(".")), clause.glad, plan.negative ? "not" : "plain",
            clause.held_out};
}

/// "I do not think the movie was good."
Review draw_thought(Random& random, const ReviewPlan& plan) {
    const Clause clause = draw_opinion_clause(random, {plan.thing, false, deciding_key, negation_key});
    Phrase words;
    words.add(other("I"));
    if (plan.negative) words.add(other("do"), other("not", negation_key));
    words.add(other("think"));
    return {joined(words, plan.the_thing, clause.words, other(".")), clause.glad != plan.negative,
            plan.negative ? "far not" : "think", clause.held_out};
}

/// Two clauses about one thing with different adjectives; the second one decides.
struct TwoClauses {
    Clause idle, deciding;
    bool held_out() const { return idle.held_out || deciding.held_out; }
};

/// `alike`: the probability that both clauses have the same sentiment.
TwoClauses draw_two(Random& random, const ReviewPlan& plan, double alike) {
    const Clause idle = draw_opinion_clause(random, {plan.thing, chance(random, negated), idle_key, idle_key});
    const bool glad = chance(random, alike) ? idle.glad : !idle.glad;
    while (true) {
        const Clause deciding = draw_opinion_clause(random, {plan.thing, plan.negative, deciding_key, negation_key});
        if (deciding.glad == glad && deciding.adjective != idle.adjective) return {idle, deciding};
    }
}

/// "They say the food was bad, I say it was not boring." in either order: the speaker's clause decides.
Review draw_speakers(Random& random, const ReviewPlan& plan) {
    const TwoClauses two = draw_two(random, plan, 0.4);
    Phrase theirs, mine;
    theirs.add(other(one_of(random, strangers)), other("say"));
    mine.add(other("I"), other("say"));
    const Token it = other("it"), comma = other(","), stop = other(".");
    const Phrase words =
        chance(random, 0.5) ? joined(mine, plan.the_thing, two.deciding.words, comma, theirs, it, two.idle.words, stop)
                            : joined(theirs, plan.the_thing, two.idle.words, comma, mine, it, two.deciding.words, stop);
    return {words, two.deciding.glad, "two", two.held_out()};
}

/// "Although the food was bad, it was not boring."
Review draw_although(Random& random, const ReviewPlan& plan) {
    const TwoClauses two = draw_two(random, plan, 0);
    return {joined(other("although"), plan.the_thing, two.idle.words, other(","), other("it"), two.deciding.words,
                   other(".")),
            two.deciding.glad, "although", two.held_out()};
}

/// "I thought the movie would not be good, but it was very good."
Review draw_expected(Random& random, const ReviewPlan& plan) {
    const TwoClauses two = draw_two(random, plan, 0);
    const Phrase& was = two.idle.words;  // "was not good" becomes "would not be good"
    const int rest = std::string_view(was[1].word) == "not" ? 2 : 1;
    Phrase would;
    would.add(other("would"));
    if (rest == 2) would.add(was[1]);
    would.add(other("be"));
    for (int i = rest; i < was.size(); ++i) would.add(was[i]);
    return {joined(other("I"), other("thought"), plan.the_thing, would, other(","), other("but"), other("it"),
                   two.deciding.words, other(".")),
            two.deciding.glad, "thought", two.held_out()};
}

/// "The food was bad, but it was not boring."
Review draw_but(Random& random, const ReviewPlan& plan) {
    const TwoClauses two = draw_two(random, plan, 0);
    return {
        joined(plan.the_thing, two.idle.words, other(","), other("but"), other("it"), two.deciding.words, other(".")),
        two.deciding.glad, "but", two.held_out()};
}

using DrawReview = Review (*)(Random&, const ReviewPlan&);
constexpr DrawReview review_patterns[] = {draw_plain,    draw_plain,    draw_thought,  draw_speakers, draw_speakers,
                                          draw_speakers, draw_speakers, draw_although, draw_expected, draw_but};

}  // namespace

Review draw_review(Random& random) {
    while (true) {
        ReviewPlan plan;
        plan.thing = random.below(static_cast<int>(std::size(things)));
        plan.the_thing.add(other(one_of(random, openings)), other(things[plan.thing].word));
        plan.negative = chance(random, negated);
        const Review review = one_of(random, review_patterns)(random, plan);
        if (review.words.size() <= longest_review) return review;
    }
}

std::vector<std::string> all_review_words() {
    std::set<std::string> words(std::begin(pattern_words), std::end(pattern_words));
    const auto add = [&](const auto& list) { words.insert(std::begin(list), std::end(list)); };
    const auto add_both = [&](const Opinions& opinions) {
        add(opinions.glad);
        add(opinions.sad);
    };
    add(openings);
    add(degrees);
    add(strangers);
    for (const ThingRow& row : things) words.insert(row.word);
    add_both(review_tables().any);
    for (const Opinions& opinions : review_tables().by_thing) add_both(opinions);
    return {words.begin(), words.end()};
}

}  // namespace vitrine
