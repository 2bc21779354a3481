#include "app/workspace/result.h"

#include <optional>

#include "core/measures/weight_agreement.h"

namespace vitrine {

ExtraResults Result::beside() const {
    return {batch != nullptr, other != nullptr, gradient_flows != nullptr, words != nullptr,
            trial != nullptr ? std::optional(trial->map) : std::nullopt};
}

}  // namespace vitrine
