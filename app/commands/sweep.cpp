#include "core/measures/sweep.h"

#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/image_list.h"
#include "app/commands/outputs.h"
#include "app/commands/progress_line.h"
#include "app/exports/manifest.h"
#include "app/exports/output_folder.h"
#include "app/library/image_set.h"
#include "app/library/library.h"
#include "app/library/mean_patches.h"
#include "app/library/samples.h"
#include "app/platform/printable.h"
#include "core/base/json_limits.h"
#include "core/base/output_file.h"
#include "core/base/random.h"
#include "core/base/sentence.h"
#include "core/base/sha256.h"
#include "core/base/spread.h"
#include "core/base/team.h"
#include "core/files/npz_writer.h"
#include "core/measures/set_means.h"
#include "core/vit/forward.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;
using Json = Manifest::Json;

constexpr int sweep_form = 1;  // version of the formats of archive and journal

std::string name_of_image(const ImageSource& image) { return image.path.empty() ? image.sample : image.path.string(); }

/// "1 image", "2 images".
std::string counted(std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string line_of_json(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Inputs of a sweep.
struct Sweep {
    Runs runs;
    std::vector<ImageSource> images;
    std::vector<SweptEdit> edits;
    std::vector<std::size_t>
        partners;  // for each image the index of the image whose activations replace its own; or empty
    Json about;    // the sweep's identity: model, images, edits, settings
    Colours colours = Colours::stored;  // of image files
};

/// The means over the images of a folder.
struct MeansOverFolder {
    std::shared_ptr<const SetMeans> means;
    Json facts;
};
MeansOverFolder means_over(const SweepOptions& o, const Sweep& sweep);

/// The edits of --over. Throws UsageError.
std::vector<SweptEdit> edits_of(const SweepOptions& o, const Config& config,
                                const std::shared_ptr<const SetMeans>& means) {
    const Ablation ablation = *value_in(ablation_names, o.ablate);
    try {
        if (o.block && *o.block > config.blocks)
            throw Error("--block " + std::to_string(*o.block) + ": this model has blocks 1 to " +
                        std::to_string(config.blocks));
        if (means) return swept_edits(config, *value_in(swept_parts_names, o.over), means);
        return swept_edits(config, *value_in(swept_parts_names, o.over), ablation, o.block);
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
}

/// The edits of --what-if, with the means that they name computed. Throws UsageError for a wrong word, Error for a
/// folder that cannot be read.
std::vector<SweptEdit> edits_of_words(const std::vector<std::string>& words, const Sweep& sweep, MeanPatches& means) {
    try {
        swept_edits(sweep.runs.model->config, words);
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
    return swept_edits(sweep.runs.model->config, words, [&](std::vector<Intervention>& what_ifs) {
        fill_in_means(what_ifs, *sweep.runs.model, sweep.colours, means);
    });
}

/// For each image the index of another one, drawn at random. Throws UsageError for fewer than two images.
std::vector<std::size_t> partners_of(std::size_t images, std::uint64_t seed) {
    if (images < 2)
        throw UsageError("--ablate resample: takes numbers from another image of the list; name two images or more");
    Random random(seed);
    std::vector<std::size_t> partners;
    for (std::size_t i = 0; i < images; ++i) {
        const auto other = static_cast<std::size_t>(random.below(static_cast<int>(images) - 1));
        partners.push_back(other < i ? other : other + 1);
    }
    return partners;
}

Sweep sweep_of(const SweepOptions& o) {
    const bool resamples = *value_in(ablation_names, o.ablate) == Ablation::resample;
    Sweep sweep{o.model.runs(open_model(o.model.source()), run_and_what_if, resamples ? 2 : 1),
                image_list(o.images).images,
                {},
                {},
                {},
                o.model.colours()};
    MeansOverFolder over;
    if (!o.mean_over.empty()) {
        if (*value_in(ablation_names, o.ablate) != Ablation::mean || o.over.empty())
            throw UsageError("--mean-over: says whose mean takes a part's place; give --over and --ablate mean, too");
        over = means_over(o, sweep);
    }
    if (o.over.empty() == o.what_ifs.empty())
        throw UsageError("sweep: give --over or --what-if, which say what is removed; vitrine sweep --help lists both");
    if (!o.what_ifs.empty() && *value_in(ablation_names, o.ablate) != Ablation::zero)
        throw UsageError("--ablate: a what-if says itself what takes a part's place; leave --ablate out");
    MeanPatches means;
    sweep.edits = o.what_ifs.empty() ? edits_of(o, sweep.runs.model->config, over.means)
                                     : edits_of_words(o.what_ifs, sweep, means);
    std::string names, edits;
    for (const ImageSource& image : sweep.images) names += name_of_image(image) + "\n";
    for (const SweptEdit& edit : sweep.edits) edits += edit.name + "\n";
    sweep.about = {{"software", software_name},
                   {"sweep", sweep_form},
                   {"version", program_version()},
                   {"model", facts_of(*sweep.runs.model, o.model.source())},
                   {"images", {{"count", sweep.images.size()}, {"sha256", sha256(names)}}},
                   {"edits", {{"count", sweep.edits.size()}, {"sha256", sha256(edits)}}},
                   {"ablate", o.ablate}};
    if (over.means) sweep.about["mean_over"] = over.facts;
    if (!means.empty()) sweep.about["mean_patches"] = facts_of(means);
    if (sweep.colours != Colours::stored) sweep.about["colours"] = name_of(sweep.colours);
    if (!resamples) return sweep;
    sweep.partners = partners_of(sweep.images.size(), o.seed);
    sweep.about["seed"] = o.seed;
    return sweep;
}

/// Numbers of an image's edits as JSON; NaN and infinities become null.
template <class F>
Json listed(std::size_t count, F number) {
    Json list = Json::array();
    for (std::size_t i = 0; i < count; ++i) list.push_back(static_cast<float>(number(i)));
    return list;
}
float number_of(const Json& json) {
    return json.is_number() ? json.get<float>() : std::numeric_limits<float>::quiet_NaN();
}

/// A finished image as a line of the journal.
Json entry_of(const SweptImage& image, const std::string& name, const Json& facts) {
    Json entry = {{"name", name}, {"sha256", facts["sha256"]}};
    if (image.changes.empty()) {
        entry["distance"] = listed(image.distances.size(), [&](std::size_t i) { return image.distances[i]; });
        return entry;
    }
    const std::size_t count = image.changes.size();
    entry["chosen"] = image.chosen;
    entry["before"] = {static_cast<float>(image.before.probability), static_cast<float>(image.before.logit),
                       static_cast<float>(image.before.margin)};
    entry["probability"] = listed(count, [&](std::size_t i) { return image.changes[i].probability(); });
    entry["logit"] = listed(count, [&](std::size_t i) { return image.changes[i].logit(); });
    entry["margin"] = listed(count, [&](std::size_t i) { return image.changes[i].margin(); });
    entry["first"] = listed(count, [&](std::size_t i) { return image.changes[i].first_now; });
    return entry;
}

/// The finished images of a sweep, saved line by line in a file beside the archive until the archive is written.
class Journal {
public:
    Journal(const Sweep& sweep, const fs::path& out, const OutputGuard& guard, bool resume)
        : file_(out.string() + ".sweep.part") {
        if (resume && continue_from_file(sweep)) return;
        std::error_code ignored;
        if (fs::exists(file_, ignored) && !is_of_a_sweep()) guard.check(file_);
        replace_file(file_, line_of_json(sweep.about) + "\n");
    }

    const std::vector<Json>& entries() const { return entries_; }

    void add(Json entry) {
        std::ofstream out(file_, std::ios::binary | std::ios::app);
        out << line_of_json(entry) << "\n";
        out.flush();
        if (!out) throw Error(file_.string() + ": cannot be written; free some space or write elsewhere");
        entries_.push_back(std::move(entry));
    }
    void remove() {
        std::error_code ignored;
        fs::remove(file_, ignored);
    }

private:
    static Json parsed(const std::string& line) {
        return nests_too_deeply(line) ? Json() : Json::parse(line, nullptr, false);
    }
    bool is_of_a_sweep() const {
        std::ifstream in(file_);
        std::string line;
        std::getline(in, line);
        const Json there = parsed(line);
        return there.is_object() && there.value("software", Json()) == software_name && there.contains("sweep");
    }

    /// Reads the entries up to the last whole line and cuts off the rest; false if there is no file to continue.
    bool continue_from_file(const Sweep& sweep) {
        std::ifstream in(file_, std::ios::binary);
        std::string line;
        if (!std::getline(in, line)) return false;
        if (parsed(line) != sweep.about)
            throw Error(file_.string() +
                        ": the sweep that was interrupted here had another model, other images, edits or settings, or "
                        "was another version's; leave --resume out to begin again");
        std::size_t whole = line.size() + 1;
        while (std::getline(in, line) && !in.eof()) {  // a last line without a line break is unfinished
            Json entry = parsed(line);
            if (!is_whole(entry, sweep)) break;
            entries_.push_back(std::move(entry));
            whole += line.size() + 1;
        }
        in.close();
        fs::resize_file(file_, whole);
        return true;
    }

    /// True if a line is a whole entry of the next image. Throws Error if that image has changed since.
    bool is_whole(const Json& entry, const Sweep& sweep) const {
        if (!entry.is_object() || entries_.size() >= sweep.images.size()) return false;
        const ImageSource& image = sweep.images[entries_.size()];
        if (entry.value("name", Json()) != name_of_image(image)) return false;
        if (entry.contains("error")) return true;
        for (const char* const list : {"distance", "probability", "logit", "margin", "first"})
            if (entry.contains(list) && (!entry[list].is_array() || entry[list].size() != sweep.edits.size()))
                return false;
        const bool classes = sweep.runs.model->config.classes > 0;
        if (!entry.contains(classes ? "first" : "distance")) return false;
        if (classes && (!entry.value("chosen", Json()).is_number_integer() ||
                        !entry.value("before", Json()).is_array() || entry["before"].size() != 3))
            return false;
        if (!image.path.empty() && entry.value("sha256", Json()) != sha256_of_file(image.path))
            throw Error(image.path.string() + ": has changed since it was swept; leave --resume out to begin again");
        return true;
    }

    fs::path file_;
    std::vector<Json> entries_;
};

Trace run_of(const Sweep& sweep, const OpenImage& image) {
    return sweep.runs.run(preprocess(image.full, sweep.runs.model->preprocessing, sweep.runs.model->config).pixels);
}

std::shared_ptr<const OpenImage> opened_image(const Sweep& sweep, std::size_t number) {
    return open_image(with_set(sweep.images[number], pictures_of(*sweep.runs.model).scenes), {}, sweep.colours);
}

MeansOverFolder means_over(const SweepOptions& o, const Sweep& sweep) {
    Sweep folder = sweep;
    folder.images = image_set(o.mean_over, *sweep.runs.model).images;
    const auto means = std::make_shared<SetMeans>(sweep.runs.model->config);
    ProgressLine line(o.quiet);
    std::string names;
    for (std::size_t i = 0; i < folder.images.size(); ++i) {
        line.at(static_cast<double>(i) / static_cast<double>(folder.images.size()), "means over the images");
        const auto image = opened_image(folder, i);
        means->add(run_of(folder, *image));
        names += facts_of(*image)["sha256"].get<std::string>() + "\n";
    }
    return {means, {{"folder", o.mean_over.string()}, {"images", means->images()}, {"sha256", sha256(names)}}};
}

Json swept(const Sweep& sweep, std::size_t number, const Progress& progress) {
    const std::string name = name_of_image(sweep.images[number]);
    try {
        const auto image = opened_image(sweep, number);
        const Trace run = run_of(sweep, *image);
        std::optional<Trace> other;
        if (!sweep.partners.empty()) other = run_of(sweep, *opened_image(sweep, sweep.partners[number]));
        return entry_of(sweep_image(*sweep.runs.model, run, other ? &*other : nullptr, sweep.edits, progress), name,
                        facts_of(*image));
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        return {{"name", name}, {"error", error.what()}};
    } catch (...) {
        return {{"name", name}, {"error", name + ": " + sentence_of(std::current_exception())}};
    }
}

/// The list of that name in all images' entries, as an array.      (edits, images)
std::vector<float> by_edit(const std::vector<const Json*>& images, const char* list, std::size_t edits) {
    std::vector<float> values(edits * images.size());
    for (std::size_t image = 0; image < images.size(); ++image)
        for (std::size_t edit = 0; edit < edits; ++edit)
            values[edit * images.size() + image] = number_of((*images[image])[list][edit]);
    return values;
}

/// The archive of all images whose sweep did not fail, as the bytes of an NPZ file.
std::string archive_of(const Sweep& sweep, const std::vector<Json>& entries) {
    NpzWriter archive(line_of_json(sweep.about));
    std::vector<std::string> edits, names, labels, from;
    std::vector<const Json*> images;
    for (const SweptEdit& edit : sweep.edits) edits.push_back(edit.name);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].contains("error")) continue;
        images.push_back(&entries[i]);
        names.push_back(name_of_image(sweep.images[i]));
        if (!sweep.partners.empty()) from.push_back(name_of_image(sweep.images[sweep.partners[i]]));
        if (entries[i].contains("chosen"))
            labels.push_back(sweep.runs.model->config.label(entries[i]["chosen"].get<int>()));
    }
    archive.add("edits", edits);
    archive.add("images", names);
    if (!from.empty()) archive.add("resampled_from", from);
    const std::vector<std::size_t> shape = {edits.size(), images.size()};
    if (sweep.runs.model->config.classes == 0) {
        archive.add("distance", shape, by_edit(images, "distance", edits.size()));
        return archive.take();
    }
    archive.add("classes", labels);
    const std::vector<float> margins = by_edit(images, "margin", edits.size());
    Spread spread;
    for (std::size_t image = 0; image < images.size(); ++image) {
        std::vector<float> column;
        for (std::size_t edit = 0; edit < edits.size(); ++edit) column.push_back(margins[edit * images.size() + image]);
        spread.add(column);
    }
    archive.add("logit", shape, by_edit(images, "logit", edits.size()));
    archive.add("margin", shape, margins);
    archive.add("probability", shape, by_edit(images, "probability", edits.size()));
    archive.add("first", shape, by_edit(images, "first", edits.size()));
    archive.add("margin_mean", {edits.size()}, spread.mean());
    archive.add("margin_deviation", {edits.size()}, spread.deviation());
    const auto one_each = [&](const char* name, auto number) {
        std::vector<float> values;
        for (const Json* const image : images) values.push_back(number(*image));
        archive.add(name, {images.size()}, values);
    };
    one_each("chosen", [](const Json& j) { return number_of(j["chosen"]); });
    one_each("probability_before", [](const Json& j) { return number_of(j["before"][0]); });
    one_each("logit_before", [](const Json& j) { return number_of(j["before"][1]); });
    one_each("margin_before", [](const Json& j) { return number_of(j["before"][2]); });
    return archive.take();
}

}  // namespace

int sweep_command(const SweepOptions& o) {
    if (o.threads > 0) set_thread_count(o.threads);
    check_is_name("--out", o.out);
    if (o.out.extension() != ".npz") throw UsageError("--out " + o.out.string() + ": write a name ending in .npz");
    const Sweep sweep = sweep_of(o);
    OutputGuard guard = guard_of(o.force, o.model.source());
    for (const ImageSource& image : sweep.images)
        if (!image.path.empty()) guard.reads(image.path);
    guard.check(o.out);
    if (!sweep.runs.kept_blocks) require_memory_for_what_if(*sweep.runs.model, std::vector{remove_positions()});

    const std::size_t count = sweep.images.size(), runs = sweep.edits.size() * count;
    Journal journal(sweep, o.out, guard, o.resume);
    if (!o.json && !o.quiet) {
        std::printf("%s of %s: %s\n", counted(sweep.edits.size(), "edit").c_str(), counted(count, "image").c_str(),
                    counted(runs, "run").c_str());
        if (sweep.about.contains("mean_over"))
            std::printf("means over %s\n", counted(sweep.about["mean_over"]["images"], "image").c_str());
        std::fflush(stdout);
    }
    {
        ProgressLine line(o.quiet);
        for (std::size_t i = journal.entries().size(); i < count; ++i) {
            const auto part = [&](double f) {
                line.at((static_cast<double>(i) + f) / static_cast<double>(count),
                        std::to_string(i) + " / " + std::to_string(count) + " images");
            };
            part(0);
            journal.add(swept(sweep, i, part));
        }
    }

    std::string failures;
    std::size_t failed = 0;
    for (const Json& entry : journal.entries())
        if (entry.contains("error")) {
            failures += (failures.empty() ? "" : " | ") + entry["error"].get<std::string>();
            ++failed;
        }
    if (failed < count) replace_file(o.out, archive_of(sweep, journal.entries()));
    journal.remove();
    if (!failures.empty()) throw Error(failures);
    if (o.json)
        print_json({{"file", o.out.string()}, {"edits", sweep.edits.size()}, {"images", count}, {"runs", runs}});
    else
        std::printf("%s\n", printable(o.out.string()).c_str());
    return 0;
}

}  // namespace vitrine
