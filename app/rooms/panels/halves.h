#pragma once

#include <functional>

#include "app/ui/geometry.h"

namespace vitrine {

struct Frame;
struct OtherRun;

/// Draws the figure of the visible workspace's run; with two workspaces side by side, both figures, each below a line
/// with its image, model, what-ifs and answer. `draw` is called with each half's frame, its place, and the other run
/// (null: none). `difference` draws A − B, if that is switched on: in a third column or, if that would be too narrow,
/// instead of the half that is not the visible one.
void draw_halves(const Frame& frame, Rect area,
                 const std::function<void(const Frame& half, Rect area, const OtherRun* other)>& draw,
                 const std::function<void(const Frame& left, const Frame& right, Rect area)>& difference = {});

/// How much wider and higher a stage has to be for two figures than for one, in px at scale 1: the gap and the line.
inline constexpr float gap_of_halves = 20, line_of_halves = 44;

}  // namespace vitrine
