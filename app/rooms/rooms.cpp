#include <algorithm>

#include "app/rooms/explore/room.h"
#include "app/rooms/laboratory/room.h"
#include "app/rooms/learning/room.h"

namespace vitrine {

const std::vector<Room>& rooms() {
    static const std::vector<Room> all = {
        // clang-format off
        explore_room(),
        laboratory_room(),
        learning_room(),
        // clang-format on
    };
    return all;
}

const Room& room_of(std::string_view id) {
    const auto found = std::find_if(rooms().begin(), rooms().end(), [&](const Room& r) { return r.id == id; });
    return found == rooms().end() ? rooms().front() : *found;
}

bool is_room(std::string_view id) { return room_of(id).id == id; }

}  // namespace vitrine
