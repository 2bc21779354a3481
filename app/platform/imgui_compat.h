#pragma once

#include <imgui.h>

#include "app/ui/geometry.h"

namespace vitrine {

// One code base for Dear ImGui 1.86 (Debian 12) to 1.92: nothing else in the app names a key, a flag or a texture type
// that differs between them.

enum class Key {
    tab,
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    remove,
    backspace,
    space,
    enter,
    escape,
    f1,
    f2,
    f3,
    f4,
    f5,
    f6,
    f7,
    f8,
    f9,
    f10,
    f11,
    f12,
    plus,
    minus,
    slash,
    period,
    comma,
    digit_0,
    digit_1,
    digit_2,
    digit_3,
    digit_4,
    digit_5,
    digit_6,
    digit_7,
    digit_8,
    digit_9,
    a,
    b,
    c,
    d,
    e,
    f,
    g,
    h,
    i,
    j,
    k,
    l,
    m,
    n,
    o,
    p,
    q,
    r,
    s,
    t,
    u,
    v,
    w,
    x,
    y,
    z,
    ctrl,
    shift,
    alt,
    count,
};

/// True if the key was pressed in this frame; with `repeat`, the keyboard's repetitions count, too.
bool key_pressed(Key key, bool repeat = false);
bool ctrl_down();
bool shift_down();

/// The GLFW number of a key, and the key of a GLFW number (Key::count for one that the app does not use).
int glfw_number(Key key);
Key key_of_glfw(int number);

/// Passes one event to ImGui; `InputQueue` decides when.
void feed_mouse_position(float x, float y);
void feed_mouse_button(int button, bool down);
void feed_wheel(float x, float y);
void feed_key(int glfw_key, bool down);
void feed_character(unsigned code_point);

/// Keys for a context without a GLFW backend (tests, pictures).
void set_up_keys();

/// A child window; `padded` keeps the style's padding inside. The caller ends it with ImGui::EndChild.
struct Child {
    const char* id = "";
    float width = 0, height = 0;
    bool bordered = false, padded = false;
    int flags = 0;  // ImGuiWindowFlags
};
bool begin_child(const Child& child);

/// Scrolls the current window just enough to show the rectangle.
void scroll_into_view(Rect rect);

/// Moves the keyboard focus to the text field `label`, which must be the next item of the current window.
void focus_text_field(const char* label);
/// Moves the keyboard focus to the text field that was the last item.
void focus_last_text_field();

ImTextureID texture_id(unsigned gl);
bool has_glyph(ImFont* font, unsigned code_point);

/// Builds the font atlas without a renderer, so that tests can run frames without drawing.
void use_null_renderer();

}  // namespace vitrine
