#pragma once

#include <span>
#include <string>

namespace vitrine {

struct ModelSource;

// Settings of a model source besides its files: one table for session files, the command lines that sessions copy, and
// the options of all commands.

/// A setting of a model source, as text.
struct SourceWord {
    const char* key;   // in a session's "model"; with hyphens the option's name
    const char* type;  // "INT", "FLOAT" or "TEXT", as --help writes it; the first two are numbers above 0
    const char* help;
    std::string (*write)(const ModelSource& source);             // "": the model's own
    void (*read)(ModelSource& source, const std::string& word);  // throws Error, which says what to write

    bool is_number() const { return type != std::string("TEXT"); }
    /// "--image-size"; with a prefix "--beside-image-size".
    std::string option(const std::string& prefix = "") const;
};
std::span<const SourceWord> source_words();

}  // namespace vitrine
