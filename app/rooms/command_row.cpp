#include "app/rooms/command_row.h"

#include <utility>

#include "app/platform/key_names.h"

namespace vitrine {

std::string chord_words(const Chord& chord) {
    std::string words = chord.ctrl ? "Ctrl " : "";
    if (chord.shift == Chord::Shift::down) words += "Shift ";
    return words + key_label(chord.key);
}

CommandTable::CommandTable(std::vector<CommandRow> rows) : rows_(std::move(rows)) {
    for (const CommandRow& row : rows_) by_id_.emplace(row.id, &row);
}

const CommandRow* CommandTable::find(std::string_view id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
}

std::string CommandTable::keys(std::string_view id) const {
    const CommandRow* const row = find(id);
    return row == nullptr || row->keys.empty() ? std::string() : chord_words(row->keys.front());
}

}  // namespace vitrine
