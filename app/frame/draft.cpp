#include "app/frame/draft.h"

#include "app/chapters/step.h"
#include "app/workspace/command.h"

namespace vitrine {

namespace {

std::string step_id(const Focus& focus) { return std::string(step_at(focus).id); }

}  // namespace

Draft::Draft(const AppContext& context)
    : selection(context.workspace().selection),
      text_experiment(context.workspace().text_experiment),
      what_ifs(context.workspace().experiment.what_ifs),
      motion(context.workspace().motion),
      learning(context.state.learning),
      settings(context.state.settings),
      drafts(context.drafts) {}

void Draft::ask(const AppContext& context, Commands& commands) const {
    const Workspace& now = context.workspace();
    const Focus& focus = now.selection.focus;
    if (selection.focus.step != focus.step) commands.add(command::GoToChapter{step_id(selection.focus)});
    const auto words = changed_focus({focus, now.text_experiment}, {selection.focus, text_experiment});
    if (!words.empty()) commands.add(command::Look{words});
    if (what_ifs != now.experiment.what_ifs) commands.add(command::SetWhatIfs{what_ifs});
    if (!(motion == now.motion)) commands.add(command::MoveTime{motion.time, motion.playing});
    if (!(learning == context.state.learning)) commands.add(command::ChangeLearning{to_json(learning)});
    if (settings != context.state.settings)
        commands.add(command::ChangeSettings{changed_settings(context.state.settings, settings)});
}

std::vector<Command> commands_to(const AppContext& context) {
    const Workspace& now = context.workspace();
    std::vector<Command> commands = {
        command::ChangeSettings{replayable_settings(context.state.settings)},
        command::OpenModel{{.path = now.experiment.model.path,
                            .heads = now.experiment.model.heads,
                            .bundled = now.experiment.model.bundled,
                            .labels = now.experiment.model.labels}},
        command::ChangeImageSize{now.experiment.model.image_size.value_or(ImageSize())},
        command::OpenImage{now.experiment.image},
        command::SetWhatIfs{now.experiment.what_ifs},
        command::ChangeLearning{to_json(context.state.learning)},
        command::ChooseDrawing{context.state.drawing.word()},
        command::GoToChapter{step_id(now.selection.focus)},
        command::Look{focus_words({now.selection.focus, now.text_experiment})},
        command::EnterRoom{context.state.room},
    };
    return commands;
}

}  // namespace vitrine
