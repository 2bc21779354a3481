#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/views/views.h"

namespace vitrine {

/// One line of numbers beside the picture: what it is, the number as written, and with all its digits on hover.
struct Fact {
    std::string label;
    std::string value;
    std::string full;
};

/// The part of the map that a step lights up.
enum class Node { image, patches, embedding, position, attention, head };

/// One chapter: what is drawn, which numbers belong to it and where it is in the network. Its words stand in
/// assets/text under "step.<id>.": title, sentence, equation, words.
struct Step {
    std::string_view id;
    Node node = Node::image;
    void (*view)(const Scene& scene, Selection& selection, WhatIfs& what_ifs) = nullptr;
    std::vector<Fact> (*facts)(const Ui& ui, const Result& now, const Selection& selection) = nullptr;
    bool moves = false;  // the view has a motion in time
};

// One file each.
Step image_step();
Step patches_step();
Step patch_embedding_step();
Step position_embedding_step();
Step attention_step();
Step prediction_step();

/// The chapters in the order they are taught.
const std::vector<Step>& curriculum();

/// The index of a step's id; −1 for none.
int step_index(std::string_view id);

/// The words of a step: key "title", "sentence", "equation" or "words".
const std::string& step_text(const Ui& ui, const Step& step, std::string_view key);

/// A number as a fact.
Fact number_fact(const std::string& label, double value);

/// The shape of a tensor as a fact: "(65, 64)".
Fact shape_fact(const std::string& label, std::initializer_list<int> shape);

}  // namespace vitrine
