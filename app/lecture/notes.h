#pragma once

#include <optional>
#include <string>

#include "app/rooms/state.h"
#include "app/ui/ui.h"
#include "app/workspace/command.h"

namespace vitrine {

// What the lecturer sees beside the picture: over it, or in a window of its own.

/// The speaker's notes: the lecturer's own, else the lesson's, else those of the step or of the Text room's chapter.
std::string notes_text(const Ui& ui, const State& state, const Focus& focus);
/// Those of the lesson's stop alone, which speak to who reads them as to who lectures; empty where it has none.
std::string notes_of_stop(const State& state);
/// Under which name the lecturer's own are remembered.
std::string notes_key(const State& state, const Focus& focus);

/// Notes under edit, in what is left of the window. They begin as what is shown; only what is written becomes the
/// lecturer's own.
struct NotesField {
    const Ui& ui;
    const std::string& key;
    const std::string& shown;
};
void notes_field(const NotesField& field, Drafts& drafts, Commands& commands);

/// A text field of several lines, as large as what is left; true when the words were changed.
bool text_field(const Ui& ui, const std::string& id, std::string& words, float height);

/// "2", "1.5": planned.
std::string minutes_words(float minutes);
/// "14:05", of the day.
std::string time_of_day();
/// "12:34", minutes and seconds.
std::string minutes_and_seconds(double seconds);

/// How long this stop and the lesson were planned; empty where its file says nothing of it.
std::string planned_words(const Ui& ui, const Lecture& lecture);

}  // namespace vitrine
