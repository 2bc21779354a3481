#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/chapters/chapter.h"

// A room's answers about itself: sessions, lessons, handouts, dialogs, exports, the frame and the command line ask
// these and never which room it is. Defaults are given in comments.

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
    std::vector<std::string> (*all)() = nullptr;        // their names
    std::string (*here)(const Focus& focus) = nullptr;  // null: not in the focus
    void (*look)(const std::string& place, const MutableView& view) = nullptr;
    bool (*covered)(const Focus& focus) = nullptr;        // hidden by something else; null: never
    const Step* (*step)(const Focus& focus) = nullptr;    // the curriculum's step that is shown; null: none
    void (*walk)(AppContext& context, int by) = nullptr;  // moves to the next ones; null: along the curriculum

    // In lessons.
    // Adds the view, with no id if it has no name; null: that of the run.
    void (*describe)(const AppContext& context, LessonStop& stop) = nullptr;
    void (*arrive)(const LessonStop& stop, Place& to) = nullptr;          // adds a stop's other values
    void (*show)(AppContext& context, const LessonStop& stop) = nullptr;  // null: enters the room
    bool (*take_line)(LessonStop& stop, const std::string& key, const std::string& value) = nullptr;  // throws Error
    bool (*is_recorded)(const std::string& place) = nullptr;                                          // null: none is
    bool (*owns)(const std::string& part) = nullptr;  // parts of the focus; null: those of an image's run
    void (*start_over)(const MutableView& view,
                       const View& fresh) = nullptr;  // resets those parts; null: those of an image's run

    /// On the command line; null: as in the first room.
    PlaceOptions (*options)(const View& view) = nullptr;
    /// The choices made there, in the format of `--chosen`; null: there are none.
    std::string (*chosen)(const Settings& settings, const Focus& focus) = nullptr;
    /// Makes these choices; returns the index of the first invalid one, if any.
    std::optional<int> (*choose)(const std::vector<int>& parts, const Focus& focus, const Config& config,
                                 Settings& settings) = nullptr;
    /// The right choices, in order.
    std::vector<int> (*solution)(const Focus& focus, const Config& config) = nullptr;
};

/// Keys of a place's texts; empty where it has none.
struct PlaceWords {
    std::string title, sentence, words = {}, question = {}, notes = {}, mistake = {};
    std::string place = {};  // as assets/references.json names it
};
/// The words of what is in view at a place of a room.
PlaceWords words_in_view(const RoomAnswers& room, const std::string& place, const View& view);
/// The words of a chapter by its key; a chapter without a mistake has no text under that key.
PlaceWords words_under(const std::string& key);

/// Question and answer of a place, or of a lesson's stop instead.
struct Asked {
    Formula equation;
    std::string question, answer;
};

/// A model's answer in words: without the changes, and as it is now.
struct Predicted {
    std::string before, now;
    bool changed = false;    // something is switched off or replaced
    double probability = 0;  // of the first class now; 0: the answer is a text
    bool on_stage = false;   // in a lecture the stage shows it, with the one before
};

/// What became of the learner's guess, in words.
struct GuessTold {
    bool right = false;
    std::string words;
};

/// The task at a place for a handout: lines of code, and the choices in order.
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
    PlaceWords (*seen)(const View& view) = nullptr;  // of the picture in view; null: those of the place
    /// Key for the current chapter's notes and answer; null: the room has no chapters.
    std::string (*chapter)(const Focus& focus) = nullptr;
    std::optional<Formula> (*formula)(const InView& shown) = nullptr;  // none before there is a run; null: no questions
    /// The changes of the run that the equation does not show, as a sentence; empty if there are none.
    std::string (*changed_equation)(const InView& shown) = nullptr;
    std::string (*answer)(const InView& shown) = nullptr;                // to the chapter's question
    bool (*asks)(const Workspace& workspace) = nullptr;                  // whether there is a question; null: no
    bool (*answered)(const Workspace& workspace) = nullptr;              // the learner has done what the question asks
    std::optional<GuessTold> (*guess)(const Frame& frame) = nullptr;     // none before there is one; null: never
    void (*draw_guess_result)(const Frame& frame) = nullptr;             // that, and what a click does; null: nothing
    bool (*takes_guess)(const Focus& focus) = nullptr;                   // a click on a patch can be a guess; null: no
    std::vector<std::string> (*changes)(const InView& shown) = nullptr;  // of its model; null: those of the image's run
    std::vector<std::string> (*changes_of)(const Ui& ui, const TextExperiment& experiment) =
        nullptr;  // of its own model in an experiment; null: it has none
    std::string (*model_notice)(const Ui& ui, const Moment& from, const Moment& to) =
        nullptr;  // reports that its model changed unasked; empty: it did not; null: it never does
    std::vector<std::string> (*of_model)(const InView& shown) = nullptr;  // words about this model alone; null: none
    SharedPart switches = {}, numbers = {};
    std::vector<Fact> (*facts)(const InView& shown) =
        nullptr;  // those numbers in words, once there is a run; null: none
    std::optional<Predicted> (*predicted)(const InView& shown) = nullptr;  // none before there is a run; null: none
    void (*draw_whole_answer)(const Frame& frame) = nullptr;               // the answer with all its numbers
    void (*written_out)(const Frame& frame) = nullptr;  // a number above the others, in the panel alone; null: none
    std::string (*listing)(const Workspace& workspace, const Focus& focus) = nullptr;  // the chapter in PyTorch
    const char *answer_command = "answer", *copy_command = "copy_code", *copy_button = "code.copy";
    const char* (*runs)(const Frame& frame) = nullptr;  // runs with and without the chapter's subject
    Worksheet (*worksheet)(const std::string& place,
                           const Config& config) = nullptr;  // null: the handout has a picture
};

/// Whether there is something to play, and whether it was played.
enum class Play { nothing, waits, again };

/// The room's animation.
struct Player {
    Play (*here)(const Frame& frame) = nullptr;  // null: nothing
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
    const Result* (*run)(const AppContext& context) = nullptr;      // the image's run if it is shown; null: it is not
    LearningRuns (*learning)(const AppContext& context) = nullptr;  // models in training; null: none
    LookedAt (*looks)(const Workspace& now,
                      const Selection& at) = nullptr;                // the parts of a run that it shows; null: no block
    void (*request)(const AppContext& context) = nullptr;            // sends requests to the jobs, once per frame
    bool (*answered)(const AppContext& context) = nullptr;           // all requests are answered; null: yes
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

/// Replaces image and model in the top bar.
struct TopLine {
    std::string words, shorter;
    double value = 0;
};

/// Properties of the window around the stage.
struct Around {
    std::optional<TopLine> (*top)(const Frame& frame) = nullptr;  // null: image and model
    /// The open document in place of the image; empty: none, and the window has the room's name.
    std::string (*subject)(const View& view) = nullptr;
    float (*notices)(const Layout& layout) = nullptr;  // lower edge of notices; null: in the heading or over no words
    bool halves = false;                           // it draws two workspaces side by side; else the visible one alone
    bool (*narrow)(const Frame& frame) = nullptr;  // whether a figure fits half of a small window; null: never
    Scope (*next_scope)(const Focus& focus) = nullptr;  // the colour range after the shown one; null: as in chapters
    std::string_view (*tab)(const Focus& focus) = nullptr;           // highlighted tab; null or empty: its own
    bool (*leads_to)(Focus& focus, std::string_view tab) = nullptr;  // handles the tab itself; null: never
    void (*enter_by_tab)(Focus& focus) = nullptr;
};

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
/// The room whose places have this keyword (`Places::word`), as an option of the command line has.
const Room& room_with_places(std::string_view word);
/// The answers of a room with chapters; for other rooms those of the first one.
const RoomAnswers& chapters_of(std::string_view room);
/// The parts that the visible room reads of a run within a memory budget.
LookedAt looked_at(const State& state, const Workspace& now, const Selection& at);
/// True if that is there: numbers of the run can be shown without computing.
bool looks_ready(const AppContext& context);
/// The room in view and its place, as one word: "laboratory.causes".
std::string place_in(const State& state, const Focus& focus);
std::string place_in_view(const AppContext& context);
/// True if a room has a place of this name.
bool has_place(std::string_view room, const std::string& place);
/// Default for `work.run` in rooms that show the image's run.
const Result* run_in_view(const AppContext& context);
/// Value of `around.subject` for rooms whose windows have the room's name.
std::string no_subject(const View& view);

}  // namespace vitrine
