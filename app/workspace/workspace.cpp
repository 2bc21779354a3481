#include "app/workspace/workspace.h"

#include <algorithm>
#include <utility>

#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/workspace/keep_inside.h"
#include "app/workspace/text_result.h"
#include "core/base/error.h"
#include "core/training/confidence.h"
#include "core/vit/model.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

/// True if a model has the part that a user's what-if changes.
bool has_part_of(const Config& config, const Intervention& what_if) {
    const std::string word = to_word(what_if, config);
    if (word.empty()) return true;
    try {
        return parse_intervention(word, config) == what_if;  // not if the grid has another number of columns
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

const Config& Workspace::config() const {
    static const Config none;
    return shown.result ? shown.result->model->config : none;
}

bool Workspace::shows_requested_model() const {
    return shown.result && shown.result->experiment.model == experiment.model;
}

bool Workspace::shows_requested_image() const {
    return shown.result && shown.result->experiment.image == experiment.image;
}

bool Workspace::shows_requested_text() const {
    return text.result && !text.running && text.result->request == text_request();
}

PictureSet Workspace::pictures() const { return shown.result ? pictures_of(*shown.result->model) : bundled_pictures(); }

Experiment Workspace::last_experiment() const {
    if (shown.result) return shown.result->experiment;
    return {{}, {sample_names(bundled_pictures()).front(), {}}, {}};
}

std::string Workspace::take_in(const Snapshot& now, History& past) {
    const bool is_news = now.result && now.result != shown.result;
    shown = now;
    if (is_news &&
        shows_requested_model())  // its files may have changed, or the model was opened after the what-if was chosen
        std::erase_if(experiment.what_ifs,
                      [&](const Intervention& each) { return !has_part_of(now.result->model->config, each); });
    std::string words;
    if (now.failure && now.failure != told && now.failure->experiment == experiment) {
        words = now.failure->message;
        arrival.reset();
        roles = {};
        past.forget(experiment);
        if (!history.empty()) opening = history.here().opening;
        experiment = last_experiment();
        changed = true;  // in case the view differs from the history
    }
    told = now.failure;
    return words;
}

void Workspace::arrive() {
    const bool there = arrival && shows_requested_model() && (!arrival->what_ifs || shows_requested_image());
    if (!there) return;
    const Arrival wanted = *std::exchange(arrival, {});
    const Result& now = *shown.result;
    text_experiment = wanted.text_experiment;
    if (wanted.focus) selection.focus = *wanted.focus;
    keep_inside(selection, now);
    entered = moment({});
    if (!wanted.what_ifs) return;
    as_left = true;
    std::vector<Intervention> what_ifs;
    for (const std::string& word : *wanted.what_ifs) put(what_ifs, parse_intervention(word, now.model->config));
    experiment.what_ifs = std::move(what_ifs);
    entered = moment({});
    std::error_code ignored;
    if (!wanted.file.empty()) std::filesystem::remove(wanted.file, ignored);
}

void Workspace::play(const DecisiveHead& decisive) {
    play_roles(std::exchange(roles, {}), *shown.result, decisive, experiment, selection.focus);
    keep_inside(selection, *shown.result);
    entered = moment({});
    changed = true;
}

void Workspace::play_text() {
    if (!roles.of_text || !shows_requested_text()) return;
    play_text_roles(std::exchange(roles, {}), *text.result, text_draft());
    entered = moment({});
    changed = true;
}

const TextResult* Workspace::text_to_explain(const TextExperiment& wanted, TextChapter chapter) const {
    const TextResult* const now = text.result.get();
    const bool fits = now != nullptr && now->request.task == wanted.task_in(chapter);
    return fits && !now->empty() ? now : nullptr;
}

void Workspace::enter_chapter(bool motions) {
    motion = {1.0F, false, motions};
    entered = moment({});
}

void Workspace::go_to(const Moment& to) {
    experiment = to.experiment;
    opening = to.opening;
    roles = {};
    arrival = Arrival{to.text_experiment, to.focus, {}, {}};
    arrive();
}

Workspace& Workspaces::add() {
    if (all_.size() > 1) return visible();
    const Workspace& from = visible();
    Workspace copy(++last_id_);
    copy.experiment = from.experiment;
    copy.text_experiment = from.text_experiment;
    copy.selection.focus = from.selection.focus;
    copy.shown.result = from.shown.result;
    copy.motion = from.motion;
    copy.entered = from.entered;
    all_.push_back(std::move(copy));
    side_by_side = {};
    show(1);
    return visible();
}

void Workspaces::close(std::size_t index) {
    if (all_.size() < 2 || index >= all_.size()) return;
    show(1 - index);
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(index));
    visible_ = 0;
    visible().changed = true;
}

void Workspaces::show(std::size_t index) {
    if (index >= all_.size() || index == visible_) return;
    Workspace &from = all_[visible_], &to = all_[index];
    std::swap(from.history, to.history);
    std::swap(from.own_files, to.own_files);
    std::swap(from.opening, to.opening);
    std::swap(from.openings, to.openings);
    to.motion = from.motion;
    to.as_left = from.as_left;
    visible_ = index;
}

Moment Workspaces::moment(const std::string& room) const {
    Moment now = visible().moment(room);
    if (const Workspace* const beside = other())
        now.other = {beside->experiment, beside->text_experiment, beside->selection.focus, visible_ == 1, side_by_side};
    return now;
}

void Workspaces::remember(const std::string& room, const std::optional<StopOfLesson>& stop, double seconds) {
    const auto is_there = [](const Workspace& w) {
        return w.experiment.image.lasts() && !w.arrival && !w.roles.any() && w.shows_requested_model() &&
               w.shows_requested_image();
    };
    if (std::ranges::none_of(all_, &Workspace::changed) || !std::ranges::all_of(all_, is_there)) return;
    for (Workspace& each : all_) each.changed = false;
    Moment now = moment(room);
    now.stop = stop;
    visible().history.record(now, seconds);
}

std::filesystem::path Workspaces::own_session() const {
    const Workspace& now = visible();
    const auto found = now.own_files.find(now.opening);
    if (found == now.own_files.end()) return {};
    const Workspace::OwnFile& file = found->second;
    const bool open = std::ranges::any_of(all_, [&](const Workspace& w) {
        return file.of_model == w.experiment.model && file.of_image.same_image(w.experiment.image);
    });
    return open ? file.session : std::filesystem::path();
}

}  // namespace vitrine
