#include "core/vit/what_ifs.h"

#include <array>
#include <charconv>
#include <cmath>

#include "core/base/error.h"

namespace vitrine {

namespace {

/// T of scores that were multiplied by 1 / T: the number whose own inverse is that very factor.
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

using V = WhatIfValue;

constexpr std::array table = {
    WhatIf{.name = "head",
           .argument = Argument::head,
           .words = "removal.head",
           .make = [](const V& v) { return remove_head(v.where.block.value_or(1), v.where.head.value_or(0)); }},
    WhatIf{.name = "patch",
           .argument = Argument::patch,
           .words = "removal.patch",
           .make = [](const V& v) { return remove_token(v.where.token.value_or(1)); }},
    WhatIf{.name = "mlp",
           .argument = Argument::block,
           .words = "removal.mlp",
           .make = [](const V& v) { return remove_mlp(v.where.block.value_or(1)); }},
    WhatIf{.name = "positions", .words = "removal.positions", .make = [](const V&) { return remove_positions(); }},
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
           .numbers = {.low = 0.01F, .high = 100, .letter = "T", .slider = {-3, 3, 0.25F, 0, Steps::octaves}}},
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

/// The functions that can stand between the layers of any model's MLP.
constexpr std::array activations = {Activation::relu, Activation::elu, Activation::gelu, Activation::gelu_tanh,
                                    Activation::quick_gelu};

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
    }
    return "";
}

/// Reads one word; every mistake becomes a sentence that names it.
class WordReader {
public:
    WordReader(const std::string& word, const Config& config) : word_(word), config_(config) {}

    Intervention read() const {
        const std::size_t at = word_.find('@');
        const std::string_view whole = std::string_view(word_).substr(0, at);
        const std::size_t colon = whole.find(':');
        const WhatIf* const row = what_if_named(whole.substr(0, colon));
        if (row == nullptr || (at != std::string::npos && !row->any_block)) unknown();
        WhatIfValue value;
        if (at != std::string::npos) value.where.block = index(std::string_view(word_).substr(at + 1), blocks());
        if (colon != std::string::npos)
            take(*row, whole.substr(colon + 1), value);
        else if (row->argument != Argument::none && row->argument != Argument::seed)
            unknown();
        return row->make(value);
    }

private:
    struct Range {
        const char* what;
        int first, last;
    };
    Range blocks() const { return {"block", 1, config_.blocks}; }

    [[noreturn]] void unknown() const {
        throw Error("what-if '" + word_ + "' is none that Vitrine knows; write " + what_if_forms());
    }

    void take(const WhatIf& row, std::string_view words, WhatIfValue& value) const {
        switch (row.argument) {
            case Argument::none: unknown();
            case Argument::head: {
                const std::size_t dot = words.find('.');
                if (dot == std::string_view::npos) unknown();
                value.where.block = index(words.substr(0, dot), blocks());
                value.where.head = index(words.substr(dot + 1), {"head", 0, config_.heads - 1});
                return;
            }
            case Argument::patch:
                value.where.token = config_.token_of(index(words, {"patch", 1, config_.patches()}) - 1);
                return;
            case Argument::block: value.where.block = index(words, blocks()); return;
            case Argument::seed: {
                const Range seeds{row.name, static_cast<int>(row.numbers.low), static_cast<int>(row.numbers.high)};
                value.number = static_cast<float>(index(words, seeds));
                return;
            }
            case Argument::number: value.number = number(row, words); return;
            case Argument::activation: value.activation = activation(words); return;
        }
    }

    int index(std::string_view digits, Range range) const {
        int value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size())
            throw Error("what-if '" + word_ + "': '" + std::string(digits) + "' is not a whole number; write " +
                        what_if_forms());
        if (value < range.first || value > range.last)
            throw Error("what-if '" + word_ + "': this model has no " + range.what + " " + std::to_string(value) +
                        "; choose " + std::to_string(range.first) + " to " + std::to_string(range.last));
        return value;
    }

    float number(const WhatIf& row, std::string_view digits) const {
        float value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        const bool whole = error == std::errc() && end == digits.data() + digits.size();
        if (!whole || !(value >= row.numbers.low) || !(value <= row.numbers.high))
            throw Error("what-if '" + word_ + "': " + row.numbers.letter + " is a number from " +
                        number_words(row.numbers.low) + " to " + number_words(row.numbers.high) + "; write " +
                        row.name + argument_form(row) + " with one of those");
        return value;
    }

    Activation activation(std::string_view name) const {
        for (const Activation a : activations)
            if (name == name_of(a)) return a;
        unknown();
    }

    const std::string& word_;
    const Config& config_;
};

}  // namespace

std::span<const WhatIf> what_if_table() { return table; }

const WhatIf* what_if_named(std::string_view name) {
    for (const WhatIf& row : table)
        if (name == row.name) return &row;
    return nullptr;
}

std::optional<KnownWhatIf> known_what_if(const Intervention& intervention) {
    for (const WhatIf& row : table) {
        WhatIfValue value{intervention.where};
        if (const Activate* const a = std::get_if<Activate>(&intervention.edit)) value.activation = a->activation;
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
    const Where& where = what_if.value.where;
    switch (what_if.row->argument) {
        case Argument::none: return "";
        case Argument::head:
            return std::to_string(where.block.value_or(1)) + "." + std::to_string(where.head.value_or(0));
        case Argument::patch: return std::to_string(config.patch_of(where.token.value_or(config.token_of(0))) + 1);
        case Argument::block: return std::to_string(where.block.value_or(1));
        case Argument::seed: return what_if.value.number == 1 ? "" : number_words(what_if);
        case Argument::number: return number_words(what_if);
        case Argument::activation: return name_of(what_if.value.activation);
    }
    return "";
}

std::string what_if_forms() {
    std::string forms;
    for (const WhatIf& row : table) forms += (forms.empty() ? "" : ", ") + std::string(row.name) + argument_form(row);
    return forms;
}

Intervention parse_intervention(const std::string& word, const Config& config) {
    return WordReader(word, config).read();
}

std::string to_word(const Intervention& intervention, const Config& config) {
    const std::optional<KnownWhatIf> known = known_what_if(intervention);
    if (!known) return "";
    const std::string argument = argument_words(*known, config);
    const std::optional<int> block = known->row->any_block ? known->value.where.block : std::nullopt;
    return known->row->name + (argument.empty() ? "" : ":" + argument) + (block ? "@" + std::to_string(*block) : "");
}

}  // namespace vitrine
