#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/exports/manifest.h"
#include "core/base/progress.h"

namespace vitrine {

/// Tables to be written to a folder, one file each, for any kind of model.
struct TableExport {
    Manifest::Json run;  // model, inputs and settings of the tables
    std::vector<std::string> names;
    std::string format;  // file extension
    const OutputGuard& guard;
    bool resume = false;
    std::function<void(Manifest& manifest)> begin;  // called before the first table, unless all are there already
    std::function<Table(const std::string& name, const Progress& progress)> table;
};

/// Files of a folder: those written now, and those kept from an earlier export of the same run.
struct ExportedFiles {
    std::vector<std::string> written, kept;
};

/// Writes the tables to a folder, locked for one export at a time, each file atomically. Writes none unless all may be
/// written. Throws Error.
ExportedFiles export_tables(const TableExport& what, const std::filesystem::path& folder,
                            const Progress& progress = {});

}  // namespace vitrine
