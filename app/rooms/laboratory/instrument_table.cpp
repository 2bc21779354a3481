#include "app/rooms/laboratory/instrument_table.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "app/chapters/chapter.h"
#include "app/rooms/figures/difference.h"
#include "app/rooms/laboratory/cause_figures.h"
#include "app/rooms/laboratory/lab_difference.h"
#include "app/rooms/laboratory/token_figures.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"

namespace vitrine {

namespace {

/// Adapts a view without what-ifs.
template <void (*view)(const LabScene&, Selection&)>
void shown(const LabScene& lab, Selection& selection, WhatIfs&) {
    view(lab, selection);
}

std::string depth_subject(const Laboratory& lab) { return name_in(depth_method_names, lab.method); }
std::string causes_subject(const Laboratory& lab) {
    return std::string("causes.") + name_in(cause_figure_names, lab.cause);
}
std::string tokens_subject(const Laboratory& lab) { return std::string("tokens.") + name_of(lab.figure); }

bool always(const Laboratory&) { return true; }
std::span<const Named<Scope>> no_ranges(const Laboratory&) { return {}; }
DependsOn on_all_three(const Laboratory&) { return {.block = true, .head = true, .token = true}; }
DependsOn on_target(const Laboratory&) { return {.target = true}; }
DependsOn on_token_and_target(const Laboratory&) { return {.token = true, .target = true}; }

// Maps that belong to no single block: all share a range, or each has its own.
constexpr Named<Scope> ranges_of_maps[] = {{Scope::head, "head"}, {Scope::model, "maps"}, {Scope::fixed, "fixed"}};
// Maps of all blocks, which always share a range.
constexpr Named<Scope> ranges_of_blocks[] = {{Scope::model, "model"}, {Scope::fixed, "fixed"}};
// A single map, which belongs to no block or head.
constexpr Named<Scope> ranges_of_one_map[] = {{Scope::head, "head"}, {Scope::fixed, "fixed"}};

constexpr std::array table = {
    InstrumentRow{.instrument = Instrument::heads,
                  .group = "attention",
                  .view = shown<gallery_view>,
                  .controls = gallery_controls,
                  .step = "attention",
                  .compared = compare_gallery,
                  .depends = on_all_three},
    InstrumentRow{.instrument = Instrument::compare,
                  .group = "attention",
                  .view = shown<compare_view>,
                  .controls = compare_controls,
                  .step = "attention",
                  .compared = compare_picks,
                  .depends =
                      [](const Laboratory& lab) {
                          return DependsOn{.token =
                                               std::ranges::any_of(lab.picks, [](const Pick& p) { return !p.query; })};
                      }},
    InstrumentRow{.instrument = Instrument::statistics,
                  .group = "attention",
                  .view = shown<statistics_view>,
                  .controls = statistics_controls,
                  .step = "attention",
                  .compared = compare_statistics,
                  .depends = on_all_three},
    InstrumentRow{.instrument = Instrument::depth,
                  .group = "attention",
                  .view = shown<through_depth_view>,
                  .controls = depth_controls,
                  .step = "attention",
                  .compared = compare_depth,
                  .depends =
                      [](const Laboratory& lab) {
                          return DependsOn{.token = true, .target = lab.method == DepthMethod::relevance};
                      },
                  .about_classes = [](const Laboratory& lab) { return lab.method == DepthMethod::relevance; },
                  .subject = depth_subject,
                  .ranges = [](const Laboratory&) { return std::span<const Named<Scope>>(ranges_of_maps); }},
    InstrumentRow{.instrument = Instrument::tokens,
                  .group = "vectors",
                  .view = tokens_view,
                  .controls = tokens_controls,
                  .step = "depth",
                  .compared = compare_token_figures,
                  .depends =
                      [](const Laboratory& lab) {
                          const TokenRow& row = row_of(lab.figure);
                          return DependsOn{.token = row.of_a_token, .level = row.by_level};
                      },
                  .subject = tokens_subject,
                  .ranges =
                      [](const Laboratory& lab) {
                          return row_of(lab.figure).by_scope ? std::span<const Named<Scope>>(ranges_of_one_map)
                                                             : std::span<const Named<Scope>>();
                      }},
    InstrumentRow{.instrument = Instrument::lens,
                  .group = "vectors",
                  .view = shown<lens_view>,
                  .controls = lens_controls,
                  .step = "prediction",
                  .compared = compare_lens,
                  .depends = on_token_and_target,
                  .about_classes = always,
                  .ranges = [](const Laboratory&) { return std::span<const Named<Scope>>(ranges_of_blocks); }},
    InstrumentRow{.instrument = Instrument::ledger,
                  .group = "prediction",
                  .view = shown<ledger_view>,
                  .controls = ledger_controls,
                  .step = "prediction",
                  .compared = compare_ledgers,
                  .depends = on_target,
                  .about_classes = always,
                  .ranges = no_ranges},
    InstrumentRow{.instrument = Instrument::occlusion,
                  .group = "prediction",
                  .view = shown<occlusion_view>,
                  .controls = occlusion_controls,
                  .step = "image",
                  .compared = compare_occlusion,
                  .depends = on_token_and_target,
                  .about_classes = always,
                  .grows = always,
                  .ranges = [](const Laboratory&) { return std::span<const Named<Scope>>(ranges_of_one_map); }},
    InstrumentRow{.instrument = Instrument::causes,
                  .group = "prediction",
                  .view = causes_view,
                  .controls = causes_controls,
                  .step = "prediction",
                  .compared = compare_causes,
                  .depends = on_target,
                  .about_classes = always,
                  .subject = causes_subject,
                  .grows = [](const Laboratory& lab) { return row_of(lab.cause).grows(lab); },
                  .ranges = no_ranges},
    InstrumentRow{.instrument = Instrument::words,
                  .group = "prediction",
                  .view = shown<words_view>,
                  .controls = words_controls,
                  .step = "prediction",
                  .compared = compare_words,
                  .ranges = no_ranges},
};

/// True if the difference of two heads is shown.
bool compares_two(const Laboratory& lab) {
    return lab.instrument == Instrument::compare && lab.combine == Combine::difference;
}

}  // namespace

const InstrumentRow& row_of(Instrument instrument) {
    const auto row = std::ranges::find(table, instrument, &InstrumentRow::instrument);
    assert(row != table.end());
    return *row;
}

std::string subject_of(const Laboratory& lab) {
    const InstrumentRow& row = row_of(lab.instrument);
    return row.subject == nullptr ? name_of(lab.instrument) : row.subject(lab);
}

std::string title_key(const Laboratory& lab) {
    return "lab." + std::string(name_of(lab.instrument)) + (compares_two(lab) ? ".title_difference" : ".title");
}

std::string sentence_key(const Laboratory& lab) {
    // Weights are the same for every image, so figures of weights have a sentence of their own.
    const bool learned = lab.instrument == Instrument::tokens && !row_of(lab.figure).by_level;
    return "lab." + (learned ? subject_of(lab) : name_of(lab.instrument)) +
           (compares_two(lab) ? ".sentence_difference" : ".sentence");
}

std::string not_key(const Text& text, const Laboratory& lab) {
    const std::string own = "lab." + subject_of(lab) + ".not";
    return text.has(own) ? own : "lab." + std::string(name_of(lab.instrument)) + ".not";
}

bool grows_while_measured(const Laboratory& lab) {
    const InstrumentRow& row = row_of(lab.instrument);
    return row.grows != nullptr && row.grows(lab);
}

std::span<const Named<Scope>> ranges_of(const Laboratory& lab) {
    const InstrumentRow& row = row_of(lab.instrument);
    return row.ranges == nullptr ? offered_scopes : row.ranges(lab);
}

Scope range_in_view(const Laboratory& lab, Scope scope) {
    const std::span<const Named<Scope>> ranges = ranges_of(lab);
    // A difference is often far below the weights, so until a range is chosen it has its own.
    scope = scope == Scope::automatic && compares_two(lab) ? Scope::head : range_in_laboratory(scope);
    if (ranges.empty() || std::ranges::find(ranges, scope, &Named<Scope>::value) != ranges.end()) return scope;
    const auto fixed = std::ranges::find(ranges, Scope::fixed, &Named<Scope>::value);
    return fixed == ranges.begin() ? scope : std::prev(fixed)->value;
}

void draw_lab_difference(const LabPair& pair, Canvas& canvas, Rect area) {
    const Laboratory& lab = pair.a.focus.lab;
    const InstrumentRow& row = row_of(lab.instrument);
    const auto classes = [](const LabRun& run) { return run.now.model->config.classes > 0; };
    const bool about_classes = row.about_classes != nullptr && row.about_classes(lab);
    Comparison what;
    if (pair.running)
        what.why = pair.ui.text("lab.measuring");
    else if (about_classes && !(classes(pair.a) && classes(pair.b)))
        what.why = pair.ui.text("lab.no_classes");
    else
        what = row.compared(pair);
    draw_comparison(pair.ui, canvas, area, what, [&](Rect rest) { draw_in_common(pair.scene, rest); });
}

void instrument_view(const LabScene& lab, Selection& selection, WhatIfs& what_ifs) {
    row_of(selection.focus.lab.instrument).view(lab, selection, what_ifs);
}

}  // namespace vitrine
