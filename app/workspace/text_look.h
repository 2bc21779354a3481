#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/base/names.h"
#include "core/measures/text/word_cover.h"
#include "core/text/decoding_method.h"
#include "core/text/text_attention.h"
#include "core/text/text_task.h"

// What is computed of texts, and what is looked at in the Text room, a part of the focus. Undo, sessions and recordings
// know both.

namespace vitrine {

/// The chapters of the Text room in the order they are taught; app/rooms/text/chapters has a file for each.
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
/// Its place among all, 0 ….
int place_of(TextChapter chapter);

/// The instruments of the Text room's laboratory, as tabs; app/rooms/text/instruments has a file for each.
enum class TextInstrument { heads, statistics, rollout, lens, ledger, occlusion };
inline constexpr Named<TextInstrument> text_instrument_names[] = {
    {TextInstrument::heads, "heads"},     {TextInstrument::statistics, "statistics"},
    {TextInstrument::rollout, "rollout"}, {TextInstrument::lens, "lens"},
    {TextInstrument::ledger, "ledger"},   {TextInstrument::occlusion, "occlusion"},
};
constexpr const char* name_of(TextInstrument instrument) { return name_in(text_instrument_names, instrument); }
/// Its place among the tabs.
int place_of(TextInstrument instrument);

/// What is chosen in the laboratory of the Text room.
struct TextLaboratory {
    bool open = false;  // an instrument stands where the chapter stood
    TextInstrument instrument = TextInstrument::heads;
    TextAttention kind = TextAttention::cross;  // as far as the model has it
    std::string statistic;                      // that heads are sorted by; empty: as they stand in the model
    int level = 0;                              // after which block the rollout is shown, as ℓ; 0: the last
    std::string word;                           // whose logit the ledger shows; empty: the one that was said
    WordCover cover = WordCover::unknown;

    bool operator==(const TextLaboratory&) const = default;
};

/// The typed texts, one for each model.
enum class TextPlace { to_japanese, to_english, review, story };
inline constexpr Named<TextPlace> text_place_names[] = {{TextPlace::to_japanese, "to_japanese"},
                                                        {TextPlace::to_english, "to_english"},
                                                        {TextPlace::review, "review"},
                                                        {TextPlace::story, "story"}};

/// Another word in the place of one that was typed.
struct WordSwap {
    int place = -1;  // of the words that are read; −1: none
    std::string word;

    bool operator==(const WordSwap&) const = default;
};

/// What is computed of texts: the first of the two things that a user changes in the Text room (the other is what is
/// looked at). The result is a pure function of it and of the task that the chapter shows.
struct TextExperiment {
    TextTask task = TextTask::translate;  // as far as the chapter leaves a choice
    TextLanguage to = TextLanguage::japanese;
    std::array<std::string, std::size(text_place_names)> texts = {
        "The animal didn't cross the street because it was too tired.",
        "動物が疲れすぎていたので、動物はその通りを渡りませんでした。", "They say the food was bad, I say it was good.",
        "Tom has a red hat. Amy has a blue ball. Amy saw the red"};
    std::vector<std::string> forced;    // the words that production begins with
    std::vector<std::string> what_ifs;  // as core/text/text_what_ifs reads them
    WordSwap swap;

    DecodingMethod method = DecodingMethod::greedy;
    int width = 4;  // of the beam
    float temperature = 1;
    int top_k = 0;  // 0: all words
    float top_p = 1;
    int seed = 1;

    bool operator==(const TextExperiment&) const = default;

    /// The task that a chapter shows: what is chosen, or the only one that it speaks of.
    TextTask task_in(TextChapter chapter) const;
    TextPlace place_in(TextChapter chapter) const;
    const std::string& text_in(TextChapter chapter) const { return texts[static_cast<std::size_t>(place_in(chapter))]; }
};

/// What is looked at in the Text room.
struct TextLook {
    TextChapter chapter = TextChapter::tokens;
    int block = 0;         // ℓ of the chapter's stack; 0: the last
    int head = -1;         // −1: the mean of all
    int source = -1;       // a row of the encoder; −1: none is chosen
    int target = -1;       // a row of the decoder: the word that it leads to
    int feature = 0;       // of a vector
    bool matrix = false;   // attention as a matrix instead of lines
    bool learned = false;  // learned positions beside the sines
    int drawn = 0;         // sentences drawn by code so far
    float smoothing = 0;   // ε of the labels

    TextLaboratory lab;

    bool operator==(const TextLook&) const = default;
};

/// The experiment and the look of the Text room, which change together: another text clears what was chosen in the old
/// one.
struct TextDraft {
    TextExperiment& experiment;
    TextLook& look;

    TextTask task() const { return experiment.task_in(look.chapter); }
    TextPlace place() const { return experiment.place_in(look.chapter); }
    const std::string& text() const { return experiment.text_in(look.chapter); }

    /// Another text.
    void read(const std::string& text) const;
    /// Another task or direction; the chapter becomes one that speaks of it.
    void choose(TextTask task, TextLanguage to) const;
    /// Another chapter; a task that it does not speak of gives way, and so does an instrument.
    void enter(TextChapter chapter) const;
    /// One level back: from a swapped word, a word that was taken, one head, the laboratory; false where there is
    /// nothing to leave.
    bool back() const;

private:
    /// Clears all that belongs to one text.
    void forget_words() const;
};

/// Whether a chapter speaks of a task.
bool speaks_of(TextChapter chapter, TextTask task);

}  // namespace vitrine
