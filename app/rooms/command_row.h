#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/platform/imgui_compat.h"

namespace vitrine {

struct AppContext;

/// A key with modifiers. Shift is checked only if required, since some keyboards need it for digits.
struct Chord {
    Key key = Key::count;
    bool ctrl = false;
    enum class Shift { either, up, down } shift = Shift::either;
    bool repeats = false;  // fires repeatedly while held
};

/// The conditions under which a command's keys are active.
struct KeyContext {
    enum class Skin { any, lecture, window };
    const char* room = nullptr;  // null: any
    Skin skin = Skin::any;
    bool over_dialogs = false;  // also while a dialog is open
    bool while_typing = false;  // also while text is typed
    bool on_a_run = false;      // only if a run is shown
};

/// A command without arguments: one row for keys, finder, F1 and tooltips. Its name is the text "command.<id>".
struct CommandRow {
    std::string id;
    const char* help;  // key of its description in the list of keys; several commands may share one
    std::vector<Chord> keys;
    KeyContext where;
    std::function<void(AppContext&)> act;
    bool (*can)(const AppContext& context) = nullptr;  // null: always
    bool found = true;                                 // offered by the finder
    bool by_pointer = false;                           // its target depends on the mouse
};

/// A chord as text: "Ctrl Z", with this keyboard's labels.
std::string chord_words(const Chord& chord);

/// All rows: the rooms' first, then those of lectures and of the window; the first match handles a key.
class CommandTable {
public:
    explicit CommandTable(std::vector<CommandRow> rows);
    CommandTable(const CommandTable&) = delete;
    CommandTable& operator=(const CommandTable&) = delete;

    const std::vector<CommandRow>& rows() const { return rows_; }
    /// The row of an id; null if there is none.
    const CommandRow* find(std::string_view id) const;
    /// The first key of a command as text; empty if it has none.
    std::string keys(std::string_view id) const;

private:
    std::vector<CommandRow> rows_;
    std::unordered_map<std::string_view, const CommandRow*> by_id_;  // for fast lookup, many times per frame
};

}  // namespace vitrine
