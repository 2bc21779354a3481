#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/inference.h"
#include "app/jobs/measuring.h"
#include "app/workspace/history.h"
#include "app/workspace/motion.h"
#include "app/workspace/roles.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_request.h"
#include "core/training/pictures/pictures.h"
#include "core/vit/experiment.h"

namespace vitrine {

/// One experiment with its newest result, its selection and its history: what a tab is in a browser.
struct Workspace {
    explicit Workspace(int number = 1) : id(number) {}

    int id;  // 1 …; jobs know it by this number
    Experiment experiment;
    TextExperiment text_experiment;
    Selection selection;
    Motion motion;
    History history;

    Snapshot shown;                            // what the inference has for it, as of this frame
    std::optional<Snapshot> exercise;          // while its room is open: what the mistake gives
    Measuring::State measuring;                // of this frame
    std::shared_ptr<const Measured> measured;  // what the laboratory shows
    TextShown text;                            // what the Text room shows
    TextShown text_exercise;                   // while its room is open: what the mistake of a text Transformer gives
    std::shared_ptr<const Failure> told;       // the failure that was told
    Moment entered;                            // when its chapter was entered
    bool changed = true;                       // by a command, and not yet in the history
    bool as_left = false;                      // undo, redo or a session led here, and nobody has changed it since

    /// What was wanted of a model or an image that is still being opened.
    struct Arrival {
        TextExperiment text_experiment;
        Focus focus;
        std::optional<std::vector<std::string>> what_ifs;  // of a session, as words: checked when the model is there
        std::filesystem::path file;                        // a recovered session's, which may go then
    };
    std::optional<Arrival> arrival;
    /// The file that the session was read from or written to: saved again it takes its place, as long as image and
    /// model are those that it names.
    struct OwnFile {
        std::filesystem::path session, model;  // `model`: of one that was trained in the window, where that is kept
        ModelSource of_model;
        ImageSource of_image;
    };
    std::map<int, OwnFile> own_files;  // by the number of the session; none where it has not been read or written
    int opening = 0, openings = 0;     // the number of the session that is open, and of the one opened last
    Roles roles;                       // that a lesson's stop asks for, until its run is there

    OwnFile& own() { return own_files[opening]; }
    /// That file; empty where what is open is another thing.
    std::filesystem::path own_session() const {
        const auto found = own_files.find(opening);
        if (found == own_files.end()) return {};
        const OwnFile& file = found->second;
        const bool same = file.of_model == experiment.model && file.of_image.same_image(experiment.image);
        return same ? file.session : std::filesystem::path();
    }
    /// What is open from now on is another session, with no file of its own yet; undo brings the one before back.
    void begin_session() { opening = ++openings; }

    Moment moment(const std::string& room) const {
        return {experiment, text_experiment, selection.focus, room, opening, {}};
    }
    /// The shape of the model that is shown; the usual tokens where none is yet.
    const Config& config() const;
    bool shows_requested_model() const;
    bool shows_requested_image() const;
    /// What the Text room asks for, and whether that is there, finished.
    TextRequest text_request() const { return request_of(text_experiment, selection.focus.text.chapter); }
    bool shows_requested_text() const;
    /// What the Text room computes and looks at.
    TextDraft text_draft() { return {text_experiment, selection.focus.text}; }
    /// The text that its chapter reads, as it is typed.
    const std::string& typed_text() const { return text_experiment.text_in(selection.focus.text.chapter); }
    /// The drawn pictures that its model knows; before there is one, the bundled model's.
    PictureSet pictures() const;

    /// What is computed where nothing else is opened after all: what is shown, before that a bundled model's picture.
    Experiment last_experiment() const;

    /// Takes in what the jobs have done since the last frame. The sentence of a failure that was not told yet; what was
    /// open stays open.
    std::string take_in(const Snapshot& now);
    /// What was wanted of a model that is there now, once. Throws Error where it has no such what-ifs; the rest holds.
    void arrive();
    /// Whether the run is there in which the roles are to be found.
    bool can_play_roles() const {
        return roles.any() && !roles.of_text && !arrival && shown.result && shown.result->experiment == experiment;
    }
    /// Looks at what was asked for by its role.
    void play(const DecisiveHead& decisive);
    /// The same in the Text room, once its text is there.
    void play_text();
    /// What the chapter of the Text room can speak of: null before the first result, while one of another task is
    /// awaited, and where there are no words.
    const TextResult* told_text() const { return told_text(text_experiment, selection.focus.text.chapter); }
    /// The same of an experiment and a chapter that are being changed in this frame.
    const TextResult* told_text(const TextExperiment& experiment, TextChapter chapter) const;
    /// The picture stands there finished; where there are motions its own waits to be played.
    void enter_chapter(bool motions);
    /// Puts what commands have changed into the history once it is shown.
    void remember(const std::string& room, const std::optional<StopOfLesson>& stop, double seconds);
    /// Goes to a moment, exactly; a focus inside another model waits until that model is there.
    void go_to(const Moment& moment);
};

/// All that are open: usually one, two side by side. There is always one.
class Workspaces {
public:
    Workspaces() { all_.push_back(std::make_unique<Workspace>(1)); }

    Workspace& visible() { return *all_[visible_]; }
    const Workspace& visible() const { return *all_[visible_]; }
    const std::vector<std::unique_ptr<Workspace>>& all() const { return all_; }

    /// Another one that computes and looks at the same as the visible one, with a history of its own; it becomes
    /// visible.
    Workspace& add();
    /// By its place, 0 …; the last one stays.
    void close(std::size_t place);
    void show(std::size_t place) { visible_ = place < all_.size() ? place : visible_; }
    std::size_t shown() const { return visible_; }

private:
    std::vector<std::unique_ptr<Workspace>> all_;
    std::size_t visible_ = 0;
    int numbers_ = 1;
};

}  // namespace vitrine
