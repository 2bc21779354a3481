#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/text_attention.h"
#include "core/text/text_config.h"
#include "core/transformer/intervention.h"

// What users can switch in a text Transformer: the one table that sessions, the room and its words read.

namespace vitrine {

/// What stands behind a colon in a what-if's word.
enum class TextArgument {
    none,    // "no-mask"
    number,  // "temperature:0.5"
    part,    // "layer:decoder.2", of a stack
    head,    // "head:cross.2.3": encoder, decoder or cross, block, head; "only:0" keeps one head of each
};

struct TextWhatIfValue {
    TextAttention attention = TextAttention::encoder;
    int block = 1, head = 0;
    float number = 1;
};

/// One thing that can be switched; its words are "text.what_if.<name>".
struct TextWhatIf {
    const char* name;
    TextArgument argument = TextArgument::none;
    std::vector<Intervention> (*make)(const TextConfig& config, const TextWhatIfValue& value);
    /// Whether a model has what it switches; null: every one has.
    bool (*fits)(const TextConfig& config) = nullptr;
};
std::span<const TextWhatIf> text_what_if_table();

/// What a word says.
struct KnownTextWhatIf {
    const TextWhatIf* row;
    TextWhatIfValue value;
};
/// None where the word means nothing.
std::optional<KnownTextWhatIf> known_text_what_if(std::string_view word);

std::string word_of_head(TextAttention attention, int block, int head);  // "head:cross.2.3"
std::string word_of_layer(TextAttention stack, int block);               // "layer:encoder.1"

/// The interventions of all words that mean something and that the model has.
std::vector<Intervention> text_interventions(std::span<const std::string> words, const TextConfig& config);

}  // namespace vitrine
