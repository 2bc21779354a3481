#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/chapters/chapter.h"
#include "app/workspace/result.h"
#include "core/transformer/intervention.h"
#include "core/vit/provenance.h"

namespace vitrine {

struct Config;
struct Focus;
struct Result;
class Selection;
struct Table;
struct Ui;

using WhatIfs = std::vector<Intervention>;

/// The result of a learner's guess.
struct Guessed {
    bool right = false;
    std::string value;  // the guessed item and its number, in words
};

/// The part of the map (the diagram of the model) that a step highlights.
enum class Node {
    image,
    patches,
    embedding,
    class_token,
    position,
    norm,
    qkv,
    attention,
    projection,
    residual,
    mlp,
    blocks,
    head,
    nowhere,  // the step is about the whole model, or about other models
};

/// The family of chapters about images; app/rooms/explore/views draws them.
struct OfPictures {
    static constexpr std::string_view words = "step.";
    struct Own {
        Node node = Node::image;
        bool moves = false;  // the view is animated
        DependsOn depends = {};
        ExtraResults beside = {};  // extra results that the chapter's functions need; none is called without them
        /// The cell whose calculation is written out while none is hovered or pinned.
        std::optional<Cell> (*cell)(const Result& now, const Selection& selection) = nullptr;
        /// The numbers of the figure as a table; empty if there are none. Null: the tensor of `cell`.
        Table (*table)(const Result& now, const Selection& selection) = nullptr;
        /// The model's parts in this step that a plain Vision Transformer lacks; their texts are "step.<id>.<part>".
        /// Null: none.
        std::vector<std::string> (*of_model)(const Config& config) = nullptr;
        /// Whether the learner's guess is correct; none before a guess. Null: the question asks for no guess.
        std::optional<Guessed> (*guessed)(const Ui& ui, const Result& now, const Selection& selection) = nullptr;
        /// The aspect in view, whose texts "sentence_<aspect>" and "hint_<aspect>" replace the usual ones. Null or
        /// empty: the usual texts.
        std::string (*aspect)(const Focus& focus) = nullptr;
        bool guesses_patch = false;  // a click on a patch is the guess; otherwise it chooses the query
        /// The index that a guess chooses, of a block, unit or feature: a wrong guess is reported only after this index
        /// has changed. Null: any wrong guess is reported.
        int (*guess_in)(const Focus& focus) = nullptr;
        bool painted = false;    // the image can be painted over
        bool tries_map = false;  // requests the trial that removes patches of the chosen attention map
        /// The what-ifs that the question asks for, if the answer has the numbers of the changed run: a lecture applies
        /// them when it shows the answer. Only for models with classes. Null: the answer needs none.
        WhatIfs (*asked)(const Result& now, const Selection& selection) = nullptr;
    };
    using Facts = std::vector<Fact>(const Ui& ui, const Result& now, const Selection& selection);
    using Switches = std::vector<Intervention>(const Result& now, const Focus& focus);
    using Answer = std::string(const Ui& ui, const Result& now, const Selection& selection);
    using Answered = bool(const Result& now, const Selection& selection, const WhatIfs& what_ifs);
    using Equation = std::string(const Result& now, const Focus& focus);
};
using Step = Chapter<OfPictures>;

// Each is defined in its own file in app/chapters/steps.
Step image_step();
Step patches_step();
Step patch_embedding_step();
Step class_token_step();
Step position_embedding_step();
Step layer_norm_step();
Step norm_variants_step();
Step norm_place_step();
Step qkv_step();
Step scores_step();
Step attention_matrix_step();
Step attention_step();
Step heads_step();
Step residual_step();
Step mlp_step();
Step activation_step();
Step dropout_step();
/// Number of masks averaged to show that their mean converges to x.
inline constexpr int masks_averaged = 64;
Step depth_step();
Step prediction_step();
Step loss_step();
Step learning_step();
Step explanation_step();
Step models_step();
Step two_towers_step();

/// The key of the text `part`, "sentence" or "hint", for the aspect in view.
std::string key_of_aspect(const Step& step, const std::string& part, const Focus& focus);
/// The chapters in teaching order.
const std::vector<Step>& curriculum();

/// The chosen attention map: block, head and query.
PlacedMap map_of(const Focus& focus);
/// The extra results that a step needs for the current choices, including the trial of the chosen map.
ExtraResults wanted_beside(const Step& step, const Focus& focus);

/// The index of a step; −1 if there is none.
int step_index(std::string_view id);

/// The current step.
const Step& step_at(const Focus& focus);

/// A step's equations for other what-ifs and other models: the files of assets/equations that are named by its id, "_"
/// and an ending, as "scores_bias".
std::vector<std::string> other_equations(const Step& step);

/// A step's equation for the computed run, with the model's and the what-ifs' variants.
Formula formula_of(const Ui& ui, const Step& step, const Result& now, const Focus& focus);

/// The equation of a step with attention scores: `<id>`, or `<id>_undivided` if a what-if leaves out ÷ √d; followed by
/// `_bias` if the model adds a table of relative positions.
std::string equation_of_scores(std::string_view id, const Result& now, const Focus& focus);

/// A step's numbers; empty until its extra results are computed.
std::vector<Fact> facts_of(const Ui& ui, const Step& step, const Result& now, const Selection& selection);

/// The answer to the step's question, with this run's numbers if it has any; a note until its extra results exist.
std::string answer_text(const Ui& ui, const Step& step, const Result& now, const Selection& selection);

}  // namespace vitrine
