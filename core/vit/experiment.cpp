#include "core/vit/experiment.h"

#include <algorithm>
#include <variant>

#include "core/transformer/edits.h"

namespace vitrine {

ModelSource chosen_again(ModelSource chosen, const ModelSource& before) {
    if (chosen.same_model(before)) chosen.reload = before.reload + 1;
    return chosen;
}

bool contains(const std::vector<Intervention>& what_ifs, const Intervention& intervention) {
    return std::find(what_ifs.begin(), what_ifs.end(), intervention) != what_ifs.end();
}

void toggle(std::vector<Intervention>& what_ifs, const Intervention& intervention) {
    const auto found = std::find(what_ifs.begin(), what_ifs.end(), intervention);
    if (found == what_ifs.end())
        what_ifs.push_back(intervention);
    else
        what_ifs.erase(found);
}

void put(std::vector<Intervention>& what_ifs, const Intervention& intervention) {
    const auto* const scale = std::get_if<Scale>(&intervention.edit);
    const bool multiplies = scale != nullptr && scale->factor != 0;  // factors of one and of all blocks act together
    if (!intervention.where.block && !adds_up(intervention.edit) && !multiplies)  // replaces those of single blocks
        std::erase_if(what_ifs, [&](const Intervention& i) {
            Where of_all_blocks = i.where;
            of_all_blocks.block.reset();
            return i.where.block && i.site == intervention.site && of_all_blocks == intervention.where &&
                   i.edit.index() == intervention.edit.index();
        });
    const auto found = std::find_if(what_ifs.begin(), what_ifs.end(), [&](const Intervention& i) {
        if (adds_up(intervention.edit)) return i == intervention;
        return i.site == intervention.site && i.where == intervention.where &&
               i.edit.index() == intervention.edit.index();
    });
    if (found == what_ifs.end())
        what_ifs.push_back(intervention);
    else
        *found = intervention;
}

}  // namespace vitrine
