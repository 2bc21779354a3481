#pragma once

#include <optional>
#include <string>

#include "app/workspace/history.h"

// Undo and redo, requested in a room.

namespace vitrine {

/// Where undo or redo leads.
struct Travel {
    History history;         // the history, placed at the resulting state
    std::string changed_in;  // the room of the change that is undone or redone
};

/// Changes that a room can undo: all changes of the run that the rooms share, or only those made in this room.
enum class Undone { shared, own };

/// Undoes the last change. Changes of only the view that were made in another room than `room` are skipped: they are
/// undone with the change before them. None if there is no other change, or, for `Undone::own`, if the last one was
/// made in another room.
std::optional<Travel> undo_in(const std::string& room, const History& history, Undone undone = Undone::shared);
/// Redoes what the last undo took back: leads to exactly the state before it. Changes of only another room's view are
/// skipped.
std::optional<Travel> redo_in(const std::string& room, const History& history, Undone undone = Undone::shared);

/// True if `undo_in` or `redo_in` leads anywhere.
bool can_undo_in(const std::string& room, const History& history, Undone undone = Undone::shared);
bool can_redo_in(const std::string& room, const History& history, Undone undone = Undone::shared);

}  // namespace vitrine
