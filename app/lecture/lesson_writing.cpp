#include "app/lecture/lesson_writing.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "app/lecture/lesson_text.h"
#include "app/lecture/stops.h"
#include "app/platform/new_file.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/room.h"
#include "app/ui/text.h"
#include "app/workspace/library.h"
#include "app/workspace/recent.h"
#include "core/base/error.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// The name of the runs that are set up.
std::string runs_in_view(const LearningState& state) {
    for (const std::string& name : runs_to_choose()) {
        LearningState named = state;
        choose_runs(named, name);
        if (named.same_runs(state)) return name;
    }
    throw Error("these runs have no name in a lesson; choose " + listed(runs_to_choose()) + " and keep the view then");
}

/// What is on the screen, said in full, so that it is the same wherever the stop comes to stand.
LessonStop stop_in_view(const House& house) {
    const Workspace& workspace = house.workspace();
    const Focus& f = workspace.selection.focus;
    LessonStop stop;
    stop.room = house.state.room;
    stop.step = f.step;
    if (room_of(stop.room).learns) {
        stop.id = runs_in_view(house.state.learning);
        stop.recorded = house.state.learning.recorded;
        return stop;
    }
    stop.id = stop.room == "laboratory" ? name_in(instrument_names, f.lab.instrument)
              : stop.room == "exercise" ? name_in(exercise_names, f.exercise)
              : stop.room == "text"     ? std::string(name_of(f.text.chapter))
                                        : std::string(curriculum()[static_cast<std::size_t>(f.step)].id);
    stop.image = with_set(workspace.experiment.image, workspace.pictures().scenes);
    const bool text = room_of(stop.room).reads;
    stop.defaults = true;
    for (FocusWord& word : focus_words(f))
        if (word.first.starts_with("text.") == text && !has_line_of_its_own(word.first))
            stop.set.push_back(std::move(word));
    if (text) {
        stop.text = stop_of(f.text);
        return stop;
    }
    stop.block = f.block;
    stop.head = f.head;
    stop.token = f.token;
    stop.key = f.key;
    stop.solo = f.solo;
    for (const Intervention& one : workspace.experiment.what_ifs)
        stop.what_ifs.push_back(to_word(one, workspace.config()));
    return stop;
}

Lesson parsed(const std::string& text, const fs::path& file) {
    return parse_lesson(text, file.filename().string(), file.parent_path());
}

/// The lesson as its file is now, at a stop of it.
void read_again(House& house, const fs::path& file, int stop) {
    Lecture& lecture = house.state.lecture;
    open_lesson(house, file.string());
    lecture.stop = std::clamp(stop, 0, static_cast<int>(lecture.lesson->stops.size()) - 1);
}

/// The lesson that is lectured along stays at its stop.
void open_to_change(House& house, const fs::path& file) {
    Lecture& lecture = house.state.lecture;
    const std::string before = lecture.lesson ? lecture.lesson->source : "";
    const int stop = lecture.stop;
    read_again(house, file, 0);
    if (lecture.on && lecture.lesson->source == before)
        lecture.stop = std::min(stop, static_cast<int>(lecture.lesson->stops.size()) - 1);
}

/// Under which language the words stand that are shown in one.
std::string language_of(const std::map<std::string, std::string>& words, const std::string& language) {
    if (words.contains(language)) return language;
    return words.contains("") || words.empty() ? "" : words.begin()->first;
}

/// What is remembered beside the file belongs to a stop's number, which changes. It is no change that could be taken
/// back: it would be nowhere. True where there was something.
bool take_notes_into(LessonText& text, const Lesson& lesson, const std::string& source, Settings& settings) {
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

/// The file that the view is kept in; an empty path where one is to be begun.
fs::path file_to_keep_in(const House& house) {
    const Lecture& lecture = house.state.lecture;
    if (is_own_lesson(lecture)) return lecture.lesson->source;
    const std::string& last = house.state.settings.lesson;
    std::error_code ignored;
    if (lecture.on) return lecture.keeps_in;
    const bool own = !lecture.lesson && !last.empty() && !is_bundled_lesson(last) && fs::exists(last, ignored);
    return own ? fs::path(last) : fs::path();
}

int number_in(const std::string& words) {
    int number = 0;
    std::from_chars(words.data(), words.data() + words.size(), number);
    return number;
}

/// Where the stop is that is shown, when another one was moved or taken out.
int stop_after(const command::ChangeLesson& c, int shown, int stops) {
    if (c.what == "remove") return shown > c.stop ? shown - 1 : shown;
    if (c.what != "move") return shown;
    const int to = std::clamp(c.stop + number_in(c.words), 0, stops - 1);
    if (shown == c.stop) return to;
    if (shown > c.stop && shown <= to) return shown - 1;
    return shown < c.stop && shown >= to ? shown + 1 : shown;
}

void apply(LessonText& text, const command::ChangeLesson& c, const Lesson& lesson, const std::string& language) {
    const LessonStop& stop = lesson.stops[static_cast<std::size_t>(c.stop)];
    if (c.what == "title") return text.set_title(language_of(lesson.title, language), c.words);
    if (c.what == "notes") return text.set_notes(c.stop, language_of(stop.notes, language), c.words);
    if (c.what == "stop_title") return text.name_stop(c.stop, language_of(stop.title, language), c.words);
    if (c.what == "question") return text.set_question(c.stop, language_of(stop.question, language), c.words);
    if (c.what == "usual_question") return text.set_question(c.stop, language_of(stop.question, language), {});
    if (c.what == "answer") return text.set_answer(c.stop, language_of(stop.answer, language), c.words);
    if (c.what == "minutes") return text.set_minutes(c.stop, c.words);
    if (c.what == "move") return text.move(c.stop, number_in(c.words));
    if (c.what == "remove") return text.remove(c.stop);
    throw Error("'" + c.what + "' is nothing that can be done to a lesson; record anew with this version");
}

/// How it is looked at, whatever is said about it.
LessonStop only_view(LessonStop stop) {
    stop.notes.clear();
    stop.title.clear();
    stop.question.clear();
    stop.answer.clear();
    stop.minutes.reset();
    stop.line = 0;
    return stop;
}

}  // namespace

bool is_own_lesson(const Lecture& lecture) { return lecture.lesson && !is_bundled_lesson(lecture.lesson->source); }

void keep_stop(House& house) {
    Lecture& lecture = house.state.lecture;
    fs::path file = file_to_keep_in(house);
    const bool fresh = file.empty();
    if (fresh) file = unused(export_folder(house) / "my-lesson.lesson");
    check_may_write(house, file);
    const std::string stop = text_of(stop_in_view(house), file.parent_path());
    Settings settings = house.state.settings;
    std::string before,
        after = empty_lesson(house.text("lessons.new_title"), house.text("lessons.remark")) + "\n" + stop;
    if (!fresh) {
        before = read_lesson_file(file);
        const Lesson lesson = parsed(before, file);
        LessonText text(before, lesson);
        if (take_notes_into(text, lesson, file.string(), settings)) before = text.text();
        text.add(stop);
        after = text.text();
    }
    write_lesson(file, after);
    house.state.settings.notes = settings.notes;
    const std::size_t count = parsed(after, file).stops.size();
    if (lecture.on && !is_own_lesson(lecture)) {  // it goes on as it is
        lecture.keeps_in = file;
        remember(house.state.settings, FileKind::lesson, file);
    } else {
        const bool goes_on = lecture.lesson && lecture.lesson->source == file.string();
        std::vector<std::string> earlier = goes_on ? lecture.earlier : std::vector<std::string>();
        read_again(house, file, lecture.on ? lecture.stop : to_the_end);
        if (!fresh) earlier.push_back(before);
        lecture.earlier = std::move(earlier);
    }
    if (house.state.dialog == "lessons") {
        const Settings& now = house.state.settings;
        house.state.lessons = lesson_rows(recent_files(now, FileKind::lesson), now.lesson);
    }
    notify(house, house.text("lessons.kept", {{"count", std::to_string(count)}, {"file", file.string()}}));
}

void change_lesson(House& house, const command::ChangeLesson& wanted) {
    Lecture& lecture = house.state.lecture;
    if (wanted.what == "open") return open_to_change(house, wanted.words);
    if (!is_own_lesson(lecture)) return;
    const std::string source = lecture.lesson->source;
    check_may_write(house, source);
    const std::string before = read_lesson_file(source);
    std::vector<std::string> earlier = lecture.earlier;
    int shown = lecture.stop;
    Settings settings = house.state.settings;
    if (wanted.what == "take_back") {
        if (earlier.empty()) return;
        write_lesson(source, earlier.back());
        earlier.pop_back();
    } else {
        const Lesson lesson = parsed(before, source);
        LessonText text(before, lesson);
        command::ChangeLesson change = wanted;
        change.stop = std::clamp(change.stop, 0, text.stops() - 1);
        const int stops = text.stops();
        const auto written = settings.notes.find(notes_key(source, change.stop));
        if (change.what == "notes" && written != settings.notes.end() && written->second == change.words)
            settings.notes.erase(written);  // they are the change itself
        const std::string with_notes = take_notes_into(text, lesson, source, settings) ? text.text() : before;
        apply(text, change, lesson, settings.language);
        shown = stop_after(change, shown, stops);
        const std::string after = text.text();
        if (after != before) write_lesson(source, after);
        house.state.settings.notes = settings.notes;
        if (after == before) return;
        if (after != with_notes) earlier.push_back(with_notes);
    }
    read_again(house, source, shown);
    lecture.earlier = std::move(earlier);
}

void take_over_notes(House& house) {
    const Lecture& lecture = house.state.lecture;
    if (!is_own_lesson(lecture)) return;
    const auto kept = house.state.settings.notes.find(notes_key(lecture.lesson->source, lecture.stop));
    if (kept != house.state.settings.notes.end())
        change_lesson(house, {"notes", lecture.stop, std::string(kept->second)});
}

void watch_lesson(House& house) {
    Lecture& lecture = house.state.lecture;
    if (!is_own_lesson(lecture)) return;
    const FileStamp now = stamp_of(lecture.lesson->source);
    if (now == lecture.stamp || !now.is_there()) return;
    lecture.stamp = now;  // told once where it is no lesson
    const int shown = lecture.stop;
    const LessonStop before = lecture.lesson->stops[static_cast<std::size_t>(shown)];
    read_again(house, lecture.lesson->source, shown);
    lecture.earlier.clear();
    const LessonStop& after = lecture.lesson->stops[static_cast<std::size_t>(lecture.stop)];
    if (lecture.on && only_view(before) != only_view(after)) go_to_stop(house, lecture.stop);
}

}  // namespace vitrine
