#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/rooms/figures/scene.h"
#include "app/workspace/measured.h"

namespace vitrine {

struct Focus;
class Selection;

/// What an instrument of the laboratory reads: a run, and what has been measured of it so far. Parts that are still
/// being measured are missing; the view then says so.
struct LabScene {
    const Scene& scene;
    const Measured& measured;
    bool running;  // it is still being measured
    bool& again;   // set where the user wants what was stopped to be measured after all
    bool as_left;  // undo, redo or a session led here
};

/// Every head of every block for the chosen query, in an order of choice; a click chooses one.
void gallery_view(const LabScene& lab, Selection& selection);
/// The picked heads side by side, their difference, their mean, maximum or minimum, or against uniform attention.
void compare_view(const LabScene& lab, Selection& selection);
/// One number of every head against depth, as in the ViT paper's Fig. 7 and 11.
void statistics_view(const LabScene& lab, Selection& selection);
/// Rollout or relevance, after every block of the chosen range.
void through_depth_view(const LabScene& lab, Selection& selection);
/// Positions, filters, cosine similarity, components and lengths of tokens.
void tokens_view(const LabScene& lab, Selection& selection, WhatIfs& what_ifs);
/// What the classifier would say after each block, of the class token and of every patch.
void lens_view(const LabScene& lab, Selection& selection);
/// What adds to the logit, as a waterfall.
void ledger_view(const LabScene& lab, Selection& selection);
/// How far the class's probability falls under a cover.
void occlusion_view(const LabScene& lab, Selection& selection);

// What the instruments share.

/// Words in the place of a picture.
void say(const LabScene& lab, const std::string& words);
/// A part is not there: it is still being measured, or that was stopped.
void say_missing(const LabScene& lab);

/// The heads' names: "block 3 · head 2".
std::string head_name(const Ui& ui, int block, int head);

/// The patches' weights of a head's row.      (N_p)
std::vector<float> patch_weights(const LabScene& lab, int block, int head, int query);

/// The scale of attention weights for a head and a query, by the chosen scope and curve.
ColourScale weight_scale(const LabScene& lab, const Focus& focus, int block, int head);
/// What its range was taken over, in words.
std::string scope_words(const Ui& ui, const Focus& focus, int block, int head);

/// A scale from 0 to the largest of some values, with the curve of the figure in view; or to the fixed end.
ColourScale scale_to(const Focus& focus, float largest);

/// The bar of a range of attention weights; above it `few`, where a few weights set the
/// range alone and the curve is linear, under the probe id.
struct RangeBar {
    std::string id;
    ColourScale scale;
    std::string scope;
    std::string few;  // "": none do
};
void range_bar(const LabScene& lab, Rect rect, const RangeBar& bar);
float range_bar_height(const LabScene& lab);

/// Patches as a map: `values` (N_p). Pointing at a patch tells it and its value; a click chooses the token.
struct PatchMap {
    std::string id;
    std::span<const float> values;
    ColourScale scale;
    bool image_below = false;
    std::string symbol = "a";                         // before the value where it is told
    std::function<std::string(int patch)> more = {};  // one more line for the pointer
    std::optional<Pick> head = {};                    // whose map it is
};
struct PatchMapHit {
    std::optional<int> patch;  // under the pointer, 0 … N_p − 1
    bool clicked = false;
};
/// Without pointing, for small maps of many.
void paint_patches(const LabScene& lab, Rect rect, std::span<const float> values, const ColourScale& scale,
                   bool image_below);
PatchMapHit patch_map(const LabScene& lab, Rect rect, const PatchMap& map, Selection& selection);

/// The share of the width over the height of the patch grid.
float grid_aspect(const LabScene& lab);

/// The level that the lens shows.
int level_of(const LabScene& lab, const Laboratory& state);
/// The level ℓ = 0 … L of the tokens' figures: the chosen block's, unless another one was set.
int token_level(const Focus& focus, int blocks);
/// Chooses it: a level above 0 is a block's, and the block is chosen with it.
void choose_token_level(Focus& focus, int level);

/// Small maps of every level in a row or more, to choose one; returns the one under the pointer, if any.
struct LevelStrip {
    std::string id;
    int first = 0, last = 0;  // levels
    int chosen = 0;
    std::string name;  // the key of a level's name, with {level}
};
std::optional<int> level_strip(const LabScene& lab, Rect rect, const LevelStrip& strip,
                               const std::function<void(int level, Rect map)>& paint);

}  // namespace vitrine
