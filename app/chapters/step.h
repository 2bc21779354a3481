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
    std::string value;  // of what was guessed, in words
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
    nowhere,  // it is about the whole model, or other models
};

/// Pictures' chapters; app/rooms/explore/views draws them.
struct OfPictures {
    static constexpr std::string_view words = "step.";
    struct Own {
        Node node = Node::image;
        bool moves = false;  // the view is animated
        DependsOn depends = {};
        ExtraResults beside = {};  // extra results; until they are there, no function of the chapter is called
        /// The number written out by default.
        std::optional<Cell> (*cell)(const Result& now, const Selection& selection) = nullptr;
        /// The numbers that its figure draws, for a table; empty if there are none. Null: the tensor of `cell`.
        Table (*table)(const Result& now, const Selection& selection) = nullptr;
        /// The parts that this model has here beyond a plain Vision Transformer; their texts are "step.<id>.<part>".
        /// Null: none.
        std::vector<std::string> (*of_model)(const Config& config) = nullptr;
        /// The learner's guess; none before there is one. Null: the question asks for none.
        std::optional<Guessed> (*guessed)(const Ui& ui, const Result& now, const Selection& selection) = nullptr;
        /// The texts "sentence_<aspect>" and "hint_<aspect>" replace the usual ones; null or empty: the usual.
        std::string (*aspect)(const Focus& focus) = nullptr;
        bool guesses_patch = false;  // by a click on a patch, which otherwise chooses the query
        /// What else a guess chooses, a block or the like: a wrong one is told once it is chosen here. Null: nothing.
        int (*guess_in)(const Focus& focus) = nullptr;
        bool painted = false;    // its picture can be painted over
        bool tries_map = false;  // the brightest patch of the map looked at is removed, beside a dark one
        /// The changes that its question asks for, where the answer has the numbers of the changed run: a class sees
        /// that answer without anyone making them. Only of models with classes. Null: the answer needs none.
        WhatIfs (*asked)(const Result& now, const Selection& selection) = nullptr;
    };
    using Facts = std::vector<Fact>(const Ui& ui, const Result& now, const Selection& selection);
    using Switches = std::vector<Intervention>(const Result& now, const Focus& focus);
    using Answer = std::string(const Ui& ui, const Result& now, const Selection& selection);
    using Answered = bool(const Result& now, const Selection& selection, const WhatIfs& what_ifs);
    using Equation = std::string(const Result& now, const Focus& focus);
};
using Step = Chapter<OfPictures>;

// One file for each.
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

/// The key of a text that depends on how the chapter is looked at: "sentence" or "hint".
std::string key_of_aspect(const Step& step, const std::string& part, const Focus& focus);
/// The chapters in teaching order.
const std::vector<Step>& curriculum();

/// The map of weights that is looked at.
PlacedMap map_of(const Focus& focus);
/// The extra results of a step for what is looked at, the trial of a map included.
ExtraResults wanted_beside(const Step& step, const Focus& focus);

/// The index of a step; −1 if there is none.
int step_index(std::string_view id);

/// The step that is looked at.
const Step& step_at(const Focus& focus);

/// Its equations for other what-ifs and other models: the files of assets/equations whose names are its id and an
/// ending, "scores_bias".
std::vector<std::string> other_equations(const Step& step);

/// Its equation for the computed run, which depends on a block's wiring.
Formula formula_of(const Ui& ui, const Step& step, const Result& now, const Focus& focus);

/// The equation of a step with attention scores: `<id>`, or `<id>_undivided` if a what-if leaves out ÷ √d; followed by
/// `_bias` if the model adds a table of relative positions.
std::string equation_of_scores(std::string_view id, const Result& now, const Focus& focus);

/// Its numbers; none until its extra results are there.
std::vector<Fact> facts_of(const Ui& ui, const Step& step, const Result& now, const Selection& selection);

/// The answer to the step's question, with this run's numbers if it has any.
std::string answer_text(const Ui& ui, const Step& step, const Result& now, const Selection& selection);

}  // namespace vitrine
