#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/ui/geometry.h"

// The third column of two runs side by side: A − B, in every room.

namespace vitrine {

class Canvas;
struct Config;
struct Scene;
class Selection;
struct Ui;

/// Numbers that both runs have, in the same order; the figure shows A − B around 0.
struct ComparedNumbers {
    std::string id;     // probe id
    std::string title;  // translated
    std::vector<float> a = {}, b = {};
    std::function<std::string(int i)> name = {};  // of number i, for the readout
    GridSize cells = {};                          // size of a map; empty: bars
    std::string axes = {};                        // names of rows and columns; may be empty
    std::function<void(int i)> pointed = {};      // called while number i is pointed at
    /// Draws a custom figure in place of map or bars; may be empty.
    std::function<void(Rect rect, const ComparedNumbers& what, const std::vector<float>& difference)> figure = {};
};

/// The numbers of two runs that are compared.
struct Comparison {
    std::vector<ComparedNumbers> parts = {};
    std::string why = {};  // the reason if something has no counterpart; empty: everything has one

    /// Adds a part if `fits` and both runs have equally many numbers for it; else the reason is `otherwise`.
    void add(ComparedNumbers part, const std::string& otherwise, bool fits = true);
};

/// A number for each token, (N), as a map of the image; the caller sets `a` and `b`. Both runs have the same tokens.
ComparedNumbers compared_tokens(const Scene& scene, Selection& selection, const std::string& id,
                                const std::string& title);
/// A number for each patch, (N_p), as a map of the image; the caller sets `a` and `b`.
ComparedNumbers compared_patches(const Scene& scene, Selection& selection, const std::string& id,
                                 const std::string& title);
/// A number for each head, (L, h), as a map of that size; the caller sets `a` and `b`.
ComparedNumbers compared_heads(const Ui& ui, Selection& selection, const std::string& id, const std::string& title,
                               GridSize size);

/// True if the tokens of both models correspond, one by one.
bool same_tokens(const Config& a, const Config& b);
/// True if both models have the same classes.
bool same_classes(const Config& a, const Config& b);

/// Draws the parts one below the other. If something has no counterpart, the reason follows; `rest` draws below it.
void draw_comparison(const Ui& ui, Canvas& canvas, Rect area, const Comparison& what,
                     const std::function<void(Rect rest)>& rest);

/// Draws numbers that runs of any two models have: the best classes, and how much attention adds by relative depth. The
/// scene's run is A, its other one B.
void draw_in_common(const Scene& scene, Rect rect);

}  // namespace vitrine
