#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/inference_worker.h"
#include "app/selection.h"
#include "app/settings.h"
#include "app/steps/step.h"
#include "app/ui.h"

namespace vitrine {

/// What lies over the window, if anything.
enum class Dialog { none, open_image, open_model, find, help, photographs };

/// The state of the controls around the picture.
struct Chrome {
    Dialog dialog = Dialog::none;
    Settings settings;
    bool undo = false, redo = false;  // asked for in this frame
    bool can_undo = false, can_redo = false;
    std::array<char, 128> find_text = {};  // what is typed into the finder
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

/// Why, and with which numbers? Equation, numbers, words; what is switched off; the prediction.
struct Explanation {
    const Ui& ui;
    const Result& now;
    Selection& selection;  // takes the symbol under the pointer
};
void explanation_panel(const Explanation& explanation, WhatIfs& what_ifs, Chrome& chrome);

/// Which token? The class token and the patches in sequence.
void token_strip(const Ui& ui, const Result& now, Selection& selection, WhatIfs& what_ifs);

/// Which moment? Back, play, next; the steps; the time of the step's motion.
void time_line(const Ui& ui, Selection& selection, Motion& motion);

/// The names of what is switched off: "head 3 of block 5".
std::string intervention_name(const Ui& ui, const Intervention& intervention);

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
