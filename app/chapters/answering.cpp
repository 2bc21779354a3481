#include "app/chapters/answering.h"

#include "app/workspace/result.h"
#include "core/vit/model.h"

namespace vitrine {

std::vector<Intervention> changes_asked(std::string_view step, const Result& now, const Selection& selection) {
    struct AskedOf {
        std::string_view id;
        std::vector<Intervention> (*changes)(const Result& now, const Selection& selection);
    };
    static constexpr AskedOf rows[] = {{"position_embedding", asked_of_position_embedding},
                                       {"norm_place", asked_of_norm_place},
                                       {"prediction", asked_of_prediction},
                                       {"explanation", asked_of_explanation}};
    for (const AskedOf& row : rows)
        if (row.id == step && now.model->config.classes > 0) return row.changes(now, selection);
    return {};
}

}  // namespace vitrine
