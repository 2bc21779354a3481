#pragma once

#include <cstdint>
#include <string>

namespace vitrine {

/// Number format used everywhere: true minus (U+2212), a thin space between thousands, NaN and ∞ by name.

/// Three significant digits, integers from 100 on: "0.0312", "−4.20", "12 345"; exponents as "1.20 × 10⁻⁵" below 10⁻³
/// and from 10⁶ on; "0" for zero.
std::string number_text(double value);
/// The same with that many significant digits.
std::string digits_text(double value, int digits);
/// The number that `digits_text` shows, rounded to that many digits.
double as_written(double value, int digits);
/// The fewest digits, 3 … 7, with which the parts of a computation, typed as shown, give the result as shown; three if
/// none do, as for a result that was edited.
template <class Operation, class... Parts>
int digits_for(double result, Operation operation, Parts... parts) {
    constexpr int fewest = 3, most = 7;
    for (int digits = fewest; digits <= most; ++digits)
        if (number_text(operation(as_written(parts, digits)...)) == number_text(result)) return digits;
    return fewest;
}

/// A rounded large number: "151 k", "86.6 M".
std::string rounded_count(std::size_t count);

/// `number_text` with a sign, for changes: "+0.310", "−0.310", "0".
std::string signed_text(double value);

/// Nine significant digits, which identify every float; for tooltips.
std::string full_text(double value);

/// An integer power of ten: "10⁻⁸", "1", "10³".
std::string power_text(int exponent);

/// A fraction 0 … 1 as "97.3 %"; values that merely round to 0 or 100 are "< 0.1 %" or "> 99.9 %".
std::string percent_text(double fraction);

/// A probability as `percent_text` writes it, but never certain: one that a float rounds to 0 or 1 reads "< 0.1 %" or
/// "> 99.9 %", as those near it do.
std::string probability_text(double probability);

/// A change of a fraction in percentage points: "+4.2 pp", "−0.3 pp". `unit` as the language writes it.
std::string point_change_text(double change, const std::string& unit = "pp");

/// Changes smaller than this are negligible: as points they read 0.0, and they are drawn without colour.
inline constexpr double next_to_nothing = 5e-4;

/// A change of a fraction in percentage points, even if negligible: "+1.50 × 10⁻⁴ pp".
std::string share_change_text(double change, const std::string& unit = "pp");

/// The same from one fraction to another: the difference of the two as `percent_text` shows them, so that all three
/// agree; the exact change if it is negligible, or these texts are equal or without a number ("> 99.9 %").
std::string share_change_text(double before, double now, const std::string& unit);

/// "86 567 656".
std::string count_text(std::int64_t count);
/// All digits of a count, or a power of ten if it exceeds a double's precision.
std::string whole_count(double count);

/// A number with `decimals` digits after the point, for the ticks of an axis.
std::string fixed_text(double value, int decimals);

}  // namespace vitrine
