#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/describe_text.h"
#include "app/commands/outputs.h"
#include "app/exports/manifest.h"
#include "app/exports/output_folder.h"
#include "app/platform/printable.h"
#include "core/base/sha256.h"
#include "core/base/team.h"
#include "core/files/safetensors.h"
#include "core/text/decoding.h"
#include "core/text/text_checkpoint.h"
#include "core/text/typed_words.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

std::string joined_by_spaces(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

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

/// Rejects a second sentence, which models for single sentences would ignore.
void check_is_one_sentence(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const std::string& next = words[i + 1];
        if (ends_sentence(words[i]) && !ends_sentence(next) && next != "\"" && next != "'")
            throw Error("the text continues after \"" + words[i] +
                        "\", but this task reads one sentence; give one sentence at a time");
    }
}

/// The input words for the model's task; throws Error if there are none, too many or more than one sentence.
std::vector<std::string> words_to_read(const TextModel& model, const std::string& typed) {
    const TextLanguage language = source_language(model.task, model.to);
    std::vector<std::string> words = split_words(typed, language, read_vocabulary(model));
    if (model.task != TextTask::story && words.empty()) throw Error("the text is empty; write a sentence");
    if (model.task != TextTask::story) {
        check_is_one_sentence(words);
        words = as_sentence(std::move(words), language);
    }
    const int places = model.config.longest - 1;  // without [CLS], [BOS] or [EOS]
    if (static_cast<int>(words.size()) > places)
        throw Error("the text has " + std::to_string(words.size()) + " words, but the model has positions for " +
                    std::to_string(places) + "; write a shorter one");
    return words;
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

/// What a text's run was made of, for the metadata of a dump.
Json facts_of_text_run(const TextModel& model, const TextRun& run, const TextOptions& o) {
    const TextConfig& c = model.config;
    Json files = Json::object();
    if (!o.model.empty())
        for (const std::filesystem::path& file : files_of_text_model(o.model))
            files[file.filename().string()] = sha256_of_file(file);
    const Decoding how = decoding_of(o);
    return {{"model",
             {{"task", name_of(model.task)},
              {"to", name_of(model.to)},
              {"path", o.model.string()},
              {"sha256", files},
              {"layer_norm_eps", static_cast<double>(c.layer_norm_epsilon)},
              {"hidden_size", c.embedding_dim},
              {"num_attention_heads", c.heads}}},
            {"input", run.input},
            {"output", run.output},
            {"decoding",
             {{"method", name_in(decoding_methods, how.method)},
              {"temperature", how.temperature},
              {"top_k", how.top_k},
              {"top_p", how.top_p},
              {"beam", how.width},
              {"seed", how.seed}}}};
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
    if (!o.dump.empty())
        write_safetensors(o.dump, named_tensors(run.trace),
                          {.half = false, .metadata = metadata_of_dump(facts_of_text_run(*model, run, o))});
    if (o.json)
        std::printf(
            "%s\n",
            printable_json(result_of(*model, run, o).dump(2, ' ', false, Json::error_handler_t::replace)).c_str());
    else
        print_text(*model, run);
    return 0;
}

}  // namespace vitrine
