#include "app/workspace/travel.h"

#include <cstddef>

namespace vitrine {

namespace {

/// The texts of one half; with a single workspace both halves are that one.
const TextExperiment& texts_of_half(const Moment& moment, bool left) {
    return moment.other && moment.other->left == left ? moment.other->text_experiment : moment.text_experiment;
}

/// True if a moment differs from the one before only in its view, and was recorded in another room than `room`. A
/// session or a first minute that was opened there with the same runs counts as such a view, too.
bool is_view_elsewhere(const std::string& room, const Moment& before, const Moment& after) {
    if (after.room == room || after.room.empty()) return false;
    const auto same_texts = [&](bool left) { return texts_of_half(before, left) == texts_of_half(after, left); };
    return before.stop == after.stop && before.same_runs(after) && same_texts(true) && same_texts(false);
}

/// Places in a history: where undo or redo leads, and the change on the way.
struct Way {
    std::size_t to, change;
};

std::optional<Way> undo_way(const std::string& room, const History& history) {
    for (std::size_t after = history.place(); after > 0; --after)
        if (!is_view_elsewhere(room, history.at(after - 1), history.at(after))) return Way{after - 1, after};
    return std::nullopt;
}

std::optional<Way> redo_way(const std::string& room, const History& history) {
    for (std::size_t at = history.place(); at + 1 < history.size();) {
        std::optional<std::size_t> change;
        for (const std::size_t to = history.redo_place(at); at < to; ++at)
            if (!change && !is_view_elsewhere(room, history.at(at), history.at(at + 1))) change = at + 1;
        if (change) return Way{at, *change};
    }
    return std::nullopt;
}

std::optional<Travel> along(const std::optional<Way>& way, const History& history) {
    if (!way) return std::nullopt;
    Travel travel{history, history.at(way->change).room};
    travel.history.go_to(way->to);
    return travel;
}

}  // namespace

std::optional<Travel> undo_in(const std::string& room, const History& history, Undone undone) {
    if (history.empty() || (undone == Undone::own && history.here().room != room)) return std::nullopt;
    return along(undo_way(room, history), history);
}

std::optional<Travel> redo_in(const std::string& room, const History& history, Undone undone) {
    const std::optional<Way> way = redo_way(room, history);
    if (way && undone == Undone::own && history.at(way->change).room != room) return std::nullopt;
    return along(way, history);
}

bool can_undo_in(const std::string& room, const History& history, Undone undone) {
    return undo_in(room, history, undone).has_value();
}
bool can_redo_in(const std::string& room, const History& history, Undone undone) {
    return redo_in(room, history, undone).has_value();
}

}  // namespace vitrine
