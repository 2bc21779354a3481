#include "app/lecture/lesson_writing.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <memory>

#include "app/jobs/jobs.h"
#include "app/jobs/saving.h"
#include "app/lecture/lesson_text.h"
#include "app/lecture/stops.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/platform/new_file.h"
#include "app/rooms/panels/stop_words.h"
#include "app/rooms/room_parts.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/texture_cache.h"
#include "app/workspace/recent.h"
#include "core/base/error.h"
#include "core/base/names.h"
#include "core/base/numbers.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// Takes the visible view of the image's run into a stop.
void describe_run(const Workspace& workspace, LessonStop& stop) {
    const Focus& f = workspace.selection.focus;
    stop.block = f.block;
    stop.head = f.head;
    stop.token = f.token;
    stop.key = f.key;
    stop.solo = f.solo;
    for (const Intervention& one : workspace.experiment.what_ifs)
        stop.what_ifs.push_back(to_word(one, workspace.config()));
}

/// The right workspace's run for a stop. A model trained in the window has no file to name, so the stop's right half
/// shows the left one's model.
StopBeside run_in_right_half(const Workspace& workspace, const Workspace& other) {
    StopBeside beside{with_set(other.experiment.image, other.pictures().scenes), {}, {}};
    const ModelSource& model = other.experiment.model;
    if (!model.learned && !model.same_model(workspace.experiment.model)) beside.model = model;
    for (const Intervention& one : other.experiment.what_ifs) beside.what_ifs.push_back(to_word(one, other.config()));
    return beside;
}

bool is_of_a_run(const std::string& part) { return !part.starts_with("text."); }

/// The current view as a complete stop, independent of the stops before it. It asks nothing, not even its place's
/// question, until the lecturer chooses one.
LessonStop stop_in_view(const AppContext& context) {
    const Workspace& workspace = context.workspace();
    const Focus& f = workspace.selection.focus;
    LessonStop stop;
    stop.room = context.state.room;
    stop.step = f.step;
    stop.question[""];
    const Places& places = answers_of(stop.room).places;
    if (places.here != nullptr) {
        stop.id = places.here(f);
        stop.image = with_set(workspace.experiment.image, workspace.pictures().scenes);
        const Workspace* const other = context.workspaces.other();
        const bool runs = other != nullptr && answers_of(stop.room).work.run != nullptr;
        if (runs) stop.beside = run_in_right_half(workspace, *other);
        stop.defaults = true;
        for (FocusWord& word : focus_words({f, workspace.text_experiment}))
            if ((places.owns == nullptr ? is_of_a_run : places.owns)(word.first) && !has_line_of_its_own(word.first))
                stop.set.push_back(std::move(word));
    }
    if (places.describe != nullptr)
        places.describe(context, stop);
    else
        describe_run(workspace, stop);
    if (places.all != nullptr && stop.id.empty())
        throw Error(std::string("this ") + places.what + " has no name in a lesson; choose " + listed(places.all()) +
                    " and keep the view then");
    return stop;
}

Lesson parsed(const std::string& text, const fs::path& file) {
    Lesson lesson = parse_lesson(text, file.filename().string(), file.parent_path());
    lesson.source = file.string();
    return lesson;
}

void go_to(Lecture& lecture, int stop) {
    lecture.stop = std::clamp(stop, 0, static_cast<int>(lecture.lesson->stops.size()) - 1);
    if (!lecture.on) lecture.left = 0;  // a changed lesson begins at its first stop
}

/// Reopens the lesson from its file, at a stop.
void read_again(AppContext& context, const fs::path& file, int stop) {
    open_lesson(context, file.string());
    go_to(context.state.lecture, stop);
}

using Notes = std::map<std::string, std::string>;

/// The content of a lesson's file, including pending writes.
struct FileText {
    std::string text;
    FileStamp stamp;  // when it was read; unused while writes are pending
};

FileText text_now(const Lecture& lecture, const fs::path& file) {
    if (const auto found = lecture.unwritten.find(file.string()); found != lecture.unwritten.end())
        return {found->second.text, {}};
    const FileStamp stamp = stamp_of(file);
    return {read_lesson_file(file), stamp};
}

/// A change of a lesson's file.
struct Writing {
    FileText before = {};
    std::string after = {};
    Notes notes = {};                 // notes from the settings that go into the file
    std::function<void()> then = {};  // called once it is written
};

/// Called when one write has finished. After the last one the lesson agrees with its file: if that write failed, the
/// file is read again, and its notes return to the settings.
void end_writing(AppContext& context, const std::string& source, const Notes& notes, bool done) {
    Lecture& lecture = context.state.lecture;
    UnwrittenLesson& file = lecture.unwritten.at(source);
    if (done)
        file.notes.clear();  // each write contains all before it
    else
        file.notes.insert(notes.begin(), notes.end());
    if (--file.writes > 0) return;
    context.state.settings.notes.insert(file.notes.begin(), file.notes.end());
    const FileStamp stamp = done ? *file.stamp : FileStamp();
    lecture.unwritten.erase(source);
    if (lecture.begun == source) lecture.begun.clear();
    if (!lecture.lesson || lecture.lesson->source != source) return;
    lecture.stamp = stamp;
    watch_lesson(context);
}

/// Writes a lesson's file asynchronously, in the order of the changes; fails if the file was changed by others since it
/// was read.
void write_aside(AppContext& context, const fs::path& file, Writing writing) {
    UnwrittenLesson& now = context.state.lecture.unwritten[file.string()];
    if (now.writes++ == 0) now.stamp = std::make_shared<FileStamp>(writing.before.stamp);
    now.text = writing.after;
    const auto write = [file, text = std::move(writing.after), stamp = now.stamp] {
        if (!(stamp_of(file) == *stamp))
            throw Error(file.string() + ": was just changed by another program and is left as it is; " +
                        "make your change again");
        write_lesson(file, text);
        *stamp = stamp_of(file);
        return file;
    };
    const auto ends = [&context, source = file.string(), notes = std::move(writing.notes)](bool done) {
        end_writing(context, source, notes, done);
    };
    context.jobs().of<Saving>().save(
        write,
        [then = std::move(writing.then), ends](const fs::path&) {
            if (then) then();
            ends(true);
        },
        [ends] { ends(false); });
}

/// Opens a lesson for editing; if it is the lecture's lesson, it stays at its stop.
void open_to_change(AppContext& context, const fs::path& file) {
    Lecture& lecture = context.state.lecture;
    const std::string before = lecture.lesson ? lecture.lesson->source : "";
    const int stop = lecture.stop;
    keep_in_open_lesson(lecture);
    read_again(context, file, 0);
    if (lecture.on && lecture.lesson->source == before)
        lecture.stop = std::min(stop, static_cast<int>(lecture.lesson->stops.size()) - 1);
}

/// The language under which the text shown for a language is stored.
std::string language_of(const std::map<std::string, std::string>& words, const std::string& language) {
    if (words.contains(language)) return language;
    return words.contains("") || words.empty() ? "" : words.begin()->first;
}

/// Moves notes from the settings into the file: their keys contain the stops' numbers, which change. Not an undoable
/// change, since undoing would lose them. True if there were any.
bool take_notes_into(LessonText& text, const Lesson& lesson, Settings& settings) {
    const std::string& source = lesson.source;
    bool any = false;
    for (int i = 0; i < text.stops(); ++i) {
        const auto kept = settings.notes.find(notes_key(source, i));
        if (kept == settings.notes.end()) continue;
        const LessonStop& stop = lesson.stops[static_cast<std::size_t>(i)];
        text.set_notes(i, language_of(stop.notes, settings.language), kept->second);
        settings.notes.erase(kept);
        any = true;
    }
    return any;
}

/// The notes that are in `all` but not in `left`.
Notes taken_from(const Notes& all, const Notes& left) {
    Notes taken;
    std::set_difference(all.begin(), all.end(), left.begin(), left.end(), std::inserter(taken, taken.end()));
    return taken;
}

/// The file to which the current view is added; empty if a new one is needed. Files written by a recording are deleted
/// with the window, so nothing is added to them once the recording is over.
fs::path file_to_keep_in(const AppContext& context) {
    const Lecture& lecture = context.state.lecture;
    const auto stays = [&](const fs::path& file) {
        return !file.empty() && (context.playing || !is_in_scratch(context, file));
    };
    if (lecture.begins) return {};
    if (stays(lecture.begun)) return lecture.begun;
    if (lecture.on && stays(lecture.keeps_in)) return lecture.keeps_in;
    if (is_own_lesson(lecture) && stays(lecture.lesson->source)) return lecture.lesson->source;
    if (lecture.on) return {};
    const fs::path last = context.state.settings.lesson;
    std::error_code ignored;
    const bool own = !lecture.lesson && !is_bundled_lesson(last) && stays(last) && fs::exists(last, ignored);
    return own ? last : fs::path();
}

/// Index of the shown stop after another one was moved or removed.
int stop_after(const command::ChangeLesson& c, int shown, int stops) {
    if (c.what == "remove") return shown > c.stop ? shown - 1 : shown;
    if (c.what != "move") return shown;
    const int to = std::clamp(c.stop + number_from<int>(c.words).value_or(0), 0, stops - 1);
    if (shown == c.stop) return to;
    if (shown > c.stop && shown <= to) return shown - 1;
    return shown < c.stop && shown >= to ? shown + 1 : shown;
}

/// Only the view of a stop, without its texts.
LessonStop only_view(LessonStop stop) {
    stop.notes.clear();
    stop.title.clear();
    stop.question.clear();
    stop.answer.clear();
    stop.choices.clear();
    stop.minutes.reset();
    stop.line = 0;
    return stop;
}

void apply(LessonText& text, const command::ChangeLesson& c, const Lesson& lesson, const AppContext& context) {
    const std::string& language = context.state.settings.language;
    const LessonStop& stop = lesson.stops[static_cast<std::size_t>(c.stop)];
    if (c.what == "title" || c.what == "typed_title")
        return text.set_title(language_of(lesson.title, language), c.words);
    if (c.what == "notes") return text.set_notes(c.stop, language_of(stop.notes, language), c.words);
    if (c.what == "stop_title") return text.name_stop(c.stop, language_of(stop.title, language), c.words);
    if (c.what == "question") return text.set_question(c.stop, language_of(stop.question, language), c.words);
    if (c.what == "usual_question") return text.set_question(c.stop, language_of(stop.question, language), {});
    if (c.what == "choices")
        return text.set_choices(c.stop, stop.choices.contains(language) ? language : std::string(), c.words);
    if (c.what == "answer") return text.set_answer(c.stop, language_of(stop.answer, language), c.words);
    if (c.what == "minutes") return text.set_minutes(c.stop, c.words);
    if (c.what == "view")
        return text.set_view(c.stop, text_of(only_view(stop_in_view(context)), fs::path(lesson.source).parent_path()));
    if (c.what == "move") return text.move(c.stop, number_from<int>(c.words).value_or(0));
    if (c.what == "remove") return text.remove(c.stop);
    throw Error("'" + c.what + "' is not a change to a lesson; record again with this version");
}

/// Adds hands to a choice of a stop: "0 -1" is its index and their number. They belong to the lecture, not the file.
void count_hands(Lecture& lecture, const command::ChangeLesson& c) {
    if (!lecture.lesson || c.stop < 0 || c.stop >= static_cast<int>(lecture.lesson->stops.size())) return;
    constexpr int most_hands = 999;
    const std::size_t blank = std::min(c.words.find(' '), c.words.size());
    const auto choice = number_from<int>(c.words.substr(0, blank));
    const auto by = number_from<int>(c.words.substr(std::min(blank + 1, c.words.size())));
    if (!choice || !by || *choice < 0 || *choice >= static_cast<int>(most_choices)) return;
    std::vector<int>& hands = lecture.hands[c.stop];
    hands.resize(most_choices);
    int& count = hands[static_cast<std::size_t>(*choice)];
    count = std::clamp(count + *by, 0, most_hands);
}

bool is_open(const Lecture& lecture, const fs::path& file) {
    return lecture.lesson && lecture.lesson->source == file.string();
}

/// Opens a lesson that a view was added to, at its end; a running lecture continues unchanged. `before`: the file's old
/// content, empty for a new file.
void show_kept(AppContext& context, const fs::path& file, const std::string& before) {
    Lecture& lecture = context.state.lecture;
    if (lecture.on && !is_open(lecture, file)) {
        lecture.keeps_in = file;
        remember(context.state.settings, FileKind::lesson, file);
        return;
    }
    lecture.keeps_in.clear();
    std::vector<std::string> earlier = is_open(lecture, file) ? lecture.earlier : std::vector<std::string>();
    if (!before.empty()) earlier.push_back(before);
    show_lesson(context, parsed(lecture.unwritten.at(file.string()).text, file), lecture.stamp);
    go_to(lecture, lecture.on ? lecture.stop : to_the_end);
    lecture.earlier = std::move(earlier);
}

}  // namespace

bool is_view_open(const AppContext& context) { return context.result() != nullptr && !context.workspace().arrival; }

bool is_own_lesson(const Lecture& lecture) { return lecture.lesson && !is_bundled_lesson(lecture.lesson->source); }

namespace {

constexpr const char* new_name = "my-lesson";

/// The title of a new lesson, with the number in its file's name: "My lesson 2".
std::string title_of_new(const AppContext& context, const fs::path& file) {
    std::string number = file.stem().string().substr(std::string_view(new_name).size());
    std::ranges::replace(number, '-', ' ');
    return context.text("lessons.new_title") + number;
}

/// The notice about a kept stop, with the changes in it.
std::string kept_words(const AppContext& context, const LessonStop& stop, std::size_t count, const fs::path& file) {
    Probe probe;
    TextureCache textures;
    Ui ui{context.theme, context.text, probe, textures};
    ui.counted_from = context.state.settings.count_from;
    const std::vector<std::string> changes = changes_at(ui, stop, context.result()->model->config);
    return context.text(changes.empty() ? "lessons.kept" : "lessons.kept_changed",
                        {{"count", std::to_string(count)},
                         {"file", file.string()},
                         {"parts", listed_changes(context.text, changes, 2)}});
}

}  // namespace

void begin_lesson(AppContext& context) {
    context.state.lecture.begins = true;
    notify(context, context.text("lessons.begins"));
}

void keep_in_open_lesson(Lecture& lecture) {
    lecture.begins = false;
    lecture.keeps_in.clear();
}

void keep_stop(AppContext& context) {
    Lecture& lecture = context.state.lecture;
    fs::path file = file_to_keep_in(context);
    const bool fresh = file.empty();
    if (fresh) file = source_of(unused(export_folder(context) / (std::string(new_name) + ".lesson")).string());
    check_may_write(context, file);
    const std::string stop = text_of(stop_in_view(context), file.parent_path());
    Settings settings = context.state.settings;
    Writing writing;
    std::string before;  // including its notes
    if (fresh) {
        writing.before.stamp = stamp_of(file);
        writing.after = empty_lesson(title_of_new(context, file), context.text("lessons.remark")) + "\n" + stop;
    } else {
        writing.before = text_now(lecture, file);
        const Lesson lesson = parsed(writing.before.text, file);
        LessonText text(writing.before.text, lesson);
        before = take_notes_into(text, lesson, settings) ? text.text() : writing.before.text;
        text.add(stop);
        writing.after = text.text();
    }
    const std::vector<LessonStop> stops = parsed(writing.after, file).stops;
    const std::string kept = kept_words(context, stops.back(), stops.size(), file);
    writing.notes = taken_from(context.state.settings.notes, settings.notes);
    context.state.settings.notes = settings.notes;
    const bool is_shown = is_open(lecture, file);
    writing.then = [&context, file, before, kept, is_shown] {
        if (!is_shown) show_kept(context, file, before);
        if (context.state.dialog == "lessons") {
            const Settings& now = context.state.settings;
            context.state.lessons = lesson_rows(recent_files(now, FileKind::lesson), now.lesson);
        }
        notify(context, kept);
    };
    if (fresh) lecture.begun = file;
    lecture.begins = false;
    write_aside(context, file, std::move(writing));
    if (is_shown) show_kept(context, file, before);
}

void change_lesson(AppContext& context, const command::ChangeLesson& wanted) {
    Lecture& lecture = context.state.lecture;
    if (wanted.what == "count_hands") return count_hands(lecture, wanted);
    if (wanted.what == "open") return open_to_change(context, wanted.words);
    if (!is_own_lesson(lecture) || (wanted.what == "view" && !is_view_open(context))) return;
    const bool types = wanted.what == "typed_title", continues = types && lecture.types_title;
    lecture.types_title = continues;
    const std::string source = lecture.lesson->source;
    check_may_write(context, source);
    Writing writing{.before = text_now(lecture, source)};
    const std::string& before = writing.before.text;
    std::vector<std::string> earlier = lecture.earlier;
    Lesson changed;
    int shown = lecture.stop;
    if (wanted.what == "take_back") {
        if (earlier.empty()) return;
        writing.after = std::move(earlier.back());
        changed = parsed(writing.after, source);
        earlier.pop_back();
    } else {
        Settings settings = context.state.settings;
        const Lesson lesson = parsed(before, source);
        LessonText text(before, lesson);
        command::ChangeLesson change = wanted;
        change.stop = std::clamp(change.stop, 0, text.stops() - 1);
        const int stops = text.stops();
        const auto written = settings.notes.find(notes_key(source, change.stop));
        if (change.what == "notes" && written != settings.notes.end() && written->second == change.words)
            settings.notes.erase(written);  // part of the change itself
        const std::string with_notes = take_notes_into(text, lesson, settings) ? text.text() : before;
        apply(text, change, lesson, context);
        shown = stop_after(change, shown, stops);
        writing.after = text.text();
        changed = parsed(writing.after, source);
        writing.notes = taken_from(context.state.settings.notes, settings.notes);
        context.state.settings.notes = settings.notes;
        if (writing.after == before) return;
        if (writing.after != with_notes && (!continues || earlier.empty())) earlier.push_back(with_notes);
        lecture.types_title = types;
        if (change.what == "view")
            writing.then = [&context, stop = std::to_string(change.stop + 1)] {
                notify(context, context.text("lesson.view_taken", {{"stop", stop}}));
            };
    }
    write_aside(context, source, std::move(writing));
    show_lesson(context, std::move(changed), lecture.stamp);
    go_to(lecture, shown);
    lecture.earlier = std::move(earlier);
}

void take_over_notes(AppContext& context) {
    const Lecture& lecture = context.state.lecture;
    if (!is_own_lesson(lecture)) return;
    const auto kept = context.state.settings.notes.find(notes_key(lecture.lesson->source, lecture.stop));
    if (kept != context.state.settings.notes.end())
        change_lesson(context, {"notes", lecture.stop, std::string(kept->second)});
}

void watch_lesson(AppContext& context) {
    Lecture& lecture = context.state.lecture;
    if (!is_own_lesson(lecture)) return;
    if (lecture.unwritten.contains(lecture.lesson->source)) return;
    const FileStamp now = stamp_of(lecture.lesson->source);
    if (now == lecture.stamp || !now.is_there()) return;
    lecture.stamp = now;  // so that an invalid file is reported once
    const int shown = lecture.stop;
    const LessonStop before = lecture.lesson->stops[static_cast<std::size_t>(shown)];
    read_again(context, lecture.lesson->source, shown);
    lecture.earlier.clear();
    const LessonStop& after = lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)];
    if (lecture.on && only_view(before) != only_view(after)) go_to_stop(context, lecture.stop);
}

}  // namespace vitrine
