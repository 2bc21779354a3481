#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/chapters/chapter.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/text_look.h"
#include "core/transformer/config.h"

namespace vitrine {

struct DecodingStep;
class Selection;
struct TextResult;
struct TextScene;
struct Ui;
struct Workspace;

/// Inputs of the functions that make a chapter's texts.
struct TextTold {
    const Ui& ui;
    const TextResult& now;
    const Selection& selection;
    const Workspace& workspace;
    const TextExperiment& experiment;

    const TextLook& look() const;
};

/// A learner's changes and their result, by which `answered` decides whether the question is answered.
struct TextTried {
    const TextResult& now;
    const TextExperiment& experiment;
    const TextLook& look;
};

/// The chapters of texts. Their PyTorch code is in assets/text_code, their equations are assets/equations/text_<id>.
struct OfTexts {
    static constexpr std::string_view words = "text.";
    struct Own {
        void (*view)(const TextScene& scene) = nullptr;
        DependsOn depends = {};  // `token` means the word in view
        bool narrow = false;     // fits half of a small window
        /// The text "sentence_<aspect>" replaces the usual sentence; null or empty: the usual one.
        std::string (*aspect)(const TextExperiment& experiment) = nullptr;
        bool swaps = false;  // shows the run with a replaced word beside the original one
    };
    using Facts = std::vector<Fact>(const TextTold& told);
    /// Switches as words of core/text/text_what_ifs; those that do not fit the model are left out.
    using Switches = std::vector<std::string>(const TextTold& told);
    using Answer = std::string(const TextTold& told);
    using Answered = bool(const TextTried& tried);
    using Equation = std::string(const TextTold& told);
};
using TextChapterRow = Chapter<OfTexts>;

// The chapters, one file each.
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

/// All chapters of texts in teaching order.
const std::vector<TextChapterRow>& text_chapters();
/// The open chapter.
const TextChapterRow& chapter_of(const TextLook& look);
/// Key of a chapter's sentence for an experiment.
std::string sentence_key(const TextChapterRow& row, const TextExperiment& experiment);

Formula formula_of(const TextTold& told);
/// "In this run: no positions": the changes of the run that the chapter's equation does not show; empty if none.
std::string words_of_changed_equation(const TextTold& told);
/// Placement of the norms in the requested run: the model's, or a what-if's.
Norm norm_in_view(const TextResult& now, const TextExperiment& experiment);
/// Suffix of the equations for that placement of norms: "", "_pre" or "_none".
std::string ending_of(Norm norm);
std::string chapter_answer(const TextTold& told);
/// The word that the decoder's row in view produces, the word that it reads, and the word with the largest weight in a
/// block, for the chosen head or the mean of all heads; empty without a decoder.
std::vector<Fact> row_facts(const TextTold& told, int block);

/// The kind of attention that a chapter is about; none for most chapters.
std::optional<TextAttention> attention_of_chapter(TextChapter chapter);
/// True if a what-if is on.
bool is_on(const TextExperiment& experiment, std::string_view word);
/// The state of the decoder's mask: "open" without it, "late" if it begins one position too far; empty: as trained.
std::string mask_aspect(const TextExperiment& experiment);
/// Switches a what-if on or off. Switching it on removes those that it excludes, such as another placement of norms.
void switch_what_if(TextExperiment& experiment, const std::string& word);
/// Display names of all changes: what-ifs, a replaced word, a forced word.
std::vector<std::string> text_changes(const Ui& ui, const TextExperiment& experiment);
/// Display name of a what-if: "head 2 of cross-attention, layer 1".
std::string what_if_name(const Ui& ui, const std::string& word);

/// Draws the stage of chapters about attention: lines, heads and controls, and both runs if a word is replaced.
void attention_stage(const TextScene& scene, TextAttention kind);

/// Forces a word in a row of the decoder; decoding continues from there. Ignores rows of a prompt.
void take_word(const TextScene& scene, int row, int word);
/// The decoding step that chose the word of a row, with its candidates; null in a prompt and for beam search.
const DecodingStep* step_of_row(const TextResult& now, int row);
/// A slider that fills the scene's area. `stage_slider` returns true if the value changed.
struct StageSlider {
    const char* id;  // key of its label; "<id>_tip" is the key of its tooltip
    SliderRange range;
};
bool stage_slider(const TextScene& scene, const StageSlider& slider, float& value);

/// Facts about a model, used by several chapters.
std::vector<Fact> model_facts(const TextTold& told);

}  // namespace vitrine
