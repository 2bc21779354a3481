#include "app/exports/table_export.h"

#include <memory>
#include <utility>

#include "app/exports/output_folder.h"
#include "core/base/clock.h"
#include "core/base/output_file.h"
#include "core/base/sha256.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// Files that are written, but not yet renamed to their final names: the manifest lists all of them before the first is
/// renamed, so it is written once for many files, and still lists every file after a kill.
class FilesToPlace {
public:
    FilesToPlace(Manifest& manifest, const fs::path& folder) : manifest_(manifest), folder_(folder) {}

    void add(const Table& table, const std::string& file, TableFormat format) {
        const std::string bytes = bytes_of(table, format);
        waiting_.emplace_back(file, std::make_unique<OutputFile>(folder_ / file));
        waiting_.back().second->write(bytes);
        manifest_.expect(row_of(table, file), sha256(bytes));
        if (waiting_.size() >= most_files || milliseconds_since(begun_) > most_milliseconds) place();
    }
    void place() {
        if (waiting_.empty()) return;
        manifest_.write();
        for (const auto& [name, file] : waiting_) {
            file->commit();
            manifest_.settle(name);
        }
        waiting_.clear();
        begun_ = Clock::now();
    }

private:
    static constexpr std::size_t most_files = 64;
    static constexpr double most_milliseconds = 2000;  // the most work that is lost in a kill

    Manifest& manifest_;
    const fs::path& folder_;
    std::vector<std::pair<std::string, std::unique_ptr<OutputFile>>> waiting_;
    Clock::time_point begun_ = Clock::now();
};

/// Maps the progress of one of several equal parts to the whole.
Progress part_of(const Progress& progress, std::size_t part, std::size_t parts) {
    return [progress, part, parts](double fraction) {
        report(progress, (static_cast<double>(part) + fraction) / static_cast<double>(parts));
    };
}

}  // namespace

ExportedFiles export_tables(const TableExport& what, const fs::path& folder, const Progress& progress) {
    const OutputFolder alone(folder, FileLock::Others::awaited);  // or one would overwrite the other's manifest
    Manifest manifest(folder, what.run, what.guard);
    const auto file_of = [&](const std::string& name) { return name + "." + what.format; };
    for (const std::string& name : what.names) manifest.check(file_of(name));
    ExportedFiles files;
    std::vector<std::string> names;
    for (const std::string& name : what.names) {
        if (what.resume && manifest.has(file_of(name)))
            files.kept.push_back(file_of(name));
        else
            names.push_back(name);
    }
    if (!names.empty()) what.begin(manifest);
    const TableFormat format = *value_in(table_format_names, what.format);
    FilesToPlace files_to_place(manifest, folder);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Progress share = part_of(progress, i, names.size());
        report(share, 0);
        files_to_place.add(what.table(names[i], share), file_of(names[i]), format);
        files.written.push_back(file_of(names[i]));
    }
    files_to_place.place();
    manifest.write();  // also if all files were there, since a killed export may have left an incomplete manifest
    return files;
}

}  // namespace vitrine
