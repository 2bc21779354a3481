#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <new>
#include <set>

#include "app/commands/commands.h"
#include "app/commands/draw.h"
#include "app/shell/session.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/library.h"
#include "core/forward.h"
#include "core/measures/catalogue.h"
#include "core/output_file.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

bool is_picture(const std::string& format) { return format == "png" || format == "svg"; }

TableFormat table_format(const std::string& format) {
    return format == "csv" ? TableFormat::csv : format == "npy" ? TableFormat::npy : TableFormat::safetensors;
}

/// What the laboratory has to be set to so that it shows a measure: none where a measure has no picture.
const std::vector<FocusWord>* picture_of(const std::string& measure) {
    static const std::map<std::string, std::vector<FocusWord>> pictures = {
        {"attention", {{"lab.instrument", "heads"}}},
        {"similarity", {{"lab.instrument", "heads"}, {"lab.order", "similarity"}}},
        {"entropy", {{"lab.instrument", "statistics"}, {"lab.statistic", "entropy"}}},
        {"effective_tokens", {{"lab.instrument", "statistics"}, {"lab.statistic", "effective_tokens"}}},
        {"distance", {{"lab.instrument", "statistics"}, {"lab.statistic", "distance"}}},
        {"confidence", {{"lab.instrument", "statistics"}, {"lab.statistic", "confidence"}}},
        {"class_share", {{"lab.instrument", "statistics"}, {"lab.statistic", "class_share"}}},
        {"rollout", {{"lab.instrument", "depth"}, {"lab.method", "rollout"}}},
        {"relevance", {{"lab.instrument", "depth"}, {"lab.method", "relevance"}}},
        {"lens", {{"lab.instrument", "lens"}}},
        {"lens_tokens", {{"lab.instrument", "lens"}}},
        {"ledger", {{"lab.instrument", "ledger"}}},
        {"occlusion", {{"lab.instrument", "occlusion"}}},
        {"positions", {{"lab.instrument", "tokens"}, {"lab.figure", "positions"}}},
        {"filters", {{"lab.instrument", "tokens"}, {"lab.figure", "filters"}}},
        {"token_similarity", {{"lab.instrument", "tokens"}, {"lab.figure", "similarity"}}},
        {"components", {{"lab.instrument", "tokens"}, {"lab.figure", "components"}}},
        {"norms", {{"lab.instrument", "tokens"}, {"lab.figure", "norms"}}},
    };
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
        if (is_picture(o.format) && !picture_of(measure))
            throw UsageError("--what " + measure + ": has no picture; write it as csv, npy or safetensors");
    }
}

void check_classes(const Laboratory& lab, const Config& config) {
    for (const std::optional<int> index : {lab.target, lab.against})
        if (index && *index >= config.classes)
            throw UsageError("--set: class " + std::to_string(*index) + ": this model has " +
                             std::to_string(config.classes) + " classes, counted from 0");
}

/// "photos/cat.jpg" and "cat:17:hard" as names of folders, those that are alike numbered.
std::vector<fs::path> folders_of(const std::vector<ImageSource>& images, const fs::path& out) {
    if (images.size() == 1) return {out};
    std::vector<fs::path> folders;
    std::set<std::string> taken;
    for (const ImageSource& image : images) {
        std::string name = image.path.empty() ? image.sample : image.path.stem().string();
        std::replace(name.begin(), name.end(), ':', '-');
        if (name.empty() || name == "." || name == "..") name = "image";
        std::string free = name;
        for (int i = 2; !taken.insert(free).second; ++i) free = name + "-" + std::to_string(i);
        folders.push_back(out / free);
    }
    return folders;
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder, error))
        throw Error(folder.string() + ": this folder cannot be made; choose another one");
}

std::string name_of(const ImageSource& image) { return image.path.empty() ? image.sample : image.path.string(); }

/// What all images have in common.
struct Job {
    const ExportOptions& options;
    Session session;
    std::shared_ptr<const Model> model;
    std::vector<Intervention> what_ifs;
};

MeasureOf measure_of(const Job& job, const Trace& trace) {
    const Laboratory& lab = job.session.focus.lab;
    return {*job.model, trace, job.what_ifs, lab.rollout, lab.target, lab.against, lab.cover_size, lab.cover};
}

void export_numbers(const Job& job, const ImageSource& source, const fs::path& folder) {
    const auto image = open_image(source);
    Preprocessed input = preprocess(image->full, job.model->preprocessing, job.model->config);
    const Trace trace = what_if(*job.model, forward(*job.model, std::move(input.pixels)), job.what_ifs);
    make_folder(folder);
    const TableFormat format = table_format(job.options.format);
    for (const std::string& name : job.options.measures)
        write_table(folder / (name + "." + ending_of(format)), measure(measure_of(job, trace), name), format);
}

void export_pictures(const Job& job, Screen& screen, const ImageSource& source, const fs::path& folder) {
    const ExportOptions& o = job.options;
    for (const std::string& name : o.measures) {
        AppState state;
        state.experiment = {job.session.model, source, job.what_ifs};
        state.selection.focus = job.session.focus;
        for (const FocusWord& word : *picture_of(name)) set_focus(state.selection.focus, word);
        state.chrome.mode = Mode::laboratory;
        state.chrome.settings.motion = false;
        state.chrome.settings.language = o.language;
        state.chrome.settings.theme = o.theme == "light" ? ThemeKind::light : ThemeKind::dark;
        screen.draw(state);
        make_folder(folder);
        const fs::path file = folder / (name + "." + o.format);
        if (o.format == "png") {
            write_png(file, screen.part("stage"));
        } else {
            OutputFile out(file);
            out.write(screen.svg("stage"));
            out.commit();
        }
    }
}

}  // namespace

int export_command(const ExportOptions& o) {
    if (o.images.empty() == o.session.empty()) throw UsageError("export: name images, or give --session");
    Job job{o, {}, {}, {}};
    std::vector<ImageSource> images;
    if (o.session.empty()) {
        job.session.model = {o.model.path, o.model.heads};
        for (const std::string& word : o.images) images.push_back(image_source(word));
    } else {
        job.session = load_session(o.session);
        images = {job.session.image};
    }
    take_settings(o.settings, job.session.focus);
    job.model = open_model(job.session.model);
    check_measures(o, job.model->config);
    check_classes(job.session.focus.lab, job.model->config);
    job.what_ifs = what_ifs_of(job.session, job.model->config);
    for (const Intervention& i : parse_what_ifs(o.what_ifs, job.model->config)) put(job.what_ifs, i);

    std::optional<Screen> screen;
    const Size size = parse_size(o.size);
    check_pixels(size, o.times);
    if (is_picture(o.format)) screen.emplace(Drawing{size.width, size.height, 0, o.times, o.transparent});
    make_folder(o.out);
    const std::vector<fs::path> folders = folders_of(images, o.out);
    const bool tell = isatty(STDERR_FILENO) != 0;
    std::vector<std::string> failures;
    for (std::size_t i = 0; i < images.size(); ++i) {
        if (tell) std::fprintf(stderr, "\r%zu / %zu", i + 1, images.size());
        try {
            if (screen)
                export_pictures(job, *screen, images[i], folders[i]);
            else
                export_numbers(job, images[i], folders[i]);
        } catch (const std::bad_alloc&) {
            failures.push_back(name_of(images[i]) + ": there is not enough memory for it; take a smaller one");
        } catch (const Error& error) {
            failures.emplace_back(error.what());
        }
    }
    if (tell) std::fprintf(stderr, "\n");
    if (failures.empty()) return 0;
    std::string words = failures.front();
    for (std::size_t i = 1; i < failures.size(); ++i) words += " | " + failures[i];
    if (images.size() > failures.size())
        words += " (" + std::to_string(images.size() - failures.size()) + " of " + std::to_string(images.size()) +
                 " images were written)";
    throw Error(words);
}

}  // namespace vitrine
