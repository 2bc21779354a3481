#include "app/lecture/text_stop.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "app/library/text_library.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/selection.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/text/text_samples.h"
#include "core/text/text_what_ifs.h"

namespace vitrine {

namespace {

// Words allowed instead of an index.
constexpr std::string_view last_block = "last", mean_head = "mean", found_head = "decisive",
                           found_head_off = "head:decisive";

constexpr std::array own_words = {"task", "to", "sentence", "sample", "written", "swap"};

/// A text experiment with one part set to a value in a session's words. Throws Error.
TextExperiment experiment_with(const char* part, const std::string& value) {
    Focus focus;
    TextExperiment experiment;
    set_focus({focus, experiment}, {part, value});
    return experiment;
}

template <class T, std::size_t n>
T value_named(const Named<T> (&list)[n], const std::string& key, const std::string& value) {
    const std::optional<T> found = value_in(list, value);
    if (!found) throw Error(key + " is " + listed(names_of(list)) + ", not \"" + value + "\"");
    return *found;
}

int number_or(const std::string& key, const std::string& value, int least, std::string_view word) {
    const std::optional<int> number = number_from<int>(value);
    if (!number || *number < least)
        throw Error(key + " is \"" + std::string(word) + "\" or a number from " + std::to_string(least) + ", not \"" +
                    value + "\"");
    return *number;
}

bool is_text_sample(const std::string& name) {
    return std::ranges::any_of(text_task_names, [&](const Named<TextTask>& task) {
        const std::vector<TextSample> samples = text_samples(task.value, TextLanguage::japanese);
        return std::ranges::find(samples, name, &TextSample::name) != samples.end();
    });
}

std::vector<std::string> words_in(const std::string& list, char at) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(at, begin), list.size());
        std::string word = list.substr(begin, end - begin);
        std::erase_if(word, [](char c) { return c == ' ' || c == '\t'; });
        if (!word.empty()) words.push_back(std::move(word));
        begin = end + 1;
    }
    return words;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
    return all;
}

void take_what_ifs(TextStop& stop, const std::string& value) {
    stop.what_ifs = words_in(value, ',');
    stop.roles.without = std::erase(stop.what_ifs, found_head_off) > 0;
    for (const std::string& word : stop.what_ifs) {
        if (known_text_what_if(word)) continue;
        std::vector<std::string> names;
        for (const WhatIf& row : text_what_if_table()) names.emplace_back(row.name);
        throw Error("\"" + word + "\" changes nothing in a text Transformer; there are " + listed(names));
    }
}

/// Configuration of a task's bundled model, cached.
const TextConfig& config_of(TextTask task, TextLanguage to) {
    static std::map<std::string_view, TextConfig> all;
    const BundledTextModel& model = bundled_text_model(task, to);
    const auto found = all.find(model.name);
    return found != all.end() ? found->second : all.emplace(model.name, text_config_of(model)).first->second;
}

/// True if the Text room finds a head by its role in this model, and the chapter shows its attention.
bool finds_a_head(const TextDraft& draft) {
    if (draft.task() == TextTask::story) return true;
    const TextChapter chapter = draft.look.chapter;
    const bool encoder = chapter == TextChapter::encoder || chapter == TextChapter::self_attention;
    return draft.task() == TextTask::translate && draft.experiment.to == TextLanguage::japanese && encoder;
}

/// ℓ of the last block of the longer stack.
int highest_block(const TextConfig& config) { return std::max(config.blocks, config.decoder_blocks); }

bool changes_something(const std::string& what_if, const TextConfig& config) {
    return !text_interventions({&what_if, 1}, config).empty();
}

void check_parts(const TextStop& stop, const TextDraft& draft) {
    if (stop.roles.any() && !finds_a_head(draft))
        throw Error("this model and chapter have no decisive head; name one by its number");
    if (stop.block.value_or(0) <= 0 && stop.head.value_or(-1) < 0 && stop.what_ifs.empty()) return;
    const TextConfig& config = config_of(draft.task(), draft.experiment.to);
    const auto check = [](const char* what, int wanted, int first, int highest) {
        if (wanted > highest)
            throw Error("this step needs " + std::string(what) + " " + std::to_string(wanted) + ", but the model has " +
                        std::to_string(first) + " to " + std::to_string(highest) + "; correct the lesson");
    };
    check("block", stop.block.value_or(0), 1, highest_block(config));
    check("head", stop.head.value_or(-1), 0, config.heads - 1);
    for (const std::string& word : stop.what_ifs)
        if (!changes_something(word, config))
            throw Error("\"" + word + "\" changes nothing in the model of this task; correct the lesson");
}

}  // namespace

bool is_word_of_text_stops(const std::string& key) { return std::ranges::find(own_words, key) != own_words.end(); }

bool take_line(TextStop& stop, TextChapter chapter, const std::string& key, const std::string& value) {
    if (key == "task") {
        stop.task = value_named(text_task_names, key, value);
        if (!is_about(chapter, *stop.task))
            throw Error("the chapter \"" + std::string(name_of(chapter)) + "\" does not speak of \"" + value + "\"");
    } else if (key == "to") {
        stop.to = value_named(text_language_names, key, value);
    } else if (key == "sentence") {
        stop.sentence = experiment_with("text.review", value).texts[static_cast<std::size_t>(TextPlace::review)];
        stop.sample.clear();
    } else if (key == "sample") {
        if (!is_text_sample(value)) throw Error("there is no sample \"" + value + "\"; write \"sentence: …\" instead");
        stop.sample = value;
        stop.sentence.reset();
    } else if (key == "written") {
        stop.written = experiment_with("text.forced", value).forced;
    } else if (key == "swap") {
        stop.swap = experiment_with("text.swap", value).swap;
    } else if (key == "block") {
        stop.block = value == last_block ? 0 : number_or(key, value, 1, last_block);
    } else if (key == "head") {
        stop.roles.look = value == found_head;
        if (!stop.roles.look) stop.head = value == mean_head ? -1 : number_or(key, value, 0, mean_head);
    } else if (key == "what-if") {
        take_what_ifs(stop, value);
    } else {
        return false;
    }
    return true;
}

void show_text_stop(const TextStop& stop, TextChapter chapter, const TextDraft& draft) {
    const auto& [experiment, look] = draft;
    draft.enter(chapter);
    if (stop.task || stop.to) draft.choose(stop.task.value_or(draft.task()), stop.to.value_or(experiment.to));
    if (!stop.sample.empty()) {
        const std::vector<TextSample> samples = text_samples(draft.task(), experiment.to);
        const auto found = std::ranges::find(samples, stop.sample, &TextSample::name);
        if (found == samples.end())
            throw Error("there is no sample \"" + stop.sample + "\" of the task \"" +
                        name_in(text_task_names, draft.task()) + "\"; correct the lesson");
        draft.read(found->source);
    }
    if (stop.sentence) draft.read(*stop.sentence);
    check_parts(stop, draft);
    look.block = stop.block.value_or(look.block);
    look.head = stop.head.value_or(look.head);
    experiment.forced = stop.written;
    experiment.swap = stop.swap;
    experiment.what_ifs = stop.what_ifs;
}

TextStop stop_of(const TextExperiment& experiment, const TextLook& look) {
    TextStop stop;
    const TextTask task = experiment.task_in(look.chapter);
    stop.task = task;
    if (task == TextTask::translate) stop.to = experiment.to;
    stop.sentence = experiment.text_in(look.chapter);
    const TextConfig& config = config_of(task, experiment.to);
    stop.block = look.block <= highest_block(config) ? look.block : 0;
    stop.head = look.head < config.heads ? look.head : -1;
    stop.written = experiment.forced;
    stop.swap = experiment.swap;
    stop.what_ifs = experiment.what_ifs;
    std::erase_if(stop.what_ifs, [&](const std::string& word) { return !changes_something(word, config); });
    return stop;
}

std::string lines_of(const TextStop& stop) {
    std::string text;
    const auto line = [&](const char* key, const std::string& words) {
        text += std::string(key) + ": " + words + "\n";
    };
    if (stop.task) line("task", name_in(text_task_names, *stop.task));
    if (stop.to) line("to", name_in(text_language_names, *stop.to));
    if (stop.sentence) line("sentence", *stop.sentence);
    if (!stop.sample.empty()) line("sample", stop.sample);
    if (stop.block) line("block", *stop.block == 0 ? std::string(last_block) : std::to_string(*stop.block));
    if (stop.roles.look) line("head", std::string(found_head));
    if (stop.head && !stop.roles.look)
        line("head", *stop.head < 0 ? std::string(mean_head) : std::to_string(*stop.head));
    if (!stop.written.empty()) line("written", joined(stop.written, " "));
    if (stop.swap.place >= 0) line("swap", std::to_string(stop.swap.place) + ":" + stop.swap.word);
    std::vector<std::string> what_ifs = stop.what_ifs;
    if (stop.roles.without) what_ifs.emplace_back(found_head_off);
    if (!what_ifs.empty()) line("what-if", joined(what_ifs, ", "));
    return text;
}

}  // namespace vitrine
