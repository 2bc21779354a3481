#include "app/library/library.h"
#include "app/library/source_words.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/state.h"
#include "app/workspace/command.h"
#include "core/base/error.h"
#include "tests/fuzz/targets.h"
#include "tests/small_model.h"

namespace vitrine::fuzz {

namespace {

/// What reads the content of those commands that carry words of their own.
void take(const Command& command) {
    if (const auto* const settings = std::get_if<command::ChangeSettings>(&command)) {
        Settings changed;
        change_settings(changed, settings->values);
    } else if (const auto* const setting = std::get_if<command::ChangeModelSetting>(&command)) {
        const ModelSource changed = with_setting({}, setting->setting, setting->value);
        for (const SourceWord& word : source_words())  // another setting writes this one and reads it again
            if (word.key != setting->setting)
                demand(with_setting(changed, word.key, "") == changed, "a setting is read as it was written");
    } else if (const auto* const learning = std::get_if<command::ChangeLearning>(&command)) {
        const LearningState state = parse_learning(learning->json);
        demand(parse_learning(to_json(state)) == state, "what learns is the same when it is written and read");
    } else if (const auto* const runs = std::get_if<command::WatchLearning>(&command)) {
        LearningState state;
        choose_runs(state, runs->runs);
    } else if (const auto* const drawing = std::get_if<command::ChooseDrawing>(&command)) {
        DrawingChoice().choose(drawing->drawing);
    } else if (const auto* const look = std::get_if<command::Look>(&command)) {
        Focus focus;
        TextExperiment text;
        for (const FocusWord& word : look->focus) set_focus({focus, text}, word);
        for (const auto& [name, value] : focus_words({focus, text})) set_focus({focus, text}, {name, value});
    }
}

}  // namespace

void commands(Bytes bytes) {
    static const std::shared_ptr<const Model> model = open_model(small_model());
    try {
        const Command command = parse_line(std::string(text_of(bytes)), model->config);
        const std::string line = to_line(command, model->config);
        demand(to_line(parse_line(line, model->config), model->config) == line, "a command's line means that command");
        take(command);
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
