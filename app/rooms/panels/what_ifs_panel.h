#pragma once

#include "app/rooms/panels/panels.h"

// What can be switched, and what was: the parts of a panel about a run.

namespace vitrine {

/// What can be changed at a step; beside each switch the way to a picture near the edge, where there is one.
void switches_part(const Explanation& explanation, const Frame& frame);

/// What is changed, each with its way back, and for the newest the way to a picture near the edge. As high as `height`,
/// however much it is, so that nothing moves when something is switched.
void changed_part(const Frame& frame, float height);

/// The newest what-if that has a bundled picture near the edge, with that picture's word; none where there is none.
struct EdgeOffer {
    Intervention what_if;
    std::string picture;
};
std::optional<EdgeOffer> edge_offer(const Model& model, const WhatIfs& what_ifs);

}  // namespace vitrine
