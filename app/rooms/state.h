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
    int size = 512;               // pixels
    std::uint64_t number = 1000;  // of the last one drawn

    /// Its class's index in a set; 0 if that set has no such class.
    std::size_t place_in(const std::vector<std::string>& classes) const;
    /// The word of this picture in the open model's set.
    std::string word() const;
    /// Sets the choice from such a word. Throws Error.
    void choose(const std::string& word);
    bool operator==(const DrawingChoice&) const = default;
};

/// Runs of a family that a killed window kept.
struct KeptTraining {
    std::uint64_t examples = 0;  // that the longest of them has seen; 0 if there are none
    bool over = false;           // all of them are finished
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
    std::string training = {};  // key of the name of those runs: an experiment or a task; empty for other runs
    std::uint64_t steps = 0;    // of the longest of them
    int aside = 0;              // finished runs beside them, which others had replaced on the screen
    int stop = 0;               // of the lesson that was presented, from 1; 0: none was
    bool operator==(const KeptSession&) const = default;
};

/// Recently opened files that still exist, newest first.
struct Recents {
    std::vector<std::filesystem::path> images, models;
    std::vector<LessonRow> lessons;
    std::vector<KeptSession> sessions;
    bool empty() const { return images.empty() && models.empty() && lessons.empty() && sessions.empty(); }
};

/// The part of a panel that a link leads to: the panel scrolls to it once, as soon as it shows that place.
struct PartToShow {
    std::string place;  // room and place; empty: none
    std::string part;
    int request = 0;  // counts them
};

/// The stream in the window, as of this frame.
struct StreamShown {
    std::string name;          // of its source; empty: there is no stream
    bool paused = false;       // the frame that is shown stays
    int workspace = 0;         // the one whose image its frames are
    ImageSource before, now;   // the image that it replaced, and the frame last made the image
    std::uint64_t shown = 0;   // frames since it began
    std::deque<double> times;  // ImGui's, of the last frames shown

    bool on() const { return !name.empty(); }
    /// Frames a second over the last few; 0 before there are two.
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
    bool answer_shown = false;  // for the step's question
    bool first_minute = false;  // it leads through the attention maps
    PartToShow part;
    std::string error;  // shown until dismissed

    std::string told;                                          // report of an export
    std::string handout_told;                                  // report of a handout
    std::string saved_told;                                    // report of saving a trained model
    std::map<std::pair<bool, int>, std::uint64_t> saved_runs;  // by texts or pictures and index: examples seen
    std::filesystem::path own_saved;                           // folder of the current head; empty: not saved yet
    std::filesystem::path own_folder;                          // folder of the user's own pictures
    bool own_left = false;                                     // another folder was requested while the head is unsaved
    double copied_until = 0;                                   // ImGui's time until which "Copied" is shown
    std::optional<double> exporting, writing_handout;          // done share; none: no export
    bool model_changed = false;                                // a file of the shown model has changed

    std::vector<LessonRow> lessons;               // while their dialog is open
    std::vector<Monitor> monitors;                // of the desktop; none for pictures and tests
    std::vector<std::filesystem::path> sessions;  // in the export folder, newest first
    std::vector<KeptSession> left;                // left by killed windows, newest first
    std::vector<KeptSession> discarded;           // of those; their files stay until it can no longer be undone
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
    int find_chosen = 0;                     // index in the finder's results
    std::array<char, 401> sentence = {};     // for the Text room
    std::string sentence_from;               // the text it was filled from
    std::string notes_key, notes_text;       // the notes under edit
    Rect heading_free;                       // where the last frame's line of the stage's title left room for a notice

    struct LessonDraft {
        std::string from;          // values the fields were filled from
        int stop = 0;              // the stop of the notes below
        int asks = -1;             // the stop for which a question of one's own is to be written
        bool types_title = false;  // its field is active
        std::string title, notes, stop_title, question, choices, answer;
    } lesson;

    struct Export {
        std::string part = "stage";  // part of the window
        int times = 2;               // pixels for one
        Ground ground = Ground::screen;
        FigureLook look = {.bare = true, .title = true};  // options of a clean figure
        std::set<std::string> measures;
        std::string first;  // the picture's own measure when they were chosen
        TableFormat format = TableFormat::csv;
        std::array<char, 128> name = {};  // name of the next picture; empty: derived from its content
    } taking;
};

}  // namespace vitrine
