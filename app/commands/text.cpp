#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/describe_text.h"
#include "app/commands/outputs.h"
#include "app/exports/manifest.h"
#include "app/exports/output_folder.h"
#include "app/platform/printable.h"
#include "core/base/team.h"
#include "core/files/safetensors.h"
#include "core/text/decoding.h"
#include "core/text/text_checkpoint.h"
#include "core/text/typed_words.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

Decoding decoding_of(const TextOptions& o) {
    Decoding how;
    if (o.temperature || o.top_k || o.top_p) how.method = DecodingMethod::sample;
    if (o.beam) {
        how.method = DecodingMethod::beam;
        how.width = *o.beam;
    }
    how.temperature = o.temperature.value_or(1);
    how.top_k = o.top_k.value_or(0);
    how.top_p = o.top_p.value_or(1);
    how.seed = o.seed;
    how.candidates = o.top;
    return how;
}

/// Probabilities of the classes, largest first.
std::vector<std::pair<std::string, double>> classes_of(const TextModel& model, const TextRun& run) {
    std::vector<std::pair<std::string, double>> classes;
    const float* const p = run.trace.generator->probabilities.data();
    for (std::size_t i = 0; i < model.labels.size(); ++i)
        classes.emplace_back(model.labels[i], static_cast<double>(p[i]));
    std::ranges::stable_sort(classes, std::greater(), [](const auto& c) { return c.second; });
    return classes;
}

Json candidate(const std::string& word, double probability) { return {{"word", word}, {"probability", probability}}; }

/// The candidates at each word, most probable first.
Json steps_of(const TextModel& model, const TextRun& run, int top) {
    Json steps = Json::array();
    if (model.task == TextTask::sentiment) {
        Json classes = Json::array();
        for (const auto& [label, probability] : classes_of(model, run))
            classes.push_back(candidate(label, probability));
        steps.push_back({{"word", run.output.at(0)}, {"top", classes}});
        return steps;
    }
    for (const DecodingStep& step : run.decoded.steps) {
        Json words = Json::array();
        for (const WordCandidate& c : step.candidates)
            if (static_cast<int>(words.size()) < top)
                words.push_back(candidate(model.target.word(c.word), c.probability));
        steps.push_back(
            {{"word", model.target.word(step.taken.word)}, {"probability", step.taken.probability}, {"top", words}});
    }
    return steps;
}

Json result_of(const TextModel& model, const TextRun& run, const TextOptions& o) {
    Json result = {{"task", name_of(model.task)}};
    if (model.task == TextTask::translate) result["to"] = name_of(model.to);
    result["input"] = run.input;
    result["unknown"] = unknown_words(model, run.input);
    result["output"] = run.output;
    result["text"] = text_of_output(model, run);
    if (model.task != TextTask::sentiment) result["log_probability"] = run.decoded.log_probability;
    result["steps"] = steps_of(model, run, o.top);
    return result;
}

void print_text(const TextModel& model, const TextRun& run) {
    std::printf("%s", printable(text_of_output(model, run)).c_str());
    if (model.task == TextTask::sentiment) std::printf("  %.1f %%", 100 * classes_of(model, run).front().second);
    std::printf("\n");
    if (const std::vector<std::string> unknown = unknown_words(model, run.input); !unknown.empty())
        std::printf("not known, read as [UNK]: %s\n", printable(joined_by_spaces(unknown)).c_str());
}

}  // namespace

int text_command(const TextOptions& o) {
    if (o.threads > 0) set_thread_count(o.threads);
    check_is_name("--dump", o.dump);
    if (o.words == std::vector<std::string>{"-"})
        throw UsageError("text -: the text is not read from the standard input; write it after the options");
    const auto model = text_model_of({o.task, o.to, o.model});
    const std::vector<std::string> words = words_to_read(*model, joined_by_spaces(o.words));
    if (!o.dump.empty()) {
        OutputGuard guard = guard_of(o.force, {});
        if (!o.model.empty())
            for (const std::filesystem::path& file : files_of_text_model(o.model)) guard.reads(file);
        guard.check(o.dump);
    }
    const TextRun run = run_text(*model, words, decoding_of(o));
    if (!o.dump.empty()) {
        Json facts = facts_of_text_run(facts_of_text_model(*model, o.model), words, decoding_of(o));
        facts["output"] = run.output;
        write_safetensors(o.dump, named_tensors(run.trace), {.half = false, .metadata = metadata_of_dump(facts)});
    }
    if (o.json)
        std::printf(
            "%s\n",
            printable_json(result_of(*model, run, o).dump(2, ' ', false, Json::error_handler_t::replace)).c_str());
    else
        print_text(*model, run);
    return 0;
}

}  // namespace vitrine
