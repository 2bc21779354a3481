#include "core/measures/text/story_owners.h"

#include <algorithm>

namespace vitrine {

namespace {

struct Fact {
    std::string owner, colour, thing;
};

/// The facts of a story: each "<name> has a <colour> <thing>".
std::vector<Fact> facts_of(std::span<const std::string> story) {
    std::vector<Fact> facts;
    for (std::size_t i = 0; i + 4 < story.size(); ++i)
        if (story[i + 1] == "has" && story[i + 2] == "a") facts.push_back({story[i], story[i + 3], story[i + 4]});
    return facts;
}

/// Number of words from a name to the colour of that person's thing: "lost his", "said “ my"; 0 for other sentences.
std::size_t words_to_colour(std::span<const std::string> from_name) {
    const auto is = [&](std::size_t i, std::initializer_list<const char*> words) {
        return i < from_name.size() && std::ranges::find(words, from_name[i]) != words.end();
    };
    if (is(1, {"lost", "found"}) && is(2, {"his", "her"})) return 3;
    if (is(1, {"said"}) && is(2, {"\""}) && is(3, {"my"})) return 4;
    return 0;
}

}  // namespace

std::vector<WrongOwner> wrong_owners(std::span<const std::string> story) {
    const std::vector<Fact> facts = facts_of(story);
    std::vector<WrongOwner> wrong;
    for (std::size_t i = 0; i < story.size(); ++i) {
        const std::size_t colour = words_to_colour(story.subspan(i));
        if (colour == 0 || i + colour + 1 >= story.size()) continue;
        const std::string &said = story[i + colour], &thing = story[i + colour + 1];
        const auto of_owner = [&](const Fact& f) { return f.owner == story[i]; };
        const auto of_thing = [&](const Fact& f) { return f.colour == said && f.thing == thing; };
        if (std::ranges::none_of(facts, of_owner)) continue;
        if (std::ranges::any_of(facts, [&](const Fact& f) { return of_owner(f) && of_thing(f); })) continue;
        const auto other = std::ranges::find_if(facts, of_thing);
        wrong.push_back({i + colour, story[i], story[i + colour - 1], said, thing,
                         other == facts.end() ? std::string() : other->owner});
    }
    return wrong;
}

}  // namespace vitrine
