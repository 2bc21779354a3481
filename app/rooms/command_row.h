#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/platform/imgui_compat.h"

namespace vitrine {

struct AppContext;

/// A key with what is held beside it. Shift matters only where it is named: on some keyboards digits need it.
struct Chord {
    Key key = Key::count;
    bool ctrl = false;
    enum class Shift { either, up, down } shift = Shift::either;
    bool repeats = false;  // while it is held
};

/// Where a command's keys act.
struct KeyContext {
    enum class Skin { any, lecture, window };
    const char* room = nullptr;  // any
    Skin skin = Skin::any;
    bool over_dialogs = false;  // also while one is open
    bool while_typing = false;  // also while text is typed
    bool on_a_run = false;      // only where a run is shown
};

/// A command that needs no more words than its name. All that speaks of it reads this row: keys, the finder, F1,
/// tooltips. Its name is the text "command.<id>".
struct CommandRow {
    std::string id;
    const char* help;  // the text of its line among all keys; several commands may share one
    std::vector<Chord> keys;
    KeyContext where;
    std::function<void(AppContext&)> act;
    bool (*can)(const AppContext& context) = nullptr;  // null: always
    bool found = true;                                 // the finder offers it
    bool by_pointer = false;                           // what it switches off depends on where the mouse is
};

/// "Ctrl Z", as this keyboard has it.
std::string chord_words(const Chord& chord);

/// All rows: the rooms' first, then those of a lecture and the window's; the first whose key it is acts.
class CommandTable {
public:
    explicit CommandTable(std::vector<CommandRow> rows);
    CommandTable(const CommandTable&) = delete;
    CommandTable& operator=(const CommandTable&) = delete;

    const std::vector<CommandRow>& rows() const { return rows_; }
    /// The row of an id; null where there is none.
    const CommandRow* find(std::string_view id) const;
    /// Its first key, in words; empty where it has none.
    std::string keys(std::string_view id) const;

private:
    std::vector<CommandRow> rows_;
    std::unordered_map<std::string_view, const CommandRow*> by_id_;  // asked for many times a frame
};

}  // namespace vitrine
