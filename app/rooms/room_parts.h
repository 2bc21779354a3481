#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What a room answers about itself: sessions, lessons, handouts, dialogs, exports, the frame and the command line ask
// these parts and never which room it is. A part that a room leaves out means what its comment says.

namespace vitrine {

struct AppContext;
struct Config;
struct Focus;
struct Frame;
struct Layout;
struct LearningRuns;
struct LessonStop;
struct Motion;
struct MutableView;
struct Place;
struct Result;
class Selection;
struct Settings;
struct State;
struct Step;
struct Table;
class Text;
struct Ui;
struct View;
struct Workspace;

/// What is shown, with the selection of the frame.
struct InView {
    const Ui& ui;
    const Workspace& workspace;
    const Selection& selection;
};

/// A place as options of the command line, and the parts of the focus that they say.
struct PlaceOptions {
    std::vector<std::pair<const char*, std::string>> options;
    std::vector<std::string> parts;
};

/// The places of a room: its chapters, instruments, exercises or runs.
struct Places {
    const char* word = nullptr;                         // that begins a stop of a lesson
    const char* what = nullptr;                         // "instrument": one of them, in messages
    std::vector<std::string> (*all)() = nullptr;        // their names
    std::string (*here)(const Focus& focus) = nullptr;  // null: the focus does not say
    void (*look)(const std::string& place, const MutableView& view) = nullptr;
    bool (*covered)(const Focus& focus) = nullptr;        // something else lies over it; null: never
    const Step* (*step)(const Focus& focus) = nullptr;    // of the curriculum that is shown; null: none
    void (*walk)(AppContext& context, int by) = nullptr;  // to the next ones; null: along the curriculum

    // In lessons.
    void (*describe)(const AppContext& context, LessonStop& stop) = nullptr;  // what is in view; null: the run
    void (*arrive)(const LessonStop& stop, Place& to) = nullptr;              // what a stop says beside its place
    void (*show)(AppContext& context, const LessonStop& stop) = nullptr;      // null: its room is entered
    bool (*take_line)(LessonStop& stop, const std::string& key, const std::string& value) = nullptr;  // throws Error
    bool (*is_recorded)(const std::string& place) = nullptr;                                          // null: none is
    bool (*owns)(const std::string& part) = nullptr;                           // of the focus; null: an image's run
    void (*start_over)(const MutableView& view, const View& fresh) = nullptr;  // those parts; null: an image's run

    /// On the command line; null: as the first room.
    PlaceOptions (*options)(const View& view) = nullptr;
    /// What has been chosen there, as `--chosen` says it; null: nothing can be.
    std::string (*chosen)(const Settings& settings, const Focus& focus) = nullptr;
    /// Takes it; the first part that cannot be chosen, if any.
    std::optional<int> (*choose)(const std::vector<int>& parts, const Focus& focus, const Config& config,
                                 Settings& settings) = nullptr;
};

/// The words of a place, as keys; empty where it has none.
struct PlaceWords {
    std::string title, sentence, words = {}, question = {}, notes = {}, mistake = {};
};

/// What a place asks and says; at a lesson's stop the question that it was given.
struct Asked {
    std::string equation, equation_words, question, answer;
};

/// What is to be done at a place, on paper: lines of code, and what is chosen in turn.
struct Worksheet {
    struct Task {
        std::string title;                 // a key
        std::vector<std::string> offered;  // keys, or code
        bool code = false;
    };
    std::vector<std::string> lines;
    std::vector<Task> tasks;
};

/// A part of a panel that a lecture shows, too.
struct SharedPart {
    bool (*there)(const Frame& frame) = nullptr;  // null: never
    void (*draw)(const Frame& frame) = nullptr;
};

/// What a room teaches.
struct Teaching {
    PlaceWords (*words)(const std::string& place) = nullptr;
    /// Under which name the notes and the answer of the chapter here are remembered; null: the room has no chapters.
    std::string (*chapter)(const Focus& focus) = nullptr;
    std::optional<Asked> (*asked)(const InView& shown) = nullptr;  // none before there is a run; null: nothing
    bool (*asks)(const Workspace& workspace) = nullptr;            // whether there is one; null: no
    bool (*answered)(const Workspace& workspace) = nullptr;        // the learner has done what the question asks for
    std::vector<std::string> (*changes)(const InView& shown) = nullptr;  // in its model; null: those of the image's run
    SharedPart switches = {}, numbers = {};
    const char* (*runs)(const Frame& frame) = nullptr;  // that learn with and without what the chapter speaks of
    Worksheet (*worksheet)(const std::string& place, const Config& config) = nullptr;  // null: a picture
};

/// What there is to play, and whether nobody has seen it yet.
enum class Play { nothing, waits, again };

/// What moves in time.
struct Player {
    Play (*here)(const Frame& frame) = nullptr;  // null: nothing
    bool (*can_play)(const Focus& focus) = nullptr;
    bool (*playing)(const State& state, const Motion& motion) = nullptr;
    bool (*go_on)(AppContext& context) = nullptr;  // begins or ends what waits; false where the lecture goes on
    bool (*again)(AppContext& context) = nullptr;  // false where the motion of the chapter is meant
    const char *invitation = "time.waits", *invitation_tip = "time.play", *tip = "time.play";
    bool names_key = false;  // behind the invitation
};

/// What a room needs computed.
struct Work {
    const Result* (*run)(const AppContext& context) = nullptr;       // of the image, where it is shown; null: it is not
    LearningRuns (*learning)(AppContext& context) = nullptr;         // the models that learn; null: none
    void (*request)(AppContext& context) = nullptr;                  // asks the jobs, once a frame
    bool (*answered)(AppContext& context) = nullptr;                 // whether they have; null: yes
    void (*take_in)(AppContext& context, Workspace& now) = nullptr;  // what they have done for the visible workspace
    void (*leave)(AppContext& context, Workspace& now) = nullptr;    // lets go of it, where the room is not in view
};

/// What can be taken out of a room.
struct Taking {
    std::string (*file_name)(const std::string& image, const Focus& focus) = nullptr;  // null: as the first room
    std::vector<std::string> (*measures)(const AppContext& context) = nullptr;  // by name; null: as the first room
    std::string (*measure_name)(const Text& text, const std::string& measure) = nullptr;  // null: the same
    Table (*shown)(const AppContext& context) = nullptr;  // the numbers behind the picture; null: there are none
    /// Tables by their names, none where there is nothing; null: another process makes them from the session.
    std::optional<std::vector<std::pair<std::string, Table>>> (*tables)(
        const AppContext& context, const std::vector<std::string>& measures) = nullptr;
    const char* only_here = nullptr;  // why no other process can draw it; null: one can
};

/// What stands in the top bar instead of the image and the model.
struct TopLine {
    std::string words, shorter;
    double value = 0;
};

/// How the window around the stage is.
struct Around {
    std::optional<TopLine> (*top)(const Frame& frame) = nullptr;  // null: image and model
    /// What is open there, instead of the image; empty: nothing, and the window has the room's name.
    std::string (*subject)(const View& view) = nullptr;
    float (*notices)(const Layout& layout) = nullptr;       // their lower edge; null: in the heading or below the stage
    int scopes = 3;                                         // of colours that can be chosen; a fixed one is the fourth
    std::string_view (*tab)(const Focus& focus) = nullptr;  // that stands out; null or empty: its own
    bool (*leads_to)(Focus& focus, std::string_view tab) = nullptr;  // has that itself; null: nothing
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

/// Those of a room by its id.
const RoomAnswers& answers_of(std::string_view room);
/// Those of a room that has chapters, of the first one in the place of another.
const RoomAnswers& chapters_of(std::string_view room);
/// Whether a room has a place of this name.
bool has_place(std::string_view room, const std::string& place);
/// What `work.run` is in rooms that show the image's run.
const Result* run_in_view(const AppContext& context);
/// What `around.subject` is in rooms whose windows have the room's name.
std::string no_subject(const View& view);

}  // namespace vitrine
