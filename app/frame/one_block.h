#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vitrine {

class KeyboardFocus;
struct Intervention;
struct Rect;
struct Ui;
struct Workspace;

// A change that a symbol of the map made in the block in view alone, and the same change in all blocks.

/// Whether the keyboard or the pointer is at the map.
bool is_at_map(const KeyboardFocus& keyboard, Rect map);

/// The notice about the newest change if it is new and acts in one block alone; else empty.
std::string one_block_notice(const Ui& ui, const Workspace& now, const std::vector<Intervention>& before);

/// While that notice is shown: the changes with the newest one in all blocks.
std::optional<std::vector<Intervention>> in_all_blocks(const Ui& ui, const Workspace& now, const std::string& notice);

}  // namespace vitrine
