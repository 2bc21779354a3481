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

/// The question of a room's chapter, whatever a lesson's stop asks; none before there is a run, or without chapters.
std::optional<Asked> asked_by(const RoomAnswers& room, const InView& shown);
/// The question in view: the stop's own, else the chapter's; none before there is a run, or in a room without chapters
/// if the stop has no question.
std::optional<Asked> asked_in(const Frame& frame);

/// Names of the current changes to the room's run: by what-ifs and, in rooms for texts, otherwise.
std::vector<std::string> changes_in_view(const InView& shown, const State& state);

/// Names of the changes of a lesson's stop, for a model of this configuration.
std::vector<std::string> changes_at(const Ui& ui, const LessonStop& stop, const Config& config);
/// The first `most` names in a line, and the number of further ones.
std::string listed_changes(const Text& text, const std::vector<std::string>& changes, std::size_t most);

/// The model's answer without the changes and with them; none before there is a run, and in rooms without an answer.
std::optional<Predicted> predicted_in_view(const InView& shown, const State& state);

/// The stop that a lecture has reached; null without a lecture, or if the view has moved on.
const LessonStop* visible_stop(const State& state, const Focus& focus);
/// True if the chapter's question fits the stop's view. It does not for the chapter on scores, whose figure already
/// shows the answer, nor for the chapter on attention if the stop's query is not the class token that the question is
/// about.
bool place_asks_of(const LessonStop& stop);
/// True if, when the stop is reached, a click on a patch is a guess at the answer.
bool opens_guess(const LessonStop& stop, const Focus& focus);
/// The question and answer of a stop: its own if it has them, else the chapter's (`usual`). `stop` null: the chapter's.
Asked asked_at(const LessonStop* stop, const std::string& language, Asked usual);
/// A stop's answer with the run's numbers in place of "{class}", "{margin_now}" … (docs/lessons.md), or "–" for a model
/// without classes; empty if it has such placeholders and there is no run.
std::string with_numbers(const InView& shown, std::string answer);
/// The title of the picture: the stop's own name, else `usual`.
std::string heading_in_sight(const Frame& frame, const std::string& usual);

/// The title of a stop: its own name, else that of its chapter or instrument.
std::string stop_title(const Ui& ui, const LessonStop& stop, const std::string& language);

}  // namespace vitrine
