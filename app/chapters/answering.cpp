#include "app/chapters/answering.h"

#include <string_view>

#include "app/chapters/step.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"

namespace vitrine {

WhatIfs changes_asked(const Result& now, const Selection& selection) {
    struct AskedOf {
        std::string_view step;
        WhatIfs (*changes)(const Result& now, const Selection& selection);
    };
    static constexpr AskedOf rows[] = {{"position_embedding", asked_of_position_embedding},
                                       {"norm_place", asked_of_norm_place},
                                       {"prediction", asked_of_prediction},
                                       {"explanation", asked_of_explanation}};
    const std::string_view here = step_at(selection.focus).id;
    for (const AskedOf& row : rows)
        if (row.step == here && now.model->config.classes > 0) return row.changes(now, selection);
    return {};
}

}  // namespace vitrine
