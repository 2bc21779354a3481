#include "core/measures/sweep.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/measures/analysis.h"
#include "core/measures/importance.h"
#include "core/measures/many_runs.h"
#include "core/measures/patching.h"
#include "core/measures/set_means.h"
#include "core/vit/forward.h"
#include "core/vit/readout.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

using Edits = std::vector<Intervention>;

Edits ablated_block(int block, Ablation ablation, const Trace& run) {
    if (ablation == Ablation::resample)
        return {patch_of(run, PatchSite::attention, block), patch_of(run, PatchSite::mlp, block)};
    return {averaged(Site::msa, block, run.block(block)->msa), ablated_mlp(block, ablation, run)};
}

Intervention ablated_patch(int token, Ablation ablation, const Trace& run, int first_patch) {
    const Where where{.token = token};
    if (ablation == Ablation::mean) return {Site::tokens, where, Average{first_patch}};
    const Tensor2& tokens = run.embedding->tokens;
    const float* const row = &tokens(static_cast<std::size_t>(token), 0);
    return {Site::tokens, where, Replace{std::make_shared<const std::vector<float>>(row, row + tokens.shape()[1])}};
}

using Complete = std::function<void(Edits&)>;

SweptEdit edit_of_word(const Config& config, const std::string& word, const Complete& complete) {
    Edits edits{parse_intervention(word, config)};
    if (complete) complete(edits);
    return {word, [edits = std::move(edits)](const Trace&, const Trace*) { return edits; }};
}

/// The what-ifs, written with `*`, that zero each of the parts.
std::vector<std::string> words_of(const Config& c, SweptParts parts, std::optional<int> block) {
    const std::string of = std::to_string(block.value_or(c.blocks));
    switch (parts) {
        case SweptParts::heads: return {"head:*.*"};
        case SweptParts::mlps: return {"mlp:*"};
        case SweptParts::blocks: return {"block:*"};
        case SweptParts::patches: return {"patch:*"};
        case SweptParts::edges: return {"edge:" + of + ".*:" + std::to_string(tokens_read(c).front()) + ":*"};
    }
    return {};
}

/// The part that a word removes.
struct SweptPart {
    int block = 1, head = 0, token = 0;
};
SweptPart part_of(const Config& config, const std::string& word) {
    const Where where = parse_intervention(word, config).where;
    return {where.block.value_or(1), where.head.value_or(0), where.token.value_or(0)};
}

/// The edit that replaces, instead of zeroing, the part that a word removes.
SweptEdit replacing_edit(const Config& config, const std::string& word, SweptParts parts, Ablation ablation) {
    const SweptPart part = part_of(config, word);
    return {word, [=, first = config.token_of(0)](const Trace& run, const Trace* other) -> Edits {
                assert(ablation != Ablation::resample || other != nullptr);
                const Trace& from = ablation == Ablation::resample ? *other : run;
                switch (parts) {
                    case SweptParts::heads: return {ablated_head(part.block, part.head, ablation, from)};
                    case SweptParts::mlps: return {ablated_mlp(part.block, ablation, from)};
                    case SweptParts::blocks: return ablated_block(part.block, ablation, from);
                    case SweptParts::patches: return {ablated_patch(part.token, ablation, from, first)};
                    case SweptParts::edges: break;
                }
                return {};
            }};
}

/// The edits that replace a part by its mean over several images.
Edits mean_edits(const SetMeans& means, SweptParts parts, const SweptPart& part) {
    switch (parts) {
        case SweptParts::heads: return {means.head(part.block, part.head)};
        case SweptParts::mlps: return {means.mlp(part.block)};
        case SweptParts::blocks: return {means.attention(part.block), means.mlp(part.block)};
        case SweptParts::patches: return {means.patch(part.token)};
        case SweptParts::edges: break;
    }
    return {};
}

void check_can_replace(SweptParts parts) {
    if (parts == SweptParts::edges)
        throw Error("edges: are hidden before the softmax, so nothing takes their place; leave --ablate out");
}

/// The range of each number of a what-if's argument, in order.
struct Range {
    int first, last;
};
std::vector<Range> ranges_of(const WhatIf& row, const Config& c, bool names_a_head) {
    const Range blocks{1, c.blocks}, heads{0, c.heads - 1}, patches{1, c.patches()}, tokens{0, c.tokens() - 1};
    switch (row.argument) {
        case Argument::head: return {blocks, heads};
        case Argument::patches: return {patches};
        case Argument::block: return {blocks};
        case Argument::unit: return {blocks, {0, c.mlp_dim - 1}};
        case Argument::edge:
            return names_a_head ? std::vector{blocks, heads, tokens, tokens} : std::vector{blocks, tokens, tokens};
        case Argument::set_of_images:
        case Argument::noise: return {patches};
        case Argument::grid: return {{1, c.grid_width()}};
        case Argument::pair: return {patches, patches};
        default: return {};
    }
}

/// Replaces every `*` of a what-if by each possible number, the last `*` counting fastest. Throws Error.
std::vector<std::string> expand_stars(const std::string& word, const Config& config) {
    const std::size_t star = word.find('*');
    if (star == std::string::npos) return {word};
    const std::size_t colon = word.find(':'), at = word.find('@');
    const WhatIf* const row = what_if_named(std::string_view(word).substr(0, std::min(colon, at)));
    const auto refuse = [&] {
        throw Error("what-if '" + word + "': * stands for a number of a block, head, unit, patch or token; write " +
                    what_if_forms());
    };
    if (row == nullptr) refuse();
    std::vector<Range> ranges;
    std::size_t field = 0;
    if (at != std::string::npos && star > at && row->any_block) {
        ranges = {{1, config.blocks}};
    } else if (colon != std::string::npos && star > colon) {
        const std::size_t second = word.find(':', colon + 1);
        ranges = ranges_of(*row, config, word.substr(colon, second - colon).find('.') != std::string::npos);
        field = static_cast<std::size_t>(std::count_if(word.begin() + static_cast<std::ptrdiff_t>(colon) + 1,
                                                       word.begin() + static_cast<std::ptrdiff_t>(star),
                                                       [](char c) { return c == '.' || c == ':'; }));
    }
    if (field >= ranges.size()) refuse();
    std::vector<std::string> words;
    for (int i = ranges[field].first; i <= ranges[field].last; ++i)
        for (std::string& each : expand_stars(std::string(word).replace(star, 1, std::to_string(i)), config))
            words.push_back(std::move(each));
    return words;
}

/// 1 − cosine of the output features of two runs of a model without classes.
double distance_of(const HeadTrace& now, const HeadTrace& before) {
    const auto numbers = [](const HeadTrace& head) {
        const Tensor2& of = head.features.size() > 0 ? head.features : head.ln;
        return std::span<const float>(of.data(), of.size());
    };
    return 1 - static_cast<double>(cosine(numbers(now), numbers(before)));
}

}  // namespace

std::vector<SweptEdit> swept_edits(const Config& config, SweptParts parts, Ablation ablation,
                                   std::optional<int> block) {
    const std::vector<std::string> words = words_of(config, parts, block);
    if (ablation == Ablation::zero) return swept_edits(config, words);
    check_can_replace(parts);
    std::vector<SweptEdit> edits;
    for (const std::string& word : words)
        for (const std::string& each : expand_stars(word, config))
            edits.push_back(replacing_edit(config, each, parts, ablation));
    return edits;
}

std::vector<SweptEdit> swept_edits(const Config& config, SweptParts parts,
                                   const std::shared_ptr<const SetMeans>& means) {
    check_can_replace(parts);
    std::vector<SweptEdit> edits;
    for (const std::string& word : words_of(config, parts, {}))
        for (const std::string& each : expand_stars(word, config))
            edits.push_back({each, [=, part = part_of(config, each)](const Trace&, const Trace*) {
                                 return mean_edits(*means, parts, part);
                             }});
    return edits;
}

std::vector<SweptEdit> swept_edits(const Config& config, std::span<const std::string> words, const Complete& complete) {
    std::vector<SweptEdit> edits;
    for (const std::string& word : words)
        for (const std::string& each : expand_stars(word, config))
            edits.push_back(edit_of_word(config, each, complete));
    return edits;
}

SweptImage sweep_image(const Model& model, const Trace& run, const Trace* other, std::span<const SweptEdit> edits,
                       const Progress& progress) {
    SweptImage result;
    const bool classes = model.config.classes > 0;
    if (classes) {
        result.chosen = top_predictions(*run.head, 1).front().index;
        result.before = reading_of(*run.head, result.chosen);
        result.changes.resize(edits.size());
    } else {
        result.distances.resize(edits.size());
    }
    const auto change = [&](std::size_t i) {
        const Trace changed = what_if(model, run, edits[i].make(run, other));
        if (classes)
            result.changes[i] = answer_change(*changed.head, *run.head, result.chosen);
        else
            result.distances[i] = distance_of(*changed.head, *run.head);
    };
    for_each_run({edits.size(), {&run}}, change, progress);
    return result;
}

}  // namespace vitrine
