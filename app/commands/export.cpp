#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <set>
#include <tuple>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/exports/numbers.h"
#include "app/exports/output_folder.h"
#include "app/exports/screen.h"
#include "app/frame/opening.h"
#include "app/frame/shell.h"
#include "app/platform/terminal.h"
#include "app/sessions/session.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/library.h"
#include "core/base/output_file.h"
#include "core/base/sentence.h"
#include "core/measures/catalogue.h"
#include "core/measures/head_statistics.h"
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

/// A trace without numbers, for the names of its tensors.
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
                             ": is not a measure or a tensor of this model; vitrine export --help lists them");
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

/// Folder names from "photos/cat.jpg" and "cat:17:hard". Equal ones are numbered in the order of their paths, so that
/// the order of the arguments does not matter.
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

/// A drawn picture without a set is from the model's own.
std::shared_ptr<const OpenImage> opened(const Model& model, const ImageSource& source) {
    return open_image(with_set(source, pictures_of(model).scenes));
}

MeasuredPass pass_of(const MeasureExport& what, std::optional<int> kept_blocks, const OpenImage& image) {
    const Model& model = *what.model;
    Preprocessed input = preprocess(image.full, model.preprocessing, model.config);
    Trace baseline = run_with(what.model, kept_blocks, std::move(input.pixels));
    if (!kept_blocks) require_memory_for_what_if(model, what.what_ifs);
    Trace trace = what_if(model, baseline, what.what_ifs);
    return {std::move(baseline), std::move(trace)};
}

void write_numbers(const MeasureExport& what, std::optional<int> kept_blocks, const ImageSource& source,
                   const fs::path& folder) {
    const auto image = opened(*what.model, source);
    export_numbers(what, *image, folder, [&] { return pass_of(what, kept_blocks, *image); });
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
    opening.state.room = "laboratory";
    return with_skin(std::move(opening), {o.theme == "light" ? ThemeKind::light : ThemeKind::dark, o.language});
}

void export_pictures(const MeasureExport& what, const ExportOptions& o, Screen& screen, const Experiment& experiment,
                     const fs::path& folder) {
    const OutputFolder alone(folder, FileLock::Others::awaited);
    Manifest manifest = manifest_of(what, *opened(*what.model, experiment.image), folder);
    for (const std::string& name : what.measures) {
        const Opening opening = opening_of(what, o, experiment, name);
        screen.draw(opening);
        const std::string file = what.file_of(name);
        picture_format_named(what.format)->take(screen, "stage")(folder / file);
        const Result& shown = *screen.shell().shown().result;
        tell_answer(manifest, what, {shown.baseline, shown.trace});
        manifest.add({{"file", file},
                      {"measure", name},
                      {"picture", {{"theme", o.theme}, {"language", o.language}, {"size", o.size}, {"times", o.times}}},
                      {"view", focus_words({opening.selection.focus, opening.text_experiment})}});
    }
}

/// Guard for the files that a run of this command must not overwrite.
OutputGuard guard_for(const ExportOptions& o, const ModelSource& model, const std::vector<ImageSource>& images) {
    OutputGuard guard = guard_of(o.force, model);
    guard.reads(o.session);
    for (const ImageSource& image : images)
        if (!image.path.empty()) guard.reads(image.path);
    return guard;
}

/// Throws one sentence with all failures.
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
    Session session;
    std::vector<ImageSource> images;
    if (o.session.empty()) {
        session.model = o.model.source();
        for (const std::string& word : o.images) images.push_back(image_source(word));
    } else {
        session = load_session(o.session);
        images = {session.image};
    }
    take_settings(o.settings, {session.focus, session.text_experiment});
    const auto model = open_model(session.model);
    check_measures(o, model->config);
    check_classes(session.focus.lab, model->config);
    std::vector<Intervention> what_ifs = what_ifs_of(session, model->config);
    for (const Intervention& i : parse_what_ifs(o.what_ifs, model->config)) put(what_ifs, i);

    std::optional<Screen> screen;
    const Size size = parse_size(o.size);
    check_pixels(size, o.times);
    const OutputGuard guard = guard_for(o, session.model, images);
    const MeasureExport what{model,         facts_of(*model, session.model),
                             session.focus, session.text_experiment,
                             what_ifs,      o.measures,
                             o.format,      o.session,
                             guard};
    if (picture_format_named(o.format) != nullptr)
        screen.emplace(Drawing{size.width, size.height, 0, o.times, o.transparent, o.figure});
    const std::vector<fs::path> folders = folders_of(images, o.out);
    const std::optional<int> kept_blocks = o.model.kept_blocks(*model);
    const bool tell = stderr_is_terminal();
    std::vector<std::string> failures;
    for (std::size_t i = 0; i < images.size(); ++i) {
        if (tell) std::fprintf(stderr, "\r%zu / %zu", i + 1, images.size());
        try {
            if (screen)
                export_pictures(what, o, *screen, {session.model, images[i], what_ifs}, folders[i]);
            else
                write_numbers(what, kept_blocks, images[i], folders[i]);
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
