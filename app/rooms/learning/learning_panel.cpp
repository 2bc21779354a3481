#include "app/rooms/learning/learning_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/recorded_runs.h"
#include "app/rooms/learning/curve_plot.h"
#include "app/rooms/learning/experiments_panel.h"
#include "app/rooms/learning/gradient_ridges.h"
#include "app/rooms/learning/learning_view.h"
#include "app/rooms/learning/rate_slider.h"
#include "app/rooms/learning/run_controls.h"
#include "app/rooms/learning/study_view.h"
#include "app/rooms/learning/text_learning_panel.h"
#include "app/rooms/learning_runs.h"
#include "app/rooms/panels/choices.h"
#include "app/rooms/state.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/command.h"
#include "app/workspace/text_learning_run.h"
#include "core/training/presets.h"

namespace vitrine {

namespace {

void batch_slider(const Ui& ui, int& batch) {
    float power = std::round(std::log2(static_cast<float>(batch)));
    const auto words = [](float p) { return count_text(1LL << std::lround(p)); };
    if (slider(ui, {"learn.batch", ui.text("learn.batch"), ui.text("learn.batch_tip"), {}}, {3, 7, 1, words}, power))
        batch = 1 << std::lround(power);
}

/// The slider's numbers of distinct training pictures; 0: endless.
constexpr std::array<int, 6> distinct_counts = {64, 256, 1000, 4000, 10'000, 0};

void distinct_slider(const Ui& ui, int& distinct) {
    const auto words = [&](float p) {
        const int count = distinct_counts[static_cast<std::size_t>(std::lround(p))];
        return count == 0 ? ui.text("learn.endless") : count_text(count);
    };
    const auto at = std::find_if(distinct_counts.begin(), distinct_counts.end(),
                                 [&](int count) { return count == 0 || (distinct > 0 && count >= distinct); });
    float place = static_cast<float>(at - distinct_counts.begin());
    if (slider(ui, {"learn.distinct", ui.text("learn.distinct"), ui.text("learn.distinct_tip"), {}},
               {0, static_cast<float>(distinct_counts.size() - 1), 1, words}, place))
        distinct = distinct_counts[static_cast<std::size_t>(std::lround(place))];
}

/// Length of training: minutes, or a number of pictures.
void length_choice(const Ui& ui, LearningChoice& c) {
    constexpr std::array minutes = {1.0F, 3.0F, 10.0F};
    constexpr std::array names = {"one", "three", "ten"};
    control_label(ui, ui.text("learn.minutes"));
    std::vector<Control> lengths;
    int chosen = c.pictures > 0 ? static_cast<int>(minutes.size()) : -1;
    for (std::size_t i = 0; i < minutes.size(); ++i) {
        const std::string id = std::string("learn.minutes.") + names[i];
        lengths.push_back({id, ui.text(id), ui.text("learn.minutes_tip"), {}});
        if (chosen < 0 && c.minutes == minutes[i]) chosen = static_cast<int>(i);
    }
    const int counted = c.pictures > 0 ? c.pictures : counted_pictures;
    lengths.push_back({"learn.minutes.pictures", count_text(counted), ui.text("learn.minutes_tip"), {}});
    if (!segmented(ui, lengths, chosen)) return;
    const bool by_pictures = chosen == static_cast<int>(minutes.size());
    c.pictures = by_pictures ? counted : 0;
    if (!by_pictures) c.minutes = minutes[static_cast<std::size_t>(chosen)];
}

/// Choice of the model's size, without a heading, so that all controls fit in a small window.
void size_choice(const Ui& ui, LearningSize& size) {
    std::vector<Control> sizes;
    int chosen = 0;
    for (const auto& entry : size_names) {
        const std::string id = std::string("learn.size.") + entry.name;
        if (entry.value == size) chosen = static_cast<int>(sizes.size());
        sizes.push_back({id, ui.text(id), ui.text("learn.size_tip"), {}});
    }
    if (segmented(ui, sizes, chosen)) size = size_names[chosen].value;
}

void patch_choice(const Ui& ui, int& patch) {
    const std::vector<Control> sizes = {{"learn.patch.4", "P = 4", ui.text("learn.patch_tip"), {}},
                                        {"learn.patch.8", "P = 8", ui.text("learn.patch_tip"), {}}};
    int chosen = patch == 8 ? 1 : 0;
    if (segmented(ui, sizes, chosen)) patch = chosen == 1 ? 8 : 4;
}

constexpr double patience = 300, seen_enough = 20'000;  // seconds; pictures below which an experiment shows little

/// A note that the machine is or was too slow or too busy for the planned length; empty if it is not.
std::string slow_words(const Ui& ui, const RunView<Pictures>& run) {
    if (run.stage == RunStage::done && !run.recipe.promised_examples && run.now->report.seen < seen_enough)
        return ui.text("learn.too_few", {{"pictures", count_text(static_cast<std::int64_t>(run.now->report.seen))}});
    if (run.stage != RunStage::running || run.examples_per_second <= 0) return {};
    const double left = seconds_left<Pictures>({run}).value_or(0);
    const std::string speed = count_text(std::lround(run.examples_per_second));
    if (run.recipe.promised_examples) {
        if (left <= patience) return {};
        return ui.text("learn.slow", {{"speed", speed}, {"left", rough_duration(ui.text, left)}});
    }
    const double seen = static_cast<double>(run.now->report.seen) + run.examples_per_second * left;
    if (seen >= seen_enough) return {};
    return ui.text("learn.slow_timed", {{"speed", speed}, {"pictures", count_text(std::lround(seen))}});
}

/// A run's state, and the buttons to open it, to open it beside the current run, and to save it.
void run_actions(const Frame& frame, const RunView<Pictures>& run, int number) {
    const Ui& ui = frame.ui;
    std::string words = words_of_stage(ui, run.stage);
    if (run.stage != RunStage::ready && run.examples_per_second > 0)
        words = ui.text("learn.pace", {{"stage", words}, {"speed", count_text(std::lround(run.examples_per_second))}});
    run_state(ui, number, run.stage, words);
    if (run.stage == RunStage::diverged) return;
    if (button(ui, {"learn.open." + std::to_string(number), ui.text("learn.open"), ui.text("learn.open_tip"), {}},
               {Emphasis::plain, {}, -1}))
        frame.commands().add(command::OpenLearned{number});
    if (frame.shown().result &&
        button(ui, {"learn.beside." + std::to_string(number), ui.text("beside.open"), ui.text("learn.beside_tip"), {}},
               {Emphasis::plain, {}, -1})) {
        frame.commands().add("beside.open");
        frame.commands().add(command::OpenLearned{number});
    }
    save_button(frame, number, "learn.save_tip");
}

/// A single note for all runs if the machine is slow; it names the experiment's recording if there is one.
void slow_note(const Frame& frame, const RunViews<Pictures>& runs) {
    const Ui& ui = frame.ui;
    for (const RunView<Pictures>& run : runs) {
        std::string words = slow_words(ui, run);
        if (words.empty()) continue;
        const Preset<Pictures>* const experiment = experiment_of(frame.learning);
        if (experiment != nullptr && recorded_runs(experiment->id) != nullptr)
            words += " " + ui.text("learn.slow_recorded");
        paragraph(ui, words);
        ui.probe.mark_item("learn.slow", run.examples_per_second, words);
        return;
    }
}

/// The ridges at the moment in view, in words: for each run, the first block's gradient norm as a multiple of the last
/// one's, and the share of gradients in the leftmost bar if it is 1 % or more; empty before the first step.
std::string ridges_now(const Ui& ui, const RunViews<Pictures>& runs, const LearningState& state) {
    std::string all, blocks, at_edge;
    double most_at_edge = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto moment = runs[i].at(state.scrub);
        if (!moment || moment->blocks.empty() || runs[i].stage == RunStage::diverged) return {};
        const double first = moment->blocks.front().gradient_norm, last = moment->blocks.back().gradient_norm;
        if (first <= 0 || last <= 0) return {};
        const std::string name = (i == 0 ? "" : " · ") + (runs.size() > 1 ? run_letter(i) + " " : "");
        all += name + number_text(first / last);
        double edge = 0;
        for (const BlockFlow& flow : moment->blocks)
            edge += static_cast<double>(flow.gradients[0]) / static_cast<double>(moment->blocks.size());
        at_edge += name + percent_text(edge);
        most_at_edge = std::max(most_at_edge, edge);
        const std::string count = ui.ordinal(static_cast<int>(moment->blocks.size()) - 1);
        if (const std::string listed = ", " + blocks + ","; listed.find(" " + count + ",") == std::string::npos)
            blocks += (blocks.empty() ? "" : ", ") + count;
    }
    constexpr double seen = 0.01;
    constexpr double bar = (BlockFlow::highest - BlockFlow::lowest) / BlockFlow::bins;
    const std::string words =
        ui.text("learn.ridges_now", {{"first", ui.ordinal(0)}, {"last", blocks}, {"ratios", all}});
    if (most_at_edge < seen) return words;
    return words + " " +
           ui.text("learn.ridges_edge",
                   {{"edge", number_text(std::pow(10, BlockFlow::lowest + bar))}, {"shares", at_edge}});
}

/// The range of the ridges' ratios over a recording or a live run's kept moments, in words: one moment says little.
std::string ridges_over_run(const LearningScene& scene) {
    std::string all;
    for (std::size_t i = 0; i < scene.runs.size(); ++i) {
        const std::string range = range_of_ridges(scene, i);
        if (range.empty()) return {};
        all += (i == 0 ? "" : " · ") + (scene.runs.size() > 1 ? run_letter(i) + " " : "") + range;
    }
    return scene.ui.text(scene.recorded ? "learn.ridges_recorded" : "learn.ridges_so_far", {{"ranges", all}});
}

/// Choice of the block and head whose attention is drawn.
void attention_choice(const Ui& ui, LearningState& state, const Config& c) {
    const auto words = [&](float p) {
        const int block = static_cast<int>(std::lround(p));
        return block == c.blocks ? ui.text("learn.last_block", {{"block", ui.ordinal(block - 1)}})
                                 : ui.ordinal(block - 1);
    };
    float block = static_cast<float>(state.block == 0 ? c.blocks : std::min(state.block, c.blocks));
    if (slider(ui, {"learn.block", ui.text("learn.block"), ui.text("learn.block_tip"), {}},
               {1, static_cast<float>(c.blocks), 1, words}, block)) {
        state.block = static_cast<int>(std::lround(block));
        if (state.block == c.blocks) state.block = 0;
    }
    control_label(ui, ui.text("learn.head"));
    std::vector<Control> heads = {{"learn.head.mean", ui.text("learn.head.mean"), ui.text("learn.head_tip"), {}}};
    for (int i = 0; i < c.heads; ++i)
        heads.push_back({"learn.head." + std::to_string(i), ui.ordinal(i), ui.text("learn.head_tip"), {}});
    int chosen = state.head ? std::min(*state.head, c.heads - 1) + 1 : 0;
    if (segmented(ui, heads, chosen)) state.head = chosen == 0 ? std::nullopt : std::optional(chosen - 1);
}

/// Position on the track: played time of a recording, or a kept moment.
float scrub_place(const LearningState& state) { return state.recorded ? state.played : state.scrub.value_or(1); }

/// The track of kept moments, with the newest at its right end, or of a recording.
void scrub_track(const Ui& ui, Rect track, LearningState& state, bool enabled) {
    const Theme& theme = ui.theme;
    ImGui::SetCursorScreenPos({track.x0, track.y0});
    ImGui::BeginDisabled(!enabled);
    ImGui::InvisibleButton("learn.scrub", {track.width(), track.height()});
    ImGui::EndDisabled();
    ui.probe.mark_item("learn.scrub", static_cast<double>(scrub_place(state)));
    tooltip(ui, ui.text("learn.scrub_tip"));
    const auto set = [&](float place) {
        if (state.recorded) {
            state.played = std::clamp(place, 0.0F, 1.0F);
            state.playing = false;
            return;
        }
        state.scrub = place >= 1 ? std::nullopt : std::optional(std::max(place, 0.0F));
    };
    if (enabled && ImGui::IsItemActive()) set((ImGui::GetMousePos().x - track.x0) / track.width());
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    if (ui.keyboard != nullptr) {
        ui.keyboard->announce("learn.scrub", track, enabled);
        focus_ring(ui, canvas, track, theme.px(4));
        if (const int by = ui.keyboard->right_on_last(); by != 0)
            set(scrub_place(state) + 0.02F * static_cast<float>(by));
    }
    const float y = track.centre().y, x = track.x0 + scrub_place(state) * track.width();
    canvas.fill({track.x0, y - theme.px(2), track.x1, y + theme.px(2)}, theme.palette.line, theme.px(2));
    canvas.fill({track.x0, y - theme.px(2), x, y + theme.px(2)}, theme.palette.accent, theme.px(2));
    canvas.circle({x, y}, theme.px(7), enabled ? theme.palette.accent : theme.palette.line);
}

}  // namespace

void learning_choices(const Frame& frame) {
    const Ui& ui = frame.ui;
    LearningState& state = frame.learning;
    const Text& text = ui.text;
    if (state.texts) return text_choices(frame);
    if (own_tab(frame, state.own && !state.study)) {
        state.own = frame.panel.settings.own_runs;
        state.study = false;
    }
    if (!state.own || state.study) return experiment_choices(frame);
    two_choice(ui, state, "learn.two_tip");
    if (state.two) ImGui::SameLine();
    LearningChoice& c = state.choices[static_cast<std::size_t>(state.edited)];
    patch_choice(ui, c.patch);  // beside A and B, if there are two runs
    size_choice(ui, c.size);
    choice<Norm>(ui, "learn.norm", {{Norm::before, "before"}, {Norm::after, "after"}, {Norm::none, "none"}}, c.norm);
    toggle(ui, {"learn.skips", text("learn.skips"), text("learn.skips_tip"), {}}, c.skips);
    toggle(ui, {"learn.position", text("learn.position"), text("learn.position_tip"), {}}, c.positions);
    choice<Activation>(ui, "learn.activation",
                       {{Activation::gelu, "gelu"}, {Activation::relu, "relu"}, {Activation::elu, "elu"}},
                       c.activation);
    Optimiser optimiser = c.optimiser;
    if (choice(ui, "learn.optimiser", optimiser_names, optimiser)) choose_optimiser(c, optimiser);
    rate_slider(ui, c.learning_rate);
    batch_slider(ui, c.batch);
    float p = c.dropout;
    if (slider(ui, {"learn.dropout", text("learn.dropout"), text("learn.dropout_tip"), {}}, {0, 0.5F, 0.05F, {}}, p))
        c.dropout = std::round(p * 20) / 20;
    distinct_slider(ui, c.distinct);
    length_choice(ui, c);
    LearningChoice& other = state.choices[1 - static_cast<std::size_t>(state.edited)];
    other.minutes = c.minutes;  // both runs end together
    other.pictures = c.pictures;
    way_back_to_own(frame);
}

namespace {

/// Explanation of a recording and of the number of pictures on which it was measured.
void recorded_notes(const Ui& ui, const RecordedPair& pair) {
    heading(ui, ui.text("learn.recorded_heading"));
    paragraph(ui, ui.text("learn.recorded_words"));
    constexpr std::uint64_t most = RunRecord::thorough;
    const std::uint64_t own = std::min(most, pair[0].recipe.distinct_pictures.value_or(most));
    const std::string measured =
        ui.text(pair[0].curve.parts() ? "learn.recorded_measured_parts" : "learn.recorded_measured",
                {{"count", count_text(RunRecord::thorough)},
                 {"own", count_text(static_cast<std::int64_t>(own))},
                 {"check", count_text(RunRecord::at_a_check)}});
    paragraph(ui, measured);
    ui.probe.mark_item("learn.recorded_measured", 0, measured);
}

}  // namespace

void learning_notes(const Frame& frame, const LearningScene& scene) {
    const Ui& ui = scene.ui;
    LearningState& state = frame.learning;
    if (state.texts) return text_notes(frame);
    if (state.study) return study_notes(ui);
    const std::string experiment(experiment_in_view(frame)), general = ui.text("learn.words");
    // Before the controls, since the words are read first.
    if (!experiment.empty())
        watch_words(frame, ui.text("learn.experiment." + experiment + "_tip"), "learn.experiment.words");
    if (!scene.recorded && !shows_models(scene.runs)) return;
    if (experiment.empty()) watch_words(frame, general, "learn.words");
    attention_choice(ui, state, scene.runs[0].recipe.model);
    const bool alike = std::ranges::all_of(scene.runs, [&](const RunView<Pictures>& run) {
        return run.recipe.model.patches() == scene.runs[0].recipe.model.patches();
    });
    for (std::size_t i = 0; i < (alike ? 1 : scene.runs.size()); ++i) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        const Rect room{at.x, at.y + ui.theme.px(8), at.x + ImGui::GetContentRegionAvail().x, at.y + ui.theme.px(80)};
        const ColourScale scale = learning_scale(scene.runs[i]);
        const std::string name = ui.text("learn.attention") + (alike ? "" : " · " + run_letter(i));
        const float bar = colour_bar(canvas, ui, room, {scale, name, ui.text("learn.scope")});
        ui.probe.mark("learn.scale" + (alike ? std::string() : "." + std::to_string(i)), room,
                      static_cast<double>(scale.high));
        ImGui::Dummy({1, bar + ui.theme.px(14)});
    }
    if (scene.recorded) {
        recorded_notes(ui, *scene.recorded);
    } else {
        for (std::size_t i = 0; i < scene.runs.size(); ++i) run_actions(frame, scene.runs[i], static_cast<int>(i));
        saved_words(frame);
        slow_note(frame, scene.runs);
    }
    if (!experiment.empty()) reading_words(frame, general, "learn.words");
    if (std::string words = ridges_now(ui, scene.runs, state); !words.empty()) {  // last: appears once training starts
        if (const std::string over = ridges_over_run(scene); !over.empty()) words += " " + over;
        paragraph(ui, words);
        ui.probe.mark_item("learn.ridges_now", 0, words);
    }
}

namespace {

/// State of either family's runs for the transport controls.
struct RunsState {
    bool over = false, can_go_on = false, counted = false;
    bool begun = false;    // including paused
    std::size_t kept = 0;  // number of moments for scrubbing
    double progress = 0;
    std::optional<double> left;  // seconds, once they have begun
};

template <class Family>
RunsState state_of(const RunViews<Family>& runs) {
    return {.over = are_over(runs),
            .can_go_on = can_go_on(runs),
            .counted = !runs.empty() && runs[0].recipe.promised_examples,
            .begun = std::ranges::any_of(runs, [](const auto& run) { return run.stage == RunStage::paused; }),
            .kept = shows_models(runs) ? runs[0].kept.size() : 0,
            .progress = runs.empty() ? 0 : runs[0].progress,
            .left = any_has_begun(runs) ? seconds_left(runs) : std::nullopt};
}

/// Action of the first button, with its tooltip.
struct StartWords {
    const char *words, *tip;
};
StartWords start_words(const LearningState& state, bool running, const RunsState& now) {
    if (state.recorded) return {running ? "learn.pause" : "learn.play", "learn.play_tip"};
    if (running) return {"learn.pause", "learn.start_tip"};
    if (now.over) return {"learn.go_on", "learn.go_on_tip"};
    return {now.begun ? "learn.continue" : "learn.start", "learn.start_tip"};
}

/// Tooltip of a step: a batch, in the unit in which training is counted.
std::string step_tip(const Frame& frame) {
    const LearningState& state = frame.learning;
    const Text& text = frame.ui.text;
    const std::string amount = state.texts ? batch_text(text, state.text.recipes()) : batch_text(text, state.recipes());
    return text("learn.step_tip", {{"amount", amount}});
}

}  // namespace

void learning_transport(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    LearningState& state = frame.learning;
    const RunsState now = state.texts ? state_of(frame.runs.texts) : state_of(frame.runs.runs);
    const bool running = state.recorded ? state.playing : frame.runs.running;
    const bool over = !state.recorded && now.over, can_start = !over || now.can_go_on;
    const StartWords words = start_words(state, running, now);
    const Control start{"learn.start", ui.text(words.words), ui.text(words.tip), frame.key_of("learn.start"),
                        can_start};
    if (button(ui, start,
               {running || offers_recording_first(frame) ? Emphasis::plain : Emphasis::primary,
                running ? Icon::pause : Icon::play, theme.px(176)}))
        frame.commands().add("learn.start");
    ImGui::SameLine();
    if (button(ui, {"learn.step", ui.text("learn.step"), step_tip(frame), frame.key_of("learn.step"),
                    !over && !running && !state.recorded}))
        frame.commands().add("learn.step");
    ImGui::SameLine();
    if (button(ui, {"learn.reset", ui.text("learn.reset"), ui.text("learn.reset_tip"), frame.key_of("learn.reset")},
               {Emphasis::plain, Icon::undo}))
        frame.commands().add("learn.reset");
    ImGui::SameLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const bool goes_back = state.scrub || state.recorded;
    const float words_width = canvas.measure(ui.text("learn.back_to_live"), Font::body).x;
    const float right = at.x + ImGui::GetContentRegionAvail().x,
                live = std::max(theme.px(110), words_width + theme.px(36));
    const bool kept = state.recorded || now.kept > 1;
    scrub_track(ui, {at.x + theme.px(14), at.y, right - live - theme.px(12), at.y + theme.px(34)}, state, kept);
    ImGui::SetCursorScreenPos({right - live, at.y});
    if (button(ui,
               {"learn.live", ui.text("learn.back_to_live"), ui.text("learn.live_tip"), frame.key_of("learn.live"),
                goes_back},
               {Emphasis::plain, {}, live}))
        frame.commands().add("learn.live");
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const float progress = state.recorded ? state.played : static_cast<float>(now.progress), y = low.y + theme.px(12);
    canvas.fill({low.x, y, right, y + theme.px(6)}, theme.palette.line, theme.px(3));
    canvas.fill({low.x, y, low.x + (right - low.x) * progress, y + theme.px(6)}, theme.palette.accent, theme.px(3));
    std::string share = ui.text("learn.progress", {{"share", percent_text(static_cast<double>(progress))}});
    if (now.left && !state.recorded)
        share += " · " + ui.text("learn.left", {{"left", rough_duration(ui.text, *now.left)}});
    canvas.text({low.x, y + theme.px(12)}, share, {Font::caption, theme.palette.muted, Align::left});
    ui.probe.mark("learn.progress", {low.x, y, right, y + theme.px(6)}, static_cast<double>(progress), share);
    // Experiments have a fixed number of pictures. While their list is shown, the note on custom runs with a fixed time
    // appears only once they have begun.
    const bool timed = !state.texts && !state.recorded && !now.counted;
    if (timed && !state.own && !any_has_begun(frame.runs.runs)) return;
    const std::string promise = ui.text(state.recorded ? "learn.recorded_promise"
                                        : state.texts  ? "learn.text.counted"
                                        : now.counted  ? "learn.counted"
                                                       : "learn.not_reproducible");
    const float taken = canvas.measure(share, Font::caption).x + theme.px(20);
    canvas.text({right, y + theme.px(12)},
                fitted(canvas, promise, Font::caption, std::min((right - low.x) * 0.7F, right - low.x - taken)),
                {Font::caption, theme.palette.muted, Align::right});
    ui.probe.mark("learn.promise", {right - canvas.measure(promise, Font::caption).x, y, right, y + theme.px(26)}, 0,
                  promise);
}

}  // namespace vitrine
