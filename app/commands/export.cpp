#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "app/commands/commands.h"
#include "app/commands/image_list.h"
#include "app/commands/outputs.h"
#include "app/commands/progress_line.h"
#include "app/commands/text_settings.h"
#include "app/commands/tried.h"
#include "app/exports/numbers.h"
#include "app/exports/output_folder.h"
#include "app/exports/over_all.h"
#include "app/exports/screen.h"
#include "app/exports/stack.h"
#include "app/frame/opening.h"
#include "app/frame/shell.h"
#include "app/library/image_set.h"
#include "app/library/library.h"
#include "app/library/mean_patches.h"
#include "app/library/samples.h"
#include "app/platform/threads.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/session.h"
#include "app/workspace/compare_table.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/words_table.h"
#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/measures/catalogue.h"
#include "core/measures/head_statistics.h"
#include "core/measures/pair_measures.h"
#include "core/vit/forward.h"
#include "core/vit/run_memory.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// Settings of the laboratory that show a measure; null if it has no picture.
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
            {"importance", {{"lab.instrument", "causes"}, {"lab.cause", "importance"}}},
            {"importance_mlp", {{"lab.instrument", "causes"}, {"lab.cause", "importance"}}},
            {"importance_gradient", {{"lab.instrument", "causes"}, {"lab.cause", "importance"}}},
            {"perturbation", {{"lab.instrument", "causes"}, {"lab.cause", "perturbation"}}},
            {"perturbation_area", {{"lab.instrument", "causes"}, {"lab.cause", "perturbation"}}},
            {"positions", {{"lab.instrument", "tokens"}, {"lab.figure", "positions"}}},
            {"filters", {{"lab.instrument", "tokens"}, {"lab.figure", "filters"}}},
            {"token_similarity", {{"lab.instrument", "tokens"}, {"lab.figure", "similarity"}}},
            {"components", {{"lab.instrument", "tokens"}, {"lab.figure", "components"}}},
            {"norms", {{"lab.instrument", "tokens"}, {"lab.figure", "norms"}}},
            {"words", {{"lab.instrument", "words"}}},
            {"words_patches", {{"lab.instrument", "words"}}},
        };
        for (const HeadStatistic& row : head_statistics_table())
            all[row.name] = {{"lab.instrument", "statistics"}, {"lab.statistic", row.name}};
        return all;
    }();
    const auto found = pictures.find(measure);
    return found == pictures.end() ? nullptr : &found->second;
}

/// A trace without numbers, for the names of its tensors.
Trace empty_trace(const Config& c) {
    Trace trace;
    trace.embedding = std::make_shared<EmbeddingTrace>();
    for (int i = 0; i < c.blocks; ++i) trace.add_block(std::make_shared<BlockTrace>());
    HeadTrace head;
    head.logits = tensor2(1, static_cast<std::size_t>(c.classes));
    head.probabilities = head.logits;
    trace.head = std::make_shared<HeadTrace>(std::move(head));
    return trace;
}

/// The requested measures. "all" means all of the catalogue that fit this model and, if pictures are written, can be
/// drawn. A second run adds each measure's difference, and cka.
std::vector<std::string> measures_of(const ExportOptions& o, const Config& config) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    for (const std::string& name : o.measures) {
        if (name != "all") {
            add(name);
            continue;
        }
        for (const MeasureEntry& e : measure_catalogue())
            if ((config.classes > 0 || !e.needs_classes) &&
                (picture_format_named(o.format) == nullptr || picture_of(e.name) != nullptr))
                add(e.name);
    }
    if (!o.against.empty() || !o.against_model.empty()) {
        const std::vector<std::string> own = names;
        for (const std::string& name : own)
            if (name != "cka") add(name + difference_ending);
        add("cka");
    }
    return names;
}

/// Throws UsageError for a measure of two runs if the second one is missing or pictures are to be written.
void check_pair(const ExportOptions& o, const std::string& measure) {
    const bool patching = measure == "patching";
    if (patching ? o.patch_from.empty() : o.against.empty() && o.against_model.empty())
        throw UsageError("--what " + measure + ": compares two runs; give " +
                         (patching ? "--patch-from IMAGE" : "--against IMAGE or --against-model MODEL"));
    if (picture_format_named(o.format) != nullptr)
        throw UsageError("--what " + measure + ": has no picture; write it as csv, npy or safetensors");
}

/// Throws UsageError for a measure over all images without --over-all, Error for a model without a classifier.
void check_over_all(const ExportOptions& o, const std::string& measure, const Config& config) {
    if (!o.over_all) throw UsageError("--what " + measure + ": is one curve for all images; add --over-all");
    if (config.classes == 0)
        throw Error(measure + ": this model has no classifier; open one that has, or leave the measure out");
}

/// Throws Error for a measure that this model or format lacks. `picks` are the heads that Compare shows.
void check_measures(const ExportOptions& o, const std::vector<std::string>& measures, const std::vector<Pick>& picks,
                    const Config& config) {
    const Trace names = empty_trace(config);
    for (const std::string& measure : measures) {
        if ((measure == compare_measure && !picks.empty()) || is_words_measure(measure)) continue;
        if (measure == pruning_measure) {
            check_over_all(o, measure, config);
            continue;
        }
        if (is_pair_measure(measure, names)) {
            check_pair(o, measure);
            continue;
        }
        if (!is_measure(measure, names))
            throw UsageError("--what " + measure +
                             ": is not a measure or a tensor of this model; vitrine export --help lists them");
        if (picture_format_named(o.format) != nullptr && !picture_of(measure))
            throw UsageError("--what " + measure + ": has no picture; write it as csv, npy or safetensors");
    }
    for (const std::string& measure : measures)
        if (is_measure(measure, names)) check_measure(measure, config);
}

/// A folder for each image, named "cat" for "photos/cat.jpg" and "cat-17-hard" for "cat:17:hard". Equal names are
/// numbered in the order of the images' paths, so that the order of the arguments does not matter. A single image has
/// `out` itself, unless `each`.
std::vector<fs::path> folders_of(const std::vector<ImageSource>& images, const fs::path& out, bool each) {
    if (images.size() == 1 && !each) return {out};
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

/// Opens an image; a drawn picture that is named without a set is from the model's own set.
std::shared_ptr<const OpenImage> opened(const Model& model, const ImageSource& source, Colours colours) {
    return open_image(with_set(source, pictures_of(model).scenes), {}, colours);
}

MeasuredPass pass_of(const MeasureExport& what, const OpenImage& image) {
    const Model& model = *what.runs.model;
    Preprocessed input = preprocess(image.full, model.preprocessing, model.config);
    Trace baseline = what.runs.run(std::move(input.pixels));
    Trace trace = what.runs.what_if(baseline, what.what_ifs);
    MeasuredPass pass{std::move(baseline), std::move(trace)};
    if (what.with) {
        Runs other = what.runs;
        if (what.with->model) other.model = what.with->model;
        const OpenImage& beside = what.with->image ? *what.with->image : image;
        pass.other = std::make_shared<const Trace>(
            other.run(preprocess(beside.full, other.model->preprocessing, other.model->config).pixels));
    }
    return pass;
}

/// The run that --patch-from, --against and --against-model name; none without them.
std::optional<ComparedWith> compared_with(const ExportOptions& o, const Model& model) {
    const std::string& image = o.patch_from.empty() ? o.against : o.patch_from;
    if (image.empty() && o.against_model.empty()) return std::nullopt;
    ComparedWith with;
    if (!o.against_model.empty()) {
        ModelOptions options;
        options.path = o.against_model;
        options.said.image_size = o.model.said.image_size;
        const ModelSource source = options.source();
        with.model = open_model(source);
        with.facts["model"] = facts_of(*with.model, source);
    }
    if (!image.empty()) {
        with.image = opened(with.model ? *with.model : model, image_source(image), o.model.colours());
        with.facts["image"] = facts_of(*with.image);
    }
    with.patch_site = *value_in(patch_site_names, o.site);
    if (!o.patch_from.empty()) with.facts["site"] = o.site;
    return with;
}

/// The state that shows a measure in the laboratory.
Opening opening_of(const MeasureExport& what, const ExportOptions& o, const Experiment& experiment,
                   const std::string& measure) {
    Opening opening;
    opening.experiment = experiment;
    opening.text_experiment = what.text_experiment;
    opening.selection.focus = what.focus;
    for (const FocusWord& word : *picture_of(measure))
        set_focus({opening.selection.focus, opening.text_experiment}, word);
    opening.state.room = room_with_places("lab").id;
    Settings settings;
    settings.theme = o.theme == "light" ? ThemeKind::light : ThemeKind::dark;
    settings.language = o.language;
    o.model.change(settings);
    return for_picture(std::move(opening), settings);
}

/// Draws an image's measures to its folder; with `resume` only those that are not there yet.
ExportedFiles export_pictures(const MeasureExport& what, const ExportOptions& o, Screen& screen,
                              const Experiment& experiment, const OpenImage& image, const fs::path& folder) {
    const OutputFolder alone(folder, FileLock::Others::awaited);
    Manifest manifest = manifest_of(what, image, folder);
    ExportedFiles files;
    for (const std::string& name : what.measures) {
        const Opening opening = opening_of(what, o, experiment, name);
        const std::string file = what.file_of(name);
        Manifest::Json row = {
            {"file", file},
            {"measure", name},
            {"picture", {{"theme", o.theme}, {"language", o.language}, {"size", o.size}, {"times", o.times}}},
            {"view", focus_words({opening.selection.focus, opening.text_experiment})}};
        if (what.resume && manifest.has(file)) {
            Manifest::Json there = manifest.row(file);
            there.erase("sha256");
            there.erase("version");
            if (there == row) {
                files.kept.push_back(file);
                continue;
            }
        }
        screen.draw(opening);
        picture_format_named(what.format)->take(screen, "stage")(folder / file);
        const Result& shown = *screen.shell().shown().result;
        record_answer(manifest, what, {shown.baseline, shown.trace});
        manifest.add(std::move(row));
        files.written.push_back(file);
    }
    return files;
}

/// Guard for the files that a run of this command must not overwrite.
OutputGuard guard_for(const ExportOptions& o, const ModelSource& model, const std::vector<ImageSource>& images) {
    OutputGuard guard = guard_of(o.force, model);
    guard.reads(o.session);
    for (const ImageSource& image : images)
        if (!image.path.empty()) guard.reads(image.path);
    for (const std::string& image : {o.patch_from, o.against})
        if (!image.empty()) guard.reads(image);
    return guard;
}

/// The images, and each one's folder.
struct ImagesToExport {
    std::vector<ImageSource> images;
    std::vector<fs::path> folders;
};

std::string counted_images(std::size_t done, std::size_t all) {
    return std::to_string(done) + " / " + std::to_string(all) + " images";
}

/// The JSON line of an image.
Manifest::Json line_of(const ImageSource& image) { return {{"image", name_of(image)}}; }

/// Exports each image to its folder; returns the failures.
std::vector<std::string> export_each(const MeasureExport& what, const ExportOptions& o, const ModelSource& model,
                                     const ImagesToExport& of) {
    std::optional<Screen> screen;
    const Size size = parse_size(o.size);
    if (picture_format_named(o.format) != nullptr)
        screen.emplace(Drawing{size.width, size.height, 0, o.times, o.transparent, o.figure});
    ProgressLine line(o.quiet);
    std::vector<std::string> failures;
    const std::size_t count = of.images.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto part = [&](double f) {
            line.at((static_cast<double>(i) + f) / static_cast<double>(count), counted_images(i, count));
        };
        part(0);
        Manifest::Json row = line_of(of.images[i]);
        const std::string failure = tried(name_of(of.images[i]), [&] {
            const auto image = opened(*what.runs.model, of.images[i], o.model.colours());
            const ExportedFiles files =
                screen ? export_pictures(what, o, *screen, {model, of.images[i], what.what_ifs}, *image, of.folders[i])
                       : export_numbers(
                             what, *image, of.folders[i], [&] { return pass_of(what, *image); }, part);
            row["folder"] = of.folders[i].string();
            row["written"] = files.written;
            row["kept"] = files.kept;
        });
        if (!failure.empty()) failures.push_back(failure), row["error"] = failure;
        if (o.json) print_json_line(row);
    }
    return failures;
}

/// Exports all images as one array for each measure; returns the failures.
std::vector<std::string> export_stack(const MeasureExport& what, const ExportOptions& o,
                                      const std::vector<ImageSource>& images) {
    std::vector<std::string> names, failures;
    for (const ImageSource& image : images) names.push_back(name_of(image));
    const OutputFolder alone(o.out, FileLock::Others::awaited);
    MeasureStack stack(what, names, o.out);
    ProgressLine line(o.quiet);
    const std::size_t count = images.size(), there = stack.done();
    for (std::size_t i = 0; i < there; ++i) stack.check(i, images[i]);
    for (std::size_t i = 0; i < count; ++i) {
        const auto part = [&](double f) {
            line.at((static_cast<double>(i) + f) / static_cast<double>(count), counted_images(i, count));
        };
        part(0);
        if (i >= there) {
            const std::string failure = tried(name_of(images[i]), [&] {
                const auto image = opened(*what.runs.model, images[i], o.model.colours());
                const MeasuredPass pass = pass_of(what, *image);
                stack.add(*image, pass, part);
            });
            if (!failure.empty()) stack.fail(name_of(images[i]), failure);
        }
        Manifest::Json row = line_of(images[i]);
        row.update(stack.entry(i));
        row["kept"] = i < there;
        if (row.contains("error")) failures.push_back(row["error"].get<std::string>());
        if (o.json) print_json_line(row);
    }
    if (!stack.is_complete()) stack.finish();
    return failures;
}

/// Measures all images and writes their means, deviations and the pruning curve; returns the failures.
std::vector<std::string> export_over_all(const MeasureExport& what, const ExportOptions& o, const ImageSet& set) {
    MeasuresOverAll all(what, *value_in(head_ranking_names, o.ranking));
    Manifest::Json images = Manifest::Json::array();  // facts of each, or its error
    std::vector<std::string> failures;
    const std::size_t count = set.images.size();
    std::vector<bool> read(count, false);
    {
        ProgressLine line(o.quiet);
        // Calls work(pass, number, progress) for each image; in a second round only for those measured in the first.
        const auto each = [&](int round, auto work) {
            for (std::size_t i = 0; i < count; ++i) {
                const auto part = [&](double f) {
                    const double done = (static_cast<double>(i) + f) / static_cast<double>(count);
                    line.at(all.prunes() ? (round + done) / 2 : done, counted_images(i, count));
                };
                part(0);
                if (round == 1 && !read[i]) continue;
                const std::string failure = tried(name_of(set.images[i]), [&] {
                    const auto image = opened(*what.runs.model, set.images[i], o.model.colours());
                    work(pass_of(what, *image), i, part);
                    if (round == 0) images.push_back(facts_of(*image));
                    read[i] = true;
                });
                if (failure.empty()) continue;
                failures.push_back(failure);
                images.push_back({{"name", name_of(set.images[i])}, {"error", failure}});
            }
        };
        each(0, [&](const MeasuredPass& pass, std::size_t, const Progress& part) { all.add(pass, part); });
        if (failures.size() == count) return failures;
        if (all.prunes())
            each(1, [&](const MeasuredPass& pass, std::size_t i, const Progress& part) {
                all.prune(pass, set.classes.empty() ? std::nullopt : std::optional(set.classes[i]), part);
            });
    }
    Manifest::Json run = {{"model", what.facts},
                          {"image", {{"count", count - failures.size()}}},
                          {"settings", all.settings()},
                          {"images", images}};
    const ExportedFiles files =
        export_tables({run, all.tables(), what.format, what.guard, false, [](Manifest&) {},
                       [&](const std::string& name, const Progress&) { return all.table(name); }},
                      o.out);
    if (o.json)
        print_json_line({{"folder", o.out.string()},
                         {"written", files.written},
                         {"images", count - failures.size()},
                         {"failed", failures}});
    return failures;
}

void check_stack(const ExportOptions& o) {
    if (o.over_all && picture_format_named(o.format) != nullptr)
        throw UsageError("--over-all: pictures have no mean; choose --format npy, csv or safetensors");
    if (!o.stack) return;
    if (picture_format_named(o.format) != nullptr)
        throw UsageError("--stack: pictures are not stacked; choose --format npy, csv or safetensors");
    if (o.each) throw UsageError("--stack: excludes --each; choose one of them");
}

}  // namespace

int export_command(const ExportOptions& o) {
    if (o.images.empty() == o.session.empty()) throw UsageError("export: name images, or give --session");
    if (o.threads > 0) limit_threads(o.threads);
    check_is_name("--out", o.out);
    check_stack(o);
    Session session;
    ImageList list;
    std::error_code unreachable;
    const bool folder_of_all = o.over_all && o.images.size() == 1 && fs::is_directory(o.images.front(), unreachable);
    if (o.session.empty()) {
        session.model = o.model.source();
        if (!folder_of_all) list = image_list(o.images);
    } else {
        session = load_session(o.session);
        list.images = {session.image};
    }
    take_settings(o.settings, {session.focus, session.text_experiment});
    const auto model = open_model(session.model);
    ImageSet all;
    if (o.over_all) {
        all = folder_of_all ? image_set(o.images.front(), *model) : image_set(list.images, *model);
        list.images = all.images;
    }
    const std::vector<std::string> measures = measures_of(o, model->config);
    check_measures(o, measures, session.focus.lab.picks, model->config);
    check_settings(o.settings, {session.focus, session.text_experiment}, model->config);
    check_text_settings(o.settings, {session.focus, session.text_experiment});
    std::vector<Intervention> what_ifs = what_ifs_of(session, model->config);
    for (const Intervention& i : parse_what_ifs(o.what_ifs, model->config)) put(what_ifs, i);
    MeanPatches means;
    fill_in_means(what_ifs, *model, o.model.colours(), means);

    check_pixels(parse_size(o.size), o.times);
    const OutputGuard guard = guard_for(o, session.model, list.images);
    const bool with_words = std::ranges::any_of(measures, is_words_measure);
    const MeasureExport what{o.model.runs(model, use_of(what_ifs)),
                             facts_of(*model, session.model),
                             session.focus,
                             session.text_experiment,
                             what_ifs,
                             measures,
                             o.format,
                             o.session,
                             guard,
                             o.resume,
                             *value_in(ablation_names, o.ablate),
                             compared_with(o, *model),
                             o.model.colours(),
                             with_words ? compared_texts(*model, session.focus.lab.texts) : nullptr};
    const std::vector<std::string> failures =
        o.over_all ? export_over_all(what, o, all)
        : o.stack
            ? export_stack(what, o, list.images)
            : export_each(what, o, session.model, {list.images, folders_of(list.images, o.out, o.each || list.many)});
    if (!failures.empty())
        fail(failures, list.images.size(), o.over_all ? "images were measured" : "images were written");
    return 0;
}

}  // namespace vitrine
