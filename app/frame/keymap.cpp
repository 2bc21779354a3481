#include "app/frame/keymap.h"

#include <imgui.h>

#include <algorithm>
#include <set>

#include "app/frame/window_commands.h"
#include "app/lecture/commands.h"
#include "app/rooms/room.h"
#include "app/workspace/command.h"

namespace vitrine {

namespace {

std::vector<CommandRow> make_rows() {
    std::vector<CommandRow> all;
    const auto append = [&](const std::vector<CommandRow>& rows) { all.insert(all.end(), rows.begin(), rows.end()); };
    for (const Room& room : rooms())
        if (room.commands != nullptr) append(room.commands());
    append(lecture_commands());
    append(window_commands());
    return all;
}

bool is_pressed(const Chord& chord) {
    if (chord.ctrl != ctrl_down()) return false;
    if (chord.shift != Chord::Shift::either && (chord.shift == Chord::Shift::down) != shift_down()) return false;
    return key_pressed(chord.key, chord.repeats);
}

bool is_letter(Key key) { return key >= Key::a && key <= Key::z; }

/// True for keys that type something into a field.
bool is_typed(const Chord& chord) {
    return !chord.ctrl && (is_letter(chord.key) || chord.key == Key::space || chord.key == Key::enter ||
                           (chord.key >= Key::plus && chord.key <= Key::digit_9));
}

/// Handles Tab and similar keys, and while the focus is visible the keys that act on it. True if the key was handled.
bool read_focus_keys(const AppContext& context, KeyboardFocus& focus) {
    const int way = shift_down() ? -1 : 1;
    if (key_pressed(Key::tab, true)) return focus.move(way), true;
    if (key_pressed(Key::f6)) return focus.move_zone(way), true;
    if (!focus.visible()) return false;
    const bool typing = ImGui::GetIO().WantTextInput;
    if (key_pressed(Key::enter) || (!typing && key_pressed(Key::space))) return focus.press(), true;
    if (typing) return false;
    if (key_pressed(Key::escape) && context.state.dialog.empty() && context.state.error.empty())
        return focus.hide(), true;
    if (key_pressed(Key::x) && focus.takes_context()) return focus.ask_context(), true;
    const auto way_of = [](Key back, Key on) {
        return (key_pressed(on, true) ? 1 : 0) - (key_pressed(back, true) ? 1 : 0);
    };
    const int right = focus.takes_right() ? way_of(Key::left, Key::right) : 0;
    const int down = focus.takes_down() ? way_of(Key::up, Key::down) : 0;
    if (right == 0 && down == 0) return false;
    return focus.arrows(right, down), true;
}

bool is_black(const AppContext& context) { return context.state.lecture.on && context.state.lecture.black; }

/// True if the command's keys are active; while the screen is black, only those that end it are.
bool listens(const CommandRow& row, const AppContext& context) {
    if (!row.where.while_typing && ImGui::GetIO().WantTextInput) return false;
    if (!row.where.over_dialogs && !context.state.dialog.empty()) return false;
    if (is_black(context) && row.id != "lecture.black" && row.id != "back" && row.id != "lecture" &&
        row.id != "full_screen")
        return false;
    return can_do(row, context);
}

}  // namespace

const CommandTable& command_table() {
    static const CommandTable table(make_rows());
    return table;
}

void TypedWords::read(const AppContext& context) {
    constexpr double series_seconds = 1.2;
    constexpr std::size_t letters_of_a_word = 4;
    const double now = ImGui::GetTime();
    if (ImGui::GetIO().WantTextInput || ctrl_down()) letters_.clear();
    std::erase_if(letters_, [&](const Letter& letter) { return now - letter.at > series_seconds; });
    if (letters_.empty()) typing_ = acted_ = false;
    if (ImGui::GetIO().WantTextInput || ctrl_down()) return;
    for (int i = static_cast<int>(Key::a); i <= static_cast<int>(Key::z); ++i) {
        const Key key = static_cast<Key>(i);
        if (!key_pressed(key)) continue;
        if (letters_.empty()) {
            before_ = {context.workspace().history.place(), false};
            theme_ = context.state.settings.theme;
        }
        letters_.push_back({key, now});
    }
    std::set<Key> different;
    for (const Letter& letter : letters_) different.insert(letter.key);
    if (typing_ || different.size() < letters_of_a_word) return;
    typing_ = true;
    if (acted_) told_ = Told{before_.place, context.state.settings.theme != theme_};
}

void read_keys(const AppContext& context, KeyboardFocus& focus, TypedWords& words, Commands& commands) {
    words.read(context);
    if (!words.typing() && !ctrl_down() && !is_black(context) && read_focus_keys(context, focus)) return;
    std::vector<Key> taken;  // a key triggers one command
    for (const CommandRow& row : command_table().rows())
        for (const Chord& chord : row.keys) {
            const bool free = std::find(taken.begin(), taken.end(), chord.key) == taken.end();
            if (!free || (words.typing() && is_typed(chord)) || !is_pressed(chord) || !listens(row, context)) continue;
            taken.push_back(chord.key);
            if (is_letter(chord.key)) words.acted();
            commands.add(command::Do{row.id});
            break;
        }
}

}  // namespace vitrine
