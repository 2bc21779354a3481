#include "app/lecture/lesson.h"
#include "app/lecture/lesson_text.h"
#include "app/library/library.h"
#include "app/rooms/room.h"
#include "core/base/error.h"
#include "tests/fuzz/targets.h"
#include "tests/small_model.h"

namespace vitrine::fuzz {

namespace {

/// What is done to a lesson's text leaves a lesson.
void change_text(const std::string& written, const Lesson& lesson) {
    const std::string words = "# \"words\": step: image";
    const int last = static_cast<int>(lesson.stops.size()) - 1;
    LessonText text(written, lesson);
    demand(written.ends_with(text.text()), "nothing is lost but the mark at the beginning");
    text.move(last, -last);
    text.set_notes(0, "ja", words);
    text.set_minutes(0, "2");
    text.set_title("ko", words);
    Lesson changed;
    try {
        changed = parse_lesson(text.text(), "lesson.txt", "/nowhere");
    } catch (const Error&) {
        demand(false, "a lesson that is put in order is still one");
    }
    demand(changed.stops.size() == lesson.stops.size(), "no stop is lost");
    demand(changed.stops.front().id == lesson.stops.back().id, "the last one comes first");
    demand(own_notes(changed.stops.front(), "ja") == words, "the notes are what was written");
}

}  // namespace

void lessons(Bytes bytes) {
    static const std::shared_ptr<const Model> model = open_model(small_model());
    try {
        const std::string written(text_of(bytes));
        const Lesson lesson = parse_lesson(written, "lesson.txt", "/nowhere");
        change_text(written, lesson);
        lesson.title_in("ja");
        Place place;
        for (std::size_t stop = 0; stop < lesson.stops.size(); ++stop) {
            own_notes(lesson.stops[stop], "ko");
            demand(is_room(lesson.stops[stop].room), "a stop lies in a room");
            place = place_of(lesson, static_cast<int>(stop), place, model->config);
            demand(place.focus.block >= 1 && place.focus.block <= model->config.blocks, "a stop lies in the model");
        }
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
