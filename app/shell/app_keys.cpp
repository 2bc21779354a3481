#include <imgui.h>

#include <algorithm>

#include "app/platform/imgui_compat.h"
#include "app/shell/app.h"
#include "core/experiment.h"

// What the keys do, from the whole window down to what is pointed at.

namespace vitrine {

void App::keyboard() {
    Chrome& chrome = state_.chrome;
    Settings& settings = chrome.settings;
    if (key_pressed(Key::f1)) chrome.dialog = chrome.dialog == Dialog::help ? Dialog::none : Dialog::help;
    if (key_pressed(Key::f11)) full_screen_ = true;
    if (key_pressed(Key::f2)) chrome.mode = Mode::explore;
    if (key_pressed(Key::f3)) chrome.mode = Mode::laboratory;
    if (key_pressed(Key::f4)) chrome.mode = Mode::learn;
    if (ctrl_down()) {
        if (key_pressed(Key::q)) quit_ = true;
        if (key_pressed(Key::k)) chrome.dialog = Dialog::find;
        if (key_pressed(Key::e)) open_export_dialog();
        if (key_pressed(Key::s)) chrome.take_away.asked = TakeAway::Asked::session;
        if (key_pressed(Key::c) && !ImGui::GetIO().WantTextInput) chrome.take_away.asked = TakeAway::Asked::text;
        if (key_pressed(Key::z)) (shift_down() ? chrome.redo : chrome.undo) = true;
        if (key_pressed(Key::y)) chrome.redo = true;
        if (key_pressed(Key::plus)) settings.scale = std::min(2.0F, settings.scale + 0.1F);
        if (key_pressed(Key::minus)) settings.scale = std::max(0.7F, settings.scale - 0.1F);
        if (key_pressed(Key::digit_0)) settings.scale = 1.0F;
        return;
    }
    if (focus_keys()) return;
    const bool typing = ImGui::GetIO().WantTextInput || chrome.dialog != Dialog::none;
    if (!typing && (key_pressed(Key::f5) || (key_pressed(Key::l) && !shift_down()))) return toggle_lecture();
    if (!typing && key_pressed(Key::l)) chrome.dialog = Dialog::lessons;
    // In a lecture the presenter's arrows walk through what the mode has.
    const bool instruments = chrome.mode == Mode::laboratory && (key_pressed(Key::left) || key_pressed(Key::right));
    if (chrome.lecture.on && !typing && error_.empty() && !instruments && lecture_keys()) return;
    if (key_pressed(Key::escape)) {
        if (!error_.empty())
            error_.clear();
        else if (chrome.dialog != Dialog::none)
            chrome.dialog = Dialog::none;
        else
            state_.selection.back();
        return;
    }
    if (chrome.dialog != Dialog::none || ImGui::GetIO().WantTextInput) return;
    if (chrome.mode == Mode::learn) return learning_keys();
    if (shown_.result) keys_of_the_view();
}

/// Tab and its relatives; and while the focus can be seen, the keys that act on it. True where the key was one.
bool App::focus_keys() {
    const int way = shift_down() ? -1 : 1;
    if (key_pressed(Key::tab, true)) return focus_.move(way), true;
    if (key_pressed(Key::f6)) return focus_.move_zone(way), true;
    if (!focus_.visible()) return false;
    const bool typing = ImGui::GetIO().WantTextInput;
    if (key_pressed(Key::enter) || (!typing && key_pressed(Key::space))) return focus_.press(), true;
    if (typing) return false;
    if (key_pressed(Key::escape) && state_.chrome.dialog == Dialog::none && error_.empty()) return focus_.hide(), true;
    if (key_pressed(Key::x) && focus_.takes_context()) return focus_.ask_context(), true;
    const auto way_of = [](Key back, Key on) {
        return (key_pressed(on, true) ? 1 : 0) - (key_pressed(back, true) ? 1 : 0);
    };
    const int right = focus_.takes_right() ? way_of(Key::left, Key::right) : 0;
    const int down = focus_.takes_down() ? way_of(Key::up, Key::down) : 0;
    if (right == 0 && down == 0) return false;
    return focus_.arrows(right, down), true;
}

/// Through the chapters, and what a chapter has.
void App::keys_of_the_step() {
    Focus& focus = state_.selection.focus;
    const int last = static_cast<int>(curriculum().size()) - 1;
    if (key_pressed(Key::right)) focus.step = std::min(last, focus.step + 1);
    if (key_pressed(Key::left)) focus.step = std::max(0, focus.step - 1);
    if (key_pressed(Key::enter)) focus.solo = !focus.solo;
    if (key_pressed(Key::space)) {
        if (state_.motion.playing)
            state_.motion.playing = false;
        else
            state_.motion.play();
    }
    if (key_pressed(Key::c)) state_.chrome.copy_code = true;
    if (key_pressed(Key::a)) state_.chrome.answer_shown = !state_.chrome.answer_shown;
}

void App::keys_of_the_view() {
    Focus& focus = state_.selection.focus;
    const Config& c = shown_.result->model->config;
    const bool exploring = state_.chrome.mode == Mode::explore;
    if (exploring)
        keys_of_the_step();
    else
        laboratory_keys();
    if (key_pressed(Key::down)) focus.block = std::min(c.blocks, focus.block + 1);
    if (key_pressed(Key::up)) focus.block = std::max(1, focus.block - 1);
    for (int digit = 0; digit < std::min(10, c.heads); ++digit)
        if (key_pressed(static_cast<Key>(static_cast<int>(Key::digit_0) + digit))) focus.head = digit;
    if (key_pressed(Key::s)) {
        const int scopes = exploring ? 3 : 4;  // the explorer has no fixed range
        focus.scope = static_cast<Scope>((static_cast<int>(focus.scope) + 1) % scopes);
    }
    if (key_pressed(Key::x)) switch_what_is_pointed_at();
    if (key_pressed(Key::backspace)) state_.experiment.what_ifs.clear();
    if (key_pressed(Key::d)) {
        ++state_.chrome.drawing.number;
        state_.experiment.image = {state_.chrome.drawing.word(), {}};
    }
    if (key_pressed(Key::o)) state_.chrome.dialog = Dialog::open_image;
    if (key_pressed(Key::g)) state_.chrome.dialog = Dialog::language;
    if (key_pressed(Key::m)) state_.chrome.dialog = Dialog::open_model;
    if (key_pressed(Key::t)) {
        ThemeKind& kind = state_.chrome.settings.theme;
        kind = kind == ThemeKind::dark ? ThemeKind::light : ThemeKind::dark;
    }
}

/// X: the head, positions or patch that the step is about, the one under the pointer first.
void App::switch_what_is_pointed_at() {
    const Selection& s = state_.selection;
    WhatIfs& what_ifs = state_.experiment.what_ifs;
    const bool lab = state_.chrome.mode == Mode::laboratory;
    const Node node = lab ? Node::attention : curriculum()[static_cast<std::size_t>(s.focus.step)].node;
    if (node == Node::attention || s.hovered_head())
        return toggle(what_ifs, remove_head(s.focus.block, s.hovered_head().value_or(s.focus.head)));
    if (node == Node::position) return toggle(what_ifs, remove_positions());
    if (const int token = s.token_in_view(); token > 0) toggle(what_ifs, remove_patch(token));
}

}  // namespace vitrine
