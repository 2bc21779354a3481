#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/exports/manifest.h"
#include "app/exports/table_export.h"
#include "app/jobs/latest.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/base/output_guard.h"
#include "core/base/progress.h"
#include "core/measures/catalogue.h"
#include "core/vit/forward.h"
#include "core/vit/trace.h"

namespace vitrine {

struct ComparedTexts;
struct Measured;

/// The run that measures of two runs compare with: of another image, of another model, or of both.
struct ComparedWith {
    std::shared_ptr<const Model> model;        // null: the same one
    std::shared_ptr<const OpenImage> image;    // null: the same one
    Manifest::Json facts;                      // for the manifest
    PatchSite patch_site = PatchSite::stream;  // of `patching`
};

/// The measures to export and their format: common to all images of an export.
struct MeasureExport {
    Runs runs;
    Manifest::Json facts;  // of the model
    Focus focus;           // with the laboratory's options for measures
    TextExperiment text_experiment;
    std::vector<Intervention> what_ifs;
    std::vector<std::string> measures;
    std::string format;             // file extension
    std::filesystem::path session;  // the session file that was exported; empty: none
    OutputGuard guard;
    bool resume = false;                 // keeps the files of an earlier export of the same run, even a killed one
    Ablation ablation = Ablation::zero;  // for measures of importance
    std::optional<ComparedWith> with = {};
    Colours colours = {};  // how image files are read; an image's facts record it if it makes a difference
    std::shared_ptr<const ComparedTexts> texts = {};  // for measures of words
    std::shared_ptr<const Measured> measured = {};    // the laboratory's, for measures of several runs

    std::string file_of(const std::string& measure) const { return measure + "." + format; }
};

/// A run with and without the what-ifs.
struct MeasuredPass {
    Trace baseline, trace;
    std::shared_ptr<MeasureMemo> memo = std::make_shared<MeasureMemo>();  // of the measures of `trace`
    std::shared_ptr<const Trace> other = {};                              // the run that it is compared with
};

/// The folder's manifest. Throws Error if one of the files must not be written, so that none is written then.
Manifest manifest_of(const MeasureExport& what, const OpenImage& image, const std::filesystem::path& folder);
/// The settings that affect the numbers, besides model and image.
Manifest::Json settings_of(const MeasureExport& what);
/// The class that measures of one class are about; null if the model has no classifier.
Manifest::Json class_of(const MeasureExport& what, const Trace& trace);
/// Effect of the what-ifs on the first choice; null without them.
Manifest::Json change_by(const MeasureExport& what, const MeasuredPass& pass);
/// A measure of a pass.
Table table_of(const MeasureExport& what, const MeasuredPass& pass, const std::string& measure,
               const Progress& progress);

/// Records the class of the measures and the effect of the what-ifs in the manifest.
void record_answer(Manifest& manifest, const MeasureExport& what, const MeasuredPass& pass);

/// Writes an image's measures to a folder, locked for one export at a time, each file atomically. `run` is called after
/// checking that the files may be written, unless all of them are kept. Throws Error.
ExportedFiles export_numbers(const MeasureExport& what, const OpenImage& image, const std::filesystem::path& folder,
                             const std::function<MeasuredPass()>& run, const Progress& progress = {});

/// A request to export measures of a shown result to a new folder.
struct NumbersRequest {
    std::shared_ptr<const Result> of;
    Focus focus;
    std::vector<std::string> measures;
    std::string format;
    std::filesystem::path folder;
    std::shared_ptr<const Measured> measured = {};  // for measures of several runs

    /// Never equal, since every export has a new folder.
    bool operator==(const NumbersRequest& other) const { return folder == other.folder; }
};

/// The job that exports numbers from the window, for a single client, `only`. Its result is the folder.
class NumbersExport : public Latest<NumbersRequest, std::filesystem::path> {
public:
    static constexpr int only = 0;

    std::deque<NumbersRequest> later;  // made while another export runs; the window's thread starts them

    explicit NumbersExport(std::function<void()> on_change = {});
};

}  // namespace vitrine
