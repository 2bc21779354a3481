#pragma once

#include <array>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
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
#include "core/training/pictures/pictures.h"

namespace vitrine {

/// A picture that is drawn afresh: the next of its class.
struct DrawingChoice {
    std::string thing = "cat";  // a class of the open model's set
    Difficulty difficulty = Difficulty::normal;
    int size = 512;               // pixels
    std::uint64_t number = 1000;  // of the last one drawn

    /// Its class's place among those of a set; the first where that set has no such class.
    std::size_t place_in(const std::vector<std::string>& classes) const;
    /// The picture of this class, difficulty, size and number, in the open model's set.
    std::string word() const;
    /// Takes the choice from such a word. Throws Error.
    void choose(const std::string& word);
    bool operator==(const DrawingChoice&) const = default;
};

/// A session file as lists tell of it: what was open, where, and when it was written.
struct KeptSession {
    std::filesystem::path file;
    std::string image;                // a class or a file's name; empty where the file cannot be read
    std::string place;                // the text of what it shows: "step.attention.title"
    std::time_t at = 0;               // when it was written
    int pictures = 0, sentences = 0;  // that models learned from which are gone with the window
    bool operator==(const KeptSession&) const = default;
};

/// What was opened before and is still there, the newest first.
struct Recents {
    std::vector<std::filesystem::path> images, models;
    std::vector<LessonRow> lessons;
    std::vector<KeptSession> sessions;
    bool empty() const { return images.empty() && models.empty() && lessons.empty() && sessions.empty(); }
};

/// All that a user can change of a window beside its workspaces, which only commands do; and what is told of jobs and
/// files, which the shell takes in once a frame.
struct State {
    std::string room = "explore";  // by its id
    std::string dialog;            // what lies over the window, by its id; empty: nothing
    Settings settings;
    Lecture lecture;
    LearningState learning;
    DrawingChoice drawing;
    bool answer_shown = false;  // of the step's question
    std::string error;          // what could not be done, until it is read

    std::string told;                                          // what an export has done
    std::string handout_told;                                  // and a handout
    std::string saved_told;                                    // and saving a model that learned
    std::map<std::pair<bool, int>, std::uint64_t> saved_runs;  // of texts or of pictures, which run: what it had seen
    std::filesystem::path own_saved;                           // the folder of the head that is there; empty: none yet
    std::filesystem::path own_folder;                          // where those lie
    bool own_left = false;                                     // another folder was asked for, and that is not saved
    double copied_until = 0;                                   // ImGui's time, while "Copied" is told
    std::optional<double> exporting, writing_handout;          // the share that is done; none: nothing is exported
    bool model_changed = false;                                // a file of the model that is shown is not what was read

    std::vector<LessonRow> lessons;               // that can be chosen, while their dialog is open
    std::vector<Monitor> monitors;                // of the desktop; none in pictures and tests
    std::vector<std::filesystem::path> sessions;  // in the folder of exports, the newest first
    std::vector<KeptSession> left;                // what windows that were killed have left, the newest first
    std::optional<KeptSession> last;              // what was open when the last window was closed
    Recents recents;                              // while a dialog lists them
    std::string opened_from;                      // the dialog that comes back where the opening fails
    std::string notice;                           // what was done, for a moment over everything
    double notice_until = 0;                      // ImGui's time
    bool full_screen = false;                     // the window fills a screen, as before a hall
    bool transparent = false;                     // zones without a ground, for pictures on slides
    FigureLook figure;                            // and what is left out of them
};

/// What is typed or chosen in dialogs and panels and not asked for yet.
struct Drafts {
    std::array<char, 128> find_text = {};
    std::array<char, 64> class_text = {};    // to find a class
    std::array<char, 1024> own_folder = {};  // of one's own pictures
    std::array<char, 1024> save_as = {};     // the file of the session
    int find_chosen = 0;                     // of what the finder found
    std::array<char, 401> sentence = {};     // of the Text room
    std::string sentence_from;               // what that was filled from
    std::string notes_key, notes_text;       // a lecturer's notes while they are edited

    struct LessonDraft {
        std::string from;  // what the fields were filled from
        int stop = 0;      // whose notes are below
        std::string title, notes, stop_title, question, answer;
    } lesson;

    struct Export {
        std::string part = "stage";  // of the window
        int times = 2;               // pixels for one
        Ground ground = Ground::screen;
        FigureLook look = {.bare = true};  // a clean figure
        std::set<std::string> measures;
        TableFormat format = TableFormat::csv;
        std::array<char, 128> name = {};  // of the next picture; empty: of what is shown
    } taking;
};

}  // namespace vitrine
