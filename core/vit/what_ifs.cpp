#include "core/vit/what_ifs.h"

#include <array>
#include <cmath>

namespace vitrine {

namespace {

/// T for scores multiplied by 1 / T: the number with exactly that inverse.
std::optional<float> temperature_of(const Edit& edit) {
    const Scale* const scale = std::get_if<Scale>(&edit);
    if (scale == nullptr || !(scale->factor > 0)) return std::nullopt;
    const float t = 1 / scale->factor;
    for (const float near : {t, std::nextafter(t, 0.0F), std::nextafter(t, 1e9F)})
        if (1 / near == scale->factor) return near;
    return t;
}

std::optional<float> seed_of(const Edit& edit) {
    const Shuffle* const shuffle = std::get_if<Shuffle>(&edit);
    return shuffle == nullptr ? std::nullopt : std::optional(static_cast<float>(shuffle->seed));
}

std::optional<float> radius_of(const Edit& edit) {
    const LocalWindow* const window = std::get_if<LocalWindow>(&edit);
    return window == nullptr ? std::nullopt : std::optional(static_cast<float>(window->radius));
}

std::optional<float> side_of(const Edit& edit) {
    const Coarsen* const coarsen = std::get_if<Coarsen>(&edit);
    return coarsen == nullptr ? std::nullopt : std::optional(static_cast<float>(coarsen->side));
}

std::optional<float> deviation_of(const Edit& edit) {
    const Noise* const noise = std::get_if<Noise>(&edit);
    return noise == nullptr ? std::nullopt : std::optional(noise->deviation);
}

std::optional<float> factor_of_row(const Edit& edit) {
    const AddRow* const added = std::get_if<AddRow>(&edit);
    return added == nullptr ? std::nullopt : std::optional(added->factor);
}

using V = WhatIfValue;

/// The patches that a word names.
Where patches_of(const V& v) { return {.token = v.where.token, .tokens = v.where.tokens}; }
/// The cover of the patches that a word names.
template <Cover cover>
Intervention cover_of(const V& v) {
    return {Site::embedded,
            {},
            CoverPatches{cover, v.first_patch, v.where.token ? std::vector{*v.where.token} : v.where.tokens}};
}
/// The block that a word names.
Where block_of(const V& v) { return {.block = v.where.block.value_or(1)}; }

/// The values that an intervention's edit holds, except its number.
WhatIfValue value_of(const Intervention& intervention) {
    WhatIfValue value{intervention.where};
    const Edit& edit = intervention.edit;
    if (const Activate* const a = std::get_if<Activate>(&edit)) value.activation = a->activation;
    if (const Scale* const s = std::get_if<Scale>(&edit)) value.factor = s->factor;
    if (const ScaleChange* const s = std::get_if<ScaleChange>(&edit)) value.factor = s->factor;
    if (const KnockOut* const k = std::get_if<KnockOut>(&edit)) value.keys = k->keys;
    if (const Swap* const s = std::get_if<Swap>(&edit)) value.keys = {s->one, s->other};
    if (const Noise* const n = std::get_if<Noise>(&edit)) value.seed = n->seed;
    if (const Average* const a = std::get_if<Average>(&edit)) value.first_patch = a->first;
    if (const SetMean* const s = std::get_if<SetMean>(&edit)) value.folder = s->folder;
    if (const AddRow* const a = std::get_if<AddRow>(&edit)) value.keys = {a->row};
    if (const CoverPatches* const c = std::get_if<CoverPatches>(&edit)) {
        value.first_patch = c->first;
        if (c->tokens.size() == 1) value.where.token = c->tokens.front();
        if (c->tokens.size() > 1) value.where.tokens = c->tokens;
    }
    if (const LocalWindow* const w = std::get_if<LocalWindow>(&edit)) {
        value.first_patch = w->first;
        value.grid_columns = w->columns;
    }
    if (const Coarsen* const c = std::get_if<Coarsen>(&edit)) {
        value.first_patch = c->first;
        value.grid_columns = c->columns;
    }
    return value;
}

constexpr std::array table = {
    WhatIf{.name = "head",
           .argument = Argument::head,
           .scaled = true,
           .words = "removal.head",
           .make =
               [](const V& v) {
                   return Intervention{
                       Site::heads, {v.where.block.value_or(1), v.where.head.value_or(0)}, Scale{v.factor}};
               }},
    WhatIf{.name = "patch",
           .argument = Argument::patches,
           .scaled = true,
           .words = "removal.patch",
           .make =
               [](const V& v) {
                   return Intervention{Site::tokens, patches_of(v), Scale{v.factor}};
               }},
    WhatIf{.name = "mean",
           .argument = Argument::patches,
           .words = "removal.mean",
           .make =
               [](const V& v) {
                   return Intervention{Site::tokens, patches_of(v), Average{v.first_patch}};
               }},
    WhatIf{.name = "mean-set",
           .argument = Argument::set_of_images,
           .words = "removal.mean_set",
           .make =
               [](const V& v) {
                   return Intervention{Site::tokens, patches_of(v), SetMean{v.folder}};
               }},
    WhatIf{.name = "noise",
           .argument = Argument::noise,
           .words = "removal.noise",
           .make =
               [](const V& v) {
                   return Intervention{Site::tokens, patches_of(v), Noise{v.number, v.seed}};
               },
           .number = deviation_of,
           .numbers = {.low = 0, .high = 1000, .letter = "DEVIATION"}},
    WhatIf{.name = "cover-mean",
           .argument = Argument::patches,
           .words = "removal.cover_mean",
           .make = cover_of<Cover::mean>},
    WhatIf{.name = "cover-grey",
           .argument = Argument::patches,
           .words = "removal.cover_grey",
           .make = cover_of<Cover::grey>},
    WhatIf{.name = "cover-blur",
           .argument = Argument::patches,
           .words = "removal.cover_blur",
           .make = cover_of<Cover::blur>},
    WhatIf{.name = "mlp",
           .argument = Argument::block,
           .scaled = true,
           .words = "removal.mlp",
           .make =
               [](const V& v) {
                   return Intervention{Site::mlp_out, block_of(v), Scale{v.factor}};
               }},
    WhatIf{.name = "attention",
           .argument = Argument::block,
           .scaled = true,
           .words = "removal.attention",
           .make =
               [](const V& v) {
                   return Intervention{Site::msa, block_of(v), Scale{v.factor}};
               }},
    WhatIf{.name = "block",
           .argument = Argument::block,
           .scaled = true,
           .words = "removal.block",
           .make =
               [](const V& v) {
                   return Intervention{Site::stream, block_of(v), ScaleChange{v.factor}};
               }},
    WhatIf{.name = "unit",
           .argument = Argument::unit,
           .scaled = true,
           .words = "removal.unit",
           .make =
               [](const V& v) {
                   return Intervention{Site::mlp_activation,
                                       {.block = v.where.block.value_or(1), .unit = v.where.unit.value_or(0)},
                                       Scale{v.factor}};
               }},
    WhatIf{.name = "edge",
           .argument = Argument::edge,
           .words = "removal.edge",
           .make =
               [](const V& v) {
                   return Intervention{Site::scores,
                                       {.block = v.where.block.value_or(1),
                                        .head = v.where.head,
                                        .token = v.where.token,
                                        .tokens = v.where.tokens},
                                       KnockOut{v.keys}};
               }},
    WhatIf{.name = "window",
           .argument = Argument::count,
           .any_block = true,
           .words = "removal.window",
           .make =
               [](const V& v) {
                   return Intervention{Site::scores,
                                       {.block = v.where.block},
                                       LocalWindow{static_cast<int>(v.number), v.first_patch, v.grid_columns}};
               },
           .number = radius_of,
           .numbers = {.low = 0, .high = 9999, .letter = "RADIUS"}},
    WhatIf{.name = "direction",
           .argument = Argument::direction,
           .words = "removal.direction",
           .make =
               [](const V& v) {
                   return Intervention{
                       Site::stream,
                       {.block = v.where.block.value_or(1), .token = v.where.token, .tokens = v.where.tokens},
                       AddRow{v.keys.empty() ? 0 : v.keys.front(), v.number}};
               },
           .number = factor_of_row,
           .numbers = {.low = -1000, .high = 1000, .letter = "FACTOR"}},
    WhatIf{.name = "swap",
           .argument = Argument::pair,
           .words = "removal.swap",
           .make =
               [](const V& v) {
                   return Intervention{Site::position, {}, v.keys.size() < 2 ? Swap{} : Swap{v.keys[0], v.keys[1]}};
               }},
    WhatIf{.name = "positions", .words = "removal.positions", .make = [](const V&) { return remove_positions(); }},
    WhatIf{.name = "positions-interpolate",
           .argument = Argument::grid,
           .words = "removal.positions_interpolated",
           .make =
               [](const V& v) {
                   return Intervention{
                       Site::position, {}, Coarsen{static_cast<int>(v.number), v.first_patch, v.grid_columns}};
               },
           .number = side_of,
           .numbers = {.low = 1, .high = 9999, .letter = "GRID"}},
    WhatIf{.name = "shuffle",
           .argument = Argument::seed,
           .words = "removal.shuffle",
           .make = [](const V& v) { return shuffle_tokens(static_cast<std::uint32_t>(v.number)); },
           .number = seed_of,
           .numbers = {.low = 1, .high = 999999}},
    WhatIf{.name = "no-scale",
           .any_block = true,
           .words = "removal.no_scale",
           .make = [](const V& v) { return without_scaling(v.where.block); }},
    WhatIf{.name = "temperature",
           .argument = Argument::number,
           .any_block = true,
           .words = "removal.temperature",
           .make = [](const V& v) { return temperature(v.number, v.where.block); },
           .number = temperature_of,
           .numbers = {.low = 0.01F, .high = 100, .letter = "τ", .slider = {-3, 3, 0.25F, 0, Steps::octaves}}},
    WhatIf{.name = "k=q",
           .any_block = true,
           .words = "removal.key_is_query",
           .make = [](const V& v) { return key_is_query(v.where.block); }},
    WhatIf{.name = "v=q",
           .any_block = true,
           .words = "removal.value_is_query",
           .make = [](const V& v) { return value_is_query(v.where.block); }},
    WhatIf{.name = "no-skip",
           .any_block = true,
           .words = "removal.no_skip",
           .make = [](const V& v) { return without_skips(v.where.block); }},
    WhatIf{.name = "no-norm",
           .any_block = true,
           .words = "removal.norm_none",
           .make = [](const V& v) { return normalise(Norm::none, v.where.block); }},
    WhatIf{.name = "pre-norm",
           .any_block = true,
           .words = "removal.norm_before",
           .make = [](const V& v) { return normalise(Norm::before, v.where.block); }},
    WhatIf{.name = "post-norm",
           .any_block = true,
           .words = "removal.norm_after",
           .make = [](const V& v) { return normalise(Norm::after, v.where.block); }},
    WhatIf{.name = "activation",
           .argument = Argument::activation,
           .any_block = true,
           .words = "removal.activation",
           .make = [](const V& v) { return activate_with(v.activation, v.where.block); }},
};

}  // namespace

ModelParts parts_of(const Config& c) {
    return {.blocks = c.blocks,
            .heads = c.heads,
            .patches = c.patches(),
            .first_patch = c.token_of(0),
            .grid_columns = c.grid_width(),
            .tokens = c.tokens(),
            .hidden_units = c.mlp_dim};
}

std::span<const WhatIf> what_if_table() { return table; }

const WhatIf* what_if_named(std::string_view name) { return what_if_named(table, name); }

std::optional<KnownWhatIf> known_what_if(const Intervention& intervention) {
    for (const WhatIf& row : table) {
        WhatIfValue value = value_of(intervention);
        if (row.number != nullptr) {
            const std::optional<float> number = row.number(intervention.edit);
            if (!number || !(*number >= row.numbers.low) || !(*number <= row.numbers.high)) continue;
            value.number = *number;
        }
        if (row.make(value) == intervention) return KnownWhatIf{&row, value};
    }
    return std::nullopt;
}

std::string argument_words(const KnownWhatIf& what_if, const Config& config) {
    return argument_words(what_if, parts_of(config));
}

std::string what_if_forms() { return what_if_forms(table); }

Intervention parse_intervention(const std::string& word, const Config& config) {
    const KnownWhatIf known = read_what_if(table, word, parts_of(config));
    return known.row->make(known.value);
}

std::string to_word(const Intervention& intervention, const Config& config) {
    const std::optional<KnownWhatIf> known = known_what_if(intervention);
    return known ? word_of(*known, parts_of(config)) : "";
}

}  // namespace vitrine
