#include "app/commands/describe_text.h"

#include "app/library/text_library.h"
#include "app/platform/embedded.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/text/decoding.h"
#include "core/text/text_checkpoint.h"
#include "core/text/typed_words.h"
#include "embedded/text_models.h"

namespace vitrine {

namespace {

/// Rejects a second sentence, which models for single sentences would ignore.
void check_is_one_sentence(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const std::string& next = words[i + 1];
        if (ends_sentence(words[i]) && !ends_sentence(next) && next != "\"" && next != "'")
            throw Error("the text continues after \"" + words[i] +
                        "\", but this task reads one sentence; give one sentence at a time");
    }
}

/// Names and hashes of a text model's files, weights first.
std::vector<std::pair<std::string, std::string>> hashes_of(const TextModel& model,
                                                           const std::filesystem::path& folder) {
    std::vector<std::pair<std::string, std::string>> hashes;
    if (folder.empty()) {
        const std::string bundled = bundled_text_model(model.task, model.to).name;
        for (const std::string name : {"model.safetensors", "config.json", "vocabulary.json"})
            hashes.emplace_back(name, sha256(embedded(text_models(), bundled + "/" + name).bytes));
    } else {
        for (const std::filesystem::path& file : files_of_text_model(folder))
            hashes.emplace_back(file.filename().string(), sha256_of_file(file));
    }
    return hashes;
}

}  // namespace

std::shared_ptr<const TextModel> text_model_of(const TextModelChoice& c) {
    if (c.folder.empty())
        return open_text_model(
            bundled_text_model(*value_in(text_task_names, c.task), *value_in(text_language_names, c.to)));
    const auto model = open_text_model(c.folder);
    if (!c.task.empty() && c.task != name_of(model->task))
        throw Error(c.folder.string() + ": this model is for --task " + name_of(model->task) + ", not " + c.task);
    return model;
}

const Vocabulary& read_vocabulary(const TextModel& model) {
    return model.config.has_encoder() ? model.source : model.target;
}

std::vector<std::string> unknown_words(const TextModel& model, const std::vector<std::string>& words) {
    std::vector<std::string> unknown;
    for (const std::string& word : words)
        if (!read_vocabulary(model).knows(word)) unknown.push_back(word);
    return unknown;
}

std::string text_of_output(const TextModel& model, const TextRun& run) {
    if (model.task == TextTask::sentiment) return run.output.empty() ? "" : run.output.front();
    const TextLanguage language = target_language(model.task, model.to);
    return model.task == TextTask::story ? join_after(run.input, run.output, language)
                                         : join_words(run.output, language);
}

std::string joined_by_spaces(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

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

nlohmann::ordered_json facts_of_text_model(const TextModel& model, const std::filesystem::path& folder) {
    const TextConfig& c = model.config;
    nlohmann::ordered_json facts = {{"task", name_of(model.task)}};
    if (model.task == TextTask::translate) facts["to"] = name_of(model.to);
    facts["path"] = folder.string();
    std::string others;
    for (const auto& [name, hash] : hashes_of(model, folder)) {
        if (name == "model.safetensors")
            facts["weights_sha256"] = hash;
        else
            others += name + " " + hash + "\n";
    }
    facts["configuration_sha256"] = sha256(others);
    facts.update({{"layer_norm_eps", static_cast<double>(c.layer_norm_epsilon)},
                  {"hidden_size", c.embedding_dim},
                  {"heads", c.heads},
                  {"encoder_blocks", c.blocks},
                  {"decoder_blocks", c.decoder_blocks}});
    return facts;
}

nlohmann::ordered_json facts_of_text_run(nlohmann::ordered_json model, const std::vector<std::string>& words,
                                         const Decoding& how) {
    return {{"model", std::move(model)},
            {"text", {{"words", words}, {"sha256", sha256(joined_by_spaces(words))}}},
            {"settings",
             {{"decoding",
               {{"method", name_in(decoding_methods, how.method)},
                {"temperature", how.temperature},
                {"top_k", how.top_k},
                {"top_p", how.top_p},
                {"beam", how.width},
                {"seed", how.seed}}}}}};
}

}  // namespace vitrine
