#pragma once

#include <string>
#include <vector>

#include "app/geometry.h"
#include "app/selection.h"
#include "app/ui.h"
#include "app/widgets/bars.h"
#include "app/widgets/canvas.h"
#include "core/intervention.h"

namespace vitrine {

struct Result;

using WhatIfs = std::vector<Intervention>;

/// What a view reads. It is a pure function of this and the selection.
struct Scene {
    const Ui& ui;
    const Result& now;
    Canvas& canvas;
    Rect area;          // where it draws
    float time = 1.0F;  // of the step's motion, 0 … 1
};

// Views: free functions that draw one picture, let the user point at it, and change nothing but what is looked at and
// which parts are switched off.

/// The image as it was opened, the crop that the model takes of it, and the normalised pixels that the model sees.
void image_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The image cut into patches; `time` pulls them apart.
void patches_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// One patch, times one filter, gives one number; that filter on every patch; all D numbers of the patch.
void patch_embedding_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// How alike the position embeddings are: a small map for every position, one of them large.
void position_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Where the chosen token looks: one small map of the image per head, or one head alone.
void attention_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The class token's way to the prediction, and how it changes with what is switched off.
void prediction_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

// What several views share.

/// The token by name: "class token" or "patch 13 · row 2, column 5".
std::string token_name(const Ui& ui, const Result& now, int token);
std::string short_token_name(const Ui& ui, int token);

/// The largest rectangle of that aspect (width / height) in the middle of another.
Rect fit(Rect into, float aspect);

/// Words centred under (or over) a figure in the caption font.
void caption(const Scene& scene, Point top_centre, const std::string& words);

/// The best classes as bars; where what-ifs change the run, with what they were before.
std::vector<BarRow> class_rows(const Result& now, int count);

/// The patches that are switched off, as tokens.
std::vector<int> tokens_off(const WhatIfs& what_ifs);

/// The model's input picture with its patches to point at; what is pointed at and clicked goes to the selection.
struct PatchPicture {
    std::string id;
    float opacity = 1.0F;
    float saturation = 1.0F;
    bool lines = true;
};
void patch_picture(const Scene& scene, Rect rect, const PatchPicture& picture, Selection& selection, WhatIfs& what_ifs);

/// Only the pointing part of it, over whatever is already drawn.
void patch_pointing(const Scene& scene, Rect rect, const PatchPicture& picture, Selection& selection,
                    WhatIfs& what_ifs);

}  // namespace vitrine
