#include "core/text/text_what_ifs.h"

#include <array>
#include <limits>

#include "core/base/error.h"

namespace vitrine {

namespace {

using P = ModelParts;
using V = WhatIfValue;

/// Switches off every head but one.
Interventions one_head(const P& parts, const V& v) {
    Interventions list;
    for (int head = 0; head < parts.heads; ++head)
        if (head != v.where.head) list.push_back(remove_head_of({}, head));
    return list;
}

bool has_decoder(const P& parts) { return parts.has_decoder; }

constexpr std::array table = {
    WhatIf{.name = "no-mask", .make = [](const V&) { return look_ahead(); }, .fits = has_decoder},
    WhatIf{.name = "mask-off-by-one", .make = [](const V&) { return look_ahead(1); }, .fits = has_decoder},
    WhatIf{.name = "no-root",
           .make = [](const V&) { return without_word_scaling(); },
           .fits = [](const P& parts) { return parts.scales_words; }},
    WhatIf{.name = "no-positions",
           .make_all =
               [](const P&, const V&) {
                   return Interventions{remove_positions_of(Stack::encoder), remove_positions_of(Stack::decoder)};
               },
           .fits = [](const P& parts) { return parts.has_positions; }},
    WhatIf{.name = "no-scale", .make = [](const V&) { return without_scaling_of({}); }},
    WhatIf{.name = "k=q",
           .make_all =
               [](const P&, const V&) {
                   return Interventions{key_is_query_of({Stack::encoder, Attention::self, {}}),
                                        key_is_query_of({Stack::decoder, Attention::self, {}})};
               }},
    WhatIf{.name = "no-cross",
           .make =
               [](const V&) {
                   return remove_attention({Stack::decoder, Attention::cross, {}});
               },
           .fits = [](const P& parts) { return parts.crosses; }},
    WhatIf{.name = "temperature",
           .argument = Argument::number,
           .make = [](const V& v) { return temperature_of({}, v.number); },
           .numbers = {.low = 0.01F, .high = 100, .letter = "τ"}},
    WhatIf{.name = "pre-norm", .make = [](const V&) { return normalise(Norm::before); }},
    WhatIf{.name = "post-norm", .make = [](const V&) { return normalise(Norm::after); }},
    WhatIf{.name = "no-norm", .make = [](const V&) { return normalise(Norm::none); }},
    WhatIf{.name = "only", .argument = Argument::every_head, .make_all = one_head},
    WhatIf{.name = "head",
           .argument = Argument::attention_head,
           .make =
               [](const V& v) {
                   const Where& at = v.where;
                   return remove_head_of({at.stack, at.attention, at.block}, at.head.value_or(0));
               }},
    WhatIf{.name = "layer",
           .argument = Argument::stack_block,
           .make_all =
               [](const P&, const V& v) {
                   return remove_block(v.where.stack.value_or(Stack::encoder), v.where.block.value_or(1));
               }},
};

ModelParts parts_in(const TextConfig& c) {
    return {.blocks = c.blocks,
            .decoder_blocks = c.decoder_blocks,
            .heads = c.heads,
            .crosses = c.has_cross(),
            .has_decoder = c.has_decoder(),
            .has_positions = c.positions != Positions::none,
            .scales_words = c.scaled};
}

std::optional<KnownWhatIf> read(const std::string& word, const ModelParts& parts) {
    try {
        return read_what_if(table, word, parts);
    } catch (const Error&) {
        return std::nullopt;
    }
}

Where where_of(TextAttention attention, int block) {
    const Stack stack = attention == TextAttention::encoder ? Stack::encoder : Stack::decoder;
    return {block, {}, {}, stack, attention == TextAttention::cross ? Attention::cross : Attention::self};
}

}  // namespace

std::span<const WhatIf> text_what_if_table() { return table; }

std::optional<KnownWhatIf> known_text_what_if(const std::string& word) {
    constexpr int any = std::numeric_limits<int>::max();
    return read(word, {.blocks = any, .decoder_blocks = any, .heads = any, .crosses = true});
}

TextAttention attention_at(const Where& where) {
    if (where.attention == Attention::cross) return TextAttention::cross;
    return where.stack == Stack::decoder ? TextAttention::decoder : TextAttention::encoder;
}

std::string word_of_head(TextAttention attention, int block, int head) {
    WhatIfValue value{where_of(attention, block)};
    value.where.head = head;
    return word_of({what_if_named(table, "head"), value}, {});
}

std::string word_of_layer(TextAttention stack, int block) {
    return word_of({what_if_named(table, "layer"), {where_of(stack, block)}}, {});
}

void check_text_what_ifs(std::span<const std::string> words, const TextConfig& config) {
    const ModelParts parts = parts_in(config);
    for (const std::string& word : words) {
        if (const std::optional<KnownWhatIf> known = known_text_what_if(word)) {
            const Where& where = known->value.where;
            const bool nowhere = (where.stack == Stack::encoder && parts.blocks == 0) ||
                                 (where.stack == Stack::decoder && parts.decoder_blocks == 0) ||
                                 (where.attention == Attention::cross && !parts.crosses);
            if (nowhere || (known->row->fits != nullptr && !known->row->fits(parts)))
                throw Error("what-if '" + word + "': this model has nothing that it changes; leave it out");
        }
        read_what_if(table, word, parts);
    }
}

Interventions text_interventions(std::span<const std::string> words, const TextConfig& config) {
    const ModelParts parts = parts_in(config);
    Interventions all;
    for (const std::string& word : words) {
        const std::optional<KnownWhatIf> known = read(word, parts);
        if (!known || (known->row->fits != nullptr && !known->row->fits(parts))) continue;
        if (known->row->make != nullptr) {
            all.push_back(known->row->make(known->value));
            continue;
        }
        const Interventions made = known->row->make_all(parts, known->value);
        all.insert(all.end(), made.begin(), made.end());
    }
    return all;
}

}  // namespace vitrine
