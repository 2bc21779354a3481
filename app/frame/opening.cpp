#include "app/frame/opening.h"

#include <utility>

#include "app/chapters/step.h"
#include "app/sessions/session.h"

namespace vitrine {

Opening first_opening() {
    Opening opening;
    opening.experiment.image = {"picturebook:teapot", {}};
    opening.selection.focus.step = step_index("attention");
    opening.selection.focus.block = 2;
    return opening;
}

Opening opening_of(const Session& session, std::vector<Intervention> what_ifs,
                   std::vector<Intervention> others_what_ifs) {
    Opening opening;
    opening.experiment = {session.model, session.image, std::move(what_ifs)};
    opening.text_experiment = session.text_experiment;
    opening.selection.focus = session.focus;
    opening.state.room = session.room;
    opening.motion = {session.time, false};
    opening.as_left = true;
    opening.other = session.other;
    if (opening.other) opening.other->experiment.what_ifs = std::move(others_what_ifs);
    return opening;
}

Opening for_picture(Opening opening, const Settings& settings, bool lecture) {
    opening.state.lecture.on = lecture;
    follow_in_picture(opening.state.settings, settings);
    opening.state.settings.motion = false;
    return opening;
}

}  // namespace vitrine
