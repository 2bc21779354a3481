#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/workspace/settings.h"
#include "app/workspace/workspace.h"
#include "core/text/text_attention.h"
#include "core/vit/model.h"

// The exercises: code of a course with one wrong line. Used by their room, its commands, lessons and the shell.

namespace vitrine {

struct TextConfig;

/// An exercise's code, and what may stand in the place of its wrong line. assets/exercises/<name>.py holds it: the
/// wrong line ends in "  #!"; behind a line "#?" come the repairs, of which the right one ends in "  #=".
struct Listing {
    std::vector<std::string> lines;
    int wrong = 0;  // of the lines
    std::vector<std::string> repairs;
    int right = 0;  // of the repairs

    /// With a repair in the place of the wrong line; as it stands where there is none.
    std::vector<std::string> repaired(std::optional<int> repair) const;
};
Listing parse_listing(std::string_view text);
/// With this model's numbers; an exercise of text with those of the bundled translator.
Listing listing_of(Exercise exercise, const Config& config);

/// What is drawn of the code as it stands, beside the same of the repaired code.
enum class Drawn {
    scores,     // of the chosen head, (N, N)
    attention,  // (N, N)
    values,     // (N, d)
    lengths,    // of the chosen token after every block
    features,   // of the chosen token, normalised
    printed,    // what Python says
    words,      // of the text that is written, each with its probability
};

/// What an exercise's wrong line is in a text Transformer that translates.
struct TextMistake {
    TextChapter chapter;  // that tells more
    TextLanguage to = TextLanguage::japanese;
    TextAttention attention = TextAttention::encoder;  // whose weights are drawn
    std::vector<Intervention> (*edits)(const TextConfig& config) = nullptr;
    Ending ending = Ending::at_eos;
};

/// One exercise: its words stand under "exercise.<name>.": title, task, predict.0 …, why, repair.0 ….
struct ExerciseRow {
    Exercise exercise;
    const char* step = nullptr;  // the chapter that tells more; none of text
    int prediction = 0;          // the right one of three
    Drawn drawn = Drawn::printed;
    /// What the wrong line is in the forward pass; none where the code does not get so far.
    std::vector<Intervention> (*mistake)(const Config& config) = nullptr;
    std::optional<TextMistake> text = {};  // of an exercise that runs on a text Transformer
};
const ExerciseRow& row_of(Exercise exercise);
/// Its place among all, 0 ….
int place_of(Exercise exercise);

/// What a learner does next.
enum class Task { predict, find, repair, done };
Task task_of(const ExerciseProgress& progress, const Listing& listing);
const ExerciseProgress& progress_in(const Settings& settings, Exercise exercise);

/// Takes a choice of what is to be done next: a prediction, a line or a repair; nothing where all is done or there is
/// no such choice.
void choose(ExerciseProgress& progress, const Listing& listing, int choice);

/// The run with the mistake that is to be computed for a workspace: once the learner has predicted what it does.
std::optional<Experiment> mistaken(const Workspace& workspace, const Settings& settings);
/// The same of an exercise of text: with the text that is typed in the Text room, or its first where that is blank.
std::optional<TextRequest> text_to_repair(const Workspace& workspace, const Settings& settings);

}  // namespace vitrine
