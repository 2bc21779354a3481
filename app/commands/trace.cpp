
#include <chrono>
#include <cstdio>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/image_list.h"
#include "app/commands/outputs.h"
#include "app/commands/progress_line.h"
#include "app/commands/tried.h"
#include "app/exports/describe.h"
#include "app/exports/manifest.h"
#include "app/exports/output_folder.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/platform/printable.h"
#include "core/base/clock.h"
#include "core/base/team.h"
#include "core/files/safetensors.h"
#include "core/measures/analysis.h"
#include "core/vit/forward.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

struct Run {
    Trace baseline, trace;
    double preprocess_ms = 0, forward_ms = 0;
    std::optional<AnswerChange> change = {};  // effect of the what-ifs on the first choice; none without them
};

Run run(const Runs& runs, const Image& image, const std::vector<Intervention>& what_ifs) {
    const Model& model = *runs.model;
    Run r;
    auto start = Clock::now();
    Preprocessed input = preprocess(image, model.preprocessing, model.config);
    r.preprocess_ms = milliseconds_since(start);
    start = Clock::now();
    r.baseline = runs.run(std::move(input.pixels));
    r.trace = runs.what_if(r.baseline, what_ifs);
    r.forward_ms = milliseconds_since(start);
    if (!what_ifs.empty() && model.config.classes > 0) r.change = answer_change(*r.trace.head, *r.baseline.head);
    return r;
}

nlohmann::ordered_json top_of(const Model& model, const Trace& trace, int count) {
    auto list = nlohmann::ordered_json::array();
    for (const Prediction& p : top_predictions(*trace.head, count))
        list.push_back({{"index", p.index},
                        {"label", model.config.label(p.index)},
                        {"logit", p.logit},
                        {"probability", p.probability}});
    return list;
}

void print_for_people(const Model& model, const Run& r, int count) {
    std::printf("%s: %s\n", printable(model.provenance.name).c_str(), summary_of(model.config).c_str());
    for (const std::string& note : model.provenance.notes) std::printf("  %s\n", printable(note).c_str());
    const Tensor2 &values = r.trace.head->features, &chances = r.trace.head->probabilities;
    if (model.config.ending == HeadKind::features)
        std::printf("This model ends with %d features and has no classifier, so there is no prediction.\n",
                    model.config.features);
    else if (model.config.ending != HeadKind::classes)
        for (std::size_t i = 0; i < values.size(); ++i)
            std::printf("%-24s  %s %8.4f\n", printable(model.config.label(static_cast<int>(i))).c_str(),
                        chances.size() > 0 ? "probability" : "value",
                        static_cast<double>(chances.size() > 0 ? chances(0, i) : values(0, i)));
    else if (model.config.classes == 0)
        std::printf("This model has no classifier, so there is no prediction.\n");
    for (const Prediction& p : top_predictions(*r.trace.head, count))
        std::printf("%7.2f %%  %-24s  logit %8.4f\n", 100.0 * static_cast<double>(p.probability),
                    printable(model.config.label(p.index)).c_str(), static_cast<double>(p.logit));
    if (r.change) std::printf("changed by the what-ifs: %s\n", printable(summary_of(*r.change, model)).c_str());
    std::printf("preprocess %.2f ms, forward %.2f ms\n", r.preprocess_ms, r.forward_ms);
}

/// One image's run as JSON.
nlohmann::ordered_json trace_json(const Model& model, const OpenImage& image, const TraceOptions& o, const Run& r) {
    const bool drawn = image.source.path.empty();
    nlohmann::ordered_json result = {{"image",
                                      {{"path", drawn ? image.source.sample : image.source.path.string()},
                                       {"width", image.full.width},
                                       {"height", image.full.height}}},
                                     {"tokens", model.config.tokens()},
                                     {"what_if", o.what_ifs},
                                     {"top", top_of(model, r.trace, o.top)},
                                     {"milliseconds", {{"preprocess", r.preprocess_ms}, {"forward", r.forward_ms}}}};
    if (r.change) result["change"] = describe(*r.change, model);
    return result;
}

/// Runs each image; reports failures at the end.
int trace_many(const TraceOptions& o, const ImageList& list) {
    if (!o.dump.empty())
        throw UsageError("--dump: writes one file of one image; vitrine export --what block.1.q,… writes many images'");
    const auto model = open_model(o.model.source());
    const std::vector<Intervention> what_ifs = what_ifs_for(*model, o.what_ifs, o.model.colours());
    ProgressLine line(o.quiet);
    std::vector<std::string> failures;
    for (std::size_t i = 0; i < list.images.size(); ++i) {
        const ImageSource& source = list.images[i];
        const std::string name = source.path.empty() ? source.sample : source.path.string();
        line.at(static_cast<double>(i) / static_cast<double>(list.images.size()));
        const std::string failure = tried(name, [&] {
            const auto image = open_image(with_set(source, pictures_of(*model).scenes), {}, o.model.colours());
            const Run r = run(o.model.runs(model, use_of(what_ifs)), image->full, what_ifs);
            if (o.json) return print_json_line(trace_json(*model, *image, o, r));
            std::printf("%s:", printable(name).c_str());
            for (const Prediction& p : top_predictions(*r.trace.head, o.top))
                std::printf("  %s %.2f %%", printable(model->config.label(p.index)).c_str(),
                            100.0 * static_cast<double>(p.probability));
            if (r.change) std::printf("  (%s)", printable(summary_of(*r.change, *model)).c_str());
            std::printf("\n");
        });
        if (failure.empty()) continue;
        failures.push_back(failure);
        if (o.json) print_json_line({{"image", {{"path", name}}}, {"error", failure}});
    }
    if (!failures.empty()) fail(failures, list.images.size(), "images were run");
    return 0;
}

}  // namespace

int trace_command(const TraceOptions& o) {
    if (o.threads > 0) set_thread_count(o.threads);
    check_is_name("--dump", o.dump);
    const ImageList list = image_list(o.images);
    if (list.many || list.images.size() > 1) return trace_many(o, list);
    const ImageSource source = list.images.front();
    const auto model = open_model(o.model.source());
    const std::vector<Intervention> what_ifs = what_ifs_for(*model, o.what_ifs, o.model.colours());
    const auto image = open_image(with_set(source, pictures_of(*model).scenes), {}, o.model.colours());
    if (!o.dump.empty()) guard_of(o.force, o.model.source(), source).check(o.dump);
    const Run r = run(o.model.runs(model, use_of(what_ifs)), image->full, what_ifs);

    if (!o.dump.empty()) {
        const Manifest::Json facts = facts_of_run(facts_of(*model, o.model.source()), *image, o.what_ifs);
        write_safetensors(o.dump, named_tensors(r.trace), {.half = false, .metadata = metadata_of_dump(facts)});
    }
    if (!o.json) {
        print_for_people(*model, r, o.top);
        return 0;
    }
    nlohmann::ordered_json result = {{"model", describe(*model)}};
    result.update(trace_json(*model, *image, o, r));
    print_json(result);
    return 0;
}

}  // namespace vitrine
