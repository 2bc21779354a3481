#include "core/text/text_what_ifs.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace vitrine {

namespace {

using Value = TextWhatIfValue;
using List = std::vector<Intervention>;

AttentionPlace place_of(const Value& v) {
    switch (v.attention) {
        case TextAttention::encoder: return {Stack::encoder, Attention::self, v.block};
        case TextAttention::decoder: return {Stack::decoder, Attention::self, v.block};
        case TextAttention::cross: return {Stack::decoder, Attention::cross, v.block};
    }
    return {};
}

bool has_decoder(const TextConfig& c) { return c.has_decoder(); }
bool has_cross(const TextConfig& c) { return c.has_cross(); }
bool has_positions(const TextConfig& c) { return c.positions != Positions::none; }
bool is_scaled(const TextConfig& c) { return c.scaled; }

/// Switches off every head but one.
List one_head(const TextConfig& config, const Value& v) {
    List list;
    for (int head = 0; head < config.heads; ++head)
        if (head != v.head) list.push_back(remove_head_of({}, head));
    return list;
}

const std::array table = {
    TextWhatIf{"no-mask", TextArgument::none, [](const TextConfig&, const Value&) { return List{look_ahead()}; },
               has_decoder},
    TextWhatIf{"mask-off-by-one", TextArgument::none,
               [](const TextConfig&, const Value&) { return List{look_ahead(1)}; }, has_decoder},
    TextWhatIf{"no-root", TextArgument::none,
               [](const TextConfig&, const Value&) { return List{without_word_scaling()}; }, is_scaled},
    TextWhatIf{"no-positions", TextArgument::none,
               [](const TextConfig&, const Value&) {
                   return List{remove_positions_of(Stack::encoder), remove_positions_of(Stack::decoder)};
               },
               has_positions},
    TextWhatIf{"no-scale", TextArgument::none,
               [](const TextConfig&, const Value&) { return List{without_scaling_of({})}; }},
    TextWhatIf{"k=q", TextArgument::none,
               [](const TextConfig&, const Value&) {
                   return List{key_is_query_of({Stack::encoder, Attention::self, {}}),
                               key_is_query_of({Stack::decoder, Attention::self, {}})};
               }},
    TextWhatIf{"no-cross", TextArgument::none,
               [](const TextConfig&, const Value&) {
                   return List{remove_attention({Stack::decoder, Attention::cross, {}})};
               },
               has_cross},
    TextWhatIf{"temperature", TextArgument::number,
               [](const TextConfig&, const Value& v) { return List{temperature_of({}, v.number)}; }},
    TextWhatIf{"pre-norm", TextArgument::none,
               [](const TextConfig&, const Value&) { return List{normalise(Norm::before)}; }},
    TextWhatIf{"post-norm", TextArgument::none,
               [](const TextConfig&, const Value&) { return List{normalise(Norm::after)}; }},
    TextWhatIf{"no-norm", TextArgument::none,
               [](const TextConfig&, const Value&) { return List{normalise(Norm::none)}; }},
    TextWhatIf{"only", TextArgument::head, one_head},
    TextWhatIf{"head", TextArgument::head,
               [](const TextConfig&, const Value& v) { return List{remove_head_of(place_of(v), v.head)}; }},
    TextWhatIf{"layer", TextArgument::part,
               [](const TextConfig&, const Value& v) {
                   const Stack stack = v.attention == TextAttention::encoder ? Stack::encoder : Stack::decoder;
                   return remove_block(stack, v.block);
               }},
};

template <class Number>
std::optional<Number> number_in(std::string_view words) {
    Number value{};
    const auto [rest, error] = std::from_chars(words.data(), words.data() + words.size(), value);
    return error == std::errc() && rest == words.data() + words.size() && !words.empty() ? std::optional(value)
                                                                                         : std::nullopt;
}

/// "cross.2.3", "decoder.2" or "3".
std::optional<Value> value_in(TextArgument argument, std::string_view words) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= words.size();) {
        const std::size_t end = std::min(words.find('.', begin), words.size());
        parts.push_back(words.substr(begin, end - begin));
        begin = end + 1;
    }
    Value v;
    if (argument == TextArgument::head && parts.size() == 1) {
        const auto head = number_in<int>(parts[0]);
        if (!head || *head < 0) return std::nullopt;
        v.head = *head;
        return v;
    }
    const std::size_t wanted = argument == TextArgument::head ? 3 : 2;
    const auto attention = vitrine::value_in(text_attention_names, parts[0]);
    const int block = parts.size() > 1 ? number_in<int>(parts[1]).value_or(-1) : -1;
    const int head = parts.size() > 2 ? number_in<int>(parts[2]).value_or(-1) : 0;
    if (parts.size() != wanted || !attention || block < 1 || head < 0) return std::nullopt;
    return Value{*attention, block, head, 1};
}

/// True if a model has the part that a what-if names.
bool has_part(const TextConfig& c, const KnownTextWhatIf& known) {
    if (known.row->fits != nullptr && !known.row->fits(c)) return false;
    const Value& v = known.value;
    if (known.row->argument == TextArgument::head && v.head >= c.heads) return false;
    const bool placed = known.row->argument == TextArgument::part || known.row->argument == TextArgument::head;
    if (!placed || std::string_view(known.row->name) == "only") return true;
    if (v.attention == TextAttention::cross && !c.has_cross()) return false;
    return v.block <= (v.attention == TextAttention::encoder ? c.blocks : c.decoder_blocks);
}

}  // namespace

std::span<const TextWhatIf> text_what_if_table() { return table; }

std::optional<KnownTextWhatIf> known_text_what_if(std::string_view word) {
    const std::size_t colon = word.find(':');
    const std::string_view name = word.substr(0, colon);
    const auto row = std::ranges::find_if(table, [&](const TextWhatIf& w) { return name == w.name; });
    if (row == table.end() || (colon == std::string_view::npos) != (row->argument == TextArgument::none))
        return std::nullopt;
    if (row->argument == TextArgument::none) return KnownTextWhatIf{&*row, {}};
    const std::string_view rest = word.substr(colon + 1);
    if (row->argument != TextArgument::number) {
        const bool bare = rest.find('.') == std::string_view::npos;
        if (row->argument == TextArgument::head && bare != (name == "only")) return std::nullopt;
        const std::optional<Value> value = value_in(row->argument, rest);
        return value ? std::optional(KnownTextWhatIf{&*row, *value}) : std::nullopt;
    }
    const auto number = number_in<float>(rest);
    if (!number || !(*number >= 0.01F && *number <= 100)) return std::nullopt;
    return KnownTextWhatIf{&*row, {TextAttention::encoder, 1, 0, *number}};
}

std::string word_of_head(TextAttention attention, int block, int head) {
    return std::string("head:") + name_of(attention) + "." + std::to_string(block) + "." + std::to_string(head);
}

std::string word_of_layer(TextAttention stack, int block) {
    return std::string("layer:") + name_of(stack) + "." + std::to_string(block);
}

std::vector<Intervention> text_interventions(std::span<const std::string> words, const TextConfig& config) {
    List all;
    for (const std::string& word : words) {
        const std::optional<KnownTextWhatIf> known = known_text_what_if(word);
        if (!known || !has_part(config, *known)) continue;
        const List made = known->row->make(config, known->value);
        all.insert(all.end(), made.begin(), made.end());
    }
    return all;
}

}  // namespace vitrine
