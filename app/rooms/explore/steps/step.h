#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/workspace/result.h"
#include "core/transformer/intervention.h"
#include "core/vit/provenance.h"

namespace vitrine {

struct Focus;
struct Result;
struct Scene;
class Selection;
struct Ui;

using WhatIfs = std::vector<Intervention>;

/// A line of numbers beside the picture: label, formatted number, and all digits on hover.
struct Fact {
    std::string label;
    std::string value;
    std::string full;
};

/// The part of the map that a step highlights.
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

/// A chapter: its view, its numbers and its place in the network. Its words in assets/text are "step.<id>.": title,
/// sentence, equation (in plain letters), words, question, answer, notes, and mistake if the syllabus has one.
struct Step {
    std::string_view id;
    Node node = Node::image;
    void (*view)(const Scene& scene, Selection& selection, WhatIfs& what_ifs) = nullptr;
    std::vector<Fact> (*facts)(const Ui& ui, const Result& now, const Selection& selection) = nullptr;
    bool moves = false;  // the view is animated
    Beside beside = {};  // extra results; until they are there, nothing below is called

    /// The number written out by default.
    std::optional<Cell> (*cell)(const Result& now, const Selection& selection) = nullptr;
    /// What-ifs offered here.
    std::vector<Intervention> (*switches)(const Result& now, const Focus& focus) = nullptr;
    std::vector<const char*> sliders = {};  // what-ifs with a slider here, by their names in core/what_ifs
    /// The answer with this run's numbers; null: the fixed words "answer".
    std::string (*answer)(const Ui& ui, const Result& now, const Selection& selection) = nullptr;
    /// True once the learner has done what the question asks.
    bool (*answered)(const Result& now, const Selection& selection, const WhatIfs& what_ifs) = nullptr;
    /// Runs that show it in training; an argument of `choose_runs`, null if training has nothing to show.
    const char* learn = nullptr;
};

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
Step depth_step();
Step prediction_step();
Step loss_step();
Step learning_step();
Step explanation_step();
Step models_step();

/// The chapters in teaching order.
const std::vector<Step>& curriculum();

/// The index of a step; −1 if there is none.
int step_index(std::string_view id);

/// A step's text by the last part of its key: "title".
const std::string& step_text(const Ui& ui, const Step& step, std::string_view key);

bool has_step_text(const Ui& ui, const Step& step, std::string_view key);

/// The equation for the computed run, which depends on a block's wiring. A file in assets/equations.
std::string equation_id(const Step& step, const Result& now, const Focus& focus);

/// All equations of a step, for any what-ifs.
std::vector<std::string> equation_ids(const Step& step);

/// Its numbers; none until its extra results are there.
std::vector<Fact> facts_of(const Ui& ui, const Step& step, const Result& now, const Selection& selection);

/// The answer to the step's question, with this run's numbers if it has any.
std::string answer_text(const Ui& ui, const Step& step, const Result& now, const Selection& selection);

/// A number as a fact.
Fact number_fact(const std::string& label, double value);

/// The shape of a tensor as a fact: "(65, 64)".
Fact shape_fact(const std::string& label, std::initializer_list<int> shape);

}  // namespace vitrine
