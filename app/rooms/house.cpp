#include "app/rooms/house.h"

#include <imgui.h>

#include "app/platform/key_names.h"

namespace vitrine {

void House::close_workspace(std::size_t place) {
    const auto& all = workspaces.all();
    if (all.size() < 2 || place >= all.size()) return;
    const int id = all[place]->id;
    workspaces.close(place);
    jobs.forget(id);
}

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

void notify(House& house, const std::string& words) {
    constexpr double seconds = 5;
    house.state.notice = words;
    house.state.notice_until = ImGui::GetTime() + seconds;
}

void show_dialog(House& house, const std::string& id) {
    house.state.dialog = id;
    house.state.told.clear();
}

}  // namespace vitrine
