#include "app/rooms/panels/what_if_slider.h"

#include <algorithm>
#include <cmath>

#include "app/rooms/figures/computation.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "core/training/own_pictures.h"

namespace vitrine {

namespace {

float number_at(const NumberSlider& slider, float place) {
    return slider.steps == Steps::octaves ? std::exp2(place) : place;
}

float place_of(const NumberSlider& slider, float number) {
    return slider.steps == Steps::octaves ? std::log2(number) : number;
}

/// A what-if's argument as it appears in a sentence.
std::string value_words(const Ui& ui, const KnownWhatIf& what_if, const Config& config) {
    switch (what_if.row->argument) {
        case Argument::number:
        case Argument::direction: return number_text(static_cast<double>(what_if.value.number));
        case Argument::activation: return activation_words(what_if.value.activation);
        case Argument::set_of_images:
            return what_if.value.folder.empty()
                       ? ui.text("images.drawn")
                       : ui.text("images.of", {{"folder", name_of_folder(what_if.value.folder)}});
        case Argument::none:
        case Argument::head:
        case Argument::patches:
        case Argument::block:
        case Argument::unit:
        case Argument::edge:
        case Argument::noise:
        case Argument::pair:
        case Argument::count:
        case Argument::grid:
        case Argument::seed:
        case Argument::stack_block:
        case Argument::attention_head:
        case Argument::every_head: break;
    }
    return argument_words(what_if, config);
}

}  // namespace

std::string intervention_name(const Ui& ui, const Config& config, const Intervention& i) {
    const std::optional<KnownWhatIf> known = known_what_if(i);
    if (!known) return "";
    const std::string everywhere = std::string(known->row->words) + "_everywhere";
    const bool all = known->row->any_block && !i.where.block && ui.text.has(everywhere);
    const auto named = [&](const std::vector<int>& tokens, int first) {
        return set_words(tokens, ui.ordinal(0) == "0" ? -first : 1 - first);
    };
    const auto each_named = [&](const std::vector<int>& tokens) {
        constexpr std::size_t most = 3;
        std::string names;
        for (std::size_t k = 0; k < std::min(most, tokens.size()); ++k)
            names += (k > 0 ? ", " : "") + short_token_name(ui, config, tokens[k]);
        return tokens.size() > most ? names + " …" : names;
    };
    const Where& where = known->value.where;
    const std::vector<int> rows = where.token ? std::vector{*where.token} : where.tokens;
    const bool edge = known->row->argument == Argument::edge,
               by_name = edge || known->row->argument == Argument::direction,
               pair = known->row->argument == Argument::pair;
    std::string words = all ? everywhere : known->row->words;
    if (edge && !i.where.head) words += "_everywhere";
    constexpr std::size_t longest_list = 14;  // letters; "3-7+12" says more than "6 patches"
    if (!by_name && !pair && rows.size() > 1) words += set_words(rows).size() > longest_list ? "_many" : "_list";
    std::string what =
        ui.text(words, {{"block", ui.ordinal(i.where.block.value_or(1) - 1)},
                        {"head", ui.ordinal(i.where.head.value_or(0))},
                        {"token", by_name ? each_named(rows)
                                          : named(pair ? std::vector{known->value.keys[0]} : rows, config.token_of(0))},
                        {"other", by_name ? each_named(known->value.keys)
                                          : named(pair ? std::vector{known->value.keys[1]} : rows, config.token_of(0))},
                        {"count", std::to_string(rows.size())},
                        {"unit", ui.ordinal(i.where.unit.value_or(0))},
                        {"value", value_words(ui, *known, config)}});
    if (known->row->scaled && known->value.factor != 0)
        what = ui.text("removal.times",
                       {{"what", what}, {"value", number_text(static_cast<double>(known->value.factor))}});
    if (!known->row->any_block || !i.where.block) return what;
    return ui.text("removal.in_block", {{"what", what}, {"block", ui.ordinal(*i.where.block - 1)}});
}

std::string change_name(const Ui& ui, const Config& config, const Intervention& i) {
    std::string name = intervention_name(ui, config, i);
    const bool says_so = i.site == Site::skip;  // "no skip connections"
    return is_removal(i) && !says_so ? ui.text("switches.without", {{"part", name}}) : name;
}

void what_if_slider(const Ui& ui, const WhatIf& row, std::vector<Intervention>& what_ifs) {
    const NumberSlider& slider_row = row.numbers.slider;
    float place = slider_row.nothing;
    for (const Intervention& i : what_ifs)
        if (const auto known = known_what_if(i); known && known->row == &row && !i.where.block)
            place = place_of(slider_row, known->value.number);
    const std::string letter = row.numbers.letter;
    const SliderRange range{slider_row.first, slider_row.last, slider_row.step, [&](float x) {
                                return letter + " = " + number_text(static_cast<double>(number_at(slider_row, x)));
                            }};
    const std::string name = row.name, words = "switches." + name;
    if (!slider(ui, {"switch." + name, ui.text(words), ui.text(words + "_tip"), {}}, range, place)) return;
    place = std::round(place / slider_row.step) * slider_row.step;  // so that the same values can be reached again
    const Intervention set = row.make({.number = number_at(slider_row, place)});
    put(what_ifs, set);
    if (place == slider_row.nothing) toggle(what_ifs, set);  // the neutral number is not a what-if
}

}  // namespace vitrine
