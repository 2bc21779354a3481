#include "app/ui/widgets/text_field.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <span>

#include "app/platform/imgui_compat.h"
#include "app/ui/glyphs.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

namespace {

/// Wraps one line of words to a width in pixels: line breaks replace spaces, so that every letter keeps its index. A
/// line break at the end comes from Enter and stays.
void wrap_at_spaces(std::span<char> words, float width) {
    std::size_t end = words.size();
    while (end > 0 && words[end - 1] == '\n') --end;
    std::replace(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(end), '\n', ' ');
    const char* const all = words.data();
    std::size_t line = 0, space = 0;  // the line's first letter and its last space
    for (std::size_t i = 0; i <= end; ++i) {
        if (i < end && words[i] != ' ') continue;
        if (space > line && ImGui::CalcTextSize(all + line, all + i).x > width) words[space] = '\n', line = space + 1;
        space = i;
    }
}

/// The content of an ImGui text field, while it is edited.
struct Edited {
    std::string& words;
    float wrap;  // width of a line; 0: the field does not wrap
};

/// Callback that lets an ImGui text field grow a string, and wrap one line of words.
int grow(ImGuiInputTextCallbackData* data) {
    const Edited& edited = *static_cast<Edited*>(data->UserData);
    const auto length = static_cast<std::size_t>(data->BufTextLen);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        edited.words.resize(length);
        data->Buf = edited.words.data();
    } else if (edited.wrap > 0) {
        wrap_at_spaces({data->Buf, length}, edited.wrap);
        data->BufDirty = true;
    }
    return 0;
}

/// Size of a text field's lines. ImGui does not wrap: if a line is too long for the box, the wrapped text is drawn over
/// the field, or below it while it is edited.
struct FieldRoom {
    float width = 0, height = 0;  // of the whole field
    bool wraps = false;
    float typed = 0, wrapped = 0;  // heights of the text unwrapped and wrapped
};

FieldRoom room_of_field(const std::string& words, const FieldLook& look) {
    const ImGuiStyle& style = ImGui::GetStyle();
    constexpr float most_typed = 3;  // lines; beyond that the field scrolls
    FieldRoom room{.width = ImGui::GetContentRegionAvail().x, .height = look.height};
    const float inside = room.width - 2 * style.FramePadding.x, line = ImGui::GetTextLineHeight();
    const ImVec2 typed = ImGui::CalcTextSize(words.c_str());
    room.wraps = typed.x > inside - style.ScrollbarSize;
    if (!room.wraps) {
        if (look.one_line) room.height = std::max(look.height, typed.y + 2 * style.FramePadding.y);
        return room;
    }
    room.typed = std::min(typed.y, most_typed * line) + 2 * style.FramePadding.y;
    room.wrapped = ImGui::CalcTextSize(words.c_str(), nullptr, false, inside).y + 2 * style.FramePadding.y;
    room.height = std::max(look.height, room.typed + room.wrapped);
    return room;
}

/// Draws the field's box with its text wrapped, beginning `low` pixels below the box's upper edge.
void draw_wrapped_text(const Ui& ui, Rect box, const std::string& words, float low) {
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 line = ImGui::GetColorU32(ImGuiCol_Separator);
    list.AddRectFilled({box.x0, box.y0}, {box.x1, box.y1}, ImGui::GetColorU32(ImGuiCol_FrameBg),
                       ImGui::GetStyle().FrameRounding);
    if (low > 0) list.AddLine({box.x0, box.y0 + low}, {box.x1, box.y0 + low}, line, ui.theme.px(1));
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {box.x0 + padding.x, box.y0 + low + padding.y},
                 ImGui::GetColorU32(low > 0 ? ImGuiCol_TextDisabled : ImGuiCol_Text), words.c_str(), nullptr,
                 box.width() - 2 * padding.x);
}

/// Draws the placeholder in an empty field, which is ImGui's last item.
void draw_placeholder(const Ui& ui, const std::string& id, const std::string& words) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax(), pad = ImGui::GetStyle().FramePadding;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(low, high, true);
    list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {low.x + pad.x, low.y + pad.y},
                 ImGui::GetColorU32(ImGuiCol_TextDisabled), words.c_str(), nullptr, high.x - low.x - 2 * pad.x);
    list.PopClipRect();
    ui.probe.mark(id + ".placeholder", {low.x, low.y, high.x, high.y}, 0, words);
    if (ui.glyphs != nullptr) ui.glyphs->see(words);
}

}  // namespace

bool text_field(const Ui& ui, const std::string& id, std::string& words, const FieldLook& look) {
    const std::string label = "##" + id;
    const ImGuiStyle& style = ImGui::GetStyle();
    const float line = ImGui::GetContentRegionAvail().x - 2 * style.FramePadding.x - style.ScrollbarSize;
    if (look.one_line) wrap_at_spaces(words, line);
    FieldRoom room = room_of_field(words, look);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool active = ImGui::GetActiveID() == ImGui::GetID(label.c_str()), edited = room.wraps && active;
    Kept<float> height((id + ".height").c_str());
    if (!active || height == 0) height = room.height;
    if (look.still && active) room.height = height;  // what is below keeps its place until the field loses the focus
    if (room.wraps) {
        const float low = edited ? room.typed : 0;  // below the edited text, or in its place
        ImGui::Dummy({room.width, room.height});
        const Rect box{at.x, at.y, at.x + room.width, at.y + room.height};
        ImGui::PushClipRect({box.x0, box.y0}, {box.x1, box.y1}, true);
        draw_wrapped_text(ui, box, words, low);
        ImGui::PopClipRect();
        ui.probe.mark(id + ".whole", {at.x, at.y + low, box.x1, std::min(box.y1, at.y + low + room.wrapped)},
                      edited ? 1 : 0);
        ImGui::SetCursorScreenPos(at);
        const ImVec4 none{0, 0, 0, 0};
        ImGui::PushStyleColor(ImGuiCol_FrameBg, none);
        ImGui::PushStyleColor(ImGuiCol_Text, edited ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : none);
    }
    Edited buffer{words, look.one_line ? line : 0};
    const bool changed = ImGui::InputTextMultiline(
        label.c_str(), words.data(), words.capacity() + 1, {-1, edited ? room.typed : room.height},
        ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackEdit, grow, &buffer);
    const float lines = ImGui::CalcTextSize(words.c_str()).y;
    if (look.one_line) {
        while (words.ends_with('\n')) words.pop_back();  // Enter
        std::ranges::replace(words, '\n', ' ');          // also those of pasted text
        const Rect whole{at.x, at.y, at.x + room.width, at.y + lines + 2 * style.FramePadding.y};
        if (!room.wraps) ui.probe.mark(id + ".whole", whole, active ? 1 : 0);
    }
    if (room.wraps) ImGui::PopStyleColor(2);
    if (words.empty() && !look.placeholder.empty()) draw_placeholder(ui, id, look.placeholder);
    const bool cancelled = key_pressed(Key::escape);  // ImGui would restore the old text
    ui.probe.mark_item(id, 0, words);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, id);
    if (ui.glyphs != nullptr) ui.glyphs->see(words);
    if (room.wraps) ImGui::SetCursorScreenPos({at.x, at.y + room.height + ImGui::GetStyle().ItemSpacing.y});
    return changed && !cancelled;
}

}  // namespace vitrine
