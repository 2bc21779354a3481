#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/transformer/intervention.h"
#include "core/vit/model.h"

// What users can switch: the one table that the command line, sessions, lessons and the words on the screen read.

namespace vitrine {

/// What stands in a what-if's word behind its name.
enum class Argument {
    none,        // "positions"
    head,        // "head:2.3", of block 2
    patch,       // "patch:5", one of the patches 1 … N_p
    block,       // "mlp:2"
    seed,        // "shuffle:7"; 1 where it is left out
    number,      // "temperature:0.5"
    activation,  // "activation:relu"
};

/// Which part, and how much of it.
struct WhatIfValue {
    Where where = {};
    float number = 1;
    Activation activation = Activation::relu;
};

/// How a slider walks through numbers: evenly, or by powers of two, its places being their exponents.
enum class Steps { even, octaves };
struct NumberSlider {
    float first = 0, last = 0, step = 0;  // places
    float nothing = 0;                    // the place that is no what-if at all
    Steps steps = Steps::even;
};

/// The numbers that a what-if takes.
struct NumberRange {
    float low = 0, high = 0;
    const char* letter = "";  // what the number is called: "T"
    NumberSlider slider = {};
};

/// One thing that can be switched.
struct WhatIf {
    const char* name;                    // what its word begins with
    Argument argument = Argument::none;  // what follows behind a colon
    bool any_block = false;              // it acts on all blocks, or on one with "@ℓ" behind the word
    const char* words;                   // the key of its name on the screen, with {block}, {head}, {token} or {value}
    Intervention (*make)(const WhatIfValue& value);
    std::optional<float> (*number)(const Edit& edit) = nullptr;  // of an edit that `make` has made
    NumberRange numbers = {};
};

/// All of them, in the order of the help.
std::span<const WhatIf> what_if_table();

/// The row of that name; null where there is none.
const WhatIf* what_if_named(std::string_view name);

/// Which what-if an intervention is; none for those that only training or a test makes.
struct KnownWhatIf {
    const WhatIf* row;
    WhatIfValue value;
};
std::optional<KnownWhatIf> known_what_if(const Intervention& intervention);

/// What stands behind its name: "2.3", "0.5", "relu", or nothing. Patches are counted as the model has them.
std::string argument_words(const KnownWhatIf& what_if, const Config& config);

/// How all of them are written, for help and messages: "head:BLOCK.HEAD, patch:PATCH, …".
std::string what_if_forms();

/// A word of the command line: a row's name, its argument, and "@ℓ" for one block where it acts on all. Throws Error
/// where the word is unknown or names a part that the model has not.
Intervention parse_intervention(const std::string& word, const Config& config);

/// The word that `parse_intervention` makes the very same intervention of for this model; empty for those that no user
/// can make.
std::string to_word(const Intervention& intervention, const Config& config);

}  // namespace vitrine
