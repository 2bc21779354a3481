#include "app/ui/widgets/colour_map.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

namespace vitrine {
namespace {

constexpr int last = colour_map_steps - 1;
constexpr int middle = colour_map_steps / 2;

/// Oklab in polar form: lightness, chroma, hue in degrees.
struct Oklch {
    double L, chroma, hue;
};

// From near black through indigo, blue, teal and green to pale yellow: the hue turns in one direction while lightness
// rises.
constexpr Oklch sequential_controls[] = {{0.17, 0.055, 288}, {0.31, 0.115, 283}, {0.45, 0.120, 262}, {0.58, 0.103, 218},
                                         {0.71, 0.115, 172}, {0.83, 0.150, 132}, {0.95, 0.145, 106}};

// Both arms start at the background's own lightness; their ends are equally light and far from it.
constexpr double blue_hue = 252, orange_hue = 58;
constexpr Oklch arm_end_on_dark = {0.78, 0.125, 0};
constexpr Oklch arm_end_on_light = {0.50, 0.125, 0};

double linear_of(std::uint8_t channel) {
    const double x = channel / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

double srgb_of(double linear) {
    const double x = std::clamp(linear, 0.0, 1.0);
    return 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055);
}

Oklab from_polar(const Oklch& colour) {
    const double angle = colour.hue * std::numbers::pi / 180;
    return {colour.L, colour.chroma * std::cos(angle), colour.chroma * std::sin(angle)};
}

Oklab mix(const Oklab& from, const Oklab& to, double t) {
    return {std::lerp(from.L, to.L, t), std::lerp(from.a, to.a, t), std::lerp(from.b, to.b, t)};
}

std::array<double, 3> to_srgb(const Oklab& lab) {
    const double l = std::pow(lab.L + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
    const double m = std::pow(lab.L - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
    const double s = std::pow(lab.L - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);
    return {srgb_of(+4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            srgb_of(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            srgb_of(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/// The nearest of eight 8-bit neighbours by lightness, then by colour: plain rounding would break the order of
/// lightness between adjacent steps.
Color rounded(const Oklab& lab) {
    const std::array<double, 3> srgb = to_srgb(lab);
    Color best;
    double least = std::numeric_limits<double>::max();
    for (int corner = 0; corner < 8; ++corner) {
        const auto channel = [&](int i) {
            return static_cast<std::uint8_t>(std::min(255.0, std::floor(srgb[i]) + ((corner >> i) & 1)));
        };
        const Color candidate = {channel(0), channel(1), channel(2), 255};
        const Oklab got = to_oklab(candidate);
        const double error = difference(got, lab) + 4 * std::abs(got.L - lab.L);
        if (error < least) {
            least = error;
            best = candidate;
        }
    }
    return best;
}

/// A uniform Catmull–Rom spline through the points, `t` 0 … 1.
Oklab curve_at(std::span<const Oklab> points, double t) {
    const int segments = static_cast<int>(points.size()) - 1;
    const int i = std::min(static_cast<int>(t * segments), segments - 1);
    const double u = t * segments - i;
    const auto point = [&](int index) {
        if (index < 0) return mix(points[0], points[1], -1);
        if (index > segments) return mix(points[segments], points[segments - 1], -1);
        return points[index];
    };
    const Oklab p0 = point(i - 1), p1 = point(i), p2 = point(i + 1), p3 = point(i + 2);
    const auto axis = [u](double a, double b, double c, double d) {
        return b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
    };
    return {axis(p0.L, p1.L, p2.L, p3.L), axis(p0.a, p1.a, p2.a, p3.a), axis(p0.b, p1.b, p2.b, p3.b)};
}

/// `steps` points of the curve at equal colour differences.
std::vector<Oklab> equal_steps(std::span<const Oklab> controls, int steps) {
    constexpr int fine = 8192;
    std::vector<Oklab> points(fine + 1);
    std::vector<double> length(fine + 1, 0.0);
    for (int i = 0; i <= fine; ++i) {
        points[i] = curve_at(controls, static_cast<double>(i) / fine);
        if (i > 0) length[i] = length[i - 1] + difference(points[i - 1], points[i]);
    }
    std::vector<Oklab> equal;
    for (int step = 0, i = 0; step < steps; ++step) {
        const double wanted = length[fine] * step / (steps - 1);
        while (i + 1 < fine && length[i + 1] < wanted) ++i;
        equal.push_back(mix(points[i], points[i + 1], (wanted - length[i]) / (length[i + 1] - length[i])));
    }
    return equal;
}

std::vector<Oklab> arm(ThemeKind kind, double hue) {
    const Oklab ground = to_oklab(palette_of(kind).panel);
    Oklch end = kind == ThemeKind::dark ? arm_end_on_dark : arm_end_on_light;
    end.hue = hue;
    const Oklab controls[] = {ground, mix(ground, from_polar(end), 0.5), from_polar(end)};
    return equal_steps(controls, middle);
}

using Map = std::array<Oklab, colour_map_steps>;

Map map_through(std::span<const Oklch> polar) {
    std::vector<Oklab> controls;
    for (const Oklch& control : polar) controls.push_back(from_polar(control));
    Map map;
    std::ranges::copy(equal_steps(controls, colour_map_steps), map.begin());
    return map;
}

Map make_sequential(ThemeKind) { return map_through(sequential_controls); }

Map make_diverging(ThemeKind kind) {
    const std::vector<Oklab> blue = arm(kind, blue_hue), orange = arm(kind, orange_hue);
    Map map;
    for (int i = 0; i < middle; ++i) {
        map[middle - 1 - i] = blue[i];
        map[middle + i] = orange[i];
    }
    return map;
}

/// A map: its kind, and the construction of its colours for a theme.
struct MapRow {
    ColourMap map;
    bool is_signed;
    Map (*make)(ThemeKind kind);
};
constexpr std::array map_rows = {
    MapRow{ColourMap::sequential, false, make_sequential},
    MapRow{ColourMap::diverging, true, make_diverging},
};

std::size_t index_of(ColourMap map) {
    const auto row = std::ranges::find(map_rows, map, &MapRow::map);
    assert(row != map_rows.end());
    return static_cast<std::size_t>(row - map_rows.begin());
}

/// A map for both themes, exact and as drawn.
struct MadeMap {
    std::array<Map, 2> exact;
    std::array<std::array<Color, colour_map_steps>, 2> colours;
};

std::size_t index_of(ThemeKind kind) { return kind == ThemeKind::dark ? 0 : 1; }

MadeMap made(const MapRow& row) {
    MadeMap m;
    for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
        m.exact[index_of(kind)] = row.make(kind);
        std::ranges::transform(m.exact[index_of(kind)], m.colours[index_of(kind)].begin(), rounded);
    }
    return m;
}

const MadeMap& made(ColourMap map) {
    static const std::vector<MadeMap> all = [] {
        std::vector<MadeMap> maps;
        for (const MapRow& row : map_rows) maps.push_back(made(row));
        return maps;
    }();
    return all[index_of(map)];
}

}  // namespace

Oklab to_oklab(Color color) {
    const double r = linear_of(color.r), g = linear_of(color.g), b = linear_of(color.b);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

double difference(const Oklab& one, const Oklab& other) {
    return std::hypot(one.L - other.L, one.a - other.a, one.b - other.b);
}

bool is_signed(ColourMap map) { return map_rows[index_of(map)].is_signed; }

const std::array<Oklab, colour_map_steps>& oklab_of(ColourMap map, ThemeKind kind) {
    return made(map).exact[index_of(kind)];
}

const std::array<Color, colour_map_steps>& colours_of(ColourMap map, ThemeKind kind) {
    return made(map).colours[index_of(kind)];
}

namespace {

float bent(float place, Curve curve) {
    switch (curve) {
        case Curve::linear: return place;
        case Curve::root: return std::sqrt(std::max(0.0F, place));
        case Curve::logarithm: return place > 0.0F ? 1.0F + std::log10(place) / log_decades : 0.0F;
    }
    return place;
}

}  // namespace

float ColourScale::position(float value) const {
    float place = high > low ? (value - low) / (high - low) : 0.0F;
    if (!is_signed(map)) place = bent(place, curve);
    if (is_signed(map) && curve == Curve::root) {
        const float from_zero = 2 * place - 1;
        place = (1 + std::copysign(std::sqrt(std::abs(from_zero)), from_zero)) / 2;
    }
    return place > 0.0F ? std::min(place, 1.0F) : 0.0F;
}

Color colour_at(const ColourScale& scale, float value, ThemeKind kind) {
    return colours_of(scale.map, kind)[static_cast<int>(scale.position(value) * last + 0.5F)];
}

}  // namespace vitrine
