#pragma once

#include <memory>
#include <span>
#include <string>

namespace vitrine {

struct Model;
struct ModelSource;

// Settings of a model source besides its files: one table for session files, the command lines that sessions copy, and
// the options of all commands.

/// A setting of a model source, as text.
struct SourceWord {
    const char* key;   // key in a session's "model"; with hyphens, the option's name
    const char* type;  // "INT", "FLOAT" or "TEXT", as --help writes it; the first two are numbers above 0
    const char* help;
    std::string (*write)(const ModelSource& source);             // "": the model's own
    void (*read)(ModelSource& source, const std::string& word);  // throws Error, which says what to write
    /// Returns the open model with the source's value, sharing its weights; throws Error if the value does not fit. If
    /// null, a new value needs the model's files to be read again.
    std::shared_ptr<const Model> (*apply)(const ModelSource& source,
                                          const std::shared_ptr<const Model>& model) = nullptr;

    bool is_number() const { return type != std::string("TEXT"); }
    /// "--image-size"; with a prefix "--beside-image-size".
    std::string option(const std::string& prefix = "") const;
};
std::span<const SourceWord> source_words();

/// The source with a new value of the setting `key`. Throws Error if there is no such setting or the value is invalid.
ModelSource with_setting(const ModelSource& source, const std::string& key, const std::string& value);
/// An open model with those settings of a source that do not change its weights. Throws Error if one does not fit.
std::shared_ptr<const Model> with_settings_of(const ModelSource& source, std::shared_ptr<const Model> model);

}  // namespace vitrine
