#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/library/library.h"
#include "core/base/output_guard.h"
#include "core/base/sha256.h"
#include "core/files/table.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// Provenance of the measures in a folder, and the content of each file, as `manifest.json` beside them: so that no
/// folder mixes two runs, and arrays can be read without this program.
///
///   {"software", "manifest": 1, "version", "run": {"model", "image", "settings", "session", "class"}, "arrays":
///   [rows]}
///
/// Runs are the same if the hashes of weights, configuration and image, the heads and the settings agree.
class Manifest {
public:
    using Json = nlohmann::ordered_json;

    /// Starts a folder's manifest, or continues that of the same run. Throws Error if the folder holds another run's,
    /// unless the guard allows replacing it: the first `write` then deletes that run's unchanged files.
    Manifest(std::filesystem::path folder, Json run, const OutputGuard& guard);

    /// Throws Error if a file of this name must not be written: it is an input of the run, or it exists and is neither
    /// of Vitrine's kinds nor as recorded in the manifest.
    void check(const std::string& file) const;

    /// True if the file is there as this version wrote it for this run: a row of the manifest has its hash. If the
    /// program was killed between `expect` and `settle`, this settles the row.
    bool has(const std::string& file);
    /// The row of a file; null if there is none.
    Json row(const std::string& file) const;

    /// Facts known only after the run.
    void set_class(Json facts) { run_["class"] = std::move(facts); }
    /// Effect of the what-ifs; null without any.
    void set_change(Json facts) {
        if (!facts.is_null()) run_["change"] = std::move(facts);
    }

    /// The output of a text model.
    void set_output(const std::vector<std::string>& words) { run_["output"] = words; }

    /// Adds a row from `row_of` for a file that is about to be moved to its final name, with its content's hash. Call
    /// `write` before moving it, so that the file is recognised even if the program is killed then.
    void expect(Json row, const std::string& hash);
    /// Records that the file of an expected row has its final name.
    void settle(const std::string& file);
    /// Adds a row for a file just written, and writes the manifest. Throws Error.
    void add(Json row);
    /// Writes the manifest if it has changed, and removes another run's files that it replaces. Throws Error.
    void write();

private:
    void read(const OutputGuard& guard);
    bool is_as_written(const Json& row) const;
    Json& row_named(const Json& file);
    const std::string& hash_on_disk(const std::string& file) const;

    std::filesystem::path folder_;
    Json run_, rows_ = Json::array(), other_rows_ = Json::array();  // rows of the other run, to be deleted
    bool changed_ = false;
    mutable std::map<std::string, std::string> hashes_;  // of the files that were read, so that each is read once
    const OutputGuard& guard_;
};

inline constexpr const char* manifest_file = "manifest.json";

/// The text of a folder's manifest. Throws Error.
std::string words_of_manifest(const std::filesystem::path& folder);

/// "vitrine 1.2.3".
const char* program_version();

/// A model's name, and the hashes of its files.
Manifest::Json facts_of(const Model& model, const ModelSource& source);
/// An image's name, size, hash of its file, or of its pixels if it is drawn, and "colours" where they are managed.
Manifest::Json facts_of(const OpenImage& image);
/// The SHA-256 of each mean patch, by the folder of its images.
Manifest::Json facts_of(const MeanPatches& means);

/// The inputs of a run, for a manifest and for the metadata ("run") of a dump.
Manifest::Json facts_of_run(Manifest::Json model, const OpenImage& image, const std::vector<std::string>& what_ifs);
/// Metadata of a dump: the program's version, and the run as JSON.
std::map<std::string, std::string> metadata_of_dump(const Manifest::Json& run);
/// The row of a table's file: shape, type, and for each axis its name and either its first index or its labels.
Manifest::Json row_of(const Table& table, const std::string& file);

}  // namespace vitrine
