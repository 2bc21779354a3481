#include "app/rooms/panels/stop_words.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/chapters/model_words.h"
#include "app/lecture/lecture.h"
#include "app/lecture/lesson.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/workspace.h"
#include "core/base/error.h"
#include "core/measures/analysis.h"
#include "core/measures/answer_change.h"
#include "core/vit/model.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

/// A run's answer, for the words of a stop.
struct RunAnswer {
    const Ui& ui;
    const Result& run;
    AnswerChange change;
    std::vector<Prediction> now;  // the first two

    std::string name(int index) const { return class_name(ui, *run.model, index); }
};

/// A placeholder for a number or class of the run.
struct RunNumber {
    std::string_view name;
    std::string (*words)(const RunAnswer& told);
};
constexpr RunNumber run_numbers[] = {
    {"class", [](const RunAnswer& t) { return t.name(t.change.chosen); }},
    {"class_now", [](const RunAnswer& t) { return t.name(t.now[0].index); }},
    {"second_now", [](const RunAnswer& t) { return t.name(t.now[1].index); }},
    {"margin", [](const RunAnswer& t) { return number_text(t.change.before.margin); }},
    {"margin_now", [](const RunAnswer& t) { return number_text(t.change.now.margin); }},
    {"lead_now", [](const RunAnswer& t) { return number_text(static_cast<double>(t.now[0].logit - t.now[1].logit)); }}};

}  // namespace

std::optional<Asked> asked_by(const RoomAnswers& room, const InView& shown) {
    const Teaching& here = room.teaching;
    std::optional<Formula> formula = here.formula == nullptr ? std::nullopt : here.formula(shown);
    if (!formula) return std::nullopt;
    const PlaceWords keys = words_in_view(room, room.places.here(shown.selection.focus),
                                          {shown.selection.focus, shown.workspace.text_experiment});
    const auto& run = shown.workspace.shown.result;
    const std::string question = run ? key_for(shown.ui.text, keys.question, *run) : keys.question;
    return Asked{*std::move(formula), shown.ui.text(question), here.answer(shown)};
}

std::optional<Asked> asked_in(const Frame& frame) {
    const State& state = frame.state();
    const LessonStop* const stop = visible_stop(state, frame.selection.focus);
    std::optional<Asked> usual = asked_by(answers_of(state.room), {frame.ui, frame.workspace, frame.selection});
    if (stop == nullptr || (!usual && stop->question.empty())) return usual;
    Asked asked = asked_at(stop, state.settings.language, usual.value_or(Asked{}));
    asked.answer = with_numbers({frame.ui, frame.workspace, frame.selection}, std::move(asked.answer));
    return asked;
}

std::vector<std::string> changes_in_view(const InView& shown, const State& state) {
    if (const auto changes = answers_of(state.room).teaching.changes; changes != nullptr) return changes(shown);
    std::vector<std::string> names;
    if (const auto& now = shown.workspace.shown.result)
        for (const Intervention& one : now->experiment.what_ifs)
            names.push_back(change_name(shown.ui, now->model->config, one));
    return names;
}

std::vector<std::string> changes_at(const Ui& ui, const LessonStop& stop, const Config& config) {
    if (const auto changes = answers_of(stop.room).teaching.changes_of; changes != nullptr) {
        TextExperiment experiment;
        experiment.what_ifs = stop.text.what_ifs;
        experiment.swap = stop.text.swap;
        experiment.forced = stop.text.written;
        return changes(ui, experiment);
    }
    std::vector<std::string> names;
    for (const std::string& word : stop.what_ifs) try {
            names.push_back(change_name(ui, config, parse_intervention(word, config)));
        } catch (const Error&) {
            names.push_back(word);  // a change to a part that this model does not have
        }
    return names;
}

std::string listed_changes(const Text& text, const std::vector<std::string>& changes, std::size_t most) {
    std::string names;
    for (std::size_t i = 0; i < std::min(most, changes.size()); ++i) names += (names.empty() ? "" : ",  ") + changes[i];
    if (changes.size() > most)
        names += "  " + text("removals.more", {{"count", std::to_string(changes.size() - most)}});
    return names;
}

std::optional<Predicted> predicted_in_view(const InView& shown, const State& state) {
    const auto predicted = answers_of(state.room).teaching.predicted;
    return predicted == nullptr ? std::nullopt : predicted(shown);
}

const LessonStop* visible_stop(const State& state, const Focus& focus) {
    const Lecture& lecture = state.lecture;
    if (!lecture.on || !lecture.lesson) return nullptr;
    const LessonStop& stop = lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)];
    const Places& places = answers_of(state.room).places;
    const bool there = (places.here == nullptr || stop.id == places.here(focus)) &&
                       (places.covered == nullptr || !places.covered(focus));
    return stop.room == state.room && there ? &stop : nullptr;
}

bool place_asks_of(const LessonStop& stop) {
    return stop.id != "scores" && (stop.id != "attention" || stop.token.value_or(0) == 0);
}

bool opens_guess(const LessonStop& stop, const Focus& focus) {
    const auto takes_guess = answers_of(stop.room).teaching.takes_guess;
    return stop.question.empty() && place_asks_of(stop) && takes_guess != nullptr && takes_guess(focus);
}

Asked asked_at(const LessonStop* stop, const std::string& language, Asked usual) {
    if (stop == nullptr) return usual;
    if (stop->question.empty() && !place_asks_of(*stop)) {
        usual.question = usual.answer = {};
        return usual;
    }
    const std::string answer = own_answer(*stop, language);
    if (const std::optional<std::string> own = own_question(*stop, language)) {
        usual.question = *own;
        usual.answer = own->empty() ? std::string() : answer;
    } else if (!answer.empty()) {
        usual.answer = answer;
    }
    return usual;
}

std::string with_numbers(const InView& shown, std::string answer) {
    const Result* const run = shown.workspace.shown.result.get();
    for (const RunNumber& number : run_numbers) {
        const std::string name = "{" + std::string(number.name) + "}";
        for (std::size_t at = answer.find(name); at != std::string::npos; at = answer.find(name)) {
            if (run == nullptr) return {};
            if (run->model->config.classes < 2) {
                answer.replace(at, name.size(), "–");
                continue;
            }
            const RunAnswer told{shown.ui, *run, answer_change(*run->trace.head, *run->baseline.head),
                                 top_predictions(*run->trace.head, 2)};
            answer.replace(at, name.size(), number.words(told));
        }
    }
    return answer;
}

std::string heading_in_sight(const Frame& frame, const std::string& usual) {
    const State& state = frame.state();
    const LessonStop* const stop = visible_stop(state, frame.selection.focus);
    const std::string own = stop == nullptr ? std::string() : own_title(*stop, state.settings.language);
    return own.empty() ? usual : own;
}

std::string stop_title(const Ui& ui, const LessonStop& stop, const std::string& language) {
    if (std::string own = own_title(stop, language); !own.empty()) return own;
    return ui.text(answers_of(stop.room).teaching.words(stop.id).title);
}

}  // namespace vitrine
