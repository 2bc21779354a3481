#include "app/rooms/learning/text_learning_state.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/rooms/learning/chosen_runs_json.h"
#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/utf8.h"
#include "core/text/text_samples.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

/// The name of the sample that shows most about a task.
const char* telling_sample(TextTask task) {
    switch (task) {
        case TextTask::translate: return "tired";
        case TextTask::sentiment: return "they_first";
        case TextTask::story: return "far_word";
    }
    return "";
}

int first_sample(TextTask task, TextLanguage to) {
    const std::vector<TextSample> all = text_samples(task, to);
    const auto found = std::ranges::find(all, telling_sample(task), &TextSample::name);
    return found == all.end() ? 0 : static_cast<int>(found - all.begin());
}

std::array<TextChoice, 2> read_text_choices(const Json& json) {
    const std::array<TextChoice, 2> choices = {text_choice_from_json(json.at(0).dump()),
                                               text_choice_from_json(json.at(1).dump())};
    if (choices[1].task != choices[0].task || choices[1].to != choices[0].to)
        throw Error("two text Transformers trained side by side need the same task");
    return choices;
}

int samples_of(const TextLearningState& s) { return static_cast<int>(text_samples(s.task(), s.to()).size()); }

}  // namespace

void TextLearningState::choose(TextTask task, TextLanguage to) {
    const bool same = task == this->task() && to == this->to();
    choices[0] = choices[1] = usual_choice(task, to);
    two = false;
    edited = 0;
    if (same) return;
    typed.clear();
    sample = first_sample(task, to);
}

void TextLearningState::choose_direction(TextLanguage to) {
    if (to == this->to()) return;
    if (!is_usual()) keep_own();
    choose(TextTask::translate, to);
}

void TextLearningState::keep_own() {
    if (experiment_of(*this) != nullptr || (is_usual() && has_kept())) return;
    kept = {choices, two};
}

void TextLearningState::go_back_to_own() {
    if (!has_kept()) return;
    if (kept->choices[0].to != to()) choose(task(), kept->choices[0].to);  // the typed text is in another language
    take_kept();
}

void TextLearningState::type(const std::string& text) {
    typed = cut_at_letter(text, most_typed);
    const int samples = samples_of(*this);
    if (!typed.empty()) sample = samples;
    if (typed.empty() && sample >= samples) sample = first_sample(task(), to());
}

std::string to_json(const TextLearningState& s) {
    Json json = chosen_json(s, [](const TextChoice& choice) { return Json::parse(to_json(choice)); });
    json.update({{"sample", s.sample}, {"typed", s.typed}, {"pace", s.pace}});
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

TextLearningState text_learning_from_json(const std::string& words) {
    const std::string refusal = "'" + words + "' says nothing about training text Transformers; record again";
    if (nests_too_deeply(words)) throw Error(refusal);
    try {
        const Json json = Json::parse(words);
        TextLearningState s;
        read_chosen(json, read_text_choices, true, s);
        s.typed = cut_at_letter(json.value("typed", std::string()), most_typed);
        const int last = samples_of(s) - (s.typed.empty() ? 1 : 0);
        s.sample = std::clamp(whole(json.value("sample", 0.0)), 0, last);
        s.pace = std::clamp(json.value("pace", 10.0F), 0.0F, 1000.0F);
        return s;
    } catch (const Json::exception&) {
        throw Error(refusal);
    }
}

}  // namespace vitrine
