#pragma once

#include <cstdint>
#include <optional>

#include "app/rooms/room.h"
#include "app/workspace/kept_runs.h"

namespace vitrine {

struct AppContext;
struct LearningState;

/// The room for models in training.
Room learning_room();
const RoomAnswers& learning_answers();

/// Chooses runs by name (a task, an experiment or "plain") and enters the room.
void watch_learning(AppContext& context, const std::string& runs);

/// Passes the choice to the jobs: new runs are set, runs of the other family pause, texts get the typed text. Called
/// once per frame while the room is shown.
void follow_choice(AppContext& context);

/// Shows the experiment's recorded runs instead of live ones, playing from the beginning.
void show_recording(AppContext& context);
/// Plays or pauses the recording; restarts it if it is over.
void play_or_pause_recording(AppContext& context);
/// Shows the live runs again.
void show_live(AppContext& context);

/// Applies another choice: different runs start from scratch, or return if they were put aside; the same ones continue.
void take_choice(AppContext& context, const LearningState& choice);

/// True if the chosen runs are training now.
bool is_learning(const AppContext& context);
/// True if any of the chosen runs has begun.
bool has_begun_to_learn(const AppContext& context);
/// True if a run of texts or of pictures that has seen `seen` examples is not saved in that state.
bool is_unsaved(const AppContext& context, bool texts, int run, std::uint64_t seen);
/// State of runs that have begun and are not over, for the notes in other rooms: in training, or paused at a step.
struct TrainingAside {
    bool running = false;
    std::uint64_t step = 0;
};
std::optional<TrainingAside> training_aside(const AppContext& context);
/// Starts the chosen runs.
void start_learning(AppContext& context);
/// Pauses the chosen runs, or starts or continues them; returns false if they are over.
bool pause_or_continue(AppContext& context);
/// Restarts the chosen runs from scratch.
void restart_runs(AppContext& context);
/// Chooses another window's runs of both families, paused where their checkpoints were made; this window's own runs are
/// put aside.
void continue_runs(AppContext& context, const LearningState& choice, const KeptRuns& kept);

/// Commands of the room.
const std::vector<CommandRow>& learning_commands();

/// True if models in training are in view, rather than a recording of them.
bool shows_training(const Frame& frame);
/// True if models in view are training at the moment.
bool is_training(const Frame& frame);

}  // namespace vitrine
