#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;
struct LearningState;

/// Models that learn while one watches.
Room learning_room();
const RoomAnswers& learning_answers();

/// Sets up the runs of a name and shows them.
void watch_learning(AppContext& context, const std::string& runs);

/// Lets the job do what is chosen: runs that are not there begin, those of pictures or of texts that are left pause,
/// and texts are looked at with what is typed. Once a frame while the room is shown.
void follow_choice(AppContext& context);

/// In the place of live runs those that were recorded of the experiment, which play at once from their beginning.
void show_recording(AppContext& context);
/// Plays the recording on, or halts it; from its beginning where it is over.
void go_on_with_recording(AppContext& context);
/// The live runs again, as they stand.
void show_live(AppContext& context);

/// Takes another choice over: other runs begin from nothing, the same go on.
void take_choice(AppContext& context, const LearningState& choice);

/// Whether something learns at the moment, and whether it has begun.
bool is_learning(AppContext& context);
bool has_begun_to_learn(AppContext& context);
/// Whether a run that is shown, of texts or of pictures, has learned from so many of them since it was saved, if it
/// was.
bool is_unsaved(const AppContext& context, bool texts, int run, std::uint64_t seen);
/// Starts what is chosen.
void start_learning(AppContext& context);
/// The chosen runs from nothing.
void begin_anew(AppContext& context);

/// What one can ask for in it.
const std::vector<CommandRow>& learning_commands();

}  // namespace vitrine
