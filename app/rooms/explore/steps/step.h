#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/workspace/beside.h"
#include "core/transformer/intervention.h"
#include "core/vit/provenance.h"

namespace vitrine {

struct Focus;
struct Result;
struct Scene;
class Selection;
struct Ui;

using WhatIfs = std::vector<Intervention>;

/// One line of numbers beside the picture: what it is, the number as written, and with all its digits on hover.
struct Fact {
    std::string label;
    std::string value;
    std::string full;
};

/// The part of the map that a step lights up.
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
    nowhere,  // it speaks of the whole, or of other models
};

/// One chapter: what is drawn, which numbers belong to it and where it is in the network. Its words stand in
/// assets/text under "step.<id>.": title, sentence, equation (in plain letters), words, question, answer, notes, and
/// where the syllabus has one, mistake.
struct Step {
    std::string_view id;
    Node node = Node::image;
    void (*view)(const Scene& scene, Selection& selection, WhatIfs& what_ifs) = nullptr;
    std::vector<Fact> (*facts)(const Ui& ui, const Result& now, const Selection& selection) = nullptr;
    bool moves = false;  // the view has a motion in time
    Beside beside = {};  // what it shows beside the run; without it nothing below is asked

    /// The number that is written out while none is pointed at or pinned.
    std::optional<Cell> (*cell)(const Result& now, const Selection& selection) = nullptr;
    /// What can be switched here to see what it is good for.
    std::vector<Intervention> (*switches)(const Result& now, const Focus& focus) = nullptr;
    std::vector<const char*> sliders = {};  // what-ifs whose number is set here, by their names in core/what_ifs
    /// The answer to the question with this run's own numbers; none: the words "answer" as they stand.
    std::string (*answer)(const Ui& ui, const Result& now, const Selection& selection) = nullptr;
    /// Whether the learner has done what the question asks for.
    bool (*answered)(const Result& now, const Selection& selection, const WhatIfs& what_ifs) = nullptr;
    /// Which runs show it while a model learns; a word of `choose_runs`, none where learning has nothing to say.
    const char* learn = nullptr;
};

// One file each.
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

/// The chapters in the order they are taught.
const std::vector<Step>& curriculum();

/// The index of a step's id; −1 for none.
int step_index(std::string_view id);

/// The words of a step, by the last part of their key: "title".
const std::string& step_text(const Ui& ui, const Step& step, std::string_view key);

bool has_step_text(const Ui& ui, const Step& step, std::string_view key);

/// The equation that holds for what is computed: a block's wiring changes it. A file of assets/equations.
std::string equation_id(const Step& step, const Result& now, const Focus& focus);

/// All that may hold for the step, whatever is switched.
std::vector<std::string> equation_ids(const Step& step);

/// Its numbers; none while what it shows beside the run is not there.
std::vector<Fact> facts_of(const Ui& ui, const Step& step, const Result& now, const Selection& selection);

/// The answer to the step's question, with this run's numbers where it has some.
std::string answer_text(const Ui& ui, const Step& step, const Result& now, const Selection& selection);

/// A number as a fact.
Fact number_fact(const std::string& label, double value);

/// The shape of a tensor as a fact: "(65, 64)".
Fact shape_fact(const std::string& label, std::initializer_list<int> shape);

}  // namespace vitrine
