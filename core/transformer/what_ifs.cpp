#include "core/transformer/what_ifs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/base/error.h"
#include "core/base/numbers.h"

namespace vitrine {

namespace {

/// The attentions of a Transformer with two stacks.
struct NamedAttention {
    std::string_view name;
    Stack stack;
    Attention attention;
};
constexpr std::array named_attentions = {NamedAttention{"encoder", Stack::encoder, Attention::self},
                                         NamedAttention{"decoder", Stack::decoder, Attention::self},
                                         NamedAttention{"cross", Stack::decoder, Attention::cross}};

std::string name_of_attention(const Where& where) {
    for (const NamedAttention& each : named_attentions)
        if (where.stack == each.stack && where.attention == each.attention) return std::string(each.name);
    return "encoder";
}

/// The functions that can stand between the layers of any model's MLP.
constexpr std::array activations = {Activation::relu,      Activation::elu,        Activation::gelu,
                                    Activation::gelu_tanh, Activation::quick_gelu, Activation::silu};

std::string number_words(float value) {
    std::array<char, 64> words;
    const auto [end, error] = std::to_chars(words.data(), words.data() + words.size(), value);
    return {words.data(), end};
}

/// Six digits, or as many more as give the same intervention again.
std::string number_words(const KnownWhatIf& what_if) {
    const float value = what_if.value.number;
    const Intervention wanted = what_if.row->make(what_if.value);
    for (int digits = 6; digits < 9; ++digits) {
        std::array<char, 64> words;
        const auto [end, error] =
            std::to_chars(words.data(), words.data() + words.size(), value, std::chars_format::general, digits);
        WhatIfValue again = what_if.value;
        std::from_chars(words.data(), end, again.number);
        if (what_if.row->make(again) == wanted) return {words.data(), end};
    }
    return number_words(value);
}

/// How the argument is written in help: "BLOCK.HEAD".
std::string argument_form(const WhatIf& row) {
    switch (row.argument) {
        case Argument::none: return "";
        case Argument::head: return ":BLOCK.HEAD";
        case Argument::patch: return ":PATCH";
        case Argument::block: return ":BLOCK";
        case Argument::seed: return "";
        case Argument::number: return std::string(":") + row.numbers.letter;
        case Argument::activation: {
            std::string names;
            for (const Activation a : activations) names += (names.empty() ? ":" : "|") + std::string(name_of(a));
            return names;
        }
        case Argument::stack_block: return ":STACK.BLOCK";
        case Argument::attention_head: return ":ATTENTION.BLOCK.HEAD";
        case Argument::every_head: return ":HEAD";
    }
    return "";
}

/// Reads one word; every mistake becomes a sentence that names it.
class WordReader {
public:
    WordReader(std::span<const WhatIf> table, const std::string& word, const ModelParts& parts)
        : table_(table), word_(word), parts_(parts) {}

    KnownWhatIf read() const {
        const std::size_t at = word_.find('@');
        const std::string_view whole = std::string_view(word_).substr(0, at);
        const std::size_t colon = whole.find(':');
        const WhatIf* const row = what_if_named(table_, whole.substr(0, colon));
        if (row == nullptr || (at != std::string::npos && !row->any_block)) unknown();
        WhatIfValue value;
        if (at != std::string::npos) value.where.block = index(std::string_view(word_).substr(at + 1), blocks());
        if (colon != std::string::npos)
            take(*row, whole.substr(colon + 1), value);
        else if (row->argument != Argument::none && row->argument != Argument::seed)
            unknown();
        return {row, value};
    }

private:
    struct Range {
        const char* what;
        int first, last;
    };
    Range blocks() const { return {"block", 1, parts_.blocks}; }
    Range heads() const { return {"head", 0, parts_.heads - 1}; }

    [[noreturn]] void unknown() const {
        throw Error("what-if '" + word_ + "' is not known to Vitrine; write " + what_if_forms(table_));
    }

    void take(const WhatIf& row, std::string_view words, WhatIfValue& value) const {
        switch (row.argument) {
            case Argument::none: unknown();
            case Argument::head: {
                const std::size_t dot = words.find('.');
                if (dot == std::string_view::npos) unknown();
                value.where.block = index(words.substr(0, dot), blocks());
                value.where.head = index(words.substr(dot + 1), heads());
                return;
            }
            case Argument::patch:
                value.where.token = parts_.first_patch + index(words, {"patch", 1, parts_.patches}) - 1;
                return;
            case Argument::block: value.where.block = index(words, blocks()); return;
            case Argument::seed: {
                const Range seeds{row.name, static_cast<int>(row.numbers.low), static_cast<int>(row.numbers.high)};
                value.number = static_cast<float>(index(words, seeds));
                return;
            }
            case Argument::number: value.number = number(row, words); return;
            case Argument::activation: value.activation = activation(words); return;
            case Argument::stack_block: value.where = attention(words); return;
            case Argument::attention_head: {
                const std::size_t dot = words.rfind('.');
                if (dot == std::string_view::npos) unknown();
                value.where = attention(words.substr(0, dot));
                value.where.head = index(words.substr(dot + 1), heads());
                return;
            }
            case Argument::every_head: value.where.head = index(words, heads()); return;
        }
    }

    /// "cross.2"
    Where attention(std::string_view words) const {
        const std::size_t dot = words.find('.');
        const auto named = std::ranges::find(named_attentions, words.substr(0, dot), &NamedAttention::name);
        if (dot == std::string_view::npos || named == named_attentions.end()) unknown();
        if (named->attention == Attention::cross && !parts_.crosses) unknown();
        const int blocks = named->stack == Stack::encoder ? parts_.blocks : parts_.decoder_blocks;
        return {index(words.substr(dot + 1), {"block", 1, blocks}), {}, {}, named->stack, named->attention};
    }

    int index(std::string_view digits, Range range) const {
        const std::optional<int> number = number_from<int>(digits);
        if (!number)
            throw Error("what-if '" + word_ + "': '" + std::string(digits) + "' is not a whole number; write " +
                        what_if_forms(table_));
        if (*number < range.first || *number > range.last)
            throw Error("what-if '" + word_ + "': this model has no " + range.what + " " + std::to_string(*number) +
                        "; choose " + std::to_string(range.first) + " to " + std::to_string(range.last));
        return *number;
    }

    float number(const WhatIf& row, std::string_view digits) const {
        const std::optional<float> value = number_from<float>(digits);
        if (!value || !(*value >= row.numbers.low) || !(*value <= row.numbers.high))
            throw Error("what-if '" + word_ + "': " + row.numbers.letter + " is a number from " +
                        number_words(row.numbers.low) + " to " + number_words(row.numbers.high) + "; write " +
                        row.name + argument_form(row) + " with one of those");
        return *value;
    }

    Activation activation(std::string_view name) const {
        for (const Activation a : activations)
            if (name == name_of(a)) return a;
        unknown();
    }

    std::span<const WhatIf> table_;
    const std::string& word_;
    const ModelParts& parts_;
};

}  // namespace

const WhatIf* what_if_named(std::span<const WhatIf> table, std::string_view name) {
    const auto row = std::ranges::find_if(table, [&](const WhatIf& w) { return name == w.name; });
    return row == table.end() ? nullptr : &*row;
}

std::string what_if_forms(std::span<const WhatIf> table) {
    std::string forms;
    for (const WhatIf& row : table) forms += (forms.empty() ? "" : ", ") + std::string(row.name) + argument_form(row);
    return forms;
}

KnownWhatIf read_what_if(std::span<const WhatIf> table, const std::string& word, const ModelParts& parts) {
    return WordReader(table, word, parts).read();
}

std::string argument_words(const KnownWhatIf& what_if, const ModelParts& parts) {
    const Where& where = what_if.value.where;
    const std::string block = std::to_string(where.block.value_or(1)), head = std::to_string(where.head.value_or(0));
    switch (what_if.row->argument) {
        case Argument::none: return "";
        case Argument::head: return block + "." + head;
        case Argument::patch: return std::to_string(where.token.value_or(parts.first_patch) - parts.first_patch + 1);
        case Argument::block: return block;
        case Argument::seed: return what_if.value.number == 1 ? "" : number_words(what_if);
        case Argument::number: return number_words(what_if);
        case Argument::activation: return name_of(what_if.value.activation);
        case Argument::stack_block: return name_of_attention(where) + "." + block;
        case Argument::attention_head: return name_of_attention(where) + "." + block + "." + head;
        case Argument::every_head: return head;
    }
    return "";
}

std::string word_of(const KnownWhatIf& what_if, const ModelParts& parts) {
    const std::string argument = argument_words(what_if, parts);
    const std::optional<int> block = what_if.row->any_block ? what_if.value.where.block : std::nullopt;
    return what_if.row->name + (argument.empty() ? "" : ":" + argument) + (block ? "@" + std::to_string(*block) : "");
}

}  // namespace vitrine
