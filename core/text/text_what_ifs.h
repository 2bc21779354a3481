#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/text/text_config.h"
#include "core/text/text_kinds.h"
#include "core/transformer/what_ifs.h"

// The what-ifs of a text Transformer. Experiments on texts store words, since some words make several interventions.

namespace vitrine {

/// All what-ifs for texts; the interface describes each under the key "text.what_if.<name>".
std::span<const WhatIf> text_what_if_table();

/// The what-if that a word names in some model; none if no model has such a what-if.
std::optional<KnownWhatIf> known_text_what_if(const std::string& word);

/// The kind of attention at a place; the encoder's if the place names none.
TextAttention attention_at(const Where& where);

std::string word_of_head(TextAttention attention, int block, int head);  // "head:cross.2.3"
std::string word_of_layer(TextAttention stack, int block);               // "layer:encoder.1"

/// Throws Error for the first word that names no what-if, or a part that the model does not have.
void check_text_what_ifs(std::span<const std::string> words, const TextConfig& config);

/// Interventions of all words that are what-ifs and fit the model; other words are skipped.
Interventions text_interventions(std::span<const std::string> words, const TextConfig& config);

}  // namespace vitrine
