#pragma once

#include <optional>
#include <string>

#include "app/rooms/state.h"
#include "app/ui/ui.h"
#include "app/workspace/command.h"

namespace vitrine {

// Notes and clock for the lecturer, over the picture or in a window of their own.

/// The speaker's notes: the lecturer's own, else the lesson's, else those of the step or of the Text room's chapter.
std::string notes_text(const Ui& ui, const State& state, const Focus& focus);
/// Only the notes of the lesson's stop, which also address a reader; empty if there are none.
std::string notes_of_stop(const State& state);
/// Key of the lecturer's own notes in the settings.
std::string notes_key(const State& state, const Focus& focus);

/// A field for editing notes, which fills the rest of the window. It starts with the notes shown; only changed notes
/// become the lecturer's own.
struct NotesField {
    const Ui& ui;
    const std::string& key;
    const std::string& shown;
};
void notes_field(const NotesField& field, Drafts& drafts, Commands& commands);

/// Planned minutes: "2", "1.5".
std::string minutes_words(float minutes);
/// Time of day: "14:05".
std::string time_of_day();
/// Minutes and seconds: "12:34".
std::string minutes_and_seconds(double seconds);

/// Planned duration of this stop and the lesson; empty if the stop has none.
std::string planned_words(const Ui& ui, const Lecture& lecture);

}  // namespace vitrine
