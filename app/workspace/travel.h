#pragma once

#include <optional>
#include <string>

#include "app/workspace/history.h"

// Undo and redo as they are asked for in a room.

namespace vitrine {

/// Where undo or redo leads.
struct Travel {
    History history;         // with the state that it leads to as the current one
    std::string changed_in;  // the room of the change that was taken back, or made again
};

/// Which changes a room takes back: those of the run that the rooms share, or only those made in it.
enum class Undone { shared, own };

/// Takes back the last change. Changes of the view alone that were made in another room than `room` are passed over:
/// they go along with the change before them. None if nothing else is left, or where only the room's own changes are
/// taken back, if the last one was made in another room.
std::optional<Travel> undo_in(const std::string& room, const History& history, Undone undone = Undone::shared);
/// Takes back the last undo: leads to exactly where that began. Undone views of another room alone are passed over.
std::optional<Travel> redo_in(const std::string& room, const History& history, Undone undone = Undone::shared);

/// True if there is such a change.
bool can_undo_in(const std::string& room, const History& history, Undone undone = Undone::shared);
bool can_redo_in(const std::string& room, const History& history, Undone undone = Undone::shared);

}  // namespace vitrine
