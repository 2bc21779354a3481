#include "app/rooms/state.h"

#include "app/workspace/library.h"
#include "core/base/error.h"

namespace vitrine {

std::string DrawingChoice::word() const { return sample_word({{0, difficulty, false}, number, size, label}); }

void DrawingChoice::choose(const std::string& word) {
    const std::optional<PictureRequest> request = sample_request(word);
    if (!request || !request->label) throw Error("'" + word + "' means no picture; write one such as cat:17:hard:256");
    *this = {*request->label, request->set.difficulty, request->size, request->index};
}

}  // namespace vitrine
