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

/// Detects words typed where letters are commands: four different letters in quick succession. From the fourth letter
/// until a pause, letters, digits, signs, Space and Enter trigger nothing, and Tab and similar keys move no focus.
class TypedWords {
public:
    /// A typed word whose letters triggered commands.
    struct Told {
        std::size_t place = 0;  // in the history before the first letter
        bool theme = false;     // the theme was changed, which undo does not reverse
    };

    /// Reads the letters of this frame.
    void read(const AppContext& context);
    bool typing() const { return typing_; }
    /// The typed word, returned once for each series in which a letter triggered a command.
    std::optional<Told> take() { return std::exchange(told_, std::nullopt); }
    /// Notes that a letter triggered a command.
    void acted() { acted_ = true; }

private:
    struct Letter {
        Key key;
        double at;  // ImGui's time
    };
    std::vector<Letter> letters_;  // of the current series
    bool typing_ = false, acted_ = false;
    Told before_;           // before the first letter
    ThemeKind theme_ = {};  // before the first letter
    std::optional<Told> told_;
};

/// Reads the keys of this frame: Tab and similar keys move the keyboard focus among the controls, all others trigger
/// commands. While text is typed, only commands marked for it are active.
void read_keys(const AppContext& context, KeyboardFocus& focus, TypedWords& words, Commands& commands);

}  // namespace vitrine
