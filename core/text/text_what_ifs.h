#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/text_attention.h"
#include "core/text/text_config.h"
#include "core/transformer/intervention.h"

// What-ifs of text Transformers: one table for sessions, the room and its texts.

namespace vitrine {

/// Argument after the colon in a what-if's word.
enum class TextArgument {
    none,    // "no-mask"
    number,  // "temperature:0.5"
    part,    // "layer:decoder.2", with a stack
    head,    // "head:cross.2.3": encoder, decoder or cross, block, head; "only:0" keeps one head of each kind
};

struct TextWhatIfValue {
    TextAttention attention = TextAttention::encoder;
    int block = 1, head = 0;
    float number = 1;
};

/// One what-if; its texts are "text.what_if.<name>".
struct TextWhatIf {
    const char* name;
    TextArgument argument = TextArgument::none;
    std::vector<Intervention> (*make)(const TextConfig& config, const TextWhatIfValue& value);
    /// True if a model has what it switches off; null: every model.
    bool (*fits)(const TextConfig& config) = nullptr;
};
std::span<const TextWhatIf> text_what_if_table();

/// A parsed word.
struct KnownTextWhatIf {
    const TextWhatIf* row;
    TextWhatIfValue value;
};
/// None if the word is not a what-if.
std::optional<KnownTextWhatIf> known_text_what_if(std::string_view word);

std::string word_of_head(TextAttention attention, int block, int head);  // "head:cross.2.3"
std::string word_of_layer(TextAttention stack, int block);               // "layer:encoder.1"

/// Interventions of all words that are what-ifs and fit the model.
std::vector<Intervention> text_interventions(std::span<const std::string> words, const TextConfig& config);

}  // namespace vitrine
