#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "app/ui/geometry.h"
#include "app/ui/theme.h"

namespace vitrine {

class Canvas;
struct Ui;

/// Icons, each drawn by code.
enum class Icon {
    left,
    right,
    up,
    down,
    play,
    pause,
    close,
    plus,
    check,
    folder,
    picture,
    search,
    sun,
    moon,
    question,
    undo,
    redo,
    warning,
    lecture,
    save,
    copy,
    curve,
    pointer,
    words,
    count
};

/// Common properties of controls: drawn at ImGui's cursor, at least 28 px high, reported to the probe under the id.
struct Control {
    std::string id;          // stable and language-independent
    std::string words = {};  // label; may be empty for an icon
    std::string tip = {};    // tooltip
    std::string key = {};    // keyboard shortcut, shown with the tooltip
    bool enabled = true;
    std::string group = {};     // for `segmented`: name of the group that begins with this choice
    std::string room_for = {};  // for `segmented`: other words for which the choice must be wide enough
};

enum class Emphasis { quiet, plain, primary };

struct ButtonLook {
    Emphasis emphasis = Emphasis::plain;
    std::optional<Icon> icon = {};
    float width = 0;         // 0: fits the words; below 0: the remaining width
    bool row = false;        // an item in a list: left-aligned
    std::string aside = {};  // for a row: muted after the words, if there is room
};

/// True in the frame in which it is clicked.
bool button(const Ui& ui, const Control& control, const ButtonLook& look = {});
bool icon_button(const Ui& ui, const Control& control, Icon icon, Emphasis emphasis = Emphasis::quiet);

/// A switch with words, wrapped if necessary; true when it changed `on`. Width at most `width`; 0: the remaining width.
bool toggle(const Ui& ui, const Control& control, bool& on, float width = 0);

/// Mutually exclusive choices side by side; true when `chosen` changed. Groups are set apart, with their names before
/// them if all fit.
bool segmented(const Ui& ui, std::span<const Control> choices, int& chosen);

/// The power symbol, which switches a part off and on: × means "remove" or "close" everywhere, never "off".
void draw_power(Canvas& canvas, Point centre, float size, Color color);

enum class ChipClick { none, chosen, switched };

struct ChipState {
    Color color = {};  // of its subject
    bool selected = false;
    bool off = false;             // switched off: drawn struck through and hatched
    bool can_switch = true;       // has a power symbol, reported as "<id>.switch"
    float width = 0;              // like ButtonLook's
    std::string switch_tip = {};  // tooltip of the switch, if different
    bool filled = false;          // selected, it is filled with the accent, as places of the map are
};

/// A part of the network: a click on the words chooses it, a click on the power symbol switches it off or on.
ChipClick chip(const Ui& ui, const Control& control, const ChipState& state);

struct SliderRange {
    float low = 0, high = 1;
    float step = 0;                                // for the arrow keys; 0: a twentieth of the range
    std::function<std::string(float)> words = {};  // format of the value; number_text if empty
};

/// Label and value above, track below, across the remaining width; true when it changed `value`.
bool slider(const Ui& ui, const Control& control, const SliderRange& range, float& value);

/// Heading of a foldable part; true while it is open.
bool section(const Ui& ui, const Control& control, bool& open);

/// A heading in bold.
void heading(const Ui& ui, const std::string& words);

/// Makes the last item, a text field, reachable by the keyboard: focus starts and ends its editing.
void focus_of_text_field(const Ui& ui, Canvas& canvas, const std::string& id);

/// A ring around the focused control.
void focus_ring(const Ui& ui, Canvas& canvas, Rect rect, float rounding);

/// Shows a tooltip for the last item after the mouse or the keyboard has rested on it for a moment.
void tooltip(const Ui& ui, const std::string& words, const std::string& key = {});

/// A box with lines of text at the mouse or at the keyboard's cursor, for a figure's values; markup as in rich_text.h.
void readout(const Ui& ui, std::span<const std::string> lines);

/// Draws an icon by code, sharp at every scale; `size` is the side of its square.
void draw_icon(Canvas& canvas, Icon icon, Point centre, float size, Color color);

}  // namespace vitrine
