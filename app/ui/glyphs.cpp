#include "app/ui/glyphs.h"

#include <imgui.h>

#include "app/platform/imgui_compat.h"

namespace vitrine {

namespace {

constexpr unsigned first_cjk = 0x2E80, last_plane = 0xFFEF;  // ImGui's letters have 16 bits

}  // namespace

void Glyphs::look(const std::string& words) {
    for_letters(words, [&](unsigned code) {
        if (code < first_cjk || code > last_plane || has_glyph(ImGui::GetIO().FontDefault, code)) return;
        if (seen_.insert(code).second) pending_ = true;
    });
}

}  // namespace vitrine
