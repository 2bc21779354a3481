#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/lecture/lecture.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/learning/learning_view.h"
#include "app/ui/settings.h"
#include "app/ui/ui.h"
#include "app/workspace/measured.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/table.h"

namespace vitrine {

/// What the window is about.
enum class Mode { explore, laboratory, learn };

/// What lies over the window, if anything.
enum class Dialog { none, open_image, open_model, find, help, photographs, lessons, language, take_away, recover };

/// A picture that is drawn afresh: the next of its class.
struct DrawingChoice {
    int label = 6;  // a class of `picture_classes`
    Difficulty difficulty = Difficulty::normal;
    int size = 512;               // pixels
    std::uint64_t number = 1000;  // of the last one drawn

    std::string word() const { return sample_word({{0, difficulty, false}, number, size, label}); }
};

/// What is taken away: the choices of its dialog, and what was asked for in this frame.
struct TakeAway {
    enum class Asked { nothing, png, svg, numbers, text, session, command, cancel, recover, forget };

    std::string part = "stage";  // of the window
    int times = 2;               // pixels for one
    bool transparent = false;
    std::set<std::string> measures;
    TableFormat format = TableFormat::csv;
    Asked asked = Asked::nothing;
    std::optional<std::filesystem::path> open_asked;  // a session
    std::vector<std::filesystem::path> sessions;      // in the folder, the newest first
    std::filesystem::path recovery;                   // what a window that was killed has left
    bool busy = false;                                // another process writes
    bool can_png = true;                              // not of models that learn: another process has them not
    std::string told;                                 // what was done
};

/// The state of the controls around the picture.
struct Chrome {
    Dialog dialog = Dialog::none;
    Mode mode = Mode::explore;
    Settings settings;
    bool undo = false, redo = false;  // asked for in this frame
    bool can_undo = false, can_redo = false;
    std::array<char, 128> find_text = {};  // what is typed into the finder
    bool export_asked = false;             // the dialog, in this frame
    bool transparent = false;              // zones without a ground, for pictures on slides
    bool answer_shown = false;             // of the step's question
    bool copy_code = false;                // asked for, in this frame
    double copied_until = 0;               // ImGui's time, while "Copied" is told
    bool lecture_asked = false;            // to begin or end, in this frame
    Lecture lecture;
    DrawingChoice drawing;
    TakeAway take_away;
    std::array<char, 64> class_text = {};  // what is typed to find a class
    std::string learn_asked;               // the runs that a step wants to be watched, in this frame
    std::string handout_words;             // how the handout that was asked for is getting on
};

/// The motion of a step: a time from 0 to 1 that plays, is scrubbed, or stands.
struct Motion {
    float time = 1.0F;
    bool playing = false;

    void play();
    void advance(float seconds);
};

// Panels: the zones around the stage, in reading order. Each takes only what it may change, and fills the current child
// window.

/// What am I looking at? The image, the model, the selection as a sentence, the tools.
void top_bar(const Ui& ui, const Snapshot& now, const Selection& selection, Chrome& chrome);

/// Where in the network am I? The encoder as a drawing whose parts are buttons.
void map_panel(const Ui& ui, const Result& now, Selection& selection, WhatIfs& what_ifs);

/// Why, and with which numbers? Equation, numbers, switches, words, question; what is changed; the prediction.
struct Explanation {
    const Ui& ui;
    const Result& now;
    Selection& selection;  // takes the symbol under the pointer
};
/// The step's equation as typeset, no larger than the rectangle; what is pointed at in it lights up everywhere. Returns
/// its height.
float step_equation(const Explanation& explanation, Rect rect);
/// Nothing where it would have to shrink below what a hall can read.
void equation_if_it_fits(const Explanation& explanation, Rect rect);
void explanation_panel(const Explanation& explanation, WhatIfs& what_ifs, Chrome& chrome);
/// Content that scrolls, over what is switched off and the prediction, which stay.
void above_prediction(const Explanation& explanation, WhatIfs& what_ifs, Chrome& chrome,
                      const std::function<void()>& content);

/// Which token? The class token and the patches in sequence.
void token_strip(const Ui& ui, const Result& now, Selection& selection, WhatIfs& what_ifs);

/// Which moment? Back, play, next; the steps; the time of the step's motion.
void time_line(const Ui& ui, Selection& selection, Motion& motion);

/// What a what-if changes: "head 3 of block 5", "no ÷ √d".
std::string intervention_name(const Ui& ui, const Intervention& intervention);

// The same zones in the laboratory.

/// What the instrument is, its controls, what it is not.
void laboratory_panel(const Explanation& explanation, const Measured* measured, WhatIfs& what_ifs, Chrome& chrome);
/// Which instrument? One tab each.
void laboratory_tabs(const Ui& ui, Laboratory& lab);

// The same zones while a model learns.

/// What learns? Size, wiring, optimiser; for one run or two.
void learning_choices(const Ui& ui, LearningState& state);
/// Which attention, what can be done with a run, what to watch.
void learning_notes(const LearningScene& scene, LearningState& state);
/// Start, pause, step, reset; back through the kept moments.
void learning_transport(const Ui& ui, LearningState& state, const std::vector<RunView>& runs, bool running);

// Dialogs: over the window until a choice is made or Escape is pressed.

/// A folder's images (or models) and our own samples; what was chosen.
class Browser {
public:
    Browser();
    ~Browser();
    std::optional<ImageSource> images(const Ui& ui, Chrome& chrome);
    std::optional<ModelSource> models(const Ui& ui, Chrome& chrome);

    /// Whether thumbnails are still being made.
    bool busy() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Any step, block, head, token, sample or command by typing.
struct FindContext {
    const Ui& ui;
    const Result* now;
};
void find_dialog(const FindContext& context, Selection& selection, Chrome& chrome, Experiment& experiment);

/// Every key.
void help_dialog(const Ui& ui, Chrome& chrome);

/// The lessons, and a lecture without one.
struct LessonChoice {
    std::string start, handout;  // a lesson's source
    bool without = false;
};
LessonChoice lessons_dialog(const Ui& ui, Chrome& chrome);

/// What a lecture shows over the stage: progress, question, notes and clock; inside the window's root.
void lecture_cards(const Explanation& explanation, Chrome& chrome);
/// Ink, laser, spotlight and the black screen, over everything.
void lecture_overlay(const Ui& ui, const Selection& selection, Chrome& chrome);
/// The speaker's notes: the lecturer's own, else the lesson's, else the step's.
std::string notes_text(const Ui& ui, const Chrome& chrome, int step);

/// Pictures, numbers and sessions; `measures` are those that the picture is about.
void export_dialog(const Ui& ui, const std::vector<std::string>& measures, Chrome& chrome);
/// Offers back what was open when the window was killed.
void recover_dialog(const Ui& ui, Chrome& chrome);

/// Every word that was typed is somewhere in the words, whatever the case.
bool matches(const std::string& words, const std::string& typed);

/// Which language the words are in, and whether English terms stand beside them.
void language_dialog(const Ui& ui, Chrome& chrome);

/// How to get a model that knows photographs.
void photographs_dialog(const Ui& ui, Chrome& chrome);

/// Opens a window in the middle of the screen, over everything; the caller ends it with `end_dialog`.
struct DialogFrame {
    std::string id, title;
    float width = 0, height = 0;
};
void begin_dialog(const Ui& ui, const DialogFrame& frame, Chrome& chrome);
void end_dialog();

}  // namespace vitrine
