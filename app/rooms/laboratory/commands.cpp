#include <algorithm>

#include "app/jobs/jobs.h"
#include "app/jobs/measuring.h"
#include "app/rooms/app_context.h"
#include "app/rooms/laboratory/room.h"
#include "app/rooms/room_parts.h"
#include "app/workspace/laboratory_state.h"

// Commands of the laboratory.

namespace vitrine {

namespace {

constexpr KeyContext here{.room = "laboratory", .on_a_run = true},
    outside_lectures{.room = "laboratory", .skin = KeyContext::Skin::window, .on_a_run = true};

}  // namespace

void walk_instruments(AppContext& context, int by) {
    Instrument& instrument = context.focus().lab.instrument;
    const int last = static_cast<int>(std::size(instrument_names)) - 1;
    instrument = instrument_names[std::clamp(place_of(instrument) + by, 0, last)].value;
}

const std::vector<CommandRow>& laboratory_commands() {
    static const std::vector<CommandRow> rows = {
        {"instrument.previous",
         "help.laboratory",
         {{Key::left}},
         outside_lectures,
         [](AppContext& h) { walk_instruments(h, -1); }},
        {"instrument.next",
         "help.laboratory",
         {{Key::right}},
         outside_lectures,
         [](AppContext& h) { walk_instruments(h, 1); }},
        {"pick",
         "help.laboratory",
         {{Key::p}},
         outside_lectures,
         [](AppContext& h) { h.focus().lab.toggle_pick(h.focus().block, h.focus().head); }},
        {"compare",
         "help.laboratory",
         {{Key::enter}},
         here,
         [](AppContext& h) { h.focus().lab.instrument = Instrument::compare; }},
        {"laboratory.cancel",
         "",
         {},
         here,
         [](AppContext& h) { h.jobs().of<Measuring>().cancel(h.workspace().id); },
         nullptr,
         false},
        {"laboratory.again",
         "",
         {},
         here,
         [](AppContext& h) { h.jobs().of<Measuring>().again(h.workspace().id); },
         nullptr,
         false},
    };
    return rows;
}

}  // namespace vitrine
