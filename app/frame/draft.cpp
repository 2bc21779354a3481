#include "app/frame/draft.h"

#include "app/rooms/explore/steps/step.h"
#include "app/workspace/command.h"

namespace vitrine {

namespace {

std::string step_id(const Focus& focus) { return std::string(curriculum()[static_cast<std::size_t>(focus.step)].id); }

}  // namespace

Draft::Draft(const House& house)
    : selection(house.workspace().selection),
      what_ifs(house.workspace().experiment.what_ifs),
      motion(house.workspace().motion),
      learning(house.state.learning),
      settings(house.state.settings) {}

void Draft::ask(const House& house, Commands& commands) const {
    const Workspace& now = house.workspace();
    const Focus& focus = now.selection.focus;
    if (selection.focus.step != focus.step) commands.add(command::GoToChapter{step_id(selection.focus)});
    if (const auto words = changed_focus(focus, selection.focus); !words.empty()) commands.add(command::Look{words});
    if (what_ifs != now.experiment.what_ifs) commands.add(command::SetWhatIfs{what_ifs});
    if (!(motion == now.motion)) commands.add(command::MoveTime{motion.time, motion.playing});
    if (!(learning == house.state.learning)) commands.add(command::ChangeLearning{to_json(learning)});
    if (settings != house.state.settings)
        commands.add(command::ChangeSettings{changed_settings(house.state.settings, settings)});
}

void Draft::take_hover(Workspace& workspace) const {
    const Focus focus = workspace.selection.focus;
    workspace.selection = selection;
    workspace.selection.focus = focus;
}

std::vector<Command> commands_to(const House& house) {
    const Workspace& now = house.workspace();
    std::vector<Command> commands = {
        command::ChangeSettings{replayable_settings(house.state.settings)},
        command::OpenModel{{.path = now.experiment.model.path,
                            .heads = now.experiment.model.heads,
                            .bundled = now.experiment.model.bundled}},
        command::OpenImage{now.experiment.image},
        command::SetWhatIfs{now.experiment.what_ifs},
        command::ChangeLearning{to_json(house.state.learning)},
        command::ChooseDrawing{house.state.drawing.word()},
        command::GoToChapter{step_id(now.selection.focus)},
        command::Look{changed_focus(Focus(), now.selection.focus)},
        command::EnterRoom{house.state.room},
    };
    return commands;
}

}  // namespace vitrine
