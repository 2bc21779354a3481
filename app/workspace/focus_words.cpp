#include "app/workspace/focus_words.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "app/library/old_words.h"
#include "app/workspace/focus_parts.h"
#include "app/workspace/selection.h"
#include "app/workspace/words_beside.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/measures/head_statistics.h"
#include "core/measures/text/text_heads.h"
#include "core/text/text_what_ifs.h"

namespace vitrine {

using namespace focus_parts;

namespace {

/// A statistic of heads by its name. `none` is the word for no choice; null: one is always chosen.
template <class At>
Field statistic(const std::string& name, At at, std::span<const HeadStatistic> table, const char* none = nullptr) {
    std::vector<std::string> names;
    if (none != nullptr) names.emplace_back(none);
    for (const HeadStatistic& row : table) names.emplace_back(row.name);
    return {name, [at, none](const View& v) { return at(v).empty() && none != nullptr ? none : at(v); },
            [at, none, table](const MutableView& v, const std::string& words) {
                const bool cleared = none != nullptr && words == none;
                if (!cleared && statistic_named(table, words) == nullptr) return false;
                at(v) = cleared ? "" : words;
                return true;
            },
            in_a_row(names)};
}

/// "3.2" or, with a query of its own, "3.2@13".
std::optional<Pick> pick_of(const std::string& words) {
    const std::vector<std::string> parts = split(words, '@');
    const std::vector<std::string> place = parts.empty() ? parts : split(parts[0], '.');
    if (place.size() != 2 || parts.size() > 2) return std::nullopt;
    const auto block = number_from<int>(place[0]), head = number_from<int>(place[1]);
    if (!block || !head || *block < 1 || *head < 0) return std::nullopt;
    Pick pick{*block, *head, {}};
    if (parts.size() == 1) return pick;
    pick.query = number_from<int>(parts[1]);
    return pick.query && *pick.query >= 0 ? std::optional(pick) : std::nullopt;
}

Field picks() {
    return {"lab.picks",
            [](const View& v) {
                std::string words;
                for (const Pick& p : v.focus.lab.picks)
                    words += (words.empty() ? "" : "+") + words_of(p.block) + "." + words_of(p.head) +
                             (p.query ? "@" + words_of(*p.query) : "");
                return words;
            },
            [](const MutableView& v, const std::string& words) {
                std::vector<Pick> list;
                for (const std::string& part : split(words, '+')) {
                    const auto pick = pick_of(part);
                    if (!pick || list.size() == most_picks) return false;
                    list.push_back(*pick);
                }
                v.focus.lab.picks = list;
                return true;
            },
            "at most 26 heads as BLOCK.HEAD, or BLOCK.HEAD@QUERY, with + between them"};
}

/// "a dog|two cats": the lines of a list of texts, separated by "|".
Field texts() {
    return {"lab.texts",
            [](const View& v) {
                std::string words = v.focus.lab.texts;
                std::ranges::replace(words, '\n', '|');
                return words;
            },
            [](const MutableView& v, const std::string& words) {
                if (words.size() > most_bytes_of_texts) return false;
                v.focus.lab.texts = words;
                std::ranges::replace(v.focus.lab.texts, '|', '\n');
                return true;
            },
            "at most 400 bytes, with | between the texts"};
}

/// "block.3.heads:1.13.5": head 1, row 13, column 5.
std::optional<Cell> cell_of(const std::string& words) {
    const std::size_t colon = words.find(':');
    if (colon == std::string::npos) return std::nullopt;
    const std::optional<NamedQuantity> tensor = quantity_named(words.substr(0, colon));
    std::vector<int> numbers;
    for (const std::string& part : split(words.substr(colon + 1), '.')) {
        const auto number = number_from<int>(part);
        if (!number || *number < 0) return std::nullopt;
        numbers.push_back(*number);
    }
    if (!tensor || numbers.size() != 3) return std::nullopt;
    return Cell{tensor->quantity, tensor->block, numbers[0], numbers[1], numbers[2]};
}

Field cell() {
    return {"cell",
            [](const View& v) {
                if (!v.focus.cell) return std::string("none");
                return name_of(v.focus.cell->quantity, v.focus.cell->block) + ":" + words_of(v.focus.cell->head) + "." +
                       words_of(v.focus.cell->row) + "." + words_of(v.focus.cell->column);
            },
            [](const MutableView& v, const std::string& words) {
                v.focus.cell = cell_of(words);
                return v.focus.cell || words == "none";
            },
            "none, or TENSOR:HEAD.ROW.COLUMN with a tensor's name as in a dump, such as block.3.q:0.5.7"};
}

/// Changes of a text Transformer: "no-mask head:cross.2.3".
template <class At>
Field text_changes(const std::string& name, At at) {
    Field field = words_in_a_row(name, at);
    field.set = [at, set = field.set](const MutableView& v, const std::string& words) {
        const std::vector<std::string> before = at(v);
        if (set(v, words) &&
            std::ranges::all_of(at(v), [](const std::string& w) { return known_text_what_if(w).has_value(); }))
            return true;
        at(v) = before;
        return false;
    };
    std::vector<std::string> names;
    for (const WhatIf& row : text_what_if_table()) names.emplace_back(row.name);
    field.allowed =
        "changes with a space between them, with numbers where they take some, as head:cross.2.3: " + in_a_row(names);
    return field;
}

/// "5:wide", or none.
Field word_swap() {
    return {"text.swap",
            [](const View& v) {
                const WordSwap& swap = v.text.swap;
                return swap.place < 0 ? std::string("none") : words_of(swap.place) + ":" + swap.word;
            },
            [](const MutableView& v, const std::string& words) {
                if (words == "none") return v.text.swap = {}, true;
                const std::size_t colon = words.find(':');
                const auto place = number_from<int>(words.substr(0, colon));
                if (colon == std::string::npos || !place || *place < 0) return false;
                v.text.swap = {*place, words.substr(colon + 1)};
                return true;
            },
            "none, or POSITION:WORD with the position of a word, counted from 0"};
}

#define VITRINE_AT(part) \
    [](const auto& v) -> auto& { return v.part; }

std::vector<Field> make_fields() {
    return {
        count_field("block", VITRINE_AT(focus.block), 1),
        count_field("head", VITRINE_AT(focus.head)),
        count_field("token", VITRINE_AT(focus.token)),
        count_field("key", VITRINE_AT(focus.key)),
        count_field("feature", VITRINE_AT(focus.feature)),
        count_field("unit", VITRINE_AT(focus.unit)),
        yes_or_no("solo", VITRINE_AT(focus.solo)),
        yes_or_no("looked_at", VITRINE_AT(focus.looked_at)),
        real("brightness", VITRINE_AT(focus.brightness), 0, 1),
        one_of("scope", VITRINE_AT(focus.scope), scope_names),
        one_of("half", VITRINE_AT(focus.half), half_names),
        yes_or_no("scores", VITRINE_AT(focus.scores)),
        real("zoom.row", VITRINE_AT(focus.zoom.row), 0, 1),
        real("zoom.column", VITRINE_AT(focus.zoom.column), 0, 1),
        real("zoom.extent", VITRINE_AT(focus.zoom.extent), 0.02F, 1),
        yes_or_no("slopes", VITRINE_AT(focus.slopes)),
        yes_or_no("all_tokens", VITRINE_AT(focus.all_tokens)),
        yes_or_no("own_scale", VITRINE_AT(focus.own_scale)),
        yes_or_no("batch_norm", VITRINE_AT(focus.batch_norm)),
        count_field("cube", VITRINE_AT(focus.cube), 0, 119),
        cell(),
        real("dropout", VITRINE_AT(focus.dials.dropout), 0, 0.9F),
        count_field("seed", VITRINE_AT(focus.dials.seed)),
        count_field("samples", VITRINE_AT(focus.dials.samples), 1, 10000),
        maybe_class("true_class", VITRINE_AT(focus.dials.true_class)),
        one_of("wiring", VITRINE_AT(focus.dials.wiring), wiring_names),
        count_field("shape.blocks", VITRINE_AT(focus.dials.shape.blocks), 1, 1000),
        count_field("shape.width", VITRINE_AT(focus.dials.shape.width), 1, 100000),
        count_field("shape.heads", VITRINE_AT(focus.dials.shape.heads), 1, 1000),
        count_field("shape.hidden", VITRINE_AT(focus.dials.shape.hidden), 1, 1000000),
        count_field("shape.patch", VITRINE_AT(focus.dials.shape.patch), 1, 1000),
        count_field("shape.image", VITRINE_AT(focus.dials.shape.image), 1, 10000),
        count_field("shape.image_width", VITRINE_AT(focus.dials.shape.image_width), 0, 10000),
        count_field("shape.classes", VITRINE_AT(focus.dials.shape.classes), 0, 1000000),
        count_field("shape.channels", VITRINE_AT(focus.dials.shape.channels), 1, 1000),
        count_field("shape.qkv_bias", VITRINE_AT(focus.dials.shape.qkv_biases), 0, 3),
        count_field("shape.leading", VITRINE_AT(focus.dials.shape.leading), 0, 2000),
        count_field("shape.placed", VITRINE_AT(focus.dials.shape.placed), 0, 2000),
        count_field("temperature", VITRINE_AT(focus.dials.temperature), coldest, hottest),
        one_of("exercise", VITRINE_AT(focus.exercise), exercise_names),
        one_of("lab.instrument", VITRINE_AT(focus.lab.instrument), instrument_names),
        one_of("lab.order", VITRINE_AT(focus.lab.order), head_order_names),
        picks(),
        one_of("lab.combine", VITRINE_AT(focus.lab.combine), combine_names),
        statistic("lab.statistic", VITRINE_AT(focus.lab.statistic), head_statistics_table()),
        one_of("lab.method", VITRINE_AT(focus.lab.method), depth_method_names),
        one_of("lab.fusion", VITRINE_AT(focus.lab.rollout.fusion), head_fusion_names),
        real("lab.residual", VITRINE_AT(focus.lab.rollout.residual), 0, 1),
        real("lab.discard", VITRINE_AT(focus.lab.rollout.discard), 0, 1),
        count_field("lab.first_block", VITRINE_AT(focus.lab.rollout.first_block), 1),
        count_field("lab.last_block", VITRINE_AT(focus.lab.rollout.last_block)),
        one_of("lab.figure", VITRINE_AT(focus.lab.figure), token_figure_names),
        count_field("lab.level", VITRINE_AT(focus.lab.level), -1),
        maybe_class("lab.target", VITRINE_AT(focus.lab.target)),
        maybe_class("lab.against", VITRINE_AT(focus.lab.against)),
        count_field("lab.cover_size", VITRINE_AT(focus.lab.cover_size), 1, 1000),
        one_of("lab.cover", VITRINE_AT(focus.lab.cover), cover_names),
        one_of("lab.watched", VITRINE_AT(focus.lab.watched), watched_names),
        one_of("lab.cause", VITRINE_AT(focus.lab.cause), cause_figure_names),
        one_of("lab.site", VITRINE_AT(focus.lab.site), patch_site_names),
        one_of("lab.over", VITRINE_AT(focus.lab.over), importance_scope_names),
        typed("lab.images", VITRINE_AT(focus.lab.images)),
        one_of("lab.ranking", VITRINE_AT(focus.lab.ranking), head_ranking_names),
        one_of("lab.way", VITRINE_AT(focus.lab.way), perturbation_names),
        texts(),
        count_field("lab.text", VITRINE_AT(focus.lab.text)),
        count_field("lab.unfolded", VITRINE_AT(focus.lab.unfolded)),
        one_of("lab.curve", VITRINE_AT(focus.lab.curve), curve_names),
        one_of("lab.depth_curve", VITRINE_AT(focus.lab.depth_curve), curve_names),
        one_of("lab.norms_curve", VITRINE_AT(focus.lab.norms_curve), curve_names),
        one_of("lab.lens_curve", VITRINE_AT(focus.lab.lens_curve), curve_names),
        real("lab.fixed_high", VITRINE_AT(focus.lab.fixed_high), 1e-6F, 1e6F),
        one_of("text.chapter", VITRINE_AT(focus.text.chapter), text_chapter_names),
        one_of("text.task", VITRINE_AT(text.task), text_task_names),
        one_of("text.to", VITRINE_AT(text.to), text_language_names),
        typed("text.to_japanese", VITRINE_AT(text.texts[0])),
        typed("text.to_english", VITRINE_AT(text.texts[1])),
        typed("text.review", VITRINE_AT(text.texts[2])),
        typed("text.story", VITRINE_AT(text.texts[3])),
        count_field("text.block", VITRINE_AT(focus.text.block)),
        count_field("text.head", VITRINE_AT(focus.text.head), -1),
        count_field("text.source", VITRINE_AT(focus.text.source), -1),
        count_field("text.target", VITRINE_AT(focus.text.target), -1),
        count_field("text.feature", VITRINE_AT(focus.text.feature)),
        yes_or_no("text.matrix", VITRINE_AT(focus.text.matrix)),
        yes_or_no("text.learned", VITRINE_AT(focus.text.learned)),
        words_in_a_row("text.forced", VITRINE_AT(text.forced)),
        text_changes("text.what_ifs", VITRINE_AT(text.what_ifs)),
        word_swap(),
        one_of("text.method", VITRINE_AT(text.method), decoding_methods),
        count_field("text.width", VITRINE_AT(text.width), 1, 16),
        real("text.temperature", VITRINE_AT(text.temperature), 0.05F, 10),
        count_field("text.top_k", VITRINE_AT(text.top_k)),
        real("text.top_p", VITRINE_AT(text.top_p), 0.01F, 1),
        count_field("text.seed", VITRINE_AT(text.seed)),
        count_field("text.drawn", VITRINE_AT(focus.text.drawn)),
        real("text.smoothing", VITRINE_AT(focus.text.smoothing), 0, 0.9F),
        yes_or_no("text.lab", VITRINE_AT(focus.text.lab.open)),
        one_of("text.instrument", VITRINE_AT(focus.text.lab.instrument), text_instrument_names),
        one_of("text.attention", VITRINE_AT(focus.text.lab.kind), text_attention_names),
        statistic("text.statistic", VITRINE_AT(focus.text.lab.statistic), text_head_statistics_table(), "none"),
        count_field("text.level", VITRINE_AT(focus.text.lab.level)),
        typed("text.word", VITRINE_AT(focus.text.lab.word)),
        one_of("text.cover", VITRINE_AT(focus.text.lab.cover), word_cover_names),
    };
}

#undef VITRINE_AT

const std::vector<Field>& fields() {
    static const std::vector<Field> all = make_fields();
    return all;
}

}  // namespace

std::vector<FocusWord> focus_words(const View& view) { return changed_focus({Focus(), TextExperiment()}, view); }

std::vector<FocusWord> changed_focus(const View& before, const View& after) {
    std::vector<FocusWord> words;
    if (before.focus == after.focus && before.text == after.text) return words;
    for (const Field& field : fields())
        if (std::string now = field.get(after); now != field.get(before))
            words.emplace_back(field.name, std::move(now));
    return words;
}

std::string focus_word(const View& view, const std::string& name) {
    const auto field = std::find_if(fields().begin(), fields().end(), [&](const Field& f) { return f.name == name; });
    assert(field != fields().end());
    return field->get(view);
}

void set_focus(const MutableView& view, const FocusWord& word) {
    for (const Field& field : fields()) {
        if (field.name != word.first) continue;
        if (field.set(view, in_todays_words(word.first, word.second))) return;
        throw Error("'" + word.second + "' is not a value of '" + word.first + "': write " + field.allowed);
    }
    throw Error("'" + word.first + "' is not a part of the view; vitrine snapshot --help lists them");
}

std::vector<std::string> focus_names() {
    std::vector<std::string> names;
    for (const Field& field : fields()) names.push_back(field.name);
    return names;
}

}  // namespace vitrine
