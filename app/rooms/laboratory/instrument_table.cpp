#include "app/rooms/laboratory/instrument_table.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "app/ui/text.h"
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

constexpr std::array table = {
    InstrumentRow{Instrument::heads, shown<gallery_view>, gallery_controls, "attention"},
    InstrumentRow{Instrument::compare, shown<compare_view>, compare_controls, "attention"},
    InstrumentRow{Instrument::statistics, shown<statistics_view>, statistics_controls, "attention"},
    InstrumentRow{Instrument::depth, shown<through_depth_view>, depth_controls, "attention", depth_subject},
    InstrumentRow{Instrument::tokens, tokens_view, tokens_controls, "depth", tokens_subject},
    InstrumentRow{Instrument::lens, shown<lens_view>, lens_controls, "prediction"},
    InstrumentRow{Instrument::ledger, shown<ledger_view>, ledger_controls, "prediction"},
    InstrumentRow{
        .instrument = Instrument::occlusion,
        .view = shown<occlusion_view>,
        .controls = occlusion_controls,
        .step = "image",
        .grows = [](const Laboratory&) { return true; },
    },
    InstrumentRow{
        .instrument = Instrument::causes,
        .view = causes_view,
        .controls = causes_controls,
        .step = "prediction",
        .subject = causes_subject,
        .grows =
            [](const Laboratory& lab) {
                return lab.cause == CauseFigure::patching || lab.cause == CauseFigure::pruning ||
                       (lab.cause == CauseFigure::importance && lab.over == ImportanceScope::images);
            },
    },
    InstrumentRow{Instrument::words, shown<words_view>, words_controls, "prediction"},
};

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

std::string not_key(const Text& text, const Laboratory& lab) {
    const std::string own = "lab." + subject_of(lab) + ".not";
    return text.has(own) ? own : "lab." + std::string(name_of(lab.instrument)) + ".not";
}

bool grows_while_measured(const Laboratory& lab) {
    const InstrumentRow& row = row_of(lab.instrument);
    return row.grows != nullptr && row.grows(lab);
}

void instrument_view(const LabScene& lab, Selection& selection, WhatIfs& what_ifs) {
    row_of(selection.focus.lab.instrument).view(lab, selection, what_ifs);
}

}  // namespace vitrine
