#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/commands/progress_line.h"
#include "app/exports/output_folder.h"
#include "app/library/library.h"
#include "app/platform/printable.h"
#include "core/files/tensor_file.h"
#include "core/training/linear_probe.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

Json score_json(const ProbeScore& score) { return {{"correct", score.correct}, {"count", score.count}}; }

Json folds_json(const LinearProbe& probe) {
    Json folds = Json::array();
    for (const ProbeScore& fold : probe.folds) folds.push_back(score_json(fold));
    return folds;
}

/// A row for each unseen picture.
Json answers_json(const LinearProbe& probe, const OwnPictures& pictures) {
    Json answers = Json::array();
    for (const ProbeAnswer& a : probe.answers)
        answers.push_back({{"path", pictures.files[a.file].path.string()},
                           {"class", pictures.labels[static_cast<std::size_t>(a.label)]},
                           {"said", pictures.labels[static_cast<std::size_t>(a.said)]},
                           {"probability", a.probability},
                           {"fold", a.fold}});
    return answers;
}

void print_probe_json(const LinearProbe& probe, const OwnPictures& pictures) {
    const Json j = {{"labels", pictures.labels},
                    {"pictures", pictures.counts()},
                    {"learned", score_json(probe.learned)},
                    {"held_out", score_json(probe.held_out)},
                    {"accuracy", probe.held_out.accuracy()},
                    {"interval", {interval_of(probe.held_out).first, interval_of(probe.held_out).second}},
                    {"folds", folds_json(probe)},
                    {"answers", answers_json(probe, pictures)},
                    {"commonest", probe.commonest},
                    {"chance", chance_of(probe.held_out, probe.commonest)},
                    {"knows_something", probe.beats_chance()},
                    {"too_few_to_say", probe.too_few_to_say()},
                    {"broken", probe.broken},
                    {"seconds_reading", probe.seconds_reading},
                    {"seconds_learning", probe.seconds_learning}};
    std::printf("%s\n", printable_json(j.dump(2, ' ', false, Json::error_handler_t::replace)).c_str());
}

void print_words(const LinearProbe& probe, const OwnPictures& pictures) {
    std::printf("%zu classes, %zu pictures: read in %.1f s, learned in %.2f s\n", pictures.labels.size(),
                pictures.files.size(), probe.seconds_reading, probe.seconds_learning);
    std::printf("unseen      %3d of %d correct (%.0f %%); the most common class: %.0f %%\n", probe.held_out.correct,
                probe.held_out.count, 100 * probe.held_out.accuracy(), 100 * probe.commonest);
    const auto [least, most] = interval_of(probe.held_out);
    std::printf("            with 95 %% certainty between %.0f and %.0f %%\n", 100 * least, 100 * most);
    for (std::size_t i = 0; i < probe.folds.size(); ++i)
        std::printf("fold %-6zu %3d of %d\n", i + 1, probe.folds[i].correct, probe.folds[i].count);
    std::printf("learned     %3d of %d\n", probe.learned.correct, probe.learned.count);
    if (probe.too_few_to_say())
        std::printf("Too few pictures stay unseen to tell whether that is more than chance: add more.\n");
    else if (!probe.beats_chance())
        std::printf(
            "That is not clearly better than chance: this probe finds nothing about these classes in the features.\n");
    for (const std::string& sentence : probe.broken) std::printf("passed over: %s\n", printable(sentence).c_str());
}

}  // namespace

int probe_command(const ProbeOptions& o) {
    if (!o.out.empty()) check_is_name("--out", o.out);
    const OwnPictures pictures = own_pictures_in(o.folder);
    check_own_pictures(pictures, o.folder);
    const OutputGuard guard = guard_of(o.force, o.model.source());
    if (!o.out.empty())
        for (const char* const name : {"model.safetensors", "config.json", "preprocessor_config.json"})
            guard.check(o.out / name);
    const std::shared_ptr<const Model> model = open_model(o.model.source());
    if (o.layer && *o.layer > model->config.blocks)
        throw UsageError("--layer " + std::to_string(*o.layer) + ": this model has layers 0 to " +
                         std::to_string(model->config.blocks));
    if (!o.out.empty() && o.layer && *o.layer != model->config.blocks)
        throw UsageError("--layer: a head on an earlier layer is not a model to save; leave --out or --layer out");
    ProbeSettings settings{.decay = o.decay, .seed = o.seed, .threads = o.threads, .layer = o.layer, .folds = o.folds};
    if (!o.read.empty()) settings.read = o.read == "class" ? Readout::class_token : Readout::mean;
    ProgressLine line(o.quiet);
    const LinearProbe probe = learn_probe(model, pictures, name_of_folder(o.folder), settings, line.progress());
    if (o.json)
        print_probe_json(probe, pictures);
    else
        print_words(probe, pictures);
    if (!o.out.empty()) save_model(*probe.model, o.out, Precision::f32);
    return 0;
}

}  // namespace vitrine
