#include "app/workspace/travel.h"

namespace vitrine {

namespace {

/// The texts of one half; with a single workspace both halves are that one.
const TextExperiment& texts_of_half(const Moment& moment, bool left) {
    return moment.other && moment.other->left == left ? moment.other->text_experiment : moment.text_experiment;
}

/// True if a moment differs from the one before in its view alone, and was seen in another room.
bool is_view_elsewhere(const std::string& room, const Moment& before, const Moment& after) {
    if (after.room == room || after.room.empty()) return false;
    const auto same_texts = [&](bool left) { return texts_of_half(before, left) == texts_of_half(after, left); };
    return before.stop == after.stop && before.opening == after.opening && before.same_runs(after) &&
           same_texts(true) && same_texts(false);
}

}  // namespace

std::optional<Travel> undo_in(const std::string& room, const History& history) {
    if (!history.can_undo()) return std::nullopt;
    Travel travel{history, history.here().room};
    for (Moment after = history.here(); travel.history.can_undo(); after = travel.history.here()) {
        travel.changed_in = after.room;
        if (!is_view_elsewhere(room, travel.history.undo(), after)) return travel;
    }
    return std::nullopt;
}

std::optional<Travel> redo_in(const std::string& room, const History& history) {
    if (!history.can_redo()) return std::nullopt;
    Travel travel{history, {}};
    const auto next_is_view_elsewhere = [&] {
        const Moment& before = travel.history.here();
        return is_view_elsewhere(room, before, travel.history.redo());
    };
    bool passed_over = true;
    while (passed_over && travel.history.can_redo()) passed_over = next_is_view_elsewhere();
    if (passed_over) return std::nullopt;
    travel.changed_in = travel.history.here().room;
    while (travel.history.can_redo())
        if (!next_is_view_elsewhere()) {
            travel.history.undo();
            break;
        }
    return travel;
}

bool can_undo_in(const std::string& room, const History& history) {
    return history.can_undo() && (history.here().room == room || undo_in(room, history));
}
bool can_redo_in(const std::string& room, const History& history) {
    return history.can_redo() && redo_in(room, history);
}

}  // namespace vitrine
