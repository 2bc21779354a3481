#include "app/exports/numbers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/exports/describe.h"
#include "app/exports/output_folder.h"
#include "app/library/colours.h"
#include "app/platform/scratch_folder.h"
#include "app/workspace/compare_table.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/measured.h"
#include "app/workspace/over_images.h"
#include "app/workspace/shown_table.h"
#include "app/workspace/words_table.h"
#include "core/files/tensor_file.h"
#include "core/measures/analysis.h"
#include "core/measures/answer_change.h"
#include "core/measures/catalogue.h"
#include "core/measures/pair_measures.h"
#include "core/transformer/edits.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

MeasureOf measure_of(const MeasureExport& what, const MeasuredPass& pass) {
    const Laboratory& lab = what.focus.lab;
    MeasureOf of{*what.runs.model, pass.trace,     what.what_ifs, lab.rollout,    lab.target,
                 lab.against,      lab.cover_size, lab.cover,     pass.memo.get()};
    of.ablation = what.ablation;
    return of;
}

void carry_out_export(NumbersExport::Run& run) {
    const NumbersRequest& request = run.request();
    const Result& result = *request.of;
    ModelSource source = result.experiment.model;
    std::optional<ScratchFolder> scratch;
    if (source.learned) {  // has no files: saves it for the hashes
        scratch.emplace();
        source = {*scratch / "model", {}};
        save_model(*result.model, source.path, Precision::f32);
    }
    MeasureExport what{{result.model},
                       facts_of(*result.model, source),
                       request.focus,
                       {},
                       result.experiment.what_ifs,
                       request.measures,
                       request.format,
                       {},
                       guard_of(false, source, result.experiment.image)};
    what.colours = result.colours;
    what.measured = request.measured;
    if (std::ranges::any_of(what.measures, is_words_measure))
        what.texts = compared_texts(*result.model, request.focus.lab.texts, run.progress());
    const auto pass = [&] { return MeasuredPass{result.baseline, result.trace}; };
    export_numbers(what, *result.image, request.folder, pass, run.progress());
    run.publish(std::make_shared<const fs::path>(request.folder));
}

Manifest::Json words_of(const std::vector<Intervention>& what_ifs, const Config& config) {
    Manifest::Json words = Manifest::Json::array();
    for (const Intervention& i : what_ifs) words.push_back(to_word(i, config));
    return words;
}

/// The images that the laboratory has measured so far.
Manifest::Json facts_of_images(const TriedImages& images) {
    return {{"folder", images.folder},
            {"count", images.tried - images.unread.size()},
            {"of", images.total},
            {"errors", images.unread}};
}

/// Other inputs, besides the shown run, of a laboratory measure over several runs: its images, or the run from which
/// numbers are copied.
Manifest::Json other_runs_of(const Measured& m, const Laboratory& lab) {
    if (lab.cause == CauseFigure::importance) return {{"images", facts_of_images(m.importance_over->images)}};
    if (lab.cause == CauseFigure::pruning)
        return {{"images", facts_of_images(m.pruned->images)},
                {"ranking", name_in(head_ranking_names, m.pruned->ranking)},
                {"classes_known", m.pruned->curve.labelled > 0},
                {"ranked_by", m.pruned->ranked_by ? facts_of(*m.pruned->ranked_by) : Manifest::Json("images")}};
    const Result& other = *m.patched_from;
    return {{"compared_with",
             {{"image", facts_of(*other.image)},
              {"what_if", words_of(other.experiment.what_ifs, other.model->config)},
              {"site", name_in(patch_site_names, m.site)}}}};
}

}  // namespace

Manifest::Json settings_of(const MeasureExport& what) {
    Manifest::Json settings = {{"what_if", words_of(what.what_ifs, what.runs.model->config)}};
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
    for (Intervention i : what.what_ifs)
        if (const auto mean = needed_mean(i.edit)) means[mean->folder] = mean->numbers;
    if (!means.empty()) settings["mean_patches"] = facts_of(means);
    if (what.colours != Colours::stored) settings["colours"] = name_of(what.colours);
    if (what.with) settings["compared_with"] = what.with->facts;
    if (what.measured) settings.update(other_runs_of(*what.measured, what.focus.lab));
    return settings;
}

Manifest::Json class_of(const MeasureExport& what, const Trace& trace) {
    const Laboratory& lab = what.focus.lab;
    const std::vector<Prediction> best = top_predictions(*trace.head, 1);
    if (best.empty()) return nullptr;
    const int index = lab.target.value_or(best.front().index);
    return {{"index", index},
            {"label", what.runs.model->config.label(index)},
            {"chosen_by", lab.target ? "the user" : "the model"}};
}

Manifest::Json change_by(const MeasureExport& what, const MeasuredPass& pass) {
    if (what.what_ifs.empty() || what.runs.model->config.classes == 0) return nullptr;
    return describe(answer_change(*pass.trace.head, *pass.baseline.head), *what.runs.model);
}

Table table_of(const MeasureExport& what, const MeasuredPass& pass, const std::string& measure_name,
               const Progress& progress) {
    if (measure_name == compare_measure) return compare_table(what.runs.model->config, pass.trace, what.focus);
    if (what.measured && is_of_several_runs(measure_name))
        return shown_table(*what.measured->of, what.focus, what.measured.get());
    if (is_words_measure(measure_name)) return words_table(*what.runs.model, pass.trace, *what.texts, measure_name);
    const MeasureOf of = measure_of(what, pass);
    if (pass.other == nullptr || !is_pair_measure(measure_name, pass.trace)) return measure(of, measure_name, progress);
    const Model& other_model = what.with->model ? *what.with->model : *what.runs.model;
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

void record_answer(Manifest& manifest, const MeasureExport& what, const MeasuredPass& pass) {
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
            record_answer(manifest, what, *pass);
        },
        [&](const std::string& name, const Progress& part) { return table_of(what, *pass, name, part); }};
    return export_tables(tables, folder, progress);
}

NumbersExport::NumbersExport(std::function<void()> on_change) : Latest(carry_out_export, std::move(on_change)) {}

}  // namespace vitrine
