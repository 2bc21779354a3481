#include "app/sessions/kept_sessions.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "app/jobs/run_checkpoint.h"
#include "app/library/samples.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/autosave.h"
#include "app/sessions/session.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/recent.h"
#include "core/base/error.h"
#include "core/training/presets.h"
#include "core/training/runs/run_file.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// Text key of the place that a session shows: its chapter, instrument or room.
std::string place_of(const Session& s) {
    const RoomAnswers& room = answers_of(s.room);
    if (room.places.here == nullptr) return "top.mode." + s.room;
    return room.teaching.words(room.places.here(s.focus)).title;
}

std::time_t written_at(const fs::path& file) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    if (error) return 0;
    return std::chrono::system_clock::to_time_t(
        std::chrono::time_point_cast<std::chrono::system_clock::duration>(std::chrono::file_clock::to_sys(time)));
}

/// True if one of the files has the same content, apart from the time of the animation.
bool is_saved(const fs::path& left, const std::vector<fs::path>& files) {
    const auto read = [](const fs::path& file) -> std::optional<Session> {
        try {
            Session s = load_session(file);
            s.time = 1;
            return s;
        } catch (const Error&) {
            return std::nullopt;  // not a match
        }
    };
    const std::optional<Session> kept = read(left);
    return kept && std::ranges::any_of(files, [&](const fs::path& file) { return read(file) == kept; });
}

std::string words_of_time(std::time_t at) {
    const std::time_t now = std::time(nullptr);
    std::tm then{}, today{};
    localtime_r(&at, &then);
    localtime_r(&now, &today);
    const bool same_day = then.tm_year == today.tm_year && then.tm_yday == today.tm_yday;
    char words[32] = {};
    std::strftime(words, sizeof words, same_day ? "%H:%M" : "%Y-%m-%d %H:%M", &then);
    return words;
}

/// Text key that names the chosen runs of a family: the experiment, or for texts the task; else empty.
std::string name_of_runs(const LearningState& choice, bool texts) {
    if (texts) {
        const auto* const preset = experiment_of(choice.text);
        return preset != nullptr ? std::string("learn.experiment.") + preset->id
                                 : std::string("learn.subject.") + name_of(choice.text.task());
    }
    if (choice.study) return "learn.experiment.nets";
    const auto* const preset = experiment_of<Pictures>(choice);
    return preset != nullptr ? std::string("learn.experiment.") + preset->id : std::string();
}

/// Summary of a family's runs saved beside a session; raises `steps` to those of its longest run.
KeptTraining runs_beside(const fs::path& session, bool texts, std::uint64_t& steps) {
    KeptTraining kept{0, true};
    const std::map<std::string, fs::path> files = Autosave::run_files_of(session);
    for (std::size_t i = 0; i < most_kept_runs; ++i) try {
            const auto file = files.find(name_of_kept_run(texts, i));
            if (file == files.end()) continue;
            const RunProgress progress = progress_of_run(file->second);
            kept.over = kept.over && kept_stage(progress) != RunStage::paused;
            kept.examples = std::max(kept.examples, progress.seen);
            steps = std::max(steps, progress.steps);
        } catch (const Error&) {
            continue;  // Restoring the run reports the error.
        }
    kept.over = kept.over && kept.examples > 0;
    return kept;
}

/// The number of finished runs beside a session that others had replaced on the screen.
int runs_aside(const fs::path& session) {
    const std::map<std::string, fs::path> files = Autosave::run_files_of(session);
    int count = 0;
    for (const bool texts : {false, true})
        for (std::size_t i = 0; i < most_kept_aside; ++i)
            if (files.contains(name_of_kept_aside(texts, i))) ++count;
    return count;
}

/// The recoverable part of unsaved training as text, without the runs' name; empty if there is none.
std::string kept_amount(const Text& text, const KeptSession& session) {
    const auto seen = [](const KeptTraining& runs) { return count_text(static_cast<std::int64_t>(runs.examples)); };
    const KeptTraining &pictures = session.picture_runs, &texts = session.text_runs;
    if (pictures.examples > 0 && texts.examples > 0)
        return text("recover.kept_both", {{"pictures", seen(pictures)}, {"sentences", seen(texts)}});
    const KeptTraining& runs = pictures.examples > 0 ? pictures : texts;
    if (runs.examples == 0) return {};
    const char* const unit = &runs == &pictures ? "learn.amount.pictures" : "recover.texts";
    return text(runs.over ? "recover.kept_finished" : "recover.continues",
                {{"amount", text(unit, {{"count", seen(runs)}})}});
}

/// The same with the name of the runs, if they are of one family.
std::string kept_training(const Text& text, const KeptSession& session) {
    const std::string kept = kept_amount(text, session);
    if (kept.empty() || !text.has(session.training)) return kept;
    const std::string steps = count_text(static_cast<std::int64_t>(session.steps));
    return text("recover.named", {{"kept", kept}, {"name", text(session.training)}, {"step", steps}});
}

}  // namespace

KeptSession kept_session(const fs::path& file) {
    KeptSession kept{file, {}, {}, written_at(file)};
    try {
        const Session s = load_session(file);
        const auto subject_of = answers_of(s.room).around.subject;
        const std::string subject = subject_of == nullptr ? std::string() : subject_of({s.focus, s.text_experiment});
        kept.image = !subject.empty()       ? subject
                     : s.image.path.empty() ? class_of_sample(s.image.sample)
                                            : s.image.path.filename().string();
        kept.place = place_of(s);
        kept.pictures = s.unsaved.pictures;
        kept.sentences = s.unsaved.sentences;
        kept.picture_runs = runs_beside(file, false, kept.steps);
        kept.text_runs = runs_beside(file, true, kept.steps);
        kept.aside = runs_aside(file);
        if (s.lecture && !s.lecture->source.empty()) kept.stop = s.lecture->stop + 1;
        const bool texts = kept.text_runs.examples > 0;
        if (!s.learning.empty() && texts != (kept.picture_runs.examples > 0))
            kept.training = name_of_runs(parse_learning(s.learning), texts);
    } catch (const Error&) {
        // Opening the session reports the error.
    }
    return kept;
}

std::vector<KeptSession> kept_sessions(const std::vector<fs::path>& files) {
    std::vector<KeptSession> list;
    for (const fs::path& file : files) list.push_back(kept_session(file));
    return list;
}

std::string beginning_of(const std::string& text, std::size_t letters) {
    const auto begins_letter = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; };
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if (begins_letter(text[at]) && letters-- == 0) break;
    return at == text.size() ? text : text.substr(0, at) + "…";
}

std::string whole_words_of(const Text& text, const KeptSession& session) {
    if (session.image.empty()) return session.file.filename().string();
    const std::string drawn = "class." + session.image;
    const std::string lecture =
        session.stop > 0 ? text("recover.lecture", {{"stop", std::to_string(session.stop)}}) + " · " : std::string();
    return lecture + (text.has(drawn) ? text(drawn) : session.image) + " · " + text(session.place) + " · " +
           words_of_time(session.at);
}

std::string words_of(const Text& text, const KeptSession& session) {
    KeptSession shorter = session;
    if (session.place.starts_with("text.")) shorter.image = beginning_of(session.image, 30);  // a typed text
    return whole_words_of(text, shorter);
}

std::string lost_training(const Text& text, const KeptSession& session) {
    const std::string pictures = count_text(session.pictures), sentences = count_text(session.sentences);
    if (session.pictures > 0 && session.sentences > 0)
        return text("recover.lost_both", {{"pictures", pictures}, {"sentences", sentences}});
    if (session.pictures > 0) return text("recover.lost_pictures", {{"count", pictures}});
    return session.sentences > 0 ? text("recover.lost_sentences", {{"count", sentences}}) : std::string();
}

std::string training_notice(const Text& text, const KeptSession& session) {
    const std::string aside =
        session.aside > 0 ? text("recover.aside", {{"count", std::to_string(session.aside)}}) : std::string();
    std::string all;
    for (const std::string& part : {kept_training(text, session), aside, lost_training(text, session)})
        all = all.empty() || part.empty() ? all + part : text("recover.kept_and_lost", {{"kept", all}, {"lost", part}});
    return all;
}

SessionWords named_words_of(const Text& text, const KeptSession& session) {
    const std::string words = words_of(text, session);
    if (session.image.empty() || Autosave::is_own_file(session.file)) return {words, {}};
    return {session.file.stem().string(), words};
}

bool offer_recovery(State& state, const fs::path& folder) {
    std::vector<fs::path> files = Autosave::abandoned_sessions(folder);
    std::erase_if(files, [saved = recent_files(state.settings, FileKind::session)](const fs::path& file) {
        if (!is_saved(file, saved)) return false;
        Autosave::forget(file);
        return true;
    });
    const auto is_in = [](const std::vector<KeptSession>& sessions, const fs::path& file) {
        return std::ranges::find(sessions, file, &KeptSession::file) != sessions.end();
    };
    std::erase_if(files, [&](const fs::path& file) { return is_in(state.discarded, file); });
    if (std::ranges::all_of(files, [&](const fs::path& file) { return is_in(state.left, file); })) return false;
    state.left = kept_sessions(files);
    if (state.dialog != "start") state.dialog = "recover";
    return true;
}

fs::path last_session_file(const fs::path& folder) { return folder / "last.vitrine"; }

}  // namespace vitrine
