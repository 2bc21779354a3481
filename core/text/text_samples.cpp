#include "core/text/text_samples.h"

namespace vitrine {

namespace {

struct TranslationSample {
    const char *name, *english, *japanese;
};
constexpr TranslationSample translation_samples[] = {
    {"pen", "This is a pen.", "これはペンです。"},
    {"tired", "The animal didn't cross the street because it was too tired.",
     "動物が疲れすぎていたので、動物はその通りを渡りませんでした。"},
    {"wide", "The animal didn't cross the street because it was too wide.",
     "通りが広すぎたので、動物はその通りを渡りませんでした。"},
    {"fit_big", "The book didn't fit in the box because it was too big.",
     "本が大きすぎたので、本はその箱に収まりませんでした。"},
    {"fit_small", "The book didn't fit in the box because it was too small.",
     "箱が小さすぎたので、本はその箱に収まりませんでした。"},
    {"cover_big", "The book didn't cover the box because it was too big.",
     "箱が大きすぎたので、本はその箱を覆いませんでした。"},
    {"cover_small", "The book didn't cover the box because it was too small.",
     "本が小さすぎたので、本はその箱を覆いませんでした。"},
    {"yesterday", "The cat ate two fish in the park yesterday.", "昨日猫は公園で二匹の魚を食べました。"},
    {"question", "Did the girl give a book to the teacher yesterday?", "昨日女の子は先生に本をあげましたか。"},
    {"that", "The girl that washed the dog is kind.", "その犬を洗った女の子は優しいです。"},
    {"not", "This isn't an old umbrella.", "これは古い傘ではありません。"},
    {"every_day", "He doesn't wash three horses every day.", "毎日彼は三頭の馬を洗いません。"},
};

struct PlainSample {
    const char *name, *source, *expected;
};
constexpr PlainSample review_samples[] = {
    {"good", "The movie was good.", "good"},
    {"not_good", "The movie was not good.", "bad"},
    {"not_bad", "The movie was not bad.", "good"},
    {"far_not", "I do not think the movie was good.", "bad"},
    {"they_first", "They say the food was bad, I say it was good.", "good"},
    {"i_first", "I say the food was bad, they say it was good.", "bad"},
    {"although", "Although the food was good, it was not fresh.", "bad"},
    {"but", "The hotel was ugly, but it was wonderful.", "good"},
    {"thought", "I thought the book would be boring, but it was funny.", "good"},
    {"two_nots", "The room was not dirty, but it was not beautiful.", "bad"},
};
constexpr PlainSample story_samples[] = {
    {"far_word", "Tom has a red hat. Amy has a blue ball. Amy saw the red", "hat."},
    {"other_owner", "Tom has a blue ball. Amy has a red hat. Tom saw the blue", "ball."},
    {"speakers", "Tom has a red hat. Amy has a blue ball. Tom said \"my red hat\". Amy said \"my blue", "ball"},
    {"open_quote", "Tom has a red hat. Amy has a blue ball. Tom said \"my red hat", "\"."},
    {"his", "Tom has a red hat. Amy has a blue ball. Tom lost", "his"},
    {"her", "Tom has a red hat. Amy has a blue ball. Amy lost", "her"},
    {"three", "Tom has a red hat. Amy has a blue ball. Leo has a green key. Amy took the green", "key."},
    {"new_pair", "Mia has a red book. Ken has a blue ball. Ken saw the red", "book."},
    {"again", "Tom has a red hat. Amy has a blue ball. Tom lost his red hat. Amy found her blue", "ball."},
    {"free", "Tom has a", ""},
};

}  // namespace

std::vector<TextSample> text_samples(TextTask task, TextLanguage to) {
    std::vector<TextSample> samples;
    const auto add = [&](const auto& rows) {
        for (const PlainSample& row : rows) samples.push_back({row.name, row.source, row.expected});
    };
    if (task == TextTask::sentiment) add(review_samples);
    if (task == TextTask::story) add(story_samples);
    if (task != TextTask::translate) return samples;
    for (const TranslationSample& row : translation_samples)
        if (to == TextLanguage::japanese)
            samples.push_back({row.name, row.english, row.japanese});
        else
            samples.push_back({row.name, row.japanese, row.english});
    return samples;
}

}  // namespace vitrine
