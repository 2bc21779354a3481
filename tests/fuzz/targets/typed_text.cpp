#include "core/text/sentences.h"
#include "core/text/typed_words.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

namespace {

struct Typed {
    TextTask task;
    TextLanguage language;
};
constexpr Typed kinds[] = {{TextTask::translate, TextLanguage::english},
                           {TextTask::translate, TextLanguage::japanese},
                           {TextTask::sentiment, TextLanguage::english},
                           {TextTask::story, TextLanguage::english}};

const Vocabulary& words_of(const Typed& kind) {
    static const Vocabulary english = target_vocabulary(TextTask::translate, TextLanguage::english),
                            japanese = target_vocabulary(TextTask::translate, TextLanguage::japanese),
                            reviews = target_vocabulary(TextTask::sentiment, TextLanguage::english),
                            stories = target_vocabulary(TextTask::story, TextLanguage::english);
    if (kind.task == TextTask::sentiment) return reviews;
    if (kind.task == TextTask::story) return stories;
    return kind.language == TextLanguage::english ? english : japanese;
}

}  // namespace

void typed_text(Bytes bytes) {
    const std::string_view typed = text_of(bytes);
    for (const Typed& kind : kinds) {
        const Vocabulary& vocabulary = words_of(kind);
        const std::vector<std::string> words = split_words(typed, kind.language, vocabulary);
        bool all_known = true;
        for (const std::string& word : words) {
            demand(!word.empty(), "a word has letters");
            const bool known = vocabulary.knows(word);
            demand(known || vocabulary.id(word) == unknown_id, "nothing that is typed is a special token");
            all_known = all_known && known;
        }
        const std::string joined = join_words(words, kind.language);
        const std::vector<std::string> again = split_words(joined, kind.language, vocabulary);
        if (kind.language == TextLanguage::japanese)
            demand(join_words(again, kind.language) == joined, "Japanese is parted at no letter that it loses");
        else if (all_known)
            demand(again == words, "known words are found again in what is read");
        as_sentence(words, kind.language);
        for (const std::string& word : vocabulary.completions(typed, 8))
            demand(vocabulary.knows(word), "it completes to words that it knows");
    }
}

}  // namespace vitrine::fuzz
