#include "app/exports/numbers.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "app/exports/describe.h"
#include "app/exports/output_folder.h"
#include "app/platform/scratch_folder.h"
#include "app/workspace/colours.h"
#include "app/workspace/compare_table.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/words_table.h"
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
    MeasureExport what{result.model,
                       facts_of(*result.model, source),
                       request.focus,
                       {},
                       result.experiment.what_ifs,
                       request.measures,
                       request.format,
                       {},
                       guard_of(false, source, result.experiment.image)};
    what.colours = result.colours;
    if (std::ranges::any_of(what.measures, is_words_measure))
        what.texts = compared_texts(*result.model, request.focus.lab.texts, run.progress());
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
    if (std::ranges::find(what.measures, compare_measure) != what.measures.end())
        for (const char* const name : {"lab.picks", "lab.combine", "token"})
            settings[name] = focus_word({what.focus, what.text_experiment}, name);
    if (std::ranges::any_of(what.measures, is_words_measure))
        settings["lab.texts"] = focus_word({what.focus, what.text_experiment}, "lab.texts");
    if (what.ablation != Ablation::zero) settings["ablate"] = name_in(ablation_names, what.ablation);
    MeanPatches means;
    for (const Intervention& i : what.what_ifs)
        if (const SetMean* const set = std::get_if<SetMean>(&i.edit)) means[set->folder] = set->numbers;
    if (!means.empty()) settings["mean_patches"] = facts_of(means);
    if (what.colours != Colours::stored) settings["colours"] = name_of(what.colours);
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
    if (measure_name == compare_measure) return compare_table(what.model->config, pass.trace, what.focus);
    if (is_words_measure(measure_name)) return words_table(*what.model, pass.trace, *what.texts, measure_name);
    const MeasureOf of = measure_of(what, pass);
    if (pass.other == nullptr || !is_pair_measure(measure_name, pass.trace)) return measure(of, measure_name, progress);
    const Model& other_model = what.with->model ? *what.with->model : *what.model;
    return pair_measure({of, other_model, *pass.other, what.with->patch_site}, measure_name, progress);
}

namespace {

/// Inputs of an image's measures.
Manifest::Json run_of(const MeasureExport& what, const OpenImage& image) {
    Manifest::Json run = {{"model", what.facts}, {"image", facts_of(image)}, {"settings", settings_of(what)}};
    if (!what.session.empty()) run["session"] = what.session.string();
    return run;
}

}  // namespace

Manifest manifest_of(const MeasureExport& what, const OpenImage& image, const fs::path& folder) {
    Manifest manifest(folder, run_of(what, image), what.guard);
    for (const std::string& name : what.measures) manifest.check(what.file_of(name));
    return manifest;
}

void tell_answer(Manifest& manifest, const MeasureExport& what, const MeasuredPass& pass) {
    manifest.set_class(class_of(what, pass.trace));
    manifest.set_change(change_by(what, pass));
}

ExportedFiles export_numbers(const MeasureExport& what, const OpenImage& image, const fs::path& folder,
                             const std::function<MeasuredPass()>& run, const Progress& progress) {
    std::optional<MeasuredPass> pass;
    const TableExport tables{
        run_of(what, image),
        what.measures,
        what.format,
        what.guard,
        what.resume,
        [&](Manifest& manifest) {
            pass = run();
            tell_answer(manifest, what, *pass);
        },
        [&](const std::string& name, const Progress& part) { return table_of(what, *pass, name, part); }};
    return export_tables(tables, folder, progress);
}

NumbersExport::NumbersExport(std::function<void()> on_change) : Latest(carry_out_export, std::move(on_change)) {}

}  // namespace vitrine
