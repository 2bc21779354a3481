#include "app/rooms/figures/brush.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>
#include <variant>

#include "core/transformer/intervention.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

constexpr Paint kinds[] = {Paint::blur, Paint::grey, Paint::mean, Paint::mean_set, Paint::take_away};

/// The tokens of an intervention that a stroke with this paint could have made; none for any other intervention.
std::optional<std::vector<int>> tokens_of(const Intervention& i, Paint paint) {
    if (paint == Paint::take_away || paint == Paint::mean_set) {
        const bool fits = paint == Paint::take_away ? is_removal(i) : std::holds_alternative<SetMean>(i.edit);
        if (i.site != Site::tokens || !fits || !i.where.names_tokens()) return {};
        return i.where.token ? std::vector{*i.where.token} : i.where.tokens;
    }
    const CoverPatches* const cover = std::get_if<CoverPatches>(&i.edit);
    const Cover kind = paint == Paint::blur ? Cover::blur : paint == Paint::grey ? Cover::grey : Cover::mean;
    if (cover == nullptr || cover->cover != kind) return {};
    return cover->tokens;
}

Intervention row_of(const Config& c, const PaintAndImages& with, const std::vector<int>& patches) {
    std::vector<int> tokens;
    for (const int patch : patches) tokens.push_back(c.token_of(patch));
    if (with.paint == Paint::take_away || with.paint == Paint::mean_set) {
        Intervention row = remove_token(tokens.front());
        if (tokens.size() > 1) row.where = {.tokens = tokens};
        if (with.paint == Paint::mean_set) row.edit = SetMean{with.images};
        return row;
    }
    const Cover kind = with.paint == Paint::blur ? Cover::blur : with.paint == Paint::grey ? Cover::grey : Cover::mean;
    return {Site::embedded, {}, CoverPatches{kind, c.token_of(0), tokens}};
}

/// Sets the patches that have this paint: one what-if replaces all earlier ones, at the position of the first.
void set_painted(std::vector<Intervention>& what_ifs, const Config& c, const PaintAndImages& with,
                 const std::vector<int>& patches) {
    if (painted(what_ifs, c, with.paint) == patches) return;
    const auto is_row = [&](const Intervention& i) { return tokens_of(i, with.paint).has_value(); };
    const auto first = std::ranges::find_if(what_ifs, is_row);
    const std::ptrdiff_t place = first - what_ifs.begin();
    std::erase_if(what_ifs, is_row);
    if (!patches.empty()) what_ifs.insert(what_ifs.begin() + place, row_of(c, with, patches));
}

/// The folder of images whose mean the painted patches show; "" for drawn pictures, and if none show a mean.
std::string images_of(const std::vector<Intervention>& what_ifs) {
    for (const Intervention& i : what_ifs)
        if (const SetMean* const mean = std::get_if<SetMean>(&i.edit)) return mean->folder;
    return "";
}

std::vector<int> all_patches(const Config& c) {
    std::vector<int> all(static_cast<std::size_t>(c.patches()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace

PaintAndImages paint_of(const Selection& selection) { return {selection.brush.paint, selection.focus.lab.images}; }

std::vector<int> patches_under(const Brush& brush, const Config& c, int from, int at) {
    const int columns = c.grid_width(), around = brush.size / 2;
    int left = at % columns - around, right = at % columns + around, top = at / columns - around,
        bottom = at / columns + around;
    if (brush.rectangle) {
        std::tie(left, right) = std::minmax({from % columns, at % columns});
        std::tie(top, bottom) = std::minmax({from / columns, at / columns});
    }
    std::vector<int> patches;
    for (int row = std::max(0, top); row <= std::min(c.grid_height() - 1, bottom); ++row)
        for (int column = std::max(0, left); column <= std::min(columns - 1, right); ++column)
            patches.push_back(row * columns + column);
    return patches;
}

std::vector<int> painted(const std::vector<Intervention>& what_ifs, const Config& c, Paint paint) {
    std::vector<int> patches;
    for (const Intervention& i : what_ifs)
        if (const auto tokens = tokens_of(i, paint))
            for (const int token : *tokens)
                if (c.is_patch(token)) patches.push_back(c.patch_of(token));
    std::ranges::sort(patches);
    patches.erase(std::unique(patches.begin(), patches.end()), patches.end());
    return patches;
}

std::vector<int> painted_in_any_way(const std::vector<Intervention>& what_ifs, const Config& c) {
    std::vector<int> all;
    for (const Paint kind : kinds) {
        std::vector<int> both;
        std::ranges::set_union(all, painted(what_ifs, c, kind), std::back_inserter(both));
        all = std::move(both);
    }
    return all;
}

void paint(std::vector<Intervention>& what_ifs, const Config& c, const PaintAndImages& with,
           const std::vector<int>& patches) {
    for (const Paint kind : kinds) {
        const std::vector<int> before = painted(what_ifs, c, kind);
        std::vector<int> after;
        if (kind == with.paint)
            std::ranges::set_union(before, patches, std::back_inserter(after));
        else
            std::ranges::set_difference(before, patches, std::back_inserter(after));
        set_painted(what_ifs, c, kind == with.paint ? with : PaintAndImages{kind, images_of(what_ifs)}, after);
    }
}

void paint_the_others(std::vector<Intervention>& what_ifs, const Config& c, const PaintAndImages& with) {
    std::vector<int> others;
    std::ranges::set_difference(all_patches(c), painted(what_ifs, c, with.paint), std::back_inserter(others));
    paint(what_ifs, c, {Paint::erase}, all_patches(c));
    paint(what_ifs, c, with, others);
}

std::vector<int> random_patches(const Config& c, float share, std::uint32_t seed) {
    const auto count = std::max(1L, std::lround(static_cast<double>(share) * c.patches()));
    std::vector<int> chosen = shuffled_order(c.patches(), seed);
    chosen.resize(static_cast<std::size_t>(std::min<long>(count, c.patches())));
    std::ranges::sort(chosen);
    return chosen;
}

}  // namespace vitrine
