#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/base/names.h"
#include "core/text/text_kinds.h"

// The experiment of the Text room, and its view, a part of the focus. Both are in the history, sessions and recordings.

namespace vitrine {

/// The chapters of the Text room in teaching order; app/rooms/text/chapters has a file for each.
enum class TextChapter {
    tokens,
    embedding,
    encoder,
    self_attention,
    mask,
    masked_attention,
    cross_attention,
    generator,
    loss,
    decoding,
    cls,
    gpt,
    patches,
    after,
};
inline constexpr Named<TextChapter> text_chapter_names[] = {
    {TextChapter::tokens, "tokens"},
    {TextChapter::embedding, "embedding"},
    {TextChapter::encoder, "encoder"},
    {TextChapter::self_attention, "self_attention"},
    {TextChapter::mask, "mask"},
    {TextChapter::masked_attention, "masked_attention"},
    {TextChapter::cross_attention, "cross_attention"},
    {TextChapter::generator, "generator"},
    {TextChapter::loss, "loss"},
    {TextChapter::decoding, "decoding"},
    {TextChapter::cls, "cls"},
    {TextChapter::gpt, "gpt"},
    {TextChapter::patches, "patches"},
    {TextChapter::after, "after"},
};
constexpr const char* name_of(TextChapter chapter) { return name_in(text_chapter_names, chapter); }
/// The chapter's index in teaching order.
int place_of(TextChapter chapter);

/// The instruments of the Text room's laboratory in the order of their tabs; app/rooms/text/instruments has a file for
/// each.
enum class TextInstrument { heads, statistics, rollout, lens, ledger, occlusion };
inline constexpr Named<TextInstrument> text_instrument_names[] = {
    {TextInstrument::heads, "heads"},     {TextInstrument::statistics, "statistics"},
    {TextInstrument::rollout, "rollout"}, {TextInstrument::lens, "lens"},
    {TextInstrument::ledger, "ledger"},   {TextInstrument::occlusion, "occlusion"},
};
constexpr const char* name_of(TextInstrument instrument) { return name_in(text_instrument_names, instrument); }
/// The instrument's index among the tabs.
int place_of(TextInstrument instrument);

/// State of the Text room's laboratory.
struct TextLaboratory {
    bool open = false;  // an instrument is shown instead of a chapter
    TextInstrument instrument = TextInstrument::heads;
    TextAttention kind = TextAttention::cross;  // another kind is shown if the model lacks this one
    std::string statistic;                      // sort key of heads; empty: by index
    int level = 0;                              // ℓ of the block after which the rollout is shown; 0: the last
    std::string word;                           // the word whose logit the ledger shows; empty: the predicted one
    WordCover cover = WordCover::unknown;

    bool operator==(const TextLaboratory&) const = default;
};

/// The places of the typed texts, one for each bundled model.
enum class TextPlace { to_japanese, to_english, review, story };
inline constexpr Named<TextPlace> text_place_names[] = {{TextPlace::to_japanese, "to_japanese"},
                                                        {TextPlace::to_english, "to_english"},
                                                        {TextPlace::review, "review"},
                                                        {TextPlace::story, "story"}};

/// A replacement for a typed word.
struct WordSwap {
    int place = -1;  // index among the input words; −1: none
    std::string word;

    bool operator==(const WordSwap&) const = default;
};

/// The experiment of the Text room, one of the two things a user changes there (the other is the view). The result is a
/// pure function of it and of the task shown by the chapter.
struct TextExperiment {
    TextTask task = TextTask::translate;  // the chosen one, shown if the chapter covers it
    TextLanguage to = TextLanguage::japanese;
    std::array<std::string, std::size(text_place_names)> texts = {
        "The animal didn't cross the street because it was too tired.",
        "動物が疲れすぎていたので、動物はその通りを渡りませんでした。", "They say the food was bad, I say it was good.",
        "Tom has a red hat. Amy has a blue ball. Amy saw the red"};
    std::vector<std::string> forced;    // prescribed first words of the output
    std::vector<std::string> what_ifs;  // as core/text/text_what_ifs reads them
    WordSwap swap;

    DecodingMethod method = DecodingMethod::greedy;
    int width = 4;  // of the beam search
    float temperature = 1;
    int top_k = 0;  // 0: all words
    float top_p = 1;
    int seed = 1;

    bool operator==(const TextExperiment&) const = default;

    /// The task shown by a chapter: the chosen one, or the only one that the chapter covers.
    TextTask task_in(TextChapter chapter) const;
    TextPlace place_in(TextChapter chapter) const;
    const std::string& text_in(TextChapter chapter) const { return texts[static_cast<std::size_t>(place_in(chapter))]; }
};

/// The view in the Text room.
struct TextLook {
    TextChapter chapter = TextChapter::tokens;
    int block = 0;         // ℓ in the chapter's stack; 0: the last
    int head = -1;         // −1: the mean of all
    int source = -1;       // a row of the encoder; −1: none
    int target = -1;       // a row of the decoder, by the word it predicts; −1: none
    int feature = 0;       // index in a vector
    bool matrix = false;   // show attention as a matrix instead of lines
    bool learned = false;  // show learned positions beside the sines
    int drawn = 0;         // number of sentences drawn so far
    float smoothing = 0;   // ε of label smoothing

    TextLaboratory lab;

    bool operator==(const TextLook&) const = default;
};

/// The experiment and the view of the Text room, which change together: another text clears choices made in the old
/// one.
struct TextDraft {
    TextExperiment& experiment;
    TextLook& look;

    TextTask task() const { return experiment.task_in(look.chapter); }
    TextPlace place() const { return experiment.place_in(look.chapter); }
    const std::string& text() const { return experiment.text_in(look.chapter); }

    /// Sets another text.
    void read(const std::string& text) const;
    /// Sets another task or direction, and a chapter that covers it.
    void choose(TextTask task, TextLanguage to) const;
    /// Enters another chapter; sets a task that it covers, and closes an instrument. The chapters about choices begin
    /// with the story, where the model has to choose (the translators are sure of every word), unless the user has
    /// typed a text or changed the run: then these stay.
    void enter(TextChapter chapter) const;
    /// One level up: from a replaced word, a forced word, a single head, the laboratory; false at the top level.
    bool back() const;

private:
    /// True if the text is a sample and nothing in its run is changed.
    bool is_untouched() const;
    /// Clears everything that belongs to one text.
    void forget_words() const;
    /// Clears everything that belongs to one model: the same, and the what-ifs of single heads and blocks.
    void forget_model() const;
};

/// True for the chapters about probabilities of the next word: generator, loss and decoding.
bool is_about_choices(TextChapter chapter);

/// True if a chapter covers a task.
bool is_about(TextChapter chapter, TextTask task);

}  // namespace vitrine
