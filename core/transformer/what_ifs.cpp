#include "core/transformer/what_ifs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/utf8.h"

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

/// The activations that any model's MLP can have.
constexpr std::array activations = {Activation::relu,      Activation::elu,        Activation::gelu,
                                    Activation::gelu_tanh, Activation::quick_gelu, Activation::silu};

std::string number_words(float value) {
    std::array<char, 64> words;
    const auto [end, error] = std::to_chars(words.data(), words.data() + words.size(), value);
    return {words.data(), end};
}

/// Six digits, or as many more as are needed to read back the same intervention.
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

/// The named rows, one or several.
std::vector<int> rows_of(const Where& where) { return where.token ? std::vector{*where.token} : where.tokens; }

/// Sets the rows of `where`: one, or several.
void name_rows(Where& where, std::vector<int> rows) {
    if (rows.size() == 1)
        where.token = rows.front();
    else
        where.tokens = std::move(rows);
}

/// A folder as part of a word. Commas separate words of a list and * means any number, so these characters are escaped
/// as in a web address ("%2C"), as are bytes that are not valid text.
std::string folder_word(const std::string& folder) {
    constexpr std::string_view digits = "0123456789ABCDEF", special = "%,*";
    const bool text = as_utf8(folder) == folder;
    const bool padded = !folder.empty() && (folder.front() == ' ' || folder.back() == ' ');
    std::string word;
    for (const char letter : folder) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte < (padded ? 0x21 : 0x20) || byte == 0x7F || (byte > 0x7F && !text) ||
            special.find(letter) != std::string_view::npos)
            word += {'%', digits[byte / 16U], digits[byte % 16U]};
        else
            word += letter;
    }
    return word;
}

std::string folder_of_word(std::string_view word) {
    std::string folder;
    for (std::size_t i = 0; i < word.size(); ++i) {
        unsigned byte = 0;
        const std::string_view digits = word.substr(i, 3).substr(1, 2);
        const char* const end = digits.data() + digits.size();
        if (word[i] == '%' && digits.size() == 2 && std::from_chars(digits.data(), end, byte, 16).ptr == end) {
            folder += static_cast<char>(byte);
            i += 2;
        } else {
            folder += word[i];
        }
    }
    return folder;
}

/// The argument's form in help, after its colon: ":BLOCK.HEAD".
std::string argument_form(const WhatIf& row) {
    switch (row.argument) {
        case Argument::none: return "";
        case Argument::head: return ":BLOCK.HEAD";
        case Argument::patches: return ":PATCHES";
        case Argument::block: return ":BLOCK";
        case Argument::unit: return ":BLOCK.UNIT";
        case Argument::edge: return ":BLOCK.HEAD:QUERIES:KEYS";
        case Argument::set_of_images: return ":PATCHES[:FOLDER]";
        case Argument::noise: return std::string(":PATCHES:") + row.numbers.letter + "[:SEED]";
        case Argument::pair: return ":PATCH:PATCH";
        case Argument::direction: return std::string(":BLOCK:TOKEN:TOKENS:") + row.numbers.letter;
        case Argument::count:
        case Argument::grid: return std::string(":") + row.numbers.letter;
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

/// Reads one word. Throws Error, with a sentence that names the mistake.
class WordReader {
public:
    WordReader(std::span<const WhatIf> table, const std::string& word, const ModelParts& parts)
        : table_(table), word_(word), parts_(parts) {}

    KnownWhatIf read() const {
        std::string_view whole = word_;
        const WhatIf* const row = what_if_named(table_, whole.substr(0, whole.find_first_of(":@")));
        const bool names_folder = row != nullptr && row->argument == Argument::set_of_images;
        const std::size_t at = names_folder ? std::string::npos : word_.find('@');
        whole = whole.substr(0, at);
        const std::size_t colon = whole.find(':');
        if (row == nullptr || (at != std::string::npos && !row->any_block)) unknown();
        WhatIfValue value;
        value.first_patch = parts_.first_patch;
        value.grid_columns = parts_.grid_columns;
        if (const std::size_t times = whole.rfind('x');
            row->scaled && colon != std::string::npos && times != std::string::npos && times > colon) {
            value.factor = factor(whole.substr(times + 1));
            whole = whole.substr(0, times);
        }
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
    Range patches() const { return {"patch", 1, parts_.patches}; }
    Range tokens() const { return {"token", 0, parts_.tokens - 1}; }

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
            case Argument::patches: name_rows(value.where, patch_rows(words)); return;
            case Argument::block: value.where.block = index(words, blocks()); return;
            case Argument::unit: {
                const std::size_t dot = words.find('.');
                if (dot == std::string_view::npos) unknown();
                value.where.block = index(words.substr(0, dot), blocks());
                value.where.unit = index(words.substr(dot + 1), {"unit", 0, parts_.hidden_units - 1});
                return;
            }
            case Argument::edge: take_edge(words, value); return;
            case Argument::set_of_images: {
                const std::size_t folder = words.find(':');
                name_rows(value.where, patch_rows(words.substr(0, folder)));
                if (folder != std::string_view::npos) value.folder = folder_of_word(words.substr(folder + 1));
                return;
            }
            case Argument::noise: take_noise(row, words, value); return;
            case Argument::pair: {
                const std::vector<std::string_view> two = parted(words);
                if (two.size() != 2) unknown();
                for (const std::string_view each : two)
                    value.keys.push_back(parts_.first_patch + index(each, patches()) - 1);
                if (value.keys[0] > value.keys[1]) std::swap(value.keys[0], value.keys[1]);
                if (value.keys[0] == value.keys[1])
                    throw Error("what-if '" + word_ + "': names one patch twice; name two patches");
                return;
            }
            case Argument::direction: take_direction(row, words, value); return;
            case Argument::count: {
                const Range counts{row.numbers.letter, static_cast<int>(row.numbers.low),
                                   static_cast<int>(row.numbers.high)};
                value.number = static_cast<float>(index(words, counts));
                return;
            }
            case Argument::grid:
                value.number = static_cast<float>(index(words, {"coarser grid", 1, parts_.grid_columns}));
                return;
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

    /// The parts between colons.
    static std::vector<std::string_view> parted(std::string_view words) {
        std::vector<std::string_view> parts;
        for (std::size_t colon; (colon = words.find(':')) != std::string_view::npos; words = words.substr(colon + 1))
            parts.push_back(words.substr(0, colon));
        parts.push_back(words);
        return parts;
    }

    /// The numbers in "3-7+12", in ascending order, each once.
    std::vector<int> set(std::string_view words, Range range) const {
        std::vector<int> all;
        for (std::size_t begin = 0; begin <= words.size();) {
            const std::size_t end = std::min(words.find('+', begin), words.size());
            const std::string_view part = words.substr(begin, end - begin);
            const std::size_t dash = part.find('-', 1);
            const int first = index(part.substr(0, dash), range),
                      last = dash == std::string_view::npos ? first : index(part.substr(dash + 1), range);
            if (last < first)
                throw Error("what-if '" + word_ + "': the range " + std::string(part) +
                            " ends before it begins; write the smaller number first");
            for (int i = first; i <= last; ++i) all.push_back(i);
            begin = end + 1;
        }
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }
    std::vector<int> patch_rows(std::string_view words) const {
        std::vector<int> rows = set(words, patches());
        for (int& row : rows) row += parts_.first_patch - 1;
        return rows;
    }

    /// "2.3:0:5-9", or "2:0:5" for every head.
    void take_edge(std::string_view words, WhatIfValue& value) const {
        const std::vector<std::string_view> parts = parted(words);
        if (parts.size() != 3) unknown();
        const std::size_t dot = parts[0].find('.');
        value.where.block = index(parts[0].substr(0, dot), blocks());
        if (dot != std::string_view::npos) value.where.head = index(parts[0].substr(dot + 1), heads());
        name_rows(value.where, set(parts[1], tokens()));
        value.keys = set(parts[2], tokens());
    }

    /// "3-7:0.5:2"
    void take_noise(const WhatIf& row, std::string_view words, WhatIfValue& value) const {
        const std::vector<std::string_view> parts = parted(words);
        if (parts.size() != 2 && parts.size() != 3) unknown();
        name_rows(value.where, patch_rows(parts[0]));
        value.number = number(row, parts[1]);
        if (parts.size() == 3) value.seed = static_cast<std::uint32_t>(index(parts[2], {"seed", 1, 999999}));
    }

    /// "2:0:5-9:0.5"
    void take_direction(const WhatIf& row, std::string_view words, WhatIfValue& value) const {
        const std::vector<std::string_view> parts = parted(words);
        if (parts.size() != 4) unknown();
        value.where.block = index(parts[0], blocks());
        value.keys = {index(parts[1], tokens())};
        name_rows(value.where, set(parts[2], tokens()));
        value.number = number(row, parts[3]);
    }

    /// The factor of a scaled part.
    float factor(std::string_view digits) const {
        constexpr float most = 1000;
        const std::optional<float> value = number_from<float>(digits);
        if (!value || !(std::abs(*value) <= most))
            throw Error("what-if '" + word_ + "': a factor is a number from " + number_words(-most) + " to " +
                        number_words(most) + "; write head:2.3x0.5");
        return *value == 0 ? 0 : *value;  // −0 is 0, too
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
    for (const WhatIf& row : table)
        forms +=
            (forms.empty() ? "" : ", ") + std::string(row.name) + argument_form(row) + (row.scaled ? "[xFACTOR]" : "");
    return forms;
}

std::string set_words(const std::vector<int>& numbers, int from) {
    std::string words;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        words += (words.empty() ? "" : "+") + std::to_string(numbers[i] + from);
        if (last > i) words += "-" + std::to_string(numbers[last] + from);
        i = last + 1;
    }
    return words;
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
        case Argument::patches: return set_words(rows_of(where), 1 - parts.first_patch);
        case Argument::block: return block;
        case Argument::unit: return block + "." + std::to_string(where.unit.value_or(0));
        case Argument::edge:
            return block + (where.head ? "." + head : "") + ":" + set_words(rows_of(where)) + ":" +
                   set_words(what_if.value.keys);
        case Argument::set_of_images:
            return set_words(rows_of(where), 1 - parts.first_patch) +
                   (what_if.value.folder.empty() ? "" : ":" + folder_word(what_if.value.folder));
        case Argument::noise:
            return set_words(rows_of(where), 1 - parts.first_patch) + ":" + number_words(what_if) +
                   (what_if.value.seed == 1 ? "" : ":" + std::to_string(what_if.value.seed));
        case Argument::pair:
            return std::to_string(what_if.value.keys[0] - parts.first_patch + 1) + ":" +
                   std::to_string(what_if.value.keys[1] - parts.first_patch + 1);
        case Argument::direction:
            return block + ":" + set_words(what_if.value.keys) + ":" + set_words(rows_of(where)) + ":" +
                   number_words(what_if);
        case Argument::count:
        case Argument::grid: return number_words(what_if);
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
    const float factor = what_if.row->scaled ? what_if.value.factor : 0;
    return what_if.row->name + (argument.empty() ? "" : ":" + argument) +
           (factor != 0 ? "x" + number_words(factor) : "") + (block ? "@" + std::to_string(*block) : "");
}

}  // namespace vitrine
