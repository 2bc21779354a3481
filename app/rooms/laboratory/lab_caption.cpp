#include <string>
#include <vector>

#include "app/chapters/chapter.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/panels/figure_caption.h"
#include "app/rooms/room_parts.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/measured.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/workspace.h"
#include "core/measures/rollout.h"

namespace vitrine {

namespace {

/// Adds the range of blocks, and for a rollout how it fuses the heads and weights the residual connection.
void add_way_through_depth(std::vector<std::string>& words, const Ui& ui, const Laboratory& lab, int blocks) {
    const RolloutOptions& r = lab.rollout;
    const BlockRange range = block_range(r.first_block, r.last_block, blocks);
    words.push_back(
        ui.text("caption.blocks", {{"first", std::to_string(range.first)}, {"last", std::to_string(range.last)}}));
    if (lab.method != DepthMethod::rollout) return;
    words.push_back(ui.text(std::string("caption.fusion.") + name_in(head_fusion_names, r.fusion)));
    if (r.residual > 0) words.push_back("α = " + number_text(static_cast<double>(r.residual)));
    if (r.discard > 0)
        words.push_back(ui.text("caption.discard", {{"share", percent_text(static_cast<double>(r.discard))}}));
}

/// Adds the compared heads by their letters, and how they are combined.
void add_picks(std::vector<std::string>& words, const InView& shown) {
    const Focus& f = shown.selection.focus;
    for (std::size_t i = 0; i < f.lab.picks.size(); ++i) {
        const Pick& pick = f.lab.picks[i];
        std::string one = letter_of_pick(i) + ": " + head_name(shown.ui, pick.block, pick.head);
        if (pick.query) one += ", " + token_name(shown.ui, *shown.workspace.shown.result, *pick.query);
        words.push_back(one);
    }
    words.push_back(shown.ui.text(std::string("lab.combine.") + name_in(combine_names, f.lab.combine)));
}

}  // namespace

std::vector<std::string> dependencies_of_instrument(const InView& shown) {
    const Laboratory& lab = shown.selection.focus.lab;
    const InstrumentRow& row = row_of(lab.instrument);
    std::vector<std::string> words = chosen_parts(shown, row.depends != nullptr ? row.depends(lab) : DependsOn{});
    if (lab.instrument == Instrument::depth)
        add_way_through_depth(words, shown.ui, lab, shown.workspace.shown.result->model->config.blocks);
    if (lab.instrument == Instrument::compare) add_picks(words, shown);
    return words;
}

}  // namespace vitrine
