#include "app/rooms/panels/foreign.h"

#include "app/library/library.h"
#include "app/ui/theme.h"
#include "app/workspace/result.h"
#include "core/training/pictures/pictures.h"

namespace vitrine {

namespace {

/// True for a bundled model, or one trained in this window on drawn pictures; false for the user's own classifier.
bool knows_drawings_only(const Model& model) {
    const bool drawn = !model.provenance.scenes.empty() || set_with_classes(model.config.labels).has_value();
    return model.provenance.path.empty() && drawn;
}

}  // namespace

bool answer_means_nothing(const Result& now) { return knows_drawings_only(*now.model) && !now.image->bundled; }

Color answer_color(const Palette& palette, const Result& now) {
    return answer_means_nothing(now) ? palette.residual : palette.accent;
}

}  // namespace vitrine
