#include <cstdio>

#include "app/chapters/step.h"
#include "app/commands/commands.h"
#include "app/commands/image_list.h"
#include "app/commands/machine_facts.h"
#include "app/commands/outputs.h"
#include "app/exports/describe.h"
#include "app/hub/hub_cache.h"
#include "app/hub/hub_settings.h"
#include "app/library/library.h"
#include "app/library/source_words.h"
#include "app/platform/embedded.h"
#include "app/platform/printable.h"
#include "app/ui/text.h"
#include "app/workspace/text_look.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

void print_info(const Model& model) {
    std::printf("%s (%s, %s): %s\n", printable(model.provenance.name).c_str(), model.provenance.layout.c_str(),
                model.provenance.container.c_str(), summary_of(model.config).c_str());
    std::printf("%zu parameters, layer norm ε %g, the head reads: %s\n", model.weights.parameter_count(),
                static_cast<double>(model.config.layer_norm_epsilon), name_of(model.config.readout));
    std::printf("preprocessing: %s\n", summary_of(model.preprocessing, model.config).c_str());
    for (const std::string& note : model.provenance.notes) std::printf("inferred: %s\n", printable(note).c_str());
    for (const std::string& name : model.provenance.passed_over)
        std::printf("passed over: %s\n", printable(name).c_str());
}

nlohmann::ordered_json info_json(const Model& model) {
    nlohmann::ordered_json result = provenance_of(model);
    result["labels"] = model.config.labels;
    result["notes"] = model.provenance.notes;
    return result;
}

int list_cached(bool json) {
    const std::filesystem::path cache = hub_cache_folder();
    auto list = nlohmann::ordered_json::array();
    for (const CachedModel& model : cached_models()) {
        list.push_back({{"model", model.model},
                        {"revisions", model.revisions},
                        {"commit", model.commit},
                        {"folder", model.folder.string()},
                        {"files", model.files},
                        {"bytes", model.bytes}});
        if (!json)
            std::printf("%s  %d files, %.1f MB\n", printable(model.words()).c_str(), model.files,
                        static_cast<double>(model.bytes) / 1e6);
    }
    if (json)
        print_json({{"cache", cache.string()}, {"models", std::move(list)}});
    else if (list.empty())
        std::printf("no models in %s\n", printable(cache.string()).c_str());
    return 0;
}

std::shared_ptr<const Model> header_of_model(const ModelSource& source) {
    return with_settings_of(source, std::make_shared<const Model>(open_header(source)));
}

}  // namespace

int info_command(const InfoOptions& o) {
    if (o.machine) {
        if (o.json)
            print_json(machine_facts());
        else
            std::printf("%s\n%s\n", printable(machine_line()).c_str(), pictures_line().c_str());
        return 0;
    }
    if (o.cached) return list_cached(o.json);
    const ModelList list = model_list(o.models);
    if (list.many)
        return for_each_model(list, o.model, o.json, [&](const ModelOptions& one) {
            const auto model = header_of_model(one.source());
            if (!o.json) print_info(*model);
            return info_json(*model);
        });
    ModelOptions asked = o.model;
    if (!list.models.empty()) asked.path = list.models.front();
    const auto model = header_of_model(asked.source());
    const Text text = load_text("en");
    const auto title = [&](const Step& step) { return text("step." + std::string(step.id) + ".title"); };
    if (!o.json) {
        print_info(*model);
        std::printf("steps:\n");
        for (const Step& step : curriculum())
            std::printf("  %-20s %s\n", std::string(step.id).c_str(), title(step).c_str());
        return 0;
    }
    nlohmann::ordered_json result = info_json(*model);
    for (const Step& step : curriculum()) result["steps"].push_back({{"id", step.id}, {"title", title(step)}});
    for (const auto& chapter : text_chapter_names)
        result["text_chapters"].push_back(
            {{"id", chapter.name}, {"title", text("text." + std::string(chapter.name) + ".title")}});
    print_json(result);
    return 0;
}

}  // namespace vitrine
