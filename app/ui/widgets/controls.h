#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "app/ui/ui.h"
#include "app/ui/widgets/icons.h"
#include "app/ui/widgets/tips.h"

namespace vitrine {

/// What every control is: drawn at ImGui's cursor, at least 28 px high, reported to the probe under its id.
struct Control {
    std::string id;          // stable and language-independent
    std::string words = {};  // on it; may be empty beside an icon
    std::string tip = {};    // what it does, on hover
    std::string key = {};    // the key that does the same, beside the tip
    bool enabled = true;
};

enum class Emphasis { quiet, plain, primary };

struct ButtonLook {
    Emphasis emphasis = Emphasis::plain;
    std::optional<Icon> icon = {};
    float width = 0;         // 0: as its words need; below 0: all that is left
    bool row = false;        // one of a list: its words begin at the left
    std::string aside = {};  // of a row: muted behind its words, as far as there is room
};

/// True in the frame in which it is pressed.
bool button(const Ui& ui, const Control& control, const ButtonLook& look = {});
bool icon_button(const Ui& ui, const Control& control, Icon icon, Emphasis emphasis = Emphasis::quiet);

/// A switch with its words, on two lines where one is too narrow; true when it changed `on`. No wider than `width`; 0:
/// all that is left.
bool toggle(const Ui& ui, const Control& control, bool& on, float width = 0);

/// Side-by-side choices of which one holds; true when `chosen` changed.
bool segmented(const Ui& ui, std::span<const Control> choices, int& chosen);

enum class ChipClick { none, chosen, switched };

struct ChipState {
    Color color = {};  // of what it stands for
    bool selected = false;
    bool off = false;             // switched off: struck through and hatched
    bool can_switch = true;       // has × (or + when off), reported as "<id>.switch"
    float width = 0;              // as in ButtonLook
    std::string switch_tip = {};  // of its switch, where that is not what its words do
};

/// A part of the network: its words choose it, its × switches it off and on.
ChipClick chip(const Ui& ui, const Control& control, const ChipState& state);

struct SliderRange {
    float low = 0, high = 1;
    float step = 0;                                // of the arrow keys; 0: a twentieth of the range
    std::function<std::string(float)> words = {};  // how the value reads; number_text if empty
};

/// Words and value above, the track below, as wide as what is left; true when it changed `value`.
bool slider(const Ui& ui, const Control& control, const SliderRange& range, float& value);

/// The header of a part that folds; true while it is open.
bool section(const Ui& ui, const Control& control, bool& open);

/// A line in strong letters.
void heading(const Ui& ui, const std::string& words);

/// Makes the last item, a text field, a place of the keyboard: the focus puts its cursor there and takes it away.
void focus_of_text_field(const Ui& ui, Canvas& canvas, const std::string& id);

/// A ring around what the keyboard is on.
void focus_ring(const Ui& ui, Canvas& canvas, Rect rect, float rounding);

}  // namespace vitrine
