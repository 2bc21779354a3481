#include "core/measures/position_similarity.h"

#include "core/measures/analysis.h"
#include "core/vit/model.h"
#include "core/vit/token_places.h"

namespace vitrine {

bool has_position_similarity(const Config& c) { return c.position_table || turns_by_place(c); }

Tensor2 position_similarity(const Model& model) {
    const Parameter& position = model.weights.position;
    const Config& c = model.config;
    if (!has_position_similarity(c)) return {};
    if (position.empty()) return similarity_of_turns(c);
    const std::size_t features = position.shape()[1];
    return cosine_similarity(position.data() + static_cast<std::size_t>(c.first_patch_position()) * features,
                             static_cast<std::size_t>(c.patches()), features);
}

}  // namespace vitrine
