#include "app/rooms/learning/experiments_panel.h"

#include <imgui.h>

#include <algorithm>
#include <optional>

#include "app/rooms/figures/recorded_runs.h"
#include "app/rooms/figures/recorded_study.h"
#include "app/rooms/learning/study_view.h"
#include "app/rooms/learning_runs.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/state.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/command.h"
#include "core/training/presets.h"
#include "core/training/recipe.h"

namespace vitrine {

namespace {

/// An experiment's row in the list; a click chooses its runs.
void experiment_row(const Frame& frame, const std::string& id, bool chosen) {
    const Ui& ui = frame.ui;
    const std::string key = "learn.experiment." + id;
    const Control control{
        key, ui.text(key), id == "nets" ? study_text(ui, "learn.study.setup") : ui.text(key + "_tip"), {}};
    const ButtonLook look{chosen ? Emphasis::primary : Emphasis::plain, {}, -1, true};
    if (button(ui, control, look)) choose_runs(frame.learning, id);
}

/// Both runs' common setup in words.
std::string setup_words(const Ui& ui, const Preset<Pictures>& preset) {
    const Recipe r = recipe_of(preset.a);
    return ui.text("learn.experiment_setup", {{"blocks", std::to_string(r.model.blocks)},
                                              {"width", std::to_string(r.model.embedding_dim)},
                                              {"patch", std::to_string(r.model.patch_size)},
                                              {"pictures", count_text(preset.a.pictures)}});
}

std::string setup_words(const Ui& ui, const Preset<Texts>& preset) {
    return ui.text("learn.text.experiment_setup", {{"sentences", count_text(preset.a.sentences)}});
}

/// Before an experiment begins, writes its duration on this machine, and a note if its recording is offered first.
void expected_time(const Ui& ui, std::optional<double> seconds, bool recording_first) {
    std::string words = seconds ? ui.text("learn.expected", {{"time", duration_text(ui.text, *seconds)}})
                                : ui.text("learn.expected_soon");
    if (recording_first) words += " " + ui.text("learn.slow_recorded");
    paragraph(ui, words);
    ui.probe.mark_item("learn.expected", seconds.value_or(0), words);
}

/// The setup of the chosen experiment, then its duration on this machine, which disappears once training begins. `pace`
/// limits the steps per second (0: unlimited).
template <class Family>
void setup_and_time(const Frame& frame, const Preset<Family>& chosen, const RunViews<Family>& runs, double pace) {
    const Ui& ui = frame.ui;
    paragraph(ui, "{muted|" + setup_words(ui, chosen) + "}");
    if (!shows_duration(frame.learning)) return;
    Kept<float> height("learn.expected");
    const float top = ImGui::GetCursorPosY();
    if (any_has_begun(runs)) {  // keeps the duration's space, so that nothing moves when training starts
        if (height > 0) ImGui::Dummy({1, height});
        return;
    }
    expected_time(ui, expected_seconds(runs, pace), offers_recording_first(frame));
    height = ImGui::GetCursorPosY() - top - ImGui::GetStyle().ItemSpacing.y;
}

/// True if the kept custom runs differ from the default ones.
bool keeps_own_choices(const LearningState& state) {
    const TextLearningState& text = state.text;
    return state.texts ? text.kept->two || text.kept->choices[0] != usual_choice(text.task(), text.to())
                       : state.kept->two || state.kept->choices[0] != LearningChoice();
}

}  // namespace

bool offers_recording_first(const Frame& frame) {
    const Preset<Pictures>* const experiment = experiment_of(frame.learning);
    return experiment != nullptr && is_deep(*experiment) && recorded_runs(experiment->id) != nullptr &&
           !frame.learning.recorded && !any_has_begun(frame.runs.runs);
}

void way_back_to_own(const Frame& frame) {
    const Ui& ui = frame.ui;
    if (!has_kept(frame.learning)) return;
    const char* const key = keeps_own_choices(frame.learning) ? "learn.back_to_own" : "learn.to_custom";
    if (button(ui, {"learn.back_to_own", ui.text(key), ui.text(std::string(key) + "_tip"), {}},
               {Emphasis::plain, Icon::undo, -1}))
        go_back_to_own(frame.learning);
}

void experiment_choices(const Frame& frame) {
    const Ui& ui = frame.ui;
    LearningState& state = frame.learning;
    const Preset<Pictures>* const chosen = experiment_of(state);
    for (const Preset<Pictures>& preset : presets<Pictures>()) experiment_row(frame, preset.id, &preset == chosen);
    experiment_row(frame, "nets", state.study);
    way_back_to_own(frame);
    if (state.study) return study_choices(ui, state);
    if (chosen == nullptr) return paragraph(ui, ui.text("learn.experiment_choose"));
    if (recorded_runs(chosen->id) != nullptr && !state.recorded &&
        button(ui,
               {"learn.recorded_runs", ui.text("learn.recorded_play"), ui.text("learn.recorded_tip"),
                frame.key_of("learn.recorded_runs")},
               {offers_recording_first(frame) ? Emphasis::primary : Emphasis::plain, Icon::play, -1}))
        frame.commands().add("learn.recorded_runs");
    setup_and_time(frame, *chosen, frame.runs.runs, 0);
}

std::string_view experiment_in_view(const Frame& frame) {
    const LearningState& state = frame.learning;
    if (state.texts) {
        const Preset<Texts>* const chosen = state.text.own ? nullptr : experiment_of(state.text);
        return chosen == nullptr ? std::string_view() : chosen->id;
    }
    const Preset<Pictures>* const chosen = state.own ? nullptr : experiment_of(state);
    return chosen == nullptr ? std::string_view() : chosen->id;
}

void text_experiment_choices(const Frame& frame) {
    const Ui& ui = frame.ui;
    const TextLearningState& state = frame.learning.text;
    const Preset<Texts>* const chosen = experiment_of(state);
    for (const Preset<Texts>& preset : presets<Texts>())
        if (preset.a.task == state.task()) experiment_row(frame, preset.id, &preset == chosen);
    way_back_to_own(frame);
    if (chosen == nullptr) return paragraph(ui, ui.text("learn.text.experiment_choose"));
    setup_and_time(frame, *chosen, frame.runs.texts, static_cast<double>(state.pace));
}

}  // namespace vitrine
