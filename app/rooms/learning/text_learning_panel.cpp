#include "app/rooms/learning/text_learning_panel.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/rooms/learning/experiments_panel.h"
#include "app/rooms/learning/learning_view.h"
#include "app/rooms/learning/rate_slider.h"
#include "app/rooms/learning/run_controls.h"
#include "app/rooms/learning/text_learning_view.h"
#include "app/rooms/learning_runs.h"
#include "app/rooms/panels/choices.h"
#include "app/rooms/state.h"
#include "app/ui/glyphs.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/settings.h"
#include "core/text/text_samples.h"
#include "core/text/typed_words.h"
#include "core/transformer/trained_positions.h"

namespace vitrine {

namespace {

constexpr Named<Norm> norms[] = {{Norm::before, "before"}, {Norm::after, "after"}, {Norm::none, "none"}};
constexpr Named<int> head_counts[] = {{1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}};
constexpr Named<int> block_counts[] = {{1, "1"}, {2, "2"}, {3, "3"}};
constexpr Named<int> lengths[] = {{12'800, "short"}, {19'200, "usual"}, {25'600, "longer"}, {76'800, "long"}};

/// A choice of numbers; returns true if it changed. `words(number)` labels a number.
template <class T, std::size_t n, class Words>
bool number_choice(const Ui& ui, const std::string& id, const Named<T> (&options)[n], T& value, const Words& words) {
    control_label(ui, ui.text(id));
    std::vector<Control> controls;
    int chosen = -1;
    for (const auto& option : options) {
        if (option.value == value) chosen = static_cast<int>(controls.size());
        controls.push_back({id + "." + option.name, words(option.value), ui.text(id + "_tip"), {}});
    }
    if (!segmented(ui, controls, chosen)) return false;
    value = options[chosen].value;
    return true;
}

// ---- choice of runs

/// "12.8 k": short, since four such labels share a row.
std::string thousands(int count) { return fixed_text(count / 1000.0, 1) + " k"; }

/// Controls of a run's settings, for its task.
void run_choices(const Ui& ui, TextChoice& c) {
    const Text& text = ui.text;
    choice(ui, "learn.norm", norms, c.norm);
    choice(ui, "learn.text.positions", trained_positions, c.positions);
    toggle(ui, {"learn.text.scaled", text("learn.text.scaled"), text("learn.text.scaled_tip"), {}}, c.scaled);
    if (c.task == TextTask::translate)
        toggle(ui, {"learn.text.mask", text("learn.text.mask"), text("learn.text.mask_tip"), {}}, c.causal);
    if (c.task == TextTask::translate && c.to == TextLanguage::japanese)
        toggle(ui, {"learn.text.names_it", text("learn.text.names_it"), text("learn.text.names_it_tip"), {}},
               c.names_it);
    number_choice(ui, "learn.text.blocks", block_counts, c.blocks, [](int l) { return std::to_string(l); });
    number_choice(ui, "learn.text.heads", head_counts, c.heads, [](int h) { return std::to_string(h); });
    Optimiser optimiser = c.optimiser;
    if (choice(ui, "learn.optimiser", optimiser_names, optimiser)) choose_optimiser(c, optimiser);
    rate_slider(ui, c.learning_rate);
    number_choice(ui, "learn.text.sentences", lengths, c.sentences, thousands);
}

/// Choice of the direction of translation; a change starts new runs.
void direction_choice(const Ui& ui, TextLearningState& state) {
    int chosen = state.to() == TextLanguage::japanese ? 0 : 1;
    const std::vector<Control> ways = {{"learn.text.to.ja", "EN → JA", ui.text("learn.text.to.ja_tip"), {}},
                                       {"learn.text.to.en", "JA → EN", ui.text("learn.text.to.en_tip"), {}}};
    if (segmented(ui, ways, chosen))
        state.choose_direction(chosen == 0 ? TextLanguage::japanese : TextLanguage::english);
}

// ---- choice of text

void pace_choice(const Frame& frame, TextLearningState& state) {
    const Ui& ui = frame.ui;
    float& pace = state.pace;
    const std::string tip = ui.text("learn.text.pace_tip", {{"amount", batch_text(ui.text, state.recipes())}});
    control_label(ui, ui.text("learn.text.pace"));
    std::vector<Control> paces;
    int chosen = -1;
    for (const float p : text_paces) {
        const std::string name = p > 0 ? std::to_string(std::lround(p)) : "all";
        if (p == pace) chosen = static_cast<int>(paces.size());
        paces.push_back({"learn.text.pace." + name, p > 0 ? name : ui.text("learn.text.pace.all"), tip,
                         frame.key_of("learn.faster")});
    }
    if (segmented(ui, paces, chosen)) pace = text_paces[static_cast<std::size_t>(chosen)];
}

/// The typed words that the model does not know.
std::string unknown_words(const TextLearningState& state, const TextModel& model) {
    const Vocabulary& known = model.config.has_encoder() ? model.source : model.target;
    std::string unknown;
    for (const std::string& word : split_words(state.typed, source_language(state.task(), state.to()), known))
        if (!known.knows(word)) unknown += (unknown.empty() ? "" : ", ") + word;
    return unknown;
}

void own_text(const Ui& ui, TextLearningState& state, const TextModel& model) {
    std::array<char, most_typed + 1> typed = {};
    std::copy_n(state.typed.data(), std::min(state.typed.size(), most_typed), typed.data());
    ImGui::SetNextItemWidth(-1);
    const std::string& hint =
        ui.text("learn.text.hint." + std::string(name_of(source_language(state.task(), state.to()))));
    if (ImGui::InputTextWithHint("##learn.text.typed", hint.c_str(), typed.data(), typed.size()))
        state.type(typed.data());
    ui.probe.mark_item("learn.text.typed", 0, state.typed);
    tooltip(ui, ui.text("learn.text.typed_tip"));
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, "learn.text.typed");
    if (ui.glyphs != nullptr) ui.glyphs->see(state.typed);
    const std::string unknown = unknown_words(state, model);
    if (unknown.empty()) return;
    const std::string words = ui.text("learn.text.unknown", {{"words", unknown}});
    paragraph(ui, words);
    ui.probe.mark_item("learn.text.unknown", 0, words);
}

/// A text shortened at its beginning to a width, px, since its end distinguishes it from the other texts; it begins
/// with a whole word if the text has blanks.
std::string end_of(const Theme& theme, std::string words, float width) {
    const auto fits = [&](const std::string& shown) { return measure_text(theme, shown, Font::strong).x <= width; };
    if (fits(words)) return words;
    const auto inside_a_letter = [&](std::size_t at) {
        return at < words.size() && (static_cast<unsigned char>(words[at]) & 0xC0U) == 0x80U;
    };
    std::size_t first = 0;
    while (first < words.size() && !fits("… " + words.substr(first)))
        for (++first; inside_a_letter(first);) ++first;
    const std::size_t blank = first == words.size() ? std::string::npos : words.find(' ', first - 1);
    return "… " + words.substr(blank == std::string::npos ? first : blank + 1);
}

void sample_choice(const Ui& ui, TextLearningState& state) {
    const std::vector<TextSample> samples = text_samples(state.task(), state.to());
    const float room = ImGui::GetContentRegionAvail().x - ui.theme.px(40);
    const auto row = [&](const std::string& id, const std::string& words, int place) {
        const bool chosen = state.sample == place;
        if (button(ui, {id, end_of(ui.theme, words, room), words, {}},
                   {chosen ? Emphasis::primary : Emphasis::quiet, {}, -1, true}))
            state.sample = place;
    };
    for (std::size_t i = 0; i < samples.size(); ++i)
        row("learn.text.sample." + samples[i].name, samples[i].source, static_cast<int>(i));
    if (!state.typed.empty()) row("learn.text.sample.own", state.typed, static_cast<int>(samples.size()));
}

std::string state_words(const Ui& ui, const RunView<Texts>& run) {
    const std::string speed = count_text(std::lround(run.examples_per_second));
    return ui.text("learn.text.state", {{"stage", words_of_stage(ui, run.stage)},
                                        {"loss", number_text(run.now->loss)},
                                        {"speed", amount_text(ui.text, run.recipe, speed)}});
}

}  // namespace

void subject_choice(const Frame& frame) {
    const Ui& ui = frame.ui;
    if (ui.bare) return;
    LearningState& state = frame.learning;
    std::vector<Control> subjects = {
        {"learn.subject.pictures", ui.text("learn.subject.pictures"), ui.text("learn.subject.pictures_tip"), {}}};
    for (const auto& task : text_task_names) {
        const std::string id = std::string("learn.subject.") + task.name;
        subjects.push_back({id, ui.text(id), ui.text(id + "_tip"), {}});
    }
    int chosen = state.texts ? 1 + static_cast<int>(state.text.task()) : 0;
    float width = 0;
    for (const Control& c : subjects)
        width += std::ceil(measure_text(ui.theme, c.words, Font::strong).x) + 2 * ui.theme.px(14);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float left = at.x + ImGui::GetContentRegionAvail().x - width;
    Rect& free = frame.panel.drafts.heading_free;
    if (frame.state().lecture.on && left < free.x0) return;  // with notes beside the stage, only the title fits
    ImGui::SetCursorScreenPos({left, at.y});
    free.x1 = left - ui.theme.px(12);
    if (segmented(ui, subjects, chosen))
        state.choose_subject(chosen == 0 ? std::nullopt : std::optional(text_task_names[chosen - 1].value));
    ImGui::SetCursorScreenPos(at);
}

void text_choices(const Frame& frame) {
    const Ui& ui = frame.ui;
    TextLearningState& state = frame.learning.text;
    if (own_tab(frame, state.own)) state.own = frame.panel.settings.own_runs;
    if (!state.own) return text_experiment_choices(frame);
    if (state.task() == TextTask::translate) direction_choice(ui, state);
    two_choice(ui, state, "learn.text.two_tip");
    TextChoice& c = state.choices[static_cast<std::size_t>(state.edited)];
    run_choices(ui, c);
    state.choices[1 - static_cast<std::size_t>(state.edited)].sentences = c.sentences;  // both runs end together
}

void text_notes(const Frame& frame) {
    const Ui& ui = frame.ui;
    TextLearningState& state = frame.learning.text;
    const RunViews<Texts>& runs = frame.runs.texts;
    const std::string experiment(experiment_in_view(frame));
    const std::string general = ui.text(std::string("learn.text.words.") + name_of(state.task()));
    if (!experiment.empty())
        watch_words(frame, ui.text("learn.experiment." + experiment + "_tip"), "learn.experiment.words");
    else if (shows_models(runs))
        watch_words(frame, general, "learn.text.words");
    pace_choice(frame, state);
    if (!shows_models(runs)) return;
    control_label(ui, ui.text("learn.text.look"));
    own_text(ui, state, *runs.front().now->model);
    sample_choice(ui, state);
    for (int i = 0; const RunView<Texts>& run : runs) {
        run_state(ui, i, run.stage, state_words(ui, run));
        if (run.stage != RunStage::diverged) save_button(frame, i, "learn.text.save_tip");
        ++i;
    }
    saved_words(frame);
    if (!experiment.empty()) reading_words(frame, general, "learn.text.words");
}

}  // namespace vitrine
