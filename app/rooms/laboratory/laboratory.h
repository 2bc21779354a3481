#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/rooms/figures/scene.h"
#include "app/ui/widgets/colour_map.h"
#include "app/workspace/measured.h"

namespace vitrine {

struct ColourBar;
struct Focus;
class Selection;
struct TriedImages;
struct Ui;

/// Inputs of an instrument: a run and its measurements so far. The view reports parts that are not measured yet.
struct LabScene {
    const Scene& scene;
    const Measured& measured;
    bool running;        // measuring is in progress
    std::string& asked;  // command of a button in the picture that was pressed; else empty
    bool as_left;        // reached by undo, redo or a restored session
};

/// All heads of all blocks for the chosen query, sorted as chosen; a click chooses one.
void gallery_view(const LabScene& lab, Selection& selection);
/// The picked heads side by side, their difference, mean, maximum or minimum, or compared with uniform attention.
void compare_view(const LabScene& lab, Selection& selection);
/// A statistic of every head against depth, as in Fig. 7 and 11 of the ViT paper (Dosovitskiy et al. 2021).
void statistics_view(const LabScene& lab, Selection& selection);
/// Rollout or relevance, after every block of the chosen range.
void through_depth_view(const LabScene& lab, Selection& selection);
/// Positions, filters, cosine similarity, components and lengths of tokens.
void tokens_view(const LabScene& lab, Selection& selection, WhatIfs& what_ifs);
/// The classifier's prediction after each block, for the class token and every patch.
void lens_view(const LabScene& lab, Selection& selection);
/// Contributions to the logit, as a waterfall.
void ledger_view(const LabScene& lab, Selection& selection);
/// Fall of the class's probability (or another number) where patches are covered.
void occlusion_view(const LabScene& lab, Selection& selection);
/// The causes of an answer: parts removed, activations of the run beside this one patched in, patches covered by rank.
/// A click on a part switches it off or on.
void causes_view(const LabScene& lab, Selection& selection, WhatIfs& what_ifs);
/// The similarity of the image and of each patch to typed texts; a click on a text shows its map.
void words_view(const LabScene& lab, Selection& selection);

// Helpers shared by the instruments.

/// Writes words instead of drawing a picture.
void say(const LabScene& lab, const std::string& words);
/// Reports a missing part: measuring is in progress, or was stopped.
void report_missing(const LabScene& lab);

/// Writes words across the lower edge of the area, with a value for the probe; returns the area above them.
Rect words_below(const LabScene& lab, const std::string& id, const std::string& words, double value);
/// The number and kind of the images measured so far: "12 of 39 drawn pictures", and the images that cannot be read.
std::string tried_words(const Ui& ui, const TriedImages& images);

/// The letter of a picked head: X, Y, Z, then the rest of the alphabet backwards. A and B are the runs side by side.
std::string letter_of_pick(std::size_t index);

/// A head's name: "block 3 · head 2".
std::string head_name(const Ui& ui, int block, int head);

/// A head's attention weights for a query.      (N)
std::vector<float> token_weights(const LabScene& lab, int block, int head, int query);
/// The same for the patches only.      (N_p)
std::vector<float> patch_weights(const LabScene& lab, int block, int head, int query);
/// The largest weight of a query on a patch: by the scope, in one head, or over the heads of a block or the model that
/// are on; 0 for a fixed scope. A block or head beyond the model's last one means the last one.
float largest_patch_weight(const Result& now, Scope scope, int block, int head, int query);

/// The scale of attention weights for a head and a query, by the chosen scope and curve.
ColourScale weight_scale(const LabScene& lab, const Focus& focus, int block, int head);
/// The scope of that scale's range in words.
std::string scope_words(const Ui& ui, const Focus& focus, int block, int head);

/// A scale from 0 to the largest value, with the curve of the current figure; or to the fixed end.
ColourScale scale_to(const Focus& focus, float largest);

/// The colour of negligible values over a picture, and the factor on the picture's brightness: white and a faint
/// picture for differences in the light theme, else black and full brightness.
struct MapGround {
    Color color;
    float brightness;
};
MapGround ground_below(ColourMap map, ThemeKind kind);

/// A colour bar for attention weights. Above it, for a linear curve, is the hint `few` that a few weights set the
/// range; `id` is the hint's probe id.
struct RangeBar {
    std::string id;
    ColourScale scale;
    std::string scope;
    std::string few;  // "": no hint
};
void range_bar(const LabScene& lab, Rect rect, const RangeBar& bar);
float range_bar_height(const LabScene& lab);
/// A colour bar whose caption also says that both runs share its range; if the bar is narrow, it says only that.
void bar_of_both(const LabScene& lab, Rect rect, const ColourBar& bar);

/// A map of `values` of the patches (N_p) or of all tokens (N); tokens before the patches are in cells to the left of
/// the map, where the caller keeps `leading_room` free. Hovering shows token and value; a click chooses the token.
struct PatchMap {
    std::string id;
    std::span<const float> values;
    ColourScale scale;
    bool image_below = false;
    std::string symbol = "a";                         // name of a value in the readout
    std::function<std::string(int patch)> more = {};  // an additional line of the readout
    std::optional<Pick> head = {};                    // the map's head; none: the map is of no single head
};
struct PatchMapHit {
    std::optional<int> patch;  // hovered, 0 … N_p − 1
    bool clicked = false;
};
/// Draws a map without interaction. `brightness`: of the picture that shows through small values; none: no picture.
void paint_patches(const LabScene& lab, Rect rect, std::span<const float> values, const ColourScale& scale,
                   std::optional<float> brightness = {});
/// `drawn_as_off` draws the map of a head that is switched off in the run, hatched and without weights, as in Explore;
/// it returns false if the head is on. The probe id is "<id>.off".
struct DrawnOff {
    std::string id;
    float brightness = 0;  // of the picture below
};
bool drawn_as_off(const LabScene& lab, Rect rect, const Pick& head, const DrawnOff& look);
PatchMapHit patch_map(const LabScene& lab, Rect rect, const PatchMap& map, Selection& selection);

/// Aspect ratio of the patch grid: width / height.
float grid_aspect(const LabScene& lab);

/// The level ℓ = 0 … L of the lens.
int level_of(const LabScene& lab, const Laboratory& state);
/// The level ℓ = 0 … L of the token figures: the chosen block's, unless another one was chosen.
int token_level(const Focus& focus, int blocks);
/// Chooses a level; above 0 this also chooses its block.
void choose_token_level(Focus& focus, int level);

/// Small maps of all levels in rows, for choosing one. `level_strip` returns the clicked level, if any.
struct LevelStrip {
    std::string id;
    int first = 0, last = 0;  // range of levels
    int chosen = 0;
    std::string name;  // key of a level's name, with {level}
};
/// The height that the maps of `count` levels need within a rectangle, px.
float level_strip_height(const LabScene& lab, Rect rect, int count);
std::optional<int> level_strip(const LabScene& lab, Rect rect, const LevelStrip& strip,
                               const std::function<void(int level, Rect map)>& paint);

}  // namespace vitrine
