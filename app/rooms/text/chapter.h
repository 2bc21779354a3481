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

/// A learner's changes and the result they led to; decides whether the question is answered.
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
        DependsOn depends = {};  // its token is the word in view
        bool narrow = false;     // fits half of a small window
        /// The text "sentence_<aspect>" replaces the usual sentence; null or empty: the usual one.
        std::string (*aspect)(const TextExperiment& experiment) = nullptr;
        bool swaps = false;  // shows the run with a replaced word beside the original one
    };
    using Facts = std::vector<Fact>(const TextTold& told);
    /// As words of core/text/text_what_ifs; those that do not fit the model are left out.
    using Switches = std::vector<std::string>(const TextTold& told);
    using Answer = std::string(const TextTold& told);
    using Answered = bool(const TextTried& tried);
    using Equation = std::string(const TextTold& told);
};
using TextChapterRow = Chapter<OfTexts>;

// One file for each.
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

/// In teaching order.
const std::vector<TextChapterRow>& text_chapters();
const TextChapterRow& chapter_of(const TextLook& look);
/// The key of a chapter's sentence, by what is asked of the model.
std::string sentence_key(const TextChapterRow& row, const TextExperiment& experiment);

Formula formula_of(const TextTold& told);
/// "In this run: no positions": the changes of the run that the chapter's equation does not show; empty if none.
std::string words_of_changed_equation(const TextTold& told);
/// Placement of the norms in the requested run: the model's, or a what-if's.
Norm norm_in_view(const TextResult& now, const TextExperiment& experiment);
/// Suffix of the equations for that placement of norms: "", "_pre" or "_none".
std::string ending_of(Norm norm);
std::string chapter_answer(const TextTold& told);
/// What the decoder's row in view produces and reads, and where it looks in a block: in the chosen head, or the mean of
/// all heads.
std::vector<Fact> row_facts(const TextTold& told, int block);

/// The attention in a chapter; none for most.
std::optional<TextAttention> attention_of_chapter(TextChapter chapter);
/// True if a what-if is on.
bool is_on(const TextExperiment& experiment, std::string_view word);
/// The state of the decoder's mask: "open" without it, "late" if it begins one position too far; empty: as trained.
std::string mask_aspect(const TextExperiment& experiment);
/// Switches it on or off; of mutually exclusive ones (norms, "only") the newest stays.
void switch_what_if(TextExperiment& experiment, const std::string& word);
/// All changes: what-ifs, a replaced word, a forced word.
std::vector<std::string> text_changes(const Ui& ui, const TextExperiment& experiment);
/// Translated name: "head 2 of cross-attention, layer 1".
std::string what_if_name(const Ui& ui, const std::string& word);

/// The stage of chapters about attention: lines, heads and controls, and both runs if a word is replaced.
void attention_stage(const TextScene& scene, TextAttention kind);

/// Forces a word in a row of the decoder; decoding continues from there. Ignores rows of a prompt.
void take_word(const TextScene& scene, int row, int word);
/// The candidates when the word of a row was chosen; null in a prompt and for beam search.
const DecodingStep* step_of_row(const TextResult& now, int row);
/// A slider on the stage.
struct StageSlider {
    const char* id;  // key of its words; "<id>_tip" is its tip
    SliderRange range;
};
bool stage_slider(const TextScene& scene, const StageSlider& slider, float& value);

/// Facts about a model, used by several chapters.
std::vector<Fact> model_facts(const TextTold& told);

}  // namespace vitrine
