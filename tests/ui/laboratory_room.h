#pragma once

#include <cstddef>
#include <string>

#include "app/workspace/measured.h"
#include "tests/ui/harness.h"

namespace vitrine {

inline Opening laboratory(Instrument instrument) {
    Opening state = Harness::with_image("cat");
    state.state.room = "laboratory";
    state.selection.focus.lab.instrument = instrument;
    return state;
}

inline const Laboratory& lab(const Harness& h) { return h.focus().lab; }
inline const Measured& measured(Harness& h) { return *h.app->context().jobs().of<Measuring>().latest(1).result; }

/// Readout of a map for the patch in its middle.
struct PatchTold {
    double value = 0;
    std::size_t token = 0;
};
inline PatchTold told(Harness& h, const std::string& map) {
    h.hover(map);
    return {h.item(map + ".value").value, static_cast<std::size_t>(*h.app->workspace().selection.hovered_token())};
}

/// The id of a tile in the gallery.
inline std::string tile(int block, int head) { return "gallery." + std::to_string(block) + "." + std::to_string(head); }

inline void click_at(Harness& h, Rect rect, int button = 0) {
    h.input.move(rect.centre().x, rect.centre().y);
    h.frame(3);
    h.input.button(button, true);
    h.input.button(button, false);
    h.frame(4);
    h.settle();
}

}  // namespace vitrine
