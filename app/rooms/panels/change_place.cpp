#include "app/rooms/panels/change_place.h"

#include <algorithm>
#include <string>

#include "app/chapters/step.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/vit/experiment.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

/// Id of the chapter about the site of a change.
std::string_view chapter_of_site(const Intervention& change) {
    const bool hides =
        std::holds_alternative<KnockOut>(change.edit) || std::holds_alternative<LocalWindow>(change.edit);
    switch (change.site) {
        case Site::embedded: return std::holds_alternative<Shuffle>(change.edit) ? "position_embedding" : "patches";
        case Site::tokens: return "patches";
        case Site::position: return "position_embedding";
        case Site::norm: return "layer_norm";
        case Site::slices:
        case Site::q:
        case Site::k:
        case Site::v: return "qkv";
        case Site::scores: return hides ? "attention_matrix" : "scores";
        case Site::attention: return "attention_matrix";
        case Site::heads: return "attention";
        case Site::msa: return "heads";
        case Site::skip: return "residual";
        case Site::mlp_hidden:
        case Site::mlp_out: return "mlp";
        case Site::mlp_activation: return change.where.unit ? "mlp" : "activation";
        case Site::stream: return "depth";
    }
    return "attention";
}

bool is_of_patches(const Intervention& change) {
    return change.site == Site::tokens || std::holds_alternative<CoverPatches>(change.edit);
}

/// True if a chapter shows the change: with its switch, its slider or the changed part.
bool shows_change(const Step& step, const Intervention& change, const Result& now, Focus focus) {
    if (change.where.block) focus.block = *change.where.block;
    if (step.own.painted && is_of_patches(change)) return true;
    if (step.id == "heads" && change.site == Site::heads) return true;
    if (step.switches != nullptr && contains(step.switches(now, focus), change)) return true;
    const std::optional<KnownWhatIf> known = known_what_if(change);
    return known && std::ranges::any_of(step.sliders, [&](std::string_view name) { return name == known->row->name; });
}

}  // namespace

std::string_view chapter_of_change(const Intervention& change, const Result& now, const Focus& focus) {
    const std::string_view usual = chapter_of_site(change);
    const Step& open = step_at(focus);
    return open.id != usual && shows_change(open, change, now, focus) ? open.id : usual;
}

std::vector<Command> way_to_change(const Intervention& change, const Result& now, const Focus& focus) {
    const std::optional<KnownWhatIf> known = known_what_if(change);
    const WhatIfValue value = known ? known->value : WhatIfValue{change.where};
    const bool pair = known && known->row->argument == Argument::pair;
    std::vector<FocusWord> look;
    const auto choose = [&](const char* part, int number) { look.emplace_back(part, std::to_string(number)); };
    if (change.where.block) choose("block", *change.where.block);
    if (change.where.head) choose("head", *change.where.head);
    if (change.where.unit) choose("unit", *change.where.unit);
    if (value.where.token)
        choose("token", *value.where.token);
    else if (!value.where.tokens.empty())
        choose("token", value.where.tokens.front());
    else if (pair)
        choose("token", value.keys.front());
    if (known && known->row->argument == Argument::edge && !value.keys.empty()) choose("key", value.keys.front());
    if (pair) choose("key", value.keys.back());
    std::vector<Command> way = {command::GoToChapter{std::string(chapter_of_change(change, now, focus))}};
    if (!look.empty()) way.emplace_back(command::Look{look});
    return way;
}

}  // namespace vitrine
