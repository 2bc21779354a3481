#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "app/workspace/library.h"
#include "core/base/output_guard.h"
#include "core/files/table.h"

namespace vitrine {

/// What the measures in a folder were made of and what each file holds, as `manifest.json` beside them: so that no
/// folder mixes two runs, and so that an array can be read without this program.
///
///   {"software", "manifest": 1, "version", "run": {"model", "image", "settings", "session", "class"}, "arrays":
///   [rows]}
///
/// A run is the same where the hashes of its weights, configuration and image, its heads and its settings are.
class Manifest {
public:
    using Json = nlohmann::ordered_json;

    /// Begins a folder's manifest, or goes on with that of the same run. Throws Error where the folder holds another
    /// run's, unless the guard replaces what is there: its files, as far as they are as they were written, then go when
    /// the first new one comes.
    Manifest(std::filesystem::path folder, Json run, const OutputGuard& guard);

    /// Throws Error where a file of this name must not be written: the run reads it, or it is there and neither of
    /// Vitrine's own kinds nor as the manifest says.
    void check(const std::string& file) const;

    /// What the run tells of itself once it is done.
    void set_class(Json facts) { run_["class"] = std::move(facts); }
    /// What the what-ifs change; nothing where there are none.
    void set_change(Json facts) {
        if (!facts.is_null()) run_["change"] = std::move(facts);
    }

    /// Before a file is written: what it will hold, so that it is known for ours also where the program is ended before
    /// `add`. Throws Error.
    void expect(const std::string& file, const std::string& bytes);

    /// A file that was just written: a row as `row_of` makes it. The manifest is written anew. Throws Error.
    void add(Json row);

private:
    void read(const OutputGuard& guard);
    bool is_as_written(const Json& row) const;
    Json& row_named(const Json& file);
    void write();

    std::filesystem::path folder_;
    Json run_, rows_ = Json::array(), other_rows_ = Json::array();  // the other run's, to be removed
    const OutputGuard& guard_;
};

inline constexpr const char* manifest_file = "manifest.json";

/// "vitrine 1.2.3".
const char* program_version();

/// A model by its name and by the hashes of what it was read from.
Manifest::Json facts_of(const Model& model, const ModelSource& source);
/// An image by its name, its size and the hash of its file, or of its pixels where the program draws it.
Manifest::Json facts_of(const OpenImage& image);
/// A table's file: shape, type, and of each axis its name and either its first index or what its places are called.
Manifest::Json row_of(const Table& table, const std::string& file);

}  // namespace vitrine
