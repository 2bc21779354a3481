#include "app/ui/glyphs.h"

#include <imgui.h>

#include "app/platform/imgui_compat.h"

namespace vitrine {

namespace {

constexpr unsigned first_cjk = 0x2E80, last_plane = 0xFFEF;  // ImGui's letters have 16 bits

}  // namespace

bool has_cjk(const std::string& words) {
    bool any = false;
    for_letters(words, [&](unsigned code) { any = any || code >= first_cjk; });
    return any;
}

bool Glyphs::look(const std::string& words) {
    bool all = true;
    for_letters(words, [&](unsigned code) {
        if (code < first_cjk || code > last_plane || has_glyph(ImGui::GetIO().FontDefault, code)) return;
        if (seen_.insert(code).second) waiting_.insert(code);
        all = all && !waiting_.contains(code);
    });
    return all;
}

}  // namespace vitrine
