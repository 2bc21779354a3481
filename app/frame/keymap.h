#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "app/platform/imgui_compat.h"
#include "app/rooms/app_context.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/theme.h"

namespace vitrine {

class CommandTable;
class Commands;

/// All commands without arguments.
const CommandTable& command_table();

/// Notices words that are typed where letters are commands: four different letters in quick succession. From the fourth
/// one to a pause, letters, digits, signs, Space and Enter trigger nothing, and Tab and similar keys move no focus.
class TypedWords {
public:
    /// A word that was typed, and noticed.
    struct Told {
        std::size_t place = 0;  // in the history before the first letter
        bool theme = false;     // the theme was changed, which undo leaves
    };

    /// Reads the letters of this frame.
    void read(const AppContext& context);
    bool typing() const { return typing_; }
    /// Once for each series, if one of its letters triggered a command.
    std::optional<Told> take() { return std::exchange(told_, std::nullopt); }
    /// A letter triggered a command.
    void acted() { acted_ = true; }

private:
    struct Letter {
        Key key;
        double at;  // ImGui's time
    };
    std::vector<Letter> letters_;  // of the last moment
    bool typing_ = false, acted_ = false;
    Told before_;           // at the first of them
    ThemeKind theme_ = {};  // then
    std::optional<Told> told_;
};

/// Reads the keys of this frame: Tab and similar keys move the keyboard focus among the controls, all others trigger
/// commands. While text is typed, only commands marked for it are active.
void read_keys(const AppContext& context, KeyboardFocus& focus, TypedWords& words, Commands& commands);

}  // namespace vitrine
