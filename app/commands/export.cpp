#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <set>
#include <tuple>

#include "app/commands/commands.h"
#include "app/commands/describe.h"
#include "app/commands/drawing/draw.h"
#include "app/commands/manifest.h"
#include "app/commands/outputs.h"
#include "app/platform/terminal.h"
#include "app/sessions/session.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/library.h"
#include "core/base/output_file.h"
#include "core/base/sentence.h"
#include "core/measures/analysis.h"
#include "core/measures/catalogue.h"
#include "core/measures/head_statistics.h"
#include "core/vit/forward.h"
#include "core/vit/run_memory.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// What the laboratory has to be set to so that it shows a measure: none where a measure has no picture.
const std::vector<FocusWord>* picture_of(const std::string& measure) {
    static const std::map<std::string, std::vector<FocusWord>> pictures = [] {
        std::map<std::string, std::vector<FocusWord>> all = {
            {"attention", {{"lab.instrument", "heads"}}},
            {"similarity", {{"lab.instrument", "heads"}, {"lab.order", "similarity"}}},
            {"rollout", {{"lab.instrument", "depth"}, {"lab.method", "rollout"}}},
            {"relevance", {{"lab.instrument", "depth"}, {"lab.method", "relevance"}}},
            {"lens", {{"lab.instrument", "lens"}}},
            {"lens_tokens", {{"lab.instrument", "lens"}}},
            {"ledger", {{"lab.instrument", "ledger"}}},
            {"occlusion", {{"lab.instrument", "occlusion"}, {"lab.watched", "probability"}}},
            {"occlusion_logit", {{"lab.instrument", "occlusion"}, {"lab.watched", "logit"}}},
            {"occlusion_margin", {{"lab.instrument", "occlusion"}, {"lab.watched", "margin"}}},
            {"occlusion_loss", {{"lab.instrument", "occlusion"}, {"lab.watched", "loss"}}},
            {"positions", {{"lab.instrument", "tokens"}, {"lab.figure", "positions"}}},
            {"filters", {{"lab.instrument", "tokens"}, {"lab.figure", "filters"}}},
            {"token_similarity", {{"lab.instrument", "tokens"}, {"lab.figure", "similarity"}}},
            {"components", {{"lab.instrument", "tokens"}, {"lab.figure", "components"}}},
            {"norms", {{"lab.instrument", "tokens"}, {"lab.figure", "norms"}}},
        };
        for (const HeadStatistic& row : head_statistics_table())
            all[row.name] = {{"lab.instrument", "statistics"}, {"lab.statistic", row.name}};
        return all;
    }();
    const auto found = pictures.find(measure);
    return found == pictures.end() ? nullptr : &found->second;
}

/// The names of a run's tensors need no run: stages without numbers have them.
Trace nameless_run(const Config& c) {
    Trace trace;
    trace.embedding = std::make_shared<EmbeddingTrace>();
    for (int i = 0; i < c.blocks; ++i) trace.add_block(std::make_shared<BlockTrace>());
    HeadTrace head;
    head.logits = tensor2(1, static_cast<std::size_t>(c.classes));
    head.probabilities = head.logits;
    trace.head = std::make_shared<HeadTrace>(std::move(head));
    return trace;
}

void check_measures(const ExportOptions& o, const Config& config) {
    const Trace names = nameless_run(config);
    for (const std::string& measure : o.measures) {
        if (!is_measure(measure, names))
            throw UsageError("--what " + measure +
                             ": is no measure and no tensor of this model; vitrine export --help lists them");
        if (picture_format_named(o.format) != nullptr && !picture_of(measure))
            throw UsageError("--what " + measure + ": has no picture; write it as csv, npy or safetensors");
    }
    for (const std::string& measure : o.measures) check_measure(measure, config);
}

void check_classes(const Laboratory& lab, const Config& config) {
    for (const std::optional<int> index : {lab.target, lab.against})
        if (index && *index >= config.classes)
            throw UsageError("--set: class " + std::to_string(*index) + ": this model has " +
                             std::to_string(config.classes) + " classes, counted from 0");
}

/// "photos/cat.jpg" and "cat:17:hard" as names of folders. Those that are alike are numbered in the order of their
/// paths, so that the order of the arguments decides nothing.
std::vector<fs::path> folders_of(const std::vector<ImageSource>& images, const fs::path& out) {
    if (images.size() == 1) return {out};
    struct Wanted {
        std::string name, place;
        std::size_t image;
    };
    std::vector<Wanted> all;
    for (const ImageSource& image : images) {
        std::string name = image.path.empty() ? image.sample : image.path.stem().string();
        std::replace(name.begin(), name.end(), ':', '-');
        if (name.empty() || name == "." || name == "..") name = "image";
        std::error_code ignored;
        const fs::path place = fs::absolute(image.path, ignored).lexically_normal();
        all.push_back({name, image.path.empty() ? "" : place.string(), all.size()});
    }
    std::stable_sort(all.begin(), all.end(), [](const Wanted& a, const Wanted& b) {
        return std::tie(a.name, a.place) < std::tie(b.name, b.place);
    });
    std::vector<fs::path> folders(images.size());
    std::set<std::string> taken;
    for (const Wanted& w : all) {
        std::string free = w.name;
        for (int i = 2; !taken.insert(free).second; ++i) free = w.name + "-" + std::to_string(i);
        folders[w.image] = out / free;
    }
    return folders;
}

std::string name_of(const ImageSource& image) { return image.path.empty() ? image.sample : image.path.string(); }

/// What all images have in common.
struct Job {
    const ExportOptions& options;
    Session session;
    std::shared_ptr<const Model> model;
    std::vector<Intervention> what_ifs;
    OutputGuard guard;
    Manifest::Json facts;  // of the model
};

MeasureOf measure_of(const Job& job, const Trace& trace) {
    const Laboratory& lab = job.session.focus.lab;
    return {*job.model, trace, job.what_ifs, lab.rollout, lab.target, lab.against, lab.cover_size, lab.cover};
}

/// What decides the numbers beside the model and the image.
Manifest::Json settings_of(const Job& job) {
    Manifest::Json settings = {{"what_if", Manifest::Json::array()}};
    for (const Intervention& i : job.what_ifs) settings["what_if"].push_back(to_word(i, job.model->config));
    for (const char* const name : {"lab.fusion", "lab.residual", "lab.discard", "lab.first_block", "lab.last_block",
                                   "lab.target", "lab.against", "lab.cover_size", "lab.cover"})
        settings[name] = focus_word({job.session.focus, job.session.text_experiment}, name);
    return settings;
}

/// The class that measures of one class are about.
Manifest::Json class_of(const Job& job, const Trace& trace) {
    const Laboratory& lab = job.session.focus.lab;
    const std::vector<Prediction> best = top_predictions(*trace.head, 1);
    if (best.empty()) return nullptr;
    const int index = lab.target.value_or(best.front().index);
    return {{"index", index},
            {"label", job.model->config.label(index)},
            {"chosen_by", lab.target ? "the user" : "the model"}};
}

/// What the what-ifs do to the first choice; null without them.
Manifest::Json change_by(const Job& job, const Trace& trace, const Trace& baseline) {
    if (job.what_ifs.empty() || job.model->config.classes == 0) return nullptr;
    return describe(answer_change(*trace.head, *baseline.head), *job.model);
}

std::string file_of(const Job& job, const std::string& measure) { return measure + "." + job.options.format; }

/// The folder's manifest, after a look at every file that is to be written: all of them, or none.
Manifest manifest_of(const Job& job, const OpenImage& image, const fs::path& folder) {
    Manifest::Json run = {{"model", job.facts}, {"image", facts_of(image)}, {"settings", settings_of(job)}};
    if (!job.options.session.empty()) run["session"] = job.options.session.string();
    Manifest manifest(folder, std::move(run), job.guard);
    for (const std::string& name : job.options.measures) manifest.check(file_of(job, name));
    return manifest;
}

/// A drawn picture that says no set is of the model's own.
std::shared_ptr<const OpenImage> opened(const Job& job, const ImageSource& source) {
    return open_image(with_set(source, pictures_of(*job.model).scenes));
}

void export_numbers(const Job& job, const ImageSource& source, const fs::path& folder) {
    const auto image = opened(job, source);
    const OutputFolder alone(folder, FileLock::Others::awaited);  // or two would each write a manifest of its own rows
    Manifest manifest = manifest_of(job, *image, folder);
    Preprocessed input = preprocess(image->full, job.model->preprocessing, job.model->config);
    require_memory_for_run(*job.model);
    const Trace baseline = forward(*job.model, std::move(input.pixels));
    require_memory_for_what_if(*job.model, job.what_ifs);
    const Trace trace = what_if(*job.model, baseline, job.what_ifs);
    manifest.set_class(class_of(job, trace));
    manifest.set_change(change_by(job, trace, baseline));
    for (const std::string& name : job.options.measures) {
        const Table table = measure(measure_of(job, trace), name);
        const TableFormat format = *value_in(table_format_names, job.options.format);
        if (const std::string bytes = bytes_of(table, format); !bytes.empty())
            manifest.expect(file_of(job, name), bytes);
        write_table(folder / file_of(job, name), table, format);
        manifest.add(row_of(table, file_of(job, name)));
    }
}

/// The state that shows a measure in the laboratory.
Opening opening_of(const Job& job, const ImageSource& source, const std::string& measure) {
    const ExportOptions& o = job.options;
    Opening opening;
    opening.experiment = {job.session.model, source, job.what_ifs};
    opening.text_experiment = job.session.text_experiment;
    opening.selection.focus = job.session.focus;
    for (const FocusWord& word : *picture_of(measure))
        set_focus({opening.selection.focus, opening.text_experiment}, word);
    opening.state.room = "laboratory";
    opening.state.settings.motion = false;
    opening.state.settings.language = o.language;
    opening.state.settings.theme = o.theme == "light" ? ThemeKind::light : ThemeKind::dark;
    return opening;
}

void export_pictures(const Job& job, Screen& screen, const ImageSource& source, const fs::path& folder) {
    const ExportOptions& o = job.options;
    const OutputFolder alone(folder, FileLock::Others::awaited);
    Manifest manifest = manifest_of(job, *opened(job, source), folder);
    for (const std::string& name : o.measures) {
        const Opening opening = opening_of(job, source, name);
        screen.draw(opening);
        const fs::path file = folder / file_of(job, name);
        picture_format_named(o.format)->write(screen, "stage", file);
        const Result& shown = *screen.shell().shown().result;
        manifest.set_class(class_of(job, shown.trace));
        manifest.set_change(change_by(job, shown.trace, shown.baseline));
        manifest.add({{"file", file_of(job, name)},
                      {"measure", name},
                      {"picture", {{"theme", o.theme}, {"language", o.language}, {"size", o.size}, {"times", o.times}}},
                      {"view", focus_words({opening.selection.focus, opening.text_experiment})}});
    }
}

/// What no run of this command may write over.
OutputGuard guard_for(const ExportOptions& o, const ModelSource& model, const std::vector<ImageSource>& images) {
    OutputGuard guard = guard_of(o.force, model);
    guard.reads(o.session);
    for (const ImageSource& image : images)
        if (!image.path.empty()) guard.reads(image.path);
    return guard;
}

/// All failures in one sentence.
[[noreturn]] void fail(const std::vector<std::string>& failures, std::size_t images) {
    std::string words = failures.front();
    for (std::size_t i = 1; i < failures.size(); ++i) words += " | " + failures[i];
    if (images > failures.size())
        words +=
            " (" + std::to_string(images - failures.size()) + " of " + std::to_string(images) + " images were written)";
    throw Error(words);
}

}  // namespace

int export_command(const ExportOptions& o) {
    if (o.images.empty() == o.session.empty()) throw UsageError("export: name images, or give --session");
    check_is_name("--out", o.out);
    Job job{o, {}, {}, {}, OutputGuard(OutputGuard::Foreign::kept), {}};
    std::vector<ImageSource> images;
    if (o.session.empty()) {
        job.session.model = o.model.source();
        for (const std::string& word : o.images) images.push_back(image_source(word));
    } else {
        job.session = load_session(o.session);
        images = {job.session.image};
    }
    take_settings(o.settings, {job.session.focus, job.session.text_experiment});
    job.model = open_model(job.session.model);
    check_measures(o, job.model->config);
    check_classes(job.session.focus.lab, job.model->config);
    job.what_ifs = what_ifs_of(job.session, job.model->config);
    for (const Intervention& i : parse_what_ifs(o.what_ifs, job.model->config)) put(job.what_ifs, i);

    std::optional<Screen> screen;
    const Size size = parse_size(o.size);
    check_pixels(size, o.times);
    job.guard = guard_for(o, job.session.model, images);
    job.facts = facts_of(*job.model, job.session.model);
    if (picture_format_named(o.format) != nullptr)
        screen.emplace(Drawing{size.width, size.height, 0, o.times, o.transparent, o.figure});
    const std::vector<fs::path> folders = folders_of(images, o.out);
    const bool tell = errors_reach_a_terminal();
    std::vector<std::string> failures;
    for (std::size_t i = 0; i < images.size(); ++i) {
        if (tell) std::fprintf(stderr, "\r%zu / %zu", i + 1, images.size());
        try {
            if (screen)
                export_pictures(job, *screen, images[i], folders[i]);
            else
                export_numbers(job, images[i], folders[i]);
        } catch (const Error& error) {
            failures.emplace_back(error.what());
        } catch (...) {
            failures.push_back(name_of(images[i]) + ": " + sentence_of(std::current_exception()));
        }
    }
    if (tell) std::fprintf(stderr, "\n");
    if (!failures.empty()) fail(failures, images.size());
    return 0;
}

}  // namespace vitrine
