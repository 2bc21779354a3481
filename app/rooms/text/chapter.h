#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/widgets/controls.h"
#include "app/workspace/text_look.h"
#include "core/transformer/config.h"

namespace vitrine {

struct DecodingStep;
struct Fact;
class Selection;
struct TextResult;
struct TextScene;
struct Ui;
struct Workspace;

/// What the words of a chapter are made of.
struct TextTold {
    const Ui& ui;
    const TextResult& now;
    const Selection& selection;
    const Workspace& workspace;
    const TextExperiment& experiment;

    const TextLook& look() const;
};

/// What a learner has tried, and what came of it.
struct TextTried {
    const TextResult& now;
    const TextExperiment& experiment;
    const TextLook& look;
};

/// One chapter of the Text room. Its words stand under "text.<id>.": title, sentence, equation, words, question,
/// answer; its lines of PyTorch in assets/text_code, its equation in assets/equations/text_<id>.
struct TextChapterRow {
    TextChapter chapter = TextChapter::tokens;
    void (*view)(const TextScene& scene) = nullptr;
    std::vector<Fact> (*facts)(const TextTold& told) = nullptr;
    /// What can be switched here, as words of core/text/text_what_ifs; those that the model has not are left out.
    std::vector<std::string> (*switches)(const TextTold& told) = nullptr;
    bool swaps = false;        // its stage shows the run with a swapped word beside the own
    bool temperature = false;  // a slider for the scores' temperature
    /// The answer with this run's own numbers; none: the words as they stand.
    std::string (*answer)(const TextTold& told) = nullptr;
    /// Whether the learner has done what the question asks for.
    bool (*answered)(const TextTried& tried) = nullptr;
    /// The equation that holds for what is computed; none: the chapter's own.
    std::string (*equation)(const TextTold& told) = nullptr;
    /// The experiment of Learn that shows models which learned with and without what the chapter speaks of.
    const char* learn = nullptr;
};

// One file each.
TextChapterRow tokens_chapter();
TextChapterRow embedding_chapter();
TextChapterRow encoder_chapter();
TextChapterRow self_attention_chapter();
TextChapterRow mask_chapter();
TextChapterRow masked_attention_chapter();
TextChapterRow cross_attention_chapter();
TextChapterRow generator_chapter();
TextChapterRow loss_chapter();
TextChapterRow decoding_chapter();
TextChapterRow cls_chapter();
TextChapterRow gpt_chapter();
TextChapterRow patches_chapter();
TextChapterRow after_chapter();

/// In the order in which they are taught.
const std::vector<TextChapterRow>& text_chapters();
const TextChapterRow& chapter_of(const TextLook& look);

/// The words of a chapter, by the last part of their key: "title".
const std::string& chapter_text(const Ui& ui, TextChapter chapter, std::string_view key);
std::string chapter_equation(const TextTold& told);
/// Where the blocks' norms stand in the run that is asked for: the model's place, or a what-if's.
Norm norm_in_view(const TextResult& now, const TextExperiment& experiment);
/// What the names of equations end with that hold for norms at that place: "", "_pre" or "_none".
std::string ending_of(Norm norm);
/// The equation as words: those of one that holds instead of the chapter's own stand under its name and "_words".
const std::string& equation_words(const TextTold& told);
std::string chapter_answer(const TextTold& told);

/// The attention that a chapter is about; none for most.
std::optional<TextAttention> attention_of_chapter(TextChapter chapter);
/// Whether a what-if is on.
bool is_on(const TextExperiment& experiment, std::string_view word);
/// Switches it on or off; of those that exclude one another (norms, "only") the newest stays.
void switch_what_if(TextExperiment& experiment, const std::string& word);
/// All that is otherwise than the model has it: what-ifs, a swapped word, a word that was taken.
std::vector<std::string> text_changes(const Ui& ui, const TextExperiment& experiment);
/// "head 2 of cross-attention, layer 1", in the window's language.
std::string what_if_name(const Ui& ui, const std::string& word);

/// Whether a chapter's model attends to words that look at each other in the encoder: lines, heads, controls and both
/// runs where a word is swapped.
void attention_stage(const TextScene& scene, TextAttention kind);

/// Takes a word in a row of the decoder; what is produced goes on from there. Rows of a prompt are left alone.
void take_word(const TextScene& scene, int row, int word);
/// What was at hand when the word of a row was chosen; null where it belongs to the prompt, or where a beam has it.
const DecodingStep* step_of_row(const TextResult& now, int row);
/// A slider at a place of the stage.
struct StageSlider {
    const char* id;  // its words, "<id>_tip" its tip
    SliderRange range;
};
bool stage_slider(const TextScene& scene, const StageSlider& slider, float& value);

/// A table of words and numbers: the facts that several chapters tell of a model.
std::vector<Fact> model_facts(const TextTold& told);

}  // namespace vitrine
