#include "app/exports/numbers.h"

#include <optional>
#include <utility>

#include "app/exports/describe.h"
#include "app/exports/output_folder.h"
#include "app/platform/scratch_folder.h"
#include "app/workspace/focus_words.h"
#include "core/files/tensor_file.h"
#include "core/measures/analysis.h"
#include "core/measures/answer_change.h"
#include "core/measures/catalogue.h"
#include "core/measures/pair_measures.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

MeasureOf measure_of(const MeasureExport& what, const MeasuredPass& pass) {
    const Laboratory& lab = what.focus.lab;
    MeasureOf of{*what.model, pass.trace,     what.what_ifs, lab.rollout,    lab.target,
                 lab.against, lab.cover_size, lab.cover,     pass.memo.get()};
    of.ablation = what.ablation;
    return of;
}

/// Maps the progress of one of several equal parts to the whole.
Progress part_of(const Progress& progress, std::size_t part, std::size_t parts) {
    return [progress, part, parts](double fraction) {
        report(progress, (static_cast<double>(part) + fraction) / static_cast<double>(parts));
    };
}

void carry_out_export(NumbersExport::Run& run) {
    const NumbersRequest& request = run.request();
    const Result& result = *request.of;
    ModelSource source = result.experiment.model;
    std::optional<ScratchFolder> scratch;
    if (source.learned) {  // hash of the files it would be saved as
        scratch.emplace();
        source = {*scratch / "model", {}};
        save_model(*result.model, source.path, Precision::f32);
    }
    const MeasureExport what{result.model,
                             facts_of(*result.model, source),
                             request.focus,
                             {},
                             result.experiment.what_ifs,
                             request.measures,
                             request.format,
                             {},
                             guard_of(false, source, result.experiment.image)};
    const auto pass = [&] { return MeasuredPass{result.baseline, result.trace}; };
    export_numbers(what, *result.image, request.folder, pass, run.progress());
    run.publish(std::make_shared<const fs::path>(request.folder));
}

}  // namespace

Manifest::Json settings_of(const MeasureExport& what) {
    Manifest::Json settings = {{"what_if", Manifest::Json::array()}};
    for (const Intervention& i : what.what_ifs) settings["what_if"].push_back(to_word(i, what.model->config));
    for (const char* const name : {"lab.fusion", "lab.residual", "lab.discard", "lab.first_block", "lab.last_block",
                                   "lab.target", "lab.against", "lab.cover_size", "lab.cover"})
        settings[name] = focus_word({what.focus, what.text_experiment}, name);
    if (what.ablation != Ablation::zero) settings["ablate"] = name_in(ablation_names, what.ablation);
    if (what.with) settings["compared_with"] = what.with->facts;
    return settings;
}

Manifest::Json class_of(const MeasureExport& what, const Trace& trace) {
    const Laboratory& lab = what.focus.lab;
    const std::vector<Prediction> best = top_predictions(*trace.head, 1);
    if (best.empty()) return nullptr;
    const int index = lab.target.value_or(best.front().index);
    return {{"index", index},
            {"label", what.model->config.label(index)},
            {"chosen_by", lab.target ? "the user" : "the model"}};
}

Manifest::Json change_by(const MeasureExport& what, const MeasuredPass& pass) {
    if (what.what_ifs.empty() || what.model->config.classes == 0) return nullptr;
    return describe(answer_change(*pass.trace.head, *pass.baseline.head), *what.model);
}

Table table_of(const MeasureExport& what, const MeasuredPass& pass, const std::string& measure_name,
               const Progress& progress) {
    const MeasureOf of = measure_of(what, pass);
    if (pass.other == nullptr || !is_pair_measure(measure_name, pass.trace)) return measure(of, measure_name, progress);
    const Model& other_model = what.with->model ? *what.with->model : *what.model;
    return pair_measure({of, other_model, *pass.other, what.with->patch_site}, measure_name, progress);
}

Manifest manifest_of(const MeasureExport& what, const OpenImage& image, const fs::path& folder) {
    Manifest::Json run = {{"model", what.facts}, {"image", facts_of(image)}, {"settings", settings_of(what)}};
    if (!what.session.empty()) run["session"] = what.session.string();
    Manifest manifest(folder, std::move(run), what.guard);
    for (const std::string& name : what.measures) manifest.check(what.file_of(name));
    return manifest;
}

void tell_answer(Manifest& manifest, const MeasureExport& what, const MeasuredPass& pass) {
    manifest.set_class(class_of(what, pass.trace));
    manifest.set_change(change_by(what, pass));
}

ExportedFiles export_numbers(const MeasureExport& what, const OpenImage& image, const fs::path& folder,
                             const std::function<MeasuredPass()>& run, const Progress& progress) {
    const OutputFolder alone(folder, FileLock::Others::awaited);  // or two would each write a manifest of its own rows
    Manifest manifest = manifest_of(what, image, folder);
    ExportedFiles files;
    std::vector<std::string> measures;
    for (const std::string& name : what.measures) {
        const bool kept = what.resume && manifest.has(what.file_of(name));
        if (kept)
            files.kept.push_back(what.file_of(name));
        else
            measures.push_back(name);
    }
    if (measures.empty()) return files;
    const MeasuredPass pass = run();
    tell_answer(manifest, what, pass);
    const TableFormat format = *value_in(table_format_names, what.format);
    for (std::size_t i = 0; i < measures.size(); ++i) {
        const Progress share = part_of(progress, i, measures.size());
        report(share, 0);
        const Table table = table_of(what, pass, measures[i], share);
        const std::string file = what.file_of(measures[i]);
        if (const std::string bytes = bytes_of(table, format); !bytes.empty()) manifest.expect(file, bytes);
        write_table(folder / file, table, format);
        manifest.add(row_of(table, file));
        files.written.push_back(file);
    }
    return files;
}

NumbersExport::NumbersExport(std::function<void()> on_change) : Latest(carry_out_export, std::move(on_change)) {}

}  // namespace vitrine
