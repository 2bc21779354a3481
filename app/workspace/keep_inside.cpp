#include "app/workspace/keep_inside.h"

#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/vit/model.h"
#include "core/vit/provenance.h"

namespace vitrine {

void keep_inside(Selection& selection, const Result& now) {
    selection.clamp_to(now.model->config);
    selection.keep_cells([&](const Cell& cell) {
        return exists({*now.model, now.trace, now.experiment.what_ifs}, cell);
    });
}

}  // namespace vitrine
