#include "app/platform/imgui_compat.h"

#include <imgui_internal.h>

#include <array>
#include <cstdint>

#if IMGUI_VERSION_NUM < 18600
#error "Dear ImGui 1.86 or later is needed"
#endif

namespace vitrine {

namespace {

struct KeyRow {
    Key key;
    int glfw;
#if IMGUI_VERSION_NUM >= 18700
    ImGuiKey imgui;
#endif
};

#if IMGUI_VERSION_NUM >= 18700
#define VITRINE_KEY(ours, number, theirs) \
    { Key::ours, number, ImGuiKey_##theirs }
#else
#define VITRINE_KEY(ours, number, theirs) \
    { Key::ours, number }
#endif

// clang-format off
constexpr std::array<KeyRow, static_cast<std::size_t>(Key::count)> keys = {{
    VITRINE_KEY(tab, 258, Tab), VITRINE_KEY(left, 263, LeftArrow), VITRINE_KEY(right, 262, RightArrow),
    VITRINE_KEY(up, 265, UpArrow), VITRINE_KEY(down, 264, DownArrow), VITRINE_KEY(page_up, 266, PageUp),
    VITRINE_KEY(page_down, 267, PageDown), VITRINE_KEY(home, 268, Home), VITRINE_KEY(end, 269, End),
    VITRINE_KEY(remove, 261, Delete), VITRINE_KEY(backspace, 259, Backspace), VITRINE_KEY(space, 32, Space),
    VITRINE_KEY(enter, 257, Enter), VITRINE_KEY(escape, 256, Escape), VITRINE_KEY(f1, 290, F1),
    VITRINE_KEY(f2, 291, F2), VITRINE_KEY(f3, 292, F3), VITRINE_KEY(f4, 293, F4), VITRINE_KEY(f5, 294, F5),
    VITRINE_KEY(f6, 295, F6), VITRINE_KEY(f7, 296, F7), VITRINE_KEY(f8, 297, F8), VITRINE_KEY(f9, 298, F9),
    VITRINE_KEY(f10, 299, F10), VITRINE_KEY(f11, 300, F11), VITRINE_KEY(f12, 301, F12), VITRINE_KEY(plus, 61, Equal),
    VITRINE_KEY(minus, 45, Minus), VITRINE_KEY(slash, 47, Slash), VITRINE_KEY(period, 46, Period),
    VITRINE_KEY(comma, 44, Comma), VITRINE_KEY(digit_0, 48, 0), VITRINE_KEY(digit_1, 49, 1),
    VITRINE_KEY(digit_2, 50, 2), VITRINE_KEY(digit_3, 51, 3), VITRINE_KEY(digit_4, 52, 4),
    VITRINE_KEY(digit_5, 53, 5), VITRINE_KEY(digit_6, 54, 6), VITRINE_KEY(digit_7, 55, 7),
    VITRINE_KEY(digit_8, 56, 8), VITRINE_KEY(digit_9, 57, 9), VITRINE_KEY(a, 65, A), VITRINE_KEY(b, 66, B),
    VITRINE_KEY(c, 67, C), VITRINE_KEY(d, 68, D), VITRINE_KEY(e, 69, E), VITRINE_KEY(f, 70, F), VITRINE_KEY(g, 71, G),
    VITRINE_KEY(h, 72, H), VITRINE_KEY(i, 73, I), VITRINE_KEY(j, 74, J), VITRINE_KEY(k, 75, K), VITRINE_KEY(l, 76, L),
    VITRINE_KEY(m, 77, M), VITRINE_KEY(n, 78, N), VITRINE_KEY(o, 79, O), VITRINE_KEY(p, 80, P), VITRINE_KEY(q, 81, Q),
    VITRINE_KEY(r, 82, R), VITRINE_KEY(s, 83, S), VITRINE_KEY(t, 84, T), VITRINE_KEY(u, 85, U), VITRINE_KEY(v, 86, V),
    VITRINE_KEY(w, 87, W), VITRINE_KEY(x, 88, X), VITRINE_KEY(y, 89, Y), VITRINE_KEY(z, 90, Z),
    VITRINE_KEY(ctrl, 341, LeftCtrl), VITRINE_KEY(shift, 340, LeftShift), VITRINE_KEY(alt, 342, LeftAlt),
}};
// clang-format on

constexpr bool rows_are_in_order() {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i].key != static_cast<Key>(i)) return false;
    return true;
}
static_assert(rows_are_in_order(), "row_of finds a key by its number");

const KeyRow& row_of(Key key) { return keys[static_cast<std::size_t>(key)]; }

}  // namespace

int glfw_number(Key key) { return row_of(key).glfw; }

Key key_of_glfw(int number) {
    constexpr int right_shift = 344, right_ctrl = 345, right_alt = 346, keypad_enter = 335;
    if (number == right_shift) return Key::shift;
    if (number == right_ctrl) return Key::ctrl;
    if (number == right_alt) return Key::alt;
    if (number == keypad_enter) return Key::enter;
    for (const KeyRow& row : keys)
        if (row.glfw == number) return row.key;
    return Key::count;
}

bool ctrl_down() { return ImGui::GetIO().KeyCtrl; }
bool shift_down() { return ImGui::GetIO().KeyShift; }

void feed_character(unsigned code_point) { ImGui::GetIO().AddInputCharacter(code_point); }

#if IMGUI_VERSION_NUM >= 18700

bool key_pressed(Key key, bool repeat) { return key != Key::count && ImGui::IsKeyPressed(row_of(key).imgui, repeat); }
void feed_mouse_position(float x, float y) { ImGui::GetIO().AddMousePosEvent(x, y); }
void feed_mouse_button(int button, bool down) { ImGui::GetIO().AddMouseButtonEvent(button, down); }
void feed_wheel(float x, float y) { ImGui::GetIO().AddMouseWheelEvent(x, y); }

void feed_key(int glfw_key, bool down) {
    const Key key = key_of_glfw(glfw_key);
    if (key == Key::count) return;
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(row_of(key).imgui, down);
#if IMGUI_VERSION_NUM >= 18900
    constexpr ImGuiKey ctrl = ImGuiMod_Ctrl, shift = ImGuiMod_Shift, alt = ImGuiMod_Alt;
#else
    constexpr ImGuiKey ctrl = ImGuiKey_ModCtrl, shift = ImGuiKey_ModShift, alt = ImGuiKey_ModAlt;
#endif
    if (key == Key::ctrl) io.AddKeyEvent(ctrl, down);
    if (key == Key::shift) io.AddKeyEvent(shift, down);
    if (key == Key::alt) io.AddKeyEvent(alt, down);
}

void set_up_keys() { ImGui::GetIO().AddFocusEvent(true); }

#else

bool key_pressed(Key key, bool repeat) { return key != Key::count && ImGui::IsKeyPressed(row_of(key).glfw, repeat); }
void feed_mouse_position(float x, float y) { ImGui::GetIO().MousePos = {x, y}; }
void feed_mouse_button(int button, bool down) { ImGui::GetIO().MouseDown[button] = down; }

void feed_wheel(float x, float y) {
    ImGui::GetIO().MouseWheelH += x;
    ImGui::GetIO().MouseWheel += y;
}

void feed_key(int glfw_key, bool down) {
    ImGuiIO& io = ImGui::GetIO();
    if (glfw_key < 0 || glfw_key >= IM_ARRAYSIZE(io.KeysDown)) return;
    io.KeysDown[glfw_key] = down;
    const Key key = key_of_glfw(glfw_key);
    if (key == Key::ctrl) io.KeyCtrl = down;
    if (key == Key::shift) io.KeyShift = down;
    if (key == Key::alt) io.KeyAlt = down;
}

void set_up_keys() {
    struct Row {
        int imgui;
        Key key;
    };
    static constexpr Row rows[] = {{ImGuiKey_Tab, Key::tab},
                                   {ImGuiKey_LeftArrow, Key::left},
                                   {ImGuiKey_RightArrow, Key::right},
                                   {ImGuiKey_UpArrow, Key::up},
                                   {ImGuiKey_DownArrow, Key::down},
                                   {ImGuiKey_PageUp, Key::page_up},
                                   {ImGuiKey_PageDown, Key::page_down},
                                   {ImGuiKey_Home, Key::home},
                                   {ImGuiKey_End, Key::end},
                                   {ImGuiKey_Delete, Key::remove},
                                   {ImGuiKey_Backspace, Key::backspace},
                                   {ImGuiKey_Space, Key::space},
                                   {ImGuiKey_Enter, Key::enter},
                                   {ImGuiKey_Escape, Key::escape},
                                   {ImGuiKey_A, Key::a},
                                   {ImGuiKey_C, Key::c},
                                   {ImGuiKey_V, Key::v},
                                   {ImGuiKey_X, Key::x},
                                   {ImGuiKey_Y, Key::y},
                                   {ImGuiKey_Z, Key::z}};
    for (const Row& row : rows) ImGui::GetIO().KeyMap[row.imgui] = glfw_number(row.key);
    ImGui::GetIO().AddFocusEvent(true);
}

#endif

bool begin_child(const Child& child) {
    const ImVec2 size(child.width, child.height);
#if IMGUI_VERSION_NUM >= 19000
    const int flags = (child.bordered ? 1 : 0) | (child.padded ? ImGuiChildFlags_AlwaysUseWindowPadding : 0);
    return ImGui::BeginChild(child.id, size, flags, child.flags);
#else
    const int padding = child.padded ? ImGuiWindowFlags_AlwaysUseWindowPadding : 0;
    return ImGui::BeginChild(child.id, size, child.bordered, child.flags | padding);
#endif
}

void scroll_into_view(Rect rect) {
    const ImGuiWindow* const window = ImGui::GetCurrentWindow();
    const ImRect& seen = window->InnerClipRect;
    if (rect.y0 < seen.Min.y) ImGui::SetScrollY(ImGui::GetScrollY() - (seen.Min.y - rect.y0) - rect.height());
    if (rect.y1 > seen.Max.y) ImGui::SetScrollY(ImGui::GetScrollY() + (rect.y1 - seen.Max.y) + rect.height());
}

void focus_text_field(const char* label) {
#if IMGUI_VERSION_NUM >= 19000
    // On 1.90 SetKeyboardFocusHere never reaches a field inside a child window that has just opened.
    ImGui::ActivateItemByID(ImGui::GetID(label));
    ImGui::GetCurrentContext()->NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
#else
    static_cast<void>(label);
    ImGui::SetKeyboardFocusHere();
#endif
}

void focus_last_text_field() {
#if IMGUI_VERSION_NUM >= 19000
    ImGui::ActivateItemByID(ImGui::GetItemID());
    ImGui::GetCurrentContext()->NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
#else
    ImGui::SetKeyboardFocusHere(-1);
#endif
}

ImTextureID texture_id(unsigned gl) { return (ImTextureID)(std::intptr_t)gl; }

bool has_glyph(ImFont* font, unsigned code_point) {
#if IMGUI_VERSION_NUM >= 19200
    return font->IsGlyphInFont(static_cast<ImWchar>(code_point));
#else
    return font->FindGlyphNoFallback(static_cast<ImWchar>(code_point)) != nullptr;
#endif
}

void use_null_renderer() {
    ImGuiIO& io = ImGui::GetIO();
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);  // a quarter of the memory of RGBA, which renderers request
    io.Fonts->SetTexID(texture_id(1));
}

}  // namespace vitrine
