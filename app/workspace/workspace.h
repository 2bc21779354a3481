#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/workspace/history.h"
#include "app/workspace/motion.h"
#include "app/workspace/result.h"
#include "app/workspace/roles.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_request.h"
#include "core/measures/placed_map.h"
#include "core/training/pictures/picture_set.h"
#include "core/vit/experiment.h"

namespace vitrine {

struct Looked;
struct Measured;

/// State of the measuring job.
struct MeasuringShown {
    std::shared_ptr<const Measured> result;  // the newest one; none before the first
    bool running = false;
    double fraction = 0, seconds = 0;  // of the stage; since the run started
};

/// An experiment with its newest result, its selection and its history: like a tab in a browser.
struct Workspace {
    explicit Workspace(int number = 1) : id(number) {}

    int id;  // from 1; identifies the workspace in jobs
    Experiment experiment;
    TextExperiment text_experiment;
    Selection selection;
    Motion motion;
    History history;

    Snapshot shown;                            // state of the inference as of this frame
    std::optional<Snapshot> exercise;          // while its room is open: result with the mistake
    MeasuringShown measuring;                  // as of this frame
    std::shared_ptr<const Looked> looked;      // the blocks that the room in view reads, held in memory
    bool looking = false;                      // a job is computing those blocks
    std::shared_ptr<const Measured> measured;  // for the laboratory
    TextShown text;                            // for the Text room
    TextShown text_exercise;                   // while its room is open: result with a text Transformer's mistake
    std::shared_ptr<const Failure> told;       // the last failure reported
    Moment entered;                            // state on entering the current chapter
    std::optional<PlacedMap> left_map;         // the reader's own map, while the chapter shows one of its own
    bool changed = true;                       // by a command, and not yet in the history
    bool as_left = false;                      // reached by undo, redo or a session, and unchanged since

    /// Changes to apply once a model or an image has been opened.
    struct Arrival {
        TextExperiment text_experiment;
        std::optional<Focus> focus;                        // none: stays as it is
        std::optional<std::vector<std::string>> what_ifs;  // of a session, as words: checked once the model is there
        std::filesystem::path file;                        // of a recovered session, to be deleted afterwards
    };
    std::optional<Arrival> arrival;
    /// The file a session was read from or saved to: saving again replaces it while image and model are the same.
    struct OwnFile {
        std::filesystem::path session, model;  // `model`: where a model trained in the window is stored
        ModelSource of_model;
        ImageSource of_image;
    };
    std::map<int, OwnFile> own_files;  // by the session's number; none if it was neither read nor saved
    int opening = 0, openings = 0;     // number of the open session, and of the one opened last
    Roles roles;                       // requested by a lesson's stop, until its result is there

    OwnFile& own() { return own_files[opening]; }
    /// Starts another session, without a file of its own; undo returns to the one before.
    void begin_session() { opening = ++openings; }

    Moment moment(const std::string& room) const {
        return {experiment, text_experiment, selection.focus, room, opening, {}};
    }
    /// Configuration of the shown model; a default one if there is none yet.
    const Config& config() const;
    bool shows_requested_model() const;
    bool shows_requested_image() const;
    /// The Text room's request, and whether its finished result is shown.
    TextRequest text_request() const { return request_of(text_experiment, selection.focus.text.chapter); }
    bool shows_requested_text() const;
    /// The text experiment, and what is looked at in it.
    TextDraft text_draft() { return {text_experiment, selection.focus.text}; }
    /// The text that its chapter reads, as it is typed.
    const std::string& typed_text() const { return text_experiment.text_in(selection.focus.text.chapter); }
    /// The set of drawn pictures that its model was trained on; before a model is open, the bundled model's.
    PictureSet pictures() const;

    /// The experiment to return to after a failure: the shown one; before there is one, the bundled model's first
    /// sample.
    Experiment last_experiment() const;

    /// Takes over the jobs' results since the last frame. Returns the message of a failure not reported yet; open
    /// images and models stay open, and the history forgets the one that failed.
    std::string take_in(const Snapshot& now, History& history);
    /// Applies the arrival once its model is there. Throws Error if the model has no such what-ifs; the rest is
    /// applied.
    void arrive();
    /// True if there are roles to resolve and the result for them is there.
    bool can_play_roles() const {
        return roles.any() && !roles.of_text && !arrival && shown.result && shown.result->experiment == experiment;
    }
    /// Resolves the roles: sets focus and what-ifs.
    void play(const DecisiveHead& decisive);
    /// The same in the Text room, once its text is there.
    void play_text();
    /// The result that a chapter of the Text room can explain: null before the first one, while one of another task is
    /// pending, and if there are no words.
    const TextResult* text_to_explain() const { return text_to_explain(text_experiment, selection.focus.text.chapter); }
    /// The same of an experiment and a chapter that are being changed in this frame.
    const TextResult* text_to_explain(const TextExperiment& experiment, TextChapter chapter) const;
    /// Puts the chapter's animation at its end, waiting to be played if animations are on.
    void enter_chapter(bool motions);
    /// Restores a state exactly; a focus in another model waits for that model.
    void go_to(const Moment& moment);
};

/// One workspace, or two side by side: the left one and the right one. Commands act on the visible one, of two the one
/// that was clicked last; it has the history and the files of both.
class Workspaces {
public:
    Workspaces() { all_.emplace_back(1); }

    SideBySide side_by_side;

    Workspace& visible() { return all_[visible_]; }
    const Workspace& visible() const { return all_[visible_]; }
    /// The other of two; null if there is one alone.
    Workspace* other() { return all_.size() < 2 ? nullptr : &all_[1 - visible_]; }
    const Workspace* other() const { return all_.size() < 2 ? nullptr : &all_[1 - visible_]; }
    std::span<Workspace> all() { return all_; }
    std::span<const Workspace> all() const { return all_; }

    /// Adds a workspace on the right, with the same experiment and focus, and makes it the visible one; does nothing if
    /// there are two. References to the first one become invalid.
    Workspace& add();
    /// Closes one by its index, 0 for the left one; the last one stays.
    void close(std::size_t index);
    /// Makes one the visible one, by its index.
    void show(std::size_t index);
    std::size_t shown() const { return visible_; }

    /// The state of the visible one and, if there is one, the other.
    Moment moment(const std::string& room) const;
    /// Adds the changes made by commands to the history once they are shown; frames of a stream are never in it.
    void remember(const std::string& room, const std::optional<StopOfLesson>& stop, double seconds);
    /// Copies the changes of the visible one's view since `before` to the other one: all of them while the two are
    /// linked, else only the chapter, which is always the same in both.
    void link(const Moment& before);
    /// The file of the session that both belong to; empty if something else is open.
    std::filesystem::path own_session() const;

private:
    std::vector<Workspace> all_;
    std::size_t visible_ = 0;
    int last_id_ = 1;
};

}  // namespace vitrine
