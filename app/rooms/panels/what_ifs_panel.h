#pragma once

#include "app/rooms/panels/panels.h"

// What can be switched, and what was: the parts of a panel about a run.

namespace vitrine {

struct Frame;
struct Model;

/// What can be changed at a step; beside each switch the way to a picture near the edge, where there is one.
void switches_part(const Explanation& explanation, const Frame& frame);

/// What is changed, each with its way back: whole rows, the others by scrolling.
void changed_part(const Frame& frame);
/// The height of that, px.
float changed_height(const Ui& ui, std::size_t what_ifs);

/// Beside the effect, the way to a picture near the edge of the newest what-if, or that it is shown; in the accent's
/// colour where the model stays as sure as it was.
void offer_edge(const Frame& frame);
/// The height of that, px.
float edge_offer_height(const Ui& ui);

/// The newest what-if that has a bundled picture near the edge, with that picture's word; none where there is none.
struct EdgeOffer {
    Intervention what_if;
    std::string picture;
};
std::optional<EdgeOffer> edge_offer(const Model& model, const WhatIfs& what_ifs);

}  // namespace vitrine
