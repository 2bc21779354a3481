#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/chapters/chapter.h"

// A room's functions and texts for sessions, lessons, handouts, dialogs, exports, the frame and the command line, which
// call these and never test which room it is. Comments give the defaults.

namespace vitrine {

struct AppContext;
struct Room;
struct RoomAnswers;
struct Config;
struct Focus;
struct Frame;
struct Layout;
struct LearningRuns;
struct LessonStop;
struct LookedAt;
struct Moment;
struct Motion;
struct MutableView;
struct Place;
struct Result;
class Selection;
struct Settings;
struct State;
struct Table;
class Text;
struct TextExperiment;
struct Ui;
struct View;
struct Workspace;
enum class Scope;
struct OfPictures;
using Step = Chapter<OfPictures>;

/// The shown state, with the frame's selection.
struct InView {
    const Ui& ui;
    const Workspace& workspace;
    const Selection& selection;
};

/// A place as options of the command line, and the parts of the focus covered by them.
struct PlaceOptions {
    std::vector<std::pair<const char*, std::string>> options;
    std::vector<std::string> parts;
};

/// The places of a room: its chapters, instruments, exercises or runs.
struct Places {
    const char* word = nullptr;                         // keyword that begins a stop of a lesson
    const char* what = nullptr;                         // a noun for messages: "instrument"
    std::vector<std::string> (*all)() = nullptr;        // the places' names
    std::string (*here)(const Focus& focus) = nullptr;  // the current place; null: the focus has none
    void (*look)(const std::string& place, const MutableView& view) = nullptr;  // goes to a place
    bool (*covered)(const Focus& focus) = nullptr;        // true if something else hides the place; null: never
    const Step* (*step)(const Focus& focus) = nullptr;    // the shown chapter of the curriculum; null: none
    void (*walk)(AppContext& context, int by) = nullptr;  // moves `by` places on; null: along the curriculum

    // In lessons.
    // Adds the view to a stop, without an id if the view has no name; null: adds the view of the image's run.
    void (*describe)(const AppContext& context, LessonStop& stop) = nullptr;
    void (*arrive)(const LessonStop& stop, Place& to) = nullptr;          // copies a stop's other values to a place
    void (*show)(AppContext& context, const LessonStop& stop) = nullptr;  // null: enters the room
    bool (*take_line)(LessonStop& stop, const std::string& key, const std::string& value) = nullptr;  // throws Error
    bool (*is_recorded)(const std::string& place) = nullptr;                                          // null: never
    bool (*owns)(const std::string& part) = nullptr;  // true for its parts of the focus; null: those of an image's run
    void (*start_over)(const MutableView& view,
                       const View& fresh) = nullptr;  // resets its parts; null: those of an image's run

    /// The current place as options of the command line; null: as in the first room.
    PlaceOptions (*options)(const View& view) = nullptr;
    /// The choices made at the current place, in the format of `--chosen`; null: there are none.
    std::string (*chosen)(const Settings& settings, const Focus& focus) = nullptr;
    /// Makes these choices; returns the index of the first invalid one, if any.
    std::optional<int> (*choose)(const std::vector<int>& parts, const Focus& focus, const Config& config,
                                 Settings& settings) = nullptr;
    /// The right choices, in order.
    std::vector<int> (*solution)(const Focus& focus, const Config& config) = nullptr;
};

/// Keys of a place's texts; empty if it does not have that text.
struct PlaceWords {
    std::string title, sentence, words = {}, question = {}, notes = {}, mistake = {};
    std::string place = {};  // the place's name in assets/references.json
};
/// Keys of the texts for the picture in view at a place of a room.
PlaceWords words_in_view(const RoomAnswers& room, const std::string& place, const View& view);
/// Keys of a chapter's texts, "<key>.title" …; a chapter without a mistake has no text "<key>.mistake".
PlaceWords words_under(const std::string& key);

/// Question and answer of a place, or those of a lesson's stop that replace them.
struct Asked {
    Formula equation;
    std::string question, answer;
};

/// A model's answer in words, without the changes and with them.
struct Predicted {
    std::string before, now;
    bool changed = false;    // something is switched off or replaced
    double probability = 0;  // of the first class now; 0: the answer is a text
    bool on_stage = false;   // in a lecture, the stage already shows both answers
};

/// The outcome of the learner's guess.
struct GuessTold {
    bool right = false;
    std::string words;
};

/// The tasks of a place for a handout: lines of code, and the choices in order.
struct Worksheet {
    struct Task {
        std::string title;                 // key of its text
        std::vector<std::string> offered;  // keys of texts, or code
        bool code = false;
    };
    std::vector<std::string> lines;
    std::vector<Task> tasks;
};

/// A part of a panel that is also shown in a lecture.
struct SharedPart {
    bool (*there)(const Frame& frame) = nullptr;  // null: never
    void (*draw)(const Frame& frame) = nullptr;
};

/// The teaching content of a room.
struct Teaching {
    PlaceWords (*words)(const std::string& place) = nullptr;
    PlaceWords (*seen)(const View& view) = nullptr;  // words of the picture in view; null: those of the place
    /// Key for the current chapter's notes and answer; null: the room has no chapters.
    std::string (*chapter)(const Focus& focus) = nullptr;
    std::optional<Formula> (*formula)(const InView& shown) = nullptr;  // none before there is a run; null: no questions
    /// The changes of the run that the equation does not show, as a sentence; empty if there are none.
    std::string (*changed_equation)(const InView& shown) = nullptr;
    std::string (*answer)(const InView& shown) = nullptr;                // to the chapter's question
    bool (*asks)(const Workspace& workspace) = nullptr;                  // true if there is a question; null: false
    bool (*answered)(const Workspace& workspace) = nullptr;              // the learner has done what the question asks
    std::optional<GuessTold> (*guess)(const Frame& frame) = nullptr;     // none before there is a guess; null: never
    void (*draw_guess_result)(const Frame& frame) = nullptr;             // the guess and how to guess; null: nothing
    bool (*takes_guess)(const Focus& focus) = nullptr;                   // a click on a patch can be a guess; null: no
    std::vector<std::string> (*changes)(const InView& shown) = nullptr;  // to its model; null: to the image's run
    std::vector<std::string> (*changes_of)(const Ui& ui, const TextExperiment& experiment) =
        nullptr;  // changes to its own model in an experiment; null: it has no such model
    std::string (*model_notice)(const Ui& ui, const Moment& from, const Moment& to) =
        nullptr;  // says that its model changed unasked; empty: it did not; null: it never does
    std::vector<std::string> (*of_model)(const InView& shown) = nullptr;  // words about this model alone; null: none
    SharedPart switches = {}, numbers = {};
    std::vector<Fact> (*facts)(const InView& shown) = nullptr;  // the same numbers, once there is a run; null: none
    std::optional<Predicted> (*predicted)(const InView& shown) = nullptr;  // none before there is a run; null: none
    void (*draw_whole_answer)(const Frame& frame) = nullptr;               // the answer with all its numbers
    void (*written_out)(const Frame& frame) = nullptr;  // draws how a number is computed, only in the panel; null: none
    std::string (*listing)(const Workspace& workspace, const Focus& focus) = nullptr;  // the chapter in PyTorch
    const char *answer_command = "answer", *copy_command = "copy_code", *copy_button = "code.copy";
    const char* (*runs)(const Frame& frame) = nullptr;  // runs with and without the chapter's subject
    Worksheet (*worksheet)(const std::string& place,
                           const Config& config) = nullptr;  // null: the handout has a picture
};

/// State of a room's animation: there is none, it waits to be played, or it can be played again.
enum class Play { nothing, waits, again };

/// The room's animation.
struct Player {
    Play (*here)(const Frame& frame) = nullptr;  // null: Play::nothing
    bool (*can_play)(const Focus& focus) = nullptr;
    bool (*playing)(const State& state, const Motion& motion) = nullptr;
    bool (*start_or_stop)(AppContext& context) =
        nullptr;  // starts or ends what can be played; false if the lecture should continue
    bool (*again)(AppContext& context) = nullptr;  // false if the chapter's animation should be played
    const char *invitation = "time.waits", *invitation_tip = "time.play", *tip = "time.play";
    bool names_key = false;  // appended to the invitation
};

/// The computation a room needs.
struct Work {
    const Result* (*run)(const AppContext& context) = nullptr;      // the image's run if the room shows it; null: never
    LearningRuns (*learning)(const AppContext& context) = nullptr;  // models in training; null: none
    LookedAt (*looks)(const Workspace& now,
                      const Selection& at) = nullptr;                // the parts of a run that it shows; null: no block
    void (*request)(const AppContext& context) = nullptr;            // sends requests to the jobs, once per frame
    bool (*answered)(const AppContext& context) = nullptr;           // true if all requests are answered; null: true
    void (*take_in)(AppContext& context, Workspace& now) = nullptr;  // takes over results for the visible workspace
    void (*leave)(AppContext& context, Workspace& now) = nullptr;    // drops results while the room is not shown
};

/// Content that can be exported from a room.
struct Taking {
    std::string (*file_name)(const std::string& image, const Focus& focus) = nullptr;  // null: as in the first room
    std::vector<std::string> (*measures)(const AppContext& context) = nullptr;  // names; null: as in the first room
    std::string (*measure_name)(const Text& text, const std::string& measure) = nullptr;  // null: unchanged
    Table (*shown)(const AppContext& context) = nullptr;  // the numbers behind the picture; null: none
    /// A figure's caption after its title: the choices it depends on, the changes, image and model; null: nothing.
    std::vector<std::string> (*caption)(const InView& shown) = nullptr;
    using NamedTables = std::vector<std::pair<std::string, Table>>;
    /// Makes tables by name, on another thread; none if there is nothing yet; null: the job `NumbersExport` writes
    /// measures of the run.
    std::optional<std::function<NamedTables()>> (*tables)(const AppContext& context,
                                                          const std::vector<std::string>& measures) = nullptr;
    const char* only_here = nullptr;  // reason why it can be drawn only in the window; null: it can be drawn elsewhere
};

/// Words that replace image and model in the top bar.
struct TopLine {
    std::string words, shorter;
    double value = 0;  // for the probe
};

/// Properties of the window around the stage.
struct Around {
    std::optional<TopLine> (*top)(const Frame& frame) = nullptr;  // null: image and model
    /// Name of the open document, instead of the image; null: the image. Empty: the window has the room's name.
    std::string (*subject)(const View& view) = nullptr;
    float (*notices)(const Layout& layout) = nullptr;  // lower edge of notices; null: beside the title or on the stage
    bool halves = false;                           // it draws two workspaces side by side; else the visible one alone
    bool (*narrow)(const Frame& frame) = nullptr;  // true if the figure fits half of a small window; null: never
    Scope (*next_scope)(const Focus& focus) = nullptr;  // the colour range after the shown one; null: as in chapters
    std::string_view (*tab)(const Focus& focus) = nullptr;           // highlighted tab; null or empty: its own
    bool (*leads_to)(Focus& focus, std::string_view tab) = nullptr;  // true if it handles the tab itself; null: never
    void (*enter_by_tab)(Focus& focus) = nullptr;                    // prepares entering by the room's tab
};

/// All functions and texts of a room.
struct RoomAnswers {
    Places places;
    Teaching teaching = {};
    Player player = {};
    Work work = {};
    Taking taking = {};
    Around around = {};
};

/// The answers of a room by its id.
const RoomAnswers& answers_of(std::string_view room);
/// The room whose places have this keyword (`Places::word`), which is also the name of its option on the command line.
const Room& room_with_places(std::string_view word);
/// The answers of a room with chapters; for a room without chapters, those of the first room.
const RoomAnswers& chapters_of(std::string_view room);
/// The parts of a run that the visible room reads; under a memory budget only these are computed.
LookedAt looked_at(const State& state, const Workspace& now, const Selection& at);
/// True if these parts are in memory for all shown workspaces, so that their numbers can be shown without computing.
bool looks_ready(const AppContext& context);
/// The room in view and the place in it as one word: "laboratory.causes".
std::string place_in(const State& state, const Focus& focus);
std::string place_in_view(const AppContext& context);
/// True if a room has a place of this name.
bool has_place(std::string_view room, const std::string& place);
/// Value of `work.run` for rooms that show the image's run; the default for rooms without answers.
const Result* run_in_view(const AppContext& context);
/// Value of `around.subject` for rooms whose windows have the room's name.
std::string no_subject(const View& view);

}  // namespace vitrine
