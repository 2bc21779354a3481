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

/// Takes back the last change. Changes of the view alone that were made in another room than `room` are passed over:
/// they go along with the change before them. None if nothing else is left.
std::optional<Travel> undo_in(const std::string& room, const History& history);
/// Takes back the last undo: leads to exactly where that began. Undone views of another room alone are passed over.
std::optional<Travel> redo_in(const std::string& room, const History& history);

/// True if there is such a change.
bool can_undo_in(const std::string& room, const History& history);
bool can_redo_in(const std::string& room, const History& history);

}  // namespace vitrine
