#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/workspace/exercises.h"
#include "app/workspace/text_look.h"
#include "core/text/text_kinds.h"
#include "core/transformer/intervention.h"

// The exercises: course code with one wrong line. Used by their room, its commands, lessons and the shell.

namespace vitrine {

struct Config;
struct Experiment;
struct Settings;
struct TextConfig;
struct TextRequest;
struct Workspace;

/// An exercise's code and the possible repairs of its wrong line, from assets/exercises/<name>.py: the wrong line ends
/// in "  #!"; the repairs follow a line "#?", and the right one ends in "  #=".
struct Listing {
    std::vector<std::string> lines;
    int wrong = 0;  // index among the lines
    std::vector<std::string> repairs;
    int right = 0;  // index among the repairs

    /// The code with a repair in place of the wrong line; unchanged if there is none.
    std::vector<std::string> repaired(std::optional<int> repair) const;
};
Listing parse_listing(std::string_view text);
/// The listing with this model's sizes; exercises of text use those of the bundled translator.
Listing listing_of(Exercise exercise, const Config& config);

/// The kind of figure drawn for the code with the mistake and for the repaired code.
enum class Drawn {
    scores,     // of the chosen head, (N, N)
    attention,  // (N, N)
    values,     // (N, d)
    lengths,    // of the chosen token after every block
    features,   // of the chosen token, normalised
    printed,    // Python's output
    words,      // the decoded text, with the probability of each word
};

/// The effect of an exercise's wrong line in a translating text Transformer.
struct TextMistake {
    TextChapter chapter;  // on the subject
    TextLanguage to = TextLanguage::japanese;
    TextAttention attention = TextAttention::encoder;  // the attention in the figure
    std::vector<Intervention> (*edits)(const TextConfig& config) = nullptr;
    Ending ending = Ending::at_eos;
};

/// An exercise; its words are "exercise.<name>.": title, task, predict.0 …, why, repair.0 ….
struct ExerciseRow {
    Exercise exercise;
    const char* step = nullptr;  // id of the chapter on the subject; null for text
    int prediction = 0;          // index of the right prediction, of three
    Drawn drawn = Drawn::printed;
    /// The wrong line as interventions; null if the code fails before the forward pass.
    std::vector<Intervention> (*mistake)(const Config& config) = nullptr;
    std::optional<TextMistake> text = {};  // for an exercise on a text Transformer
};
const ExerciseRow& row_of(Exercise exercise);
/// The index of an exercise among all.
int place_of(Exercise exercise);

/// The learner's next task.
enum class Task { predict, find, repair, done };
Task task_of(const ExerciseProgress& progress, const Listing& listing);
const ExerciseProgress& progress_in(const Settings& settings, Exercise exercise);

/// Records a choice for the next task: a prediction, a line or a repair; does nothing if all is done or the choice does
/// not exist.
void choose(ExerciseProgress& progress, const Listing& listing, int choice);

/// The experiment with the mistake that a workspace needs; none before the learner has made a prediction.
std::optional<Experiment> mistaken(const Workspace& workspace, const Settings& settings);
/// The same for an exercise of text: its text is the one typed in the Text room, or the first sample if that is blank.
std::optional<TextRequest> text_to_repair(const Workspace& workspace, const Settings& settings);

}  // namespace vitrine
