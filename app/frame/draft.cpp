#include "app/frame/draft.h"

#include <imgui.h>

#include "app/chapters/step.h"
#include "app/workspace/command.h"

namespace vitrine {

namespace {

std::string step_id(const Focus& focus) { return std::string(step_at(focus).id); }

}  // namespace

HalfDraft::HalfDraft(const Workspace& of)
    : selection(of.selection), text_experiment(of.text_experiment), what_ifs(of.experiment.what_ifs) {}

Draft::Draft(const AppContext& context)
    : HalfDraft(context.workspace()),
      motion(context.workspace().motion),
      learning(context.state.learning),
      settings(context.state.settings),
      drafts(context.drafts) {
    if (const Workspace* const beside = context.workspaces.other()) other.emplace(*beside);
}

void HalfDraft::ask(const Workspace& now, Commands& commands) const {
    const Focus& focus = now.selection.focus;
    if (selection.focus.step != focus.step) commands.add(command::GoToChapter{step_id(selection.focus)});
    const auto words = changed_focus({focus, now.text_experiment}, {selection.focus, text_experiment});
    if (!words.empty()) commands.add(command::Look{words});
    if (what_ifs != now.experiment.what_ifs) commands.add(command::SetWhatIfs{what_ifs});
}

void Draft::ask(const AppContext& context, Commands& commands) const {
    HalfDraft::ask(context.workspace(), commands);
    const Motion& moves = context.workspace().motion;
    if (!(motion == moves)) commands.add(command::MoveTime{motion.time, motion.playing});
    if (!(learning == context.state.learning)) commands.add(command::ChangeLearning{to_json(learning)});
    if (settings != context.state.settings)
        commands.add(command::ChangeSettings{changed_settings(context.state.settings, settings)});
    if (!other) return;
    // Without a click or a wheel the other workspace makes no commands: its figures may choose something by themselves,
    // and a linked one follows the visible workspace.
    const ImGuiIO& io = ImGui::GetIO();
    if (!ImGui::IsAnyMouseDown() && !ImGui::IsMouseReleased(ImGuiMouseButton_Left) && io.MouseWheel == 0) return;
    Commands beside;
    other->ask(*context.workspaces.other(), beside);
    if (beside.empty() && !other->selection.menu_asked()) return;
    commands.add("beside.other");  // a change there makes that workspace the visible one
    for (Command& command : beside.take()) commands.add(std::move(command));
}

std::vector<Command> commands_to(const AppContext& context) {
    const auto all = context.workspaces.all();
    std::vector<Command> commands = {
        command::ChangeSettings{replayable_settings(context.state.settings)},
        command::ChangeLearning{to_json(context.state.learning)},
        command::ChooseDrawing{context.state.drawing.word()},
    };
    for (const Workspace& each : all) {
        if (&each != &all.front()) {
            commands.emplace_back(command::Do{"beside.open"});
            const SideBySide& both = context.workspaces.side_by_side;
            if (!both.linked) commands.emplace_back(command::Do{"beside.link"});
            if (both.difference) commands.emplace_back(command::Do{"beside.difference"});
        }
        const Experiment& e = each.experiment;
        for (Command& command :
             std::vector<Command>{command::OpenModel{e.model}, command::OpenImage{e.image},
                                  command::SetWhatIfs{e.what_ifs}, command::GoToChapter{step_id(each.selection.focus)},
                                  command::Look{focus_words({each.selection.focus, each.text_experiment})}})
            commands.push_back(std::move(command));
    }
    if (all.size() > 1 && context.workspaces.shown() == 0) commands.emplace_back(command::Do{"beside.other"});
    commands.emplace_back(command::EnterRoom{context.state.room});
    return commands;
}

}  // namespace vitrine
