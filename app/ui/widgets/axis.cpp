#include "app/ui/widgets/axis.h"

#include <algorithm>
#include <cmath>

#include "app/ui/widgets/number.h"

namespace vitrine {

std::string Ticks::words(double tick) const {
    const double magnitude = std::max(std::abs(at.front()), std::abs(at.back()));
    if (step < 1e-4 || magnitude >= 1e6) return tick == 0 ? "0" : number_text(tick);
    return fixed_text(tick, std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9))));
}

Ticks ticks_of(double low, double high, int most) {
    Ticks ticks;
    if (!(high > low) || most < 1 || !std::isfinite(high - low)) return ticks;
    const double wanted = (high - low) / most;
    const double power = std::pow(10.0, std::floor(std::log10(wanted)));
    const double ratio = wanted / power;
    ticks.step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
    const double slack = 1e-9;  // ends that are ticks up to rounding are included
    for (double i = std::ceil(low / ticks.step - slack); i <= high / ticks.step + slack; ++i) {
        ticks.at.push_back(i == 0 ? 0.0 : i * ticks.step);
    }
    return ticks;
}

}  // namespace vitrine
