#include "app/lecture/lesson.h"
#include "app/rooms/room.h"
#include "app/workspace/library.h"
#include "core/base/error.h"
#include "tests/fuzz/targets.h"
#include "tests/small_model.h"

namespace vitrine::fuzz {

void lessons(Bytes bytes) {
    static const std::shared_ptr<const Model> model = open_model(small_model());
    try {
        const Lesson lesson = parse_lesson(text_of(bytes), "lesson.txt", "/nowhere");
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
