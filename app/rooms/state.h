#pragma once

#include <array>
#include <cstdint>
#include <ctime>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/lecture/lecture.h"
#include "app/platform/monitors.h"
#include "app/rooms/learning/learning_state.h"
#include "app/workspace/figure_look.h"
#include "app/workspace/settings.h"
#include "core/files/table.h"
#include "core/training/pictures/picture_set.h"
#include "core/vit/experiment.h"

namespace vitrine {

struct PhotoModel;

/// The next picture to draw: a class and its options.
struct DrawingChoice {
    std::string thing = "cat";  // a class of the open model's set
    Difficulty difficulty = Difficulty::normal;
    int size = 512;               // width and height, pixels
    std::uint64_t number = 1000;  // of the last picture drawn

    /// The class's index in a set of classes; 0 if the set does not have the class.
    std::size_t place_in(const std::vector<std::string>& classes) const;
    /// The word for this picture in the open model's set: "cat:17:hard:256".
    std::string word() const;
    /// Sets the choice from such a word. Throws Error if it does not name a picture.
    void choose(const std::string& word);
    bool operator==(const DrawingChoice&) const = default;
};

/// A family's training runs that are kept from a killed window.
struct KeptTraining {
    std::uint64_t examples = 0;  // seen by the longest run; 0 if there are no runs
    bool over = false;           // all runs are finished
    bool operator==(const KeptTraining&) const = default;
};

/// Summary of a session file for lists: image, place and time.
struct KeptSession {
    std::filesystem::path file;
    std::string image;                // a class or a file's name; empty if the file cannot be read
    std::string place;                // key of the text for its view: "step.attention.title"
    std::time_t at = 0;               // when it was written
    int pictures = 0, sentences = 0;  // training that was lost with the window
    KeptTraining picture_runs = {}, text_runs = {};
    std::string training = {};  // key of the runs' name: an experiment or a task; empty for other runs
    std::uint64_t steps = 0;    // of the longest run
    int aside = 0;              // number of finished runs that others had replaced on the screen
    int stop = 0;               // stop of the lesson that was presented, from 1; 0: no lesson was
    bool operator==(const KeptSession&) const = default;
};

/// Recently opened files that still exist, newest first.
struct Recents {
    std::vector<std::filesystem::path> images, models;
    std::vector<LessonRow> lessons;
    std::vector<KeptSession> sessions;
    bool empty() const { return images.empty() && models.empty() && lessons.empty() && sessions.empty(); }
};

/// The part of a panel that a link leads to: the panel scrolls to the part once, as soon as it shows the place.
struct PartToShow {
    std::string place;  // room and place; empty: none
    std::string part;
    int request = 0;  // number of requests so far
};

/// The stream in the window, as of this frame.
struct StreamShown {
    std::string name;          // name of the source; empty: there is no stream
    bool paused = false;       // the shown frame stays
    int workspace = 0;         // the workspace whose image the frames are
    ImageSource before, now;   // the image that the stream replaced, and the last frame that became the image
    std::uint64_t shown = 0;   // number of frames shown since the stream began
    std::deque<double> times;  // ImGui's times of the last shown frames, s

    bool on() const { return !name.empty(); }
    /// Frames per second over the last few frames; 0 before the second frame.
    double per_second() const;
};

/// Everything that a user can change in a window besides its workspaces; and reports of jobs and files, taken in once
/// per frame.
struct State {
    std::string room = "explore";  // by its id
    std::string dialog;            // id of the open dialog; empty: none
    Settings settings;
    Lecture lecture;
    LearningState learning;
    DrawingChoice drawing;
    StreamShown stream;
    bool answer_shown = false;  // the answer to the chapter's question is shown
    bool first_minute = false;  // the first minute's guide is running
    PartToShow part;
    std::string error;  // shown until dismissed

    std::string told;                                          // report of an export
    std::string handout_told;                                  // report of a handout
    std::string saved_told;                                    // report of saving a trained model
    std::map<std::pair<bool, int>, std::uint64_t> saved_runs;  // by texts or pictures and index: examples seen
    std::filesystem::path own_saved;                           // folder of the current head; empty: not saved yet
    std::filesystem::path own_folder;                          // folder of the user's own pictures
    bool own_left = false;                                     // leaving an unsaved head was requested once
    double copied_until = 0;                                   // ImGui's time until which "Copied" is shown
    std::optional<double> exporting, writing_handout;          // done share; none: no export
    bool model_changed = false;                                // a file of the shown model has changed

    std::vector<LessonRow> lessons;               // while their dialog is open
    std::vector<Monitor> monitors;                // of the desktop; none for exports and tests
    std::vector<std::filesystem::path> sessions;  // in the export folder, newest first
    std::vector<KeptSession> left;                // left by killed windows, newest first
    std::vector<KeptSession> discarded;           // discarded ones; their files stay until that cannot be undone
    std::optional<KeptSession> last;              // session of the last closed window
    std::time_t opened_at = 0;                    // when the open session was written; 0: it is not an earlier session
    Recents recents;                              // while a dialog lists them
    std::shared_ptr<const PhotoModel> photo_model;  // as of the last list of models; null: no such model is here
    std::string opened_from;                        // the dialog to reopen if opening fails
    std::string notice;                             // temporary notice
    double notice_until = 0;                        // ImGui's time
    bool full_screen = false;                       // the window is in full screen
    bool transparent = false;                       // zones without background, for exported figures
    FigureLook figure;                              // appearance of exported figures
};

/// Unsubmitted input of dialogs and panels.
struct Drafts {
    std::array<char, 128> find_text = {};
    std::array<char, 64> class_text = {};    // search for a class
    std::array<char, 1024> own_folder = {};  // folder of the user's own pictures
    std::array<char, 1024> save_as = {};     // name for the session's file
    int find_chosen = 0;                     // index in the search's results
    std::array<char, 401> sentence = {};     // for the Text room
    std::string sentence_from;               // the text it was filled from
    std::string notes_key, notes_text;       // the notes under edit
    Rect heading_free;                       // free part of the stage's title line in the last frame, for notices

    struct LessonDraft {
        std::string from;          // values the fields were filled from
        int stop = 0;              // the stop of the notes below
        int asks = -1;             // the stop for which the user writes a question; −1: none
        bool types_title = false;  // the title's field is active
        std::string title, notes, stop_title, question, choices, answer;
    } lesson;

    struct Export {
        std::string part = "stage";  // part of the window
        int times = 2;               // magnification: pixels per screen pixel
        Ground ground = Ground::screen;
        FigureLook look = {.bare = true, .title = true};  // options of a clean figure
        std::set<std::string> measures;
        std::string first;  // the measure of the picture for which `measures` were chosen
        TableFormat format = TableFormat::csv;
        std::array<char, 128> name = {};  // name of the next picture; empty: derived from its content
    } taking;
};

}  // namespace vitrine
