#include "app/rooms/learning/run_controls.h"

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "app/rooms/learning/curve_plot.h"
#include "app/rooms/learning_runs.h"
#include "app/rooms/state.h"
#include "app/ui/message_words.h"
#include "app/ui/probe.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/command.h"
#include "app/workspace/learning_run.h"
#include "app/workspace/settings.h"
#include "app/workspace/text_learning_run.h"

namespace vitrine {

std::string amount_text(const Text& text, const Recipe&, const std::string& count) {
    return text("learn.amount.pictures", {{"count", count}});
}

std::string amount_text(const Text& text, const TextRecipe& recipe, const std::string& count) {
    const std::string unit = std::string("learn.text.unit.") + name_of(recipe.sentences.task);
    return text("learn.amount.texts", {{"count", count}, {"unit", text(unit)}});
}

bool own_tab(const Frame& frame, bool own) {
    const Text& text = frame.ui.text;
    int chosen = own ? 1 : 0;
    const std::vector<Control> tabs = {
        {"learn.tab.experiments", text("learn.experiments"), text("learn.experiments_tip"), {}},
        {"learn.tab.own", text("learn.choices"), text("learn.choices_tip"), {}}};
    if (!segmented(frame.ui, tabs, chosen)) return false;
    frame.panel.settings.own_runs = chosen == 1;
    return true;
}

void edited_choice(const Ui& ui, int& edited) {
    const std::vector<Control> runs = {{"learn.edit.0", "A", ui.text("learn.edit_tip"), {}},
                                       {"learn.edit.1", "B", ui.text("learn.edit_tip"), {}}};
    segmented(ui, runs, edited);
}

void run_state(const Ui& ui, int run, RunStage stage, const std::string& words) {
    heading(ui, ui.text("learn.run", {{"run", run_letter(static_cast<std::size_t>(run))}}));
    paragraph(ui, words);
    ui.probe.mark_item("learn.stage." + std::to_string(run), static_cast<int>(stage), words);
}

void save_button(const Frame& frame, int run, const char* tip) {
    const Ui& ui = frame.ui;
    if (button(ui, {"learn.save." + std::to_string(run), ui.text("learn.save"), ui.text(tip), {}},
               {Emphasis::plain, {}, -1}))
        frame.commands().add(command::SaveLearned{run});
}

namespace {

/// The message that another window's runs were restored, until their training continues; empty if there are none.
template <class Family>
std::string restored_words(const Text& text, const RunViews<Family>& runs, bool recording) {
    std::uint64_t seen = 0;
    for (const RunView<Family>& run : runs)
        if (run.now && run.stage != RunStage::running && run.now->report.step == run.restored)
            seen = std::max(seen, run.now->report.seen);
    if (seen == 0) return {};
    const char* const key = are_over(runs) ? "recover.finished" : recording ? "recover.recorded" : "recover.continued";
    return text(key, {{"amount", amount_text(text, runs[0].recipe, count_text(static_cast<std::int64_t>(seen)))},
                      {"button", text("learn.continue")},
                      {"live", text("learn.back_to_live")}});
}

}  // namespace

void watch_words(const Frame& frame, const std::string& words, const char* id) {
    const Ui& ui = frame.ui;
    const LearningState& state = frame.state().learning;
    const std::string restored = state.texts ? restored_words(ui.text, frame.runs.texts, false)
                                             : restored_words(ui.text, frame.runs.runs, state.recorded);
    if (!restored.empty()) {
        paragraph(ui, success_words(restored));
        ui.probe.mark_item("learn.restored", 0, restored);
    }
    heading(ui, ui.text("learn.watch"));
    paragraph(ui, words);
    ui.probe.mark_item(id, 0, words);
}

void reading_words(const Frame& frame, const std::string& words, const char* id) {
    heading(frame.ui, frame.ui.text("learn.reading"));
    paragraph(frame.ui, words);
    frame.ui.probe.mark_item(id, 0, words);
}

void saved_words(const Frame& frame) {
    const std::string& told = frame.state().saved_told;
    if (told.empty()) return;
    paragraph(frame.ui, success_words(told));
    frame.ui.probe.mark_item("learn.told", 0, told);
}

}  // namespace vitrine
