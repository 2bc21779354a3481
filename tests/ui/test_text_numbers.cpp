#include <set>
#include <string>

#include "app/rooms/text/text_scene.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/texture_cache.h"
#include "app/workspace/text_result.h"
#include "tests/ui/text_room.h"

// The numbers beside a text's picture are those of the picture: of its block and head, and of its changes.

namespace vitrine {
namespace {

/// The words of the numbers beside the picture.
std::string numbers_beside(Harness& h) {
    std::string all;
    for (int i = 0; h.app->probe().find("fact." + std::to_string(i)) != nullptr; ++i)
        all += h.item("fact." + std::to_string(i)).text + "\n";
    return all;
}

TEST(TextNumbers, TheNumbersOfReviewsAndStoriesAreThoseOfTheChosenBlockAndHead) {
    for (const TextChapter chapter : {TextChapter::cls, TextChapter::gpt}) {
        Harness h(in_the_text_room(chapter));
        const bool review = chapter == TextChapter::cls;
        const TextAttention kind = review ? TextAttention::encoder : TextAttention::decoder;
        std::set<std::string> seen;
        for (int block = 1; block <= 2; ++block)
            for (const int head : {-1, 0, 1}) {
                h.change().text().look.block = block;
                h.change().text().look.head = head;
                h.settle();
                h.frame(3);
                const AttentionMap map = map_in(h, kind, block);
                const int row = review ? 0 : target_in_view(text(h), h.app->workspace().selection);
                const std::string weight = number_text(static_cast<double>(map.at(row, map.best(row))));
                const std::string told = numbers_beside(h);
                EXPECT_NE(told.find(weight), std::string::npos) << weight << " in block " << block << ": " << told;
                seen.insert(weight);
            }
        EXPECT_GT(seen.size(), 3U) << "they differ";
    }
}

TEST(TextNumbers, TheNumbersSayThatNothingComesFromAHeadThatIsOff) {
    Harness h(in_the_text_room(TextChapter::cls));
    h.change().text().look.block = 1;
    h.change().text().look.head = 0;
    h.change().text().experiment.what_ifs = {"head:encoder.1.0"};
    h.settle();
    h.frame(3);
    EXPECT_NE(numbers_beside(h).find(h.app->text()("text.fact.nothing_comes")), std::string::npos);
}

TEST(TextNumbers, SelfAttentionSpeaksOfItWhereThereIsAnIt) {
    Harness h(in_the_text_room(TextChapter::self_attention));
    const Text& words = h.app->text();
    EXPECT_NE(h.item("stage.sentence").text.find("“it”"), std::string::npos);
    type_text(h, "The cat likes the little park.");
    EXPECT_EQ(h.item("stage.sentence").text.find("“it”"), std::string::npos) << h.item("stage.sentence").text;
    EXPECT_NE(h.item("stage.sentence").text.find(words("text.self_attention.sentence_plain")), std::string::npos);
}

TEST(TextNumbers, AWayOfDecodingIsHeldAgainstTheGreedyOne) {
    Harness h(in_the_text_room(TextChapter::decoding));
    Probe probe;
    TextureCache textures;
    const Ui ui{h.app->context().theme, h.app->text(), probe, textures};
    const auto told = [&](const std::vector<std::string>& what_ifs) {
        h.change().text().experiment.what_ifs = what_ifs;
        h.change().text().experiment.method = DecodingMethod::beam;
        h.settle();
        h.frame(3);
        const std::vector<std::string> lines = differing_words(ui, text(h));
        return lines.empty() ? std::string() : lines.front();
    };
    EXPECT_NE(told({}).find("reedy decoding"), std::string::npos) << told({});
    EXPECT_NE(told({"no-positions"}).find("ithout the changes"), std::string::npos) << told({"no-positions"});
}

}  // namespace
}  // namespace vitrine
