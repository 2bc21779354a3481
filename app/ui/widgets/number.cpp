#include "app/ui/widgets/number.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace vitrine {
namespace {

constexpr const char* minus = "\u2212";
constexpr const char* thin_space = "\u2009";
constexpr const char* times = " \u00D7 ";

std::string formatted(int digits, double value, char kind) {
    const char format[] = {'%', '.', '*', kind, '\0'};
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, format, digits, value);
    return buffer;
}

/// Inserts a thin space between groups of three digits; four digits stay together, as is usual.
std::string group_thousands(const std::string& digits) {
    const std::size_t whole = std::min(digits.find('.'), digits.size());
    if (whole < 5) return digits;
    std::string grouped;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0) grouped += thin_space;
        grouped += digits[i];
    }
    return grouped;
}

std::string superscript(int exponent) {
    static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string raised = exponent < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(exponent))) raised += digits[digit - '0'];
    return raised;
}

std::string scientific(double magnitude, int digits) {
    const std::string text = formatted(digits - 1, magnitude, 'e');
    const std::size_t e = text.find('e');
    return text.substr(0, e) + times + "10" + superscript(std::atoi(text.c_str() + e + 1));
}

/// `magnitude` must be finite and positive.
std::string magnitude_text(double magnitude, int digits) {
    const std::string text = formatted(digits - 1, magnitude, 'e');
    const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
    if (magnitude < 1e-3 || exponent >= 6) return scientific(magnitude, digits);
    return group_thousands(formatted(std::max(0, digits - 1 - exponent), magnitude, 'f'));
}

std::string with_sign(double value, const std::string& magnitude, const char* plus) {
    return (value < 0 ? minus : plus) + magnitude;
}

std::string number(double value, int digits, const char* plus) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return with_sign(value, "\u221E", plus);
    if (value == 0) return "0";
    return with_sign(value, magnitude_text(std::abs(value), digits), plus);
}

}  // namespace

std::string number_text(double value) { return number(value, 3, ""); }

std::string digits_text(double value, int digits) { return number(value, digits, ""); }

double as_written(double value, int digits) {
    return std::strtod(formatted(std::max(1, digits) - 1, value, 'e').c_str(), nullptr);
}

std::string rounded_count(std::size_t count) {
    constexpr double thousand = 1e3, million = 1e6;
    const auto exact = static_cast<double>(count);
    return exact < million ? number_text(exact / thousand) + " k" : number_text(exact / million) + " M";
}

std::string signed_text(double value) { return number(value, 3, "+"); }

std::string full_text(double value) { return number(value, 9, ""); }

std::string percent_text(double fraction) {
    if (!std::isfinite(fraction)) return number_text(fraction);
    const double percent = 100 * fraction;
    if (percent == 0 || percent == 100) return fixed_text(percent, 0) + " %";
    if (percent > 0 && percent < 0.05) return "< 0.1 %";
    if (percent < 100 && percent >= 99.95) return "> 99.9 %";
    return fixed_text(percent, 1) + " %";
}

std::string probability_text(double probability) {
    if (probability == 0) return "< 0.1 %";
    return probability == 1 ? "> 99.9 %" : percent_text(probability);
}

std::string power_text(int exponent) {
    return exponent == 0 ? "1" : "10" + (exponent == 1 ? "" : superscript(exponent));
}

std::string point_change_text(double change, const std::string& unit) {
    if (!std::isfinite(change)) return number_text(change);
    const std::string text = fixed_text(100 * change, 1);
    const bool rises = change > 0 && text != "0.0";
    return (rises ? "+" : "") + text + " " + unit;
}

std::string share_change_text(double change, const std::string& unit) {
    return std::abs(change) < next_to_nothing ? signed_text(100 * change) + " " + unit
                                              : point_change_text(change, unit);
}

std::string share_change_text(double before, double now, const std::string& unit) {
    const double change = now - before;
    const auto has_number = [](double fraction) { return 100 * fraction >= 0.05 && 100 * fraction < 99.95; };
    if (!has_number(before) || !has_number(now) || std::abs(change) < next_to_nothing)
        return share_change_text(change, unit);
    const auto written = [](double fraction) {
        return std::strtod(formatted(1, 100 * fraction, 'f').c_str(), nullptr);
    };
    const double difference = (written(now) - written(before)) / 100;
    return written(now) == written(before) ? signed_text(100 * change) + " " + unit
                                           : point_change_text(difference, unit);
}

std::string count_text(std::int64_t count) {
    const std::string digits = std::to_string(count);
    return count < 0 ? minus + group_thousands(digits.substr(1)) : group_thousands(digits);
}

std::string whole_count(double count) {
    constexpr double exact = 9007199254740992.0;  // 2⁵³
    return count < exact ? count_text(std::llround(count)) : number_text(count);
}

std::string fixed_text(double value, int decimals) {
    std::string digits = formatted(decimals, std::abs(value), 'f');
    const bool zero = digits.find_first_not_of("0.") == std::string::npos;
    return (value < 0 && !zero ? minus : "") + group_thousands(digits);
}

}  // namespace vitrine
