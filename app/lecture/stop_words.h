#pragma once

#include <optional>
#include <string>

#include "app/rooms/room.h"

namespace vitrine {

/// What the step, or the chapter of the Text room, asks and says.
struct Asked {
    std::string equation, equation_words, question, answer;
};
/// That of what is shown; nothing in other rooms, or where there is no run yet.
std::optional<Asked> asked_in(const Frame& frame);

/// The name of what a stop shows: its own, else that of its chapter or instrument.
std::string stop_title(const Ui& ui, const LessonStop& stop, const std::string& language);

}  // namespace vitrine
