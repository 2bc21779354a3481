#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/transformer/intervention.h"

// The what-ifs that users can switch: each family of models has a table of them, for the command line, sessions,
// lessons and the words on the screen. This file reads and writes the words of any table.

namespace vitrine {

/// The argument after a what-if's name in its word.
enum class Argument {
    none,            // "positions"
    head,            // "head:2.3", of block 2
    patches,         // "patch:5" or "patch:3-7+12", of the patches 1 … N_p
    block,           // "mlp:2"
    unit,            // "unit:2.17", of the hidden layer of block 2, from 0
    edge,            // "edge:2.3:0:5-9": block 2, head 3, queries, keys, from 0; "edge:2:0:5", of every head
    set_of_images,   // "mean-set:3-7:FOLDER": patches, folder (default: the model's drawn pictures)
    noise,           // "noise:3-7:0.5:2": patches, deviation, seed (default: 1)
    pair,            // "swap:3:7", two patches
    direction,       // "direction:2:0:5-9:0.5": the state after block 2 of token 0, added to 5 … 9, times 0.5
    count,           // "window:2", a whole number
    grid,            // "positions-interpolate:7", the columns of a grid, at most the model's
    seed,            // "shuffle:7" (default: 1)
    number,          // "temperature:0.5"
    activation,      // "activation:relu"
    stack_block,     // "layer:decoder.2"
    attention_head,  // "head:cross.2.3": encoder, decoder or cross, block, head
    every_head,      // "only:0", of each attention
};

/// The part that a what-if changes, and its numbers.
struct WhatIfValue {
    Where where = {};
    float number = 1;
    Activation activation = Activation::relu;
    float factor = 0;                       // of a scaled part; 0 switches it off
    std::vector<int> keys = {};             // of an edge; of a pair both tokens; of a direction its token
    std::uint32_t seed = 1;                 // of noise
    std::string folder = {};                // of a set of images; "": drawn pictures
    int first_patch = 0, grid_columns = 1;  // of the model
};

/// How a slider maps its positions to numbers: unchanged, or as exponents of powers of two.
enum class Steps { even, octaves };
struct NumberSlider {
    float first = 0, last = 0, step = 0;  // positions
    float nothing = 0;                    // the position that means no what-if
    Steps steps = Steps::even;
};

/// The numbers that a what-if takes.
struct NumberRange {
    float low = 0, high = 0;
    const char* letter = "";  // the number's name: "T"
    NumberSlider slider = {};
};

/// The parts of a model, of any family, that words can name.
struct ModelParts {
    int blocks = 0, decoder_blocks = 0, heads = 0;
    int patches = 0, first_patch = 0;  // number of patches; row of the first one
    int grid_columns = 1, tokens = 0, hidden_units = 0;
    bool crosses = false;  // has cross-attention
    bool has_decoder = false, has_positions = true, scales_words = false;
};

using Interventions = std::vector<Intervention>;

/// A what-if that users can switch.
struct WhatIf {
    const char* name;                    // the beginning of its word
    Argument argument = Argument::none;  // the rest, after a colon
    bool any_block = false;              // it acts on all blocks, or on one with "@ℓ" after the word
    bool scaled = false;                 // it switches a part off, or multiplies it: "head:2.3x0.5"
    const char* words = "";              // the key of its name on the screen, with {block}, {head}, {token} or {value}
    Intervention (*make)(const WhatIfValue& value) = nullptr;
    /// Replaces `make` for a what-if that makes several interventions or depends on the model.
    Interventions (*make_all)(const ModelParts& parts, const WhatIfValue& value) = nullptr;
    std::optional<float> (*number)(const Edit& edit) = nullptr;  // the number that gave an edit of `make`
    NumberRange numbers = {};
    bool (*fits)(const ModelParts& parts) = nullptr;  // whether a model has the part it switches; null: every model
};

/// A what-if with its argument.
struct KnownWhatIf {
    const WhatIf* row;
    WhatIfValue value;
};

/// The row with a name; null if there is none.
const WhatIf* what_if_named(std::span<const WhatIf> table, std::string_view name);

/// The forms of a table's words, for help and messages: "head:BLOCK.HEAD, patch:PATCHES, …".
std::string what_if_forms(std::span<const WhatIf> table);

/// A set as part of a word: "3-7+12", ranges and single numbers in ascending order. `from` is added to each.
std::string set_words(const std::vector<int>& numbers, int from = 0);

/// Reads a word: a row's name, its argument, and "@ℓ" to choose one block. Throws Error if the word is unknown or names
/// a part that the model does not have.
KnownWhatIf read_what_if(std::span<const WhatIf> table, const std::string& word, const ModelParts& parts);

/// The argument in its word: "2.3", "0.5", "relu" or "", without a factor. Patches are numbered from 1.
std::string argument_words(const KnownWhatIf& what_if, const ModelParts& parts);

/// The word that `read_what_if` reads as this what-if.
std::string word_of(const KnownWhatIf& what_if, const ModelParts& parts);

}  // namespace vitrine
