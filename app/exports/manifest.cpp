#include "app/exports/manifest.h"

#include <algorithm>

#include "app/exports/describe.h"
#include "app/library/colours.h"
#include "app/platform/embedded.h"
#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/base/json_limits.h"
#include "core/base/numbers.h"
#include "core/base/output_file.h"
#include "core/base/utf8.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

using Json = Manifest::Json;
namespace fs = std::filesystem;

constexpr int form = 1;  // of the manifest

/// A part of a run's identity, and the words for a run in which it differs.
struct ManifestPart {
    const char* words;
    nlohmann::json::json_pointer value;
};
const std::vector<ManifestPart>& parts_of_a_run() {
    using At = nlohmann::json::json_pointer;
    static const std::vector<ManifestPart> parts = {
        {"another model", At("/model/weights_sha256")},
        {"the model with another configuration", At("/model/configuration_sha256")},
        {"the model with another number of heads", At("/model/heads")},
        {"the model with another ε", At("/model/layer_norm_eps")},
        {"another image", At("/image/sha256")},
        {"the image in other colours", At("/image/colours")},
        {"another text", At("/text/sha256")},
        {"other settings or what-ifs", At("/settings")}};
    return parts;
}

/// The name of the first differing part of two runs; null if they are the same.
const char* difference(const Json& run, const Json& other) {
    const nlohmann::json a = run, b = other;  // comparison ignores the order of keys
    for (const ManifestPart& part : parts_of_a_run())
        if (a.value(part.value, nlohmann::json()) != b.value(part.value, nlohmann::json())) return part.words;
    return nullptr;
}

/// True if a row names a file in the manifest's own folder: a manifest from elsewhere must not refer outside.
bool is_file_of_the_folder(const Json& row) {
    if (!row.is_object() || !row.contains("file") || !row["file"].is_string()) return false;
    const std::string name = row["file"].get<std::string>();
    return !name.empty() && name != "." && name != ".." && name != manifest_file && name.find('/') == std::string::npos;
}

/// The first index of an axis whose labels count up from it; none for other labels.
std::optional<int> first_index(const std::vector<std::string>& labels) {
    if (labels.empty()) return 0;
    const std::optional<int> first = number_from<int>(labels[0]);
    if (!first) return {};
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] != std::to_string(*first + static_cast<int>(i))) return {};
    return first;
}

/// Hash over names and hashes of a model's files besides its weights.
std::string hash_of_configuration(std::vector<std::pair<std::string, std::string>> files) {
    std::string words;
    for (const auto& [name, hash] : files) words += name + " " + hash + "\n";
    return sha256(words);
}

}  // namespace

std::string words_of_manifest(const fs::path& folder) {
    constexpr std::size_t most_bytes = 256 << 20;
    return words_of_file(folder / manifest_file, most_bytes);
}

const char* program_version() { return "vitrine " VITRINE_VERSION; }

Manifest::Manifest(fs::path folder, Json run, const OutputGuard& guard)
    : folder_(std::move(folder)), run_(std::move(run)), guard_(guard) {
    std::error_code ignored;
    guard_.check_is_not_read(folder_ / manifest_file);
    if (fs::exists(folder_ / manifest_file, ignored)) read(guard);
}

void Manifest::read(const OutputGuard& guard) {
    const fs::path file = folder_ / manifest_file;
    const bool replaces = guard.foreign() == OutputGuard::Foreign::replaced;
    const std::string words = words_of_manifest(folder_);
    const Json there = nests_too_deeply(words) ? Json() : Json::parse(words, nullptr, false);
    const bool ours =
        there.is_object() && there.value("software", Json()) == software_name &&
        there.value("manifest", Json()) == form && there.contains("run") && there.contains("arrays") &&
        there["run"].is_object() && there["run"].value("model", Json()).is_object() &&
        (there["run"].value("image", Json()).is_object() || there["run"].value("text", Json()).is_object()) &&
        there["arrays"].is_array() &&
        std::all_of(there["arrays"].begin(), there["arrays"].end(), is_file_of_the_folder);
    if (!ours) {
        if (replaces) return;
        throw Error(file.string() +
                    ": exists and is not a manifest written by this Vitrine; choose another folder, or add "
                    "--force to replace it");
    }
    const char* const other = difference(run_, there["run"]);
    if (other == nullptr) {
        rows_ = there["arrays"];
        for (const char* const known : {"class", "change", "output", "images"})  // as before, since the arrays stay
            if (there["run"].contains(known) && !run_.contains(known)) run_[known] = there["run"][known];
    } else if (replaces) {
        other_rows_ = there["arrays"];
    } else {
        throw Error(folder_.string() + ": this folder holds measures of " + other + " (" + manifest_file +
                    " says which); choose another folder, or add --force to replace them");
    }
}

const std::string& Manifest::hash_on_disk(const std::string& file) const {
    std::string& hash = hashes_[file];
    if (hash.empty()) hash = sha256_of_file(folder_ / file);
    return hash;
}

bool Manifest::is_as_written(const Json& row) const {
    const std::string file = row["file"].get<std::string>();
    std::error_code ignored;
    if (!fs::is_regular_file(folder_ / file, ignored)) return false;
    const Json hash = hash_on_disk(file);
    return row.value("sha256", Json()) == hash || row.value("coming_sha256", Json()) == hash;
}

Manifest::Json Manifest::row(const std::string& file) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Json& r) { return r["file"] == file; });
    return found == rows_.end() ? Json() : *found;
}

bool Manifest::has(const std::string& file) {
    const Json there = row(file);
    std::error_code ignored;
    if (!there.is_object() || there.value("version", "") != program_version() ||
        !fs::is_regular_file(folder_ / file, ignored))
        return false;
    const bool coming = there.contains("coming_sha256");
    if (there.value(coming ? "coming_sha256" : "sha256", "") != hash_on_disk(file)) return false;
    if (coming) settle(file);
    return true;
}

void Manifest::check(const std::string& file) const {
    const Json there = row(file);
    if (there.is_object() && is_as_written(there)) return guard_.check_is_not_read(folder_ / file);
    guard_.check(folder_ / file);
}

Json& Manifest::row_named(const Json& file) {
    const auto same = std::find_if(rows_.begin(), rows_.end(), [&](const Json& r) { return r["file"] == file; });
    if (same != rows_.end()) return *same;
    rows_.push_back({{"file", file}});
    return rows_.back();
}

void Manifest::expect(Json row, const std::string& hash) {
    const std::string file = row["file"].get<std::string>();
    std::error_code ignored;
    if (fs::is_regular_file(folder_ / file, ignored))
        row["sha256"] = hash_on_disk(file);  // hash of the old file, until that is replaced
    row["version"] = program_version();
    row["coming_sha256"] = hash;
    row_named(file) = std::move(row);
    changed_ = true;
}

void Manifest::settle(const std::string& file) {
    Json& row = row_named(file);
    const std::string hash = row["coming_sha256"].get<std::string>();
    for (const char* const last : {"sha256", "version", "coming_sha256"}) row.erase(last);
    row["sha256"] = hashes_[file] = hash;
    row["version"] = program_version();
    changed_ = true;
}

void Manifest::add(Json row) {
    const std::string file = row["file"].get<std::string>();
    hashes_.erase(file);
    const std::string hash = hash_on_disk(file);
    expect(std::move(row), hash);
    settle(file);
    write();
}

void Manifest::write() {
    if (!changed_) return;
    std::vector<fs::path> stale;
    for (const Json& other : other_rows_) {
        const bool written =
            std::any_of(rows_.begin(), rows_.end(), [&](const Json& r) { return r["file"] == other["file"]; });
        if (!written && is_as_written(other)) stale.push_back(folder_ / other["file"].get<std::string>());
    }
    for (const fs::path& file : stale) guard_.check_is_not_read(file);
    std::error_code ignored;
    for (const fs::path& file : stale) fs::remove(file, ignored);
    other_rows_ = Json::array();

    const Json all = {{"software", software_name},
                      {"manifest", form},
                      {"version", program_version()},
                      {"run", run_},
                      {"arrays", rows_}};
    replace_file(folder_ / manifest_file, all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    changed_ = false;
}

Manifest::Json facts_of(const Model& model, const ModelSource& source) {
    std::string weights;
    std::vector<std::pair<std::string, std::string>> configuration;
    if (source.path.empty()) {
        const std::string folder = std::string(bundled_model(source.bundled).name) + "/";
        weights = sha256(embedded(assets(), folder + "model.safetensors").bytes);
        for (const std::string name : {"config.json", "preprocessor_config.json"})
            configuration.emplace_back(name, sha256(embedded(assets(), folder + name).bytes));
    } else {
        std::string of_weights;  // of an index and its shards: one hash after another
        std::size_t count = 0;
        for (const fs::path& file : files_of_checkpoint(source.path)) {
            if (is_configuration(file)) {
                configuration.emplace_back(file.filename().string(), sha256_of_file(file));
                continue;
            }
            weights = sha256_of_file(file);
            of_weights += weights;
            ++count;
        }
        if (count > 1) weights = sha256(of_weights);
    }
    const Json all = provenance_of(model);
    Json facts = {
        {"name", model.provenance.name},     {"path", model.provenance.path},
        {"layout", model.provenance.layout}, {"heads", model.config.heads},
        {"weights_sha256", weights},         {"configuration_sha256", hash_of_configuration(std::move(configuration))}};
    facts.update(all);
    return facts;
}

Manifest::Json facts_of(const OpenImage& image) {
    const ImageSource& source = image.source;
    const bool drawn = source.path.empty(), pixels = source.file().empty();
    Json facts = {{"name", drawn ? source.sample : image.name},
                  {"path", source.path.string()},
                  {"width", image.full.width},
                  {"height", image.full.height},
                  {"sha256", pixels ? sha256(image.full.rgb) : sha256_of_file(source.path)},
                  {"sha256_of", pixels ? "its RGB bytes, row by row" : "its file"}};
    if (image.colours != Colours::stored) facts["colours"] = name_of(image.colours);
    return facts;
}

Manifest::Json facts_of(const MeanPatches& means) {
    Json facts = Json::object();
    for (const auto& [folder, mean] : means)
        facts[as_utf8(folder)] = sha256({reinterpret_cast<const char*>(mean->data()), mean->size() * sizeof(float)});
    return facts;
}

Manifest::Json facts_of_run(Json model, const OpenImage& image, const std::vector<std::string>& what_ifs) {
    return {{"model", std::move(model)}, {"image", facts_of(image)}, {"settings", {{"what_if", what_ifs}}}};
}

std::map<std::string, std::string> metadata_of_dump(const Json& run) {
    return {{"version", program_version()}, {"run", run.dump(-1, ' ', false, Json::error_handler_t::replace)}};
}

Manifest::Json row_of(const Table& t, const std::string& file) {
    Json axes = Json::array();
    for (std::size_t i = 0; i < t.shape.size(); ++i) {
        Json axis = {{"name", t.axes[i]}, {"size", t.shape[i]}};
        const std::vector<std::string> labels = i < t.labels.size() ? t.labels[i] : std::vector<std::string>();
        if (const std::optional<int> first = first_index(labels))
            axis["first"] = *first;
        else
            axis["labels"] = labels;
        axes.push_back(std::move(axis));
    }
    Json row = {{"file", file}, {"measure", t.name}, {"dtype", "float32"}, {"shape", t.shape}, {"axes", axes}};
    const bool csv = fs::path(file).extension() == std::string(".") + ending_of(TableFormat::csv);
    if (csv && std::ranges::any_of(t.labels, [](const std::vector<std::string>& of_axis) {
            return std::ranges::any_of(of_axis, is_computed_by_spreadsheets);
        }))
        row["labels_in_file"] = "with ' before what a spreadsheet would compute";
    return row;
}

}  // namespace vitrine
