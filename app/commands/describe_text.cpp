#include "app/commands/describe_text.h"

#include "app/workspace/text_library.h"
#include "core/base/error.h"
#include "core/text/decoding.h"
#include "core/text/typed_words.h"

namespace vitrine {

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

}  // namespace vitrine
