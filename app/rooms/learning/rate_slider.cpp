#include "app/rooms/learning/rate_slider.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"

namespace vitrine {

namespace {

constexpr std::array<float, 9> rates = {0.0003F, 0.001F, 0.002F, 0.003F, 0.005F, 0.01F, 0.02F, 0.03F, 0.05F};

}  // namespace

void rate_slider(const Ui& ui, ChosenRate& rate) {
    const auto at = std::min_element(rates.begin(), rates.end(),
                                     [&](float a, float b) { return std::abs(a - rate) < std::abs(b - rate); });
    float place = static_cast<float>(at - rates.begin());
    const auto words = [](float p) {
        return number_text(static_cast<double>(rates[static_cast<std::size_t>(std::lround(p))]));
    };
    if (slider(ui, {"learn.rate", ui.text("learn.rate"), ui.text("learn.rate_tip"), {}},
               {0, static_cast<float>(rates.size() - 1), 1, words}, place))
        rate = {rates[static_cast<std::size_t>(std::lround(place))], true};
}

}  // namespace vitrine
