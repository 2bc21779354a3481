#include "core/text/grammar/story.h"

#include <array>
#include <set>

namespace vitrine {

namespace {

struct Name {
    const char *word, *whose;
};
constexpr Name names_of_stories[] = {{"Ken", "his"}, {"Tom", "his"},  {"Leo", "his"},  {"Max", "his"},
                                     {"Jin", "his"}, {"Hugo", "his"}, {"Amy", "her"},  {"Mia", "her"},
                                     {"Eva", "her"}, {"Yui", "her"},  {"Nora", "her"}, {"Lily", "her"}};
constexpr const char* colours[] = {"red", "blue", "green", "white", "black", "yellow", "pink", "brown"};
constexpr const char* objects[] = {"ball", "cup", "hat", "book", "key", "bag", "kite", "drum", "lamp", "ring"};
constexpr const char* story_signs[] = {"has", "a", "the", "my", "said", "\"", "."};
constexpr const char* changes[] = {"lost", "found"};
constexpr const char* meetings[] = {"saw", "took"};

/// One pair of colour and thing in eight is held out from training.
constexpr bool is_held_out(int colour, int object) { return (colour + object) % 8 == 3; }

/// The owner of a thing; `at` is the position of the sentence that states it.
struct Owner {
    Name name;
    int colour, object;
    int at = 0;
    int colour_at() const { return at + 3; }
    int object_at() const { return at + 4; }
};

/// Three different numbers below `count`.
std::array<int, 3> draw_different(Random& random, int count) {
    std::array<int, 3> drawn{};
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        bool again = true;
        while (again) {
            drawn[i] = random.below(count);
            again = false;
            for (std::size_t j = 0; j < i; ++j) again = again || drawn[j] == drawn[i];
        }
    }
    return drawn;
}

/// The story in progress.
class StoryWriter {
public:
    explicit StoryWriter(std::vector<Owner> owners) : owners_(std::move(owners)) {
        for (Owner& owner : owners_) {
            owner.at = story_.words.size();
            say(owner.name.word, "has", "a", colours[owner.colour], objects[owner.object], ".");
            story_.held_out = story_.held_out || is_held_out(owner.colour, owner.object);
        }
    }

    /// Adds a random sentence that follows from the facts, of one of three kinds.
    void add_consequence(Random& random) {
        const auto who = static_cast<std::size_t>(random.below(static_cast<int>(owners_.size())));
        const int way = random.below(3);
        if (way == 0) change(random, owners_[who]);
        if (way == 1) meet(random, who);
        if (way == 2) speak(owners_[who]);
    }

    Story story() const { return story_; }

private:
    void say(const auto*... words) { (story_.words.add(other(words)), ...); }
    /// Adds a word that is determined by an earlier one far away.
    void say_fixed(const char* word, FarKind kind, int deciding) {
        story_.fixed.push_back({story_.words.size(), kind, deciding});
        say(word);
    }
    void say_object(const Owner& owner) { say_fixed(objects[owner.object], FarKind::object, owner.object_at()); }
    void say_colour(const Owner& owner) { say_fixed(colours[owner.colour], FarKind::colour, owner.colour_at()); }

    /// "Tom lost his red hat."
    void change(Random& random, const Owner& owner) {
        const int name_at = story_.words.size();
        say(owner.name.word, one_of(random, changes));
        say_fixed(owner.name.whose, FarKind::pronoun, name_at);
        say_colour(owner);
        say_object(owner);
        say(".");
    }

    /// "Amy saw the red hat.", which belongs to someone else.
    void meet(Random& random, std::size_t owner) {
        const std::size_t count = owners_.size();
        const std::size_t further = 1 + static_cast<std::size_t>(random.below(static_cast<int>(count) - 1));
        say(owners_[(owner + further) % count].name.word, one_of(random, meetings), "the",
            colours[owners_[owner].colour]);
        say_object(owners_[owner]);
        say(".");
    }

    /// Tom said "my red hat".
    void speak(const Owner& owner) {
        say(owner.name.word, "said");
        const int quote_at = story_.words.size();
        say("\"", "my");
        say_colour(owner);
        say_object(owner);
        say_fixed("\"", FarKind::quote, quote_at);
        say(".");
    }

    std::vector<Owner> owners_;
    Story story_;
};

}  // namespace

Story draw_story(Random& random) {
    const std::size_t count = chance(random, 0.75) ? 2 : 3;
    const std::array<int, 3> who = draw_different(random, static_cast<int>(std::size(names_of_stories)));
    const std::array<int, 3> colour = draw_different(random, static_cast<int>(std::size(colours)));
    const std::array<int, 3> object = draw_different(random, static_cast<int>(std::size(objects)));
    std::vector<Owner> owners;
    for (std::size_t i = 0; i < count; ++i) owners.push_back({names_of_stories[who[i]], colour[i], object[i]});
    StoryWriter writer(owners);
    const int more = count == 2 ? 3 : 2;
    for (int i = 0; i < more; ++i) writer.add_consequence(random);
    return writer.story();
}

std::vector<std::string> all_story_words() {
    std::set<std::string> words(std::begin(story_signs), std::end(story_signs));
    const auto add = [&](const auto& list) { words.insert(std::begin(list), std::end(list)); };
    add(colours);
    add(objects);
    add(changes);
    add(meetings);
    for (const Name& name : names_of_stories) {
        words.insert(name.word);
        words.insert(name.whose);
    }
    return {words.begin(), words.end()};
}

}  // namespace vitrine
