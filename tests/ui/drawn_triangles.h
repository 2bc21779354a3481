#pragma once

#include <imgui.h>

#include <vector>

namespace vitrine {

/// A triangle of the draw lists.
struct Triangle {
    ImVec2 at[3];
    ImU32 color[3];
    ImVec4 clip;
    bool plain = false;     // of one colour: no glyph, no picture
    bool textured = false;  // a picture
};

/// All triangles of a frame, from back to front.
inline std::vector<Triangle> drawn_triangles() {
    std::vector<Triangle> all;
    const ImDrawData* const data = ImGui::GetDrawData();
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    const ImTextureID font = ImGui::GetIO().Fonts->TexID;
    for (int l = 0; l < data->CmdListsCount; ++l) {
        const ImDrawList& list = *data->CmdLists[l];
        for (const ImDrawCmd& command : list.CmdBuffer)
            for (unsigned i = 0; i + 2 < command.ElemCount && command.UserCallback == nullptr; i += 3) {
                Triangle t;
                t.clip = command.ClipRect;
                t.plain = true;
                for (unsigned k = 0; k < 3; ++k) {
                    const int index = static_cast<int>(command.VtxOffset) +
                                      list.IdxBuffer[static_cast<int>(command.IdxOffset + i + k)];
                    const ImDrawVert& vertex = list.VtxBuffer[index];
                    t.at[k] = vertex.pos;
                    t.color[k] = vertex.col;
                    t.plain = t.plain && vertex.uv.x == white.x && vertex.uv.y == white.y;
                }
                t.textured = command.GetTexID() != font;
                t.plain = t.plain && !t.textured;
                all.push_back(t);
            }
    }
    return all;
}

}  // namespace vitrine
