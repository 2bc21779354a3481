#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/lecture/lesson.h"
#include "app/rooms/room_parts.h"

namespace vitrine {

struct Config;
struct State;
class Text;
struct Ui;

/// The question of a room's chapter, without that of a lesson's stop; none before there is a run, or without chapters.
std::optional<Asked> asked_by(const RoomAnswers& room, const InView& shown);
/// The question of the shown chapter or stop; none before there is a run, or in a room without chapters if the stop
/// asks none.
std::optional<Asked> asked_in(const Frame& frame);

/// The current changes in the room's model, by what-ifs and otherwise.
std::vector<std::string> changes_in_view(const InView& shown, const State& state);

/// The changes of a lesson's stop, as they are named in a model of this configuration.
std::vector<std::string> changes_at(const Ui& ui, const LessonStop& stop, const Config& config);
/// Names in a line; beyond `most` only their number.
std::string listed_changes(const Text& text, const std::vector<std::string>& changes, std::size_t most);

/// The model's answer without the changes and now; none before there is a run, and in rooms without one.
std::optional<Predicted> predicted_in_view(const InView& shown, const State& state);

/// The stop that a lecture has reached; null without a lecture, or if the view has moved on.
const LessonStop* visible_stop(const State& state, const Focus& focus);
/// True if the place's question fits the stop's view: the attention step asks about the class token, which a stop with
/// another query does not show; the scores show the row that they ask for.
bool place_asks_of(const LessonStop& stop);
/// True if a click on a patch is a guess there when the stop is reached.
bool opens_guess(const LessonStop& stop, const Focus& focus);
/// A stop's own question in place of the step's, and its answer.
Asked asked_at(const LessonStop* stop, const std::string& language, Asked usual);
/// A stop's own answer with the run's numbers in place of "{class}", "{margin_now}" … (docs/lessons.md), or "–" in a
/// model without classes; empty while it names numbers and there is no run.
std::string with_numbers(const InView& shown, std::string answer);
/// The title of the picture: the stop's own name, else `usual`.
std::string heading_in_sight(const Frame& frame, const std::string& usual);

/// The title of a stop: its own name, else that of its chapter or instrument.
std::string stop_title(const Ui& ui, const LessonStop& stop, const std::string& language);

}  // namespace vitrine
