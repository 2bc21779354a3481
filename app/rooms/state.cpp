#include "app/rooms/state.h"

#include <algorithm>

#include "app/library/samples.h"
#include "core/base/error.h"

namespace vitrine {

std::string DrawingChoice::word() const {
    return thing + ":" + std::to_string(number) + ":" + name_of(difficulty) + ":" + std::to_string(size);
}

std::size_t DrawingChoice::place_in(const std::vector<std::string>& classes) const {
    const auto found = std::find(classes.begin(), classes.end(), thing);
    return found == classes.end() ? 0 : static_cast<std::size_t>(found - classes.begin());
}

void DrawingChoice::choose(const std::string& word) {
    const std::optional<PictureRequest> request = sample_request(word, {});
    if (!request) throw Error("'" + word + "' does not name a picture; write one such as cat:17:hard:256");
    *this = {class_of_sample(word), request->set.difficulty, request->size, request->index};
}

double StreamShown::per_second() const {
    if (times.size() < 2) return 0;
    const double passed = times.back() - times.front();
    return passed > 0 ? static_cast<double>(times.size() - 1) / passed : 0;
}

}  // namespace vitrine
