#include "app/ui/widgets/probability.h"

#include "app/ui/widgets/number.h"

namespace vitrine {

std::string probability_text(double probability) {
    if (probability == 0) return "< 0.1 %";
    return probability == 1 ? "> 99.9 %" : percent_text(probability);
}

}  // namespace vitrine
