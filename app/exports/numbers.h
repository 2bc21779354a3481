#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/exports/manifest.h"
#include "app/jobs/latest.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/base/output_guard.h"
#include "core/base/progress.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Which measures are exported, and as what: all that the images of one export have in common.
struct MeasureExport {
    std::shared_ptr<const Model> model;
    Manifest::Json facts;  // of the model
    Focus focus;           // whose laboratory says how to measure
    std::vector<Intervention> what_ifs;
    std::vector<std::string> measures;
    std::string format;             // the ending of the files
    std::filesystem::path session;  // that it was read from; empty: none
    OutputGuard guard;

    std::string file_of(const std::string& measure) const { return measure + "." + format; }
};

/// A run without and with the what-ifs.
struct MeasuredPass {
    Trace baseline, trace;
};

/// The folder's manifest, after a look at every file that is to be written: all of them, or none. Throws Error.
Manifest manifest_of(const MeasureExport& what, const OpenImage& image, const std::filesystem::path& folder);
/// Tells the manifest which class the measures are about and what the what-ifs change.
void tell_answer(Manifest& manifest, const MeasureExport& what, const MeasuredPass& pass);

/// Writes the measures of an image into a folder, one export at a time, each file whole. `run` is called once it is
/// certain that they may be written. Throws Error.
void export_numbers(const MeasureExport& what, const OpenImage& image, const std::filesystem::path& folder,
                    const std::function<MeasuredPass()>& run, const Progress& progress = {});

/// Measures of a result that is shown, to be written into a new folder.
struct NumbersRequest {
    std::shared_ptr<const Result> of;
    Focus focus;
    std::vector<std::string> measures;
    std::string format;
    std::filesystem::path folder;

    /// Every folder is another one.
    bool operator==(const NumbersRequest& other) const { return folder == other.folder; }
};

/// The job that exports numbers from the window; it has one client, `only`. Its result is the folder.
class NumbersExport : public Latest<NumbersRequest, std::filesystem::path> {
public:
    static constexpr int only = 0;

    explicit NumbersExport(std::function<void()> on_change = {});
};

}  // namespace vitrine
